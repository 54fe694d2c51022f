"""Wrong scales of noise on a minimum, and their reasons: for ``publish_minimum``."""

# ruff: noqa: ARG005  (formulas of one table share one signature)


def least_scale(n: int, L: float, alpha: float, tol: float, eps: float) -> float:
    """Return the least scale that hides a replacement, and where solvers stop."""
    return (2 * L / n + 2 * tol) / (alpha * eps)


# Scales that many give, as functions of (n, L, alpha, tol, eps, p), and the reason.
SCALES = (
    (
        lambda n, L, m, tol, eps, p: (L / n + 2 * tol) / (m * eps),
        "That hides a record that comes or goes. One that is replaced takes its own "
        "gradient away, and brings another.",
    ),
    (
        lambda n, L, m, tol, eps, p: 2 * L / n / (m * eps),
        "That is enough for exact minima. Where does each run of the solver stop?",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L / n + tol) / (m * eps),
        "One solver's error is covered. There are two runs, and they may err in "
        "opposite directions.",
    ),
    (
        lambda n, L, m, tol, eps, p: (L / n + tol) / (m * eps),
        "That is half of the distance: both the record and the solver count twice.",
    ),
    (
        lambda n, L, m, tol, eps, p: L / n / (m * eps),
        "That hides a record that comes or goes, between exact minima.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L + 2 * tol) / (m * eps),
        "That is for a sum of losses. Here alpha stands beside a mean, in which one "
        "record counts for 1/n.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L + 2 * n * tol) / (m * eps),
        "The numerator is in units of a sum of losses, the denominator in those of "
        "a mean: the noise is n times too large.",
    ),
    (
        lambda n, L, m, tol, eps, p: 2 * L / (m * eps),
        "That is for a sum of losses, and for exact minima. Here alpha stands beside "
        "a mean.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L / n + 2 * tol / n) / (m * eps),
        "The tolerance is divided by n. It belongs to the gradient of the mean "
        "already; that of the sum would be n times as large.",
    ),
    (
        lambda n, L, m, tol, eps, p: least_scale(n, L, m, tol, eps) / n,
        "It is divided by n once too often: too little noise, by a factor of n.",
    ),
    (
        lambda n, L, m, tol, eps, p: least_scale(n, L, m, tol, eps) * 2,
        "Twice too much: two gradients of norm L are at most 2L apart, two solvers' "
        "errors at most twice one.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L / n + 2 * tol * m) / (m * eps),
        "tol bounds a gradient. How far from the minimum may the solver be?",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L / n + 2 * tol) / eps,
        "alpha does not enter: a flatter objective lets its minimum move farther.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 * L / n + 2 * tol) * m / eps,
        "It grows with alpha. A flatter objective lets its minimum move farther.",
    ),
    (
        lambda n, L, m, tol, eps, p: least_scale(n, L, m, tol, eps) * eps,
        "eps does not enter.",
    ),
    (
        lambda n, L, m, tol, eps, p: least_scale(n, L, m, tol, eps) * eps**2,
        "It grows with eps. A larger eps promises less, and asks for less noise.",
    ),
    (
        lambda n, L, m, tol, eps, p: (2 / n + 2 * tol) / (m * eps),
        "L does not enter: steeper losses pull a minimum farther.",
    ),
    (
        lambda n, L, m, tol, eps, p: 1 / least_scale(n, L, m, tol, eps),
        "It is the inverse of the scale. What NumPy calls scale multiplies the draws.",
    ),
    (
        lambda n, L, m, tol, eps, p: least_scale(n, L, m, tol, eps) / p,
        "Divided by the number of dimensions: then the mean length is that of one "
        "dimension. But the density is told by s, not by its mean length.",
    ),
    (
        lambda n, L, m, tol, eps, p: least_scale(n, L, m, tol, eps) * p,
        "Multiplied by the number of dimensions: more room far out makes the noise "
        "longer by itself.",
    ),
    (
        lambda n, L, m, tol, eps, p: least_scale(n, L, m, tol, eps) * p**0.5,
        "A factor of √p: that would be needed if each entry had noise of its own.",
    ),
)
