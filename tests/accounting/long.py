"""δ of composed releases to about fifteen digits, by nothing that the package uses.

One integral over a vertical line, in 80-bit floats, of moments that are plain sums:
no cut, no smoothing, no separated jumps, no bound of the rest. Instead each figure is
computed with two steps and two lengths, and counts only if they agree. Where moments
do not die out along the line, there is no figure.
"""

import math

import numpy as np

REAL = np.longdouble
# 80-bit floats: elsewhere a long double may be a double, and nothing here holds
WIDE = np.finfo(REAL).nmant >= 63
MOST = 2_000_000  # products of nodes on the line and outputs
AGREE = 2e-13


def _normal(x, sigma):
    return np.exp(-x * x / (2 * sigma * sigma)) / (sigma * np.sqrt(2 * REAL(math.pi)))


def sampled_gaussian(sigma, q, removed):
    """List losses, weights and atoms of normal noise, where a share q is moved by 1."""
    sigma, q = REAL(sigma), REAL(q)

    def nodes(c):
        # analytic for |Im x| < πσ², so the trapezoid rule errs by e^{−2π·πσ²/h}
        step = min(sigma / 7, REAL(0.33) * sigma * sigma)
        far = 13 * sigma
        x = np.arange(-far - (0 if removed else c), 1 + far + c * removed, step, REAL)
        jump = (2 * x - 1) / (2 * sigma * sigma)
        near = np.log1p(q * np.expm1(np.minimum(jump, 5000)))
        loss = np.where(jump < 5000, near, np.log(q) + jump)
        density = _normal(x, sigma)
        weight = density * np.exp(loss) if removed else density
        return (loss if removed else -loss), weight * step, []

    return nodes


def sampled_laplace(scale, q, removed):
    """List losses, weights and atoms for Laplace noise: two, and what lies between."""
    scale, q = REAL(scale), REAL(q)

    def nodes(_):
        # a polynomial's rule between 0 and 1, on pieces as short as the loss bends
        pieces = max(4, math.ceil(4 / float(scale)))
        at, width = np.polynomial.legendre.leggauss(40)
        grid = (np.arange(pieces)[:, None] + (at + 1) / 2).ravel() / pieces
        x = np.concatenate(([0], grid, [1])).astype(REAL)
        loss = np.log1p(q * np.expm1((2 * x - 1) / scale))
        inner = np.tile(width / (2 * pieces), pieces) * np.exp(-x[1:-1] / scale)
        half, end = REAL(1) / 2, np.exp(-1 / scale) / 2
        base = np.concatenate(([half], inner / (2 * scale), [end]))
        ends = [0, len(x) - 1]
        return (loss, base * np.exp(loss), ends) if removed else (-loss, base, ends)

    return nodes


def pure(epsilon):
    """List the losses of randomized response."""
    odds = np.exp(REAL(epsilon))
    loss = np.array([REAL(epsilon), -REAL(epsilon)])
    return lambda _: (loss, np.array([odds, 1]) / (1 + odds), [0, 1])


def _log_moment(runs, mu, s):
    # ln E[e^{sL}] of all releases, by ln(1 + E[e^{sL} − 1]): no digits of 1 are lost
    total = s * (s + 1) * (REAL(mu) ** 2 / 2)
    c = float(np.max(np.real(s)))
    for nodes, count in runs:
        loss, weight, _ = nodes(c)
        less = np.sum(weight) - 1  # what the rule's total misses
        mean = np.concatenate(
            [np.expm1(np.outer(part, loss)) @ weight for part in np.array_split(s, 8)]
        )
        total = total + count * np.log1p(mean + less)
    return total


def _saddle(runs, mu, epsilon):
    # where the integrand is least on the real line, among tilts that floats can hold
    tilts = np.geomspace(1e-3, 1e4, 90).astype(REAL)
    for _ in range(3):
        value = np.array([_log_moment(runs, mu, s[None])[0] for s in tilts])
        value = value - tilts * REAL(epsilon) - np.log(tilts * (1 + tilts))
        at = int(np.argmin(np.where(np.isfinite(value), value, np.inf)))
        low, high = tilts[max(at - 1, 0)], tilts[min(at + 1, len(tilts) - 1)]
        best, tilts = tilts[at], np.linspace(low, high, 15).astype(REAL)
    return best


def _integral(runs, mu, epsilon, c, period, count):
    # Σ_j Re M(c + it_j) e^{−sε}/(s(s + 1)), of which the last hundredth must be small
    step = 2 * REAL(math.pi) / period
    s = c + 1j * step * np.arange(count).astype(REAL)
    exponent = _log_moment(runs, mu, s) - s * REAL(epsilon)
    lead = exponent[0].real
    terms = (np.exp(exponent - lead) / (s * (s + 1))).real
    terms[0] /= 2
    total = np.sum(terms) * step / REAL(math.pi)
    tail = np.max(np.abs(terms[-max(count // 50, 4) :])) * count
    if not total > 0 or tail * step > REAL(1e-16) * total:
        return None
    return lead + np.log(total)


def _fades(runs, mu, c):
    # Atoms on a lattice bring moments back after they have died out, again and again,
    # to the share that the atoms have of the tilted distribution. A Gaussian release,
    # or a continuous loss, ends that.
    if mu:
        return True
    log_share = REAL(0)
    for nodes, count in runs:
        loss, weight, atoms = nodes(float(c))
        terms = weight * np.exp(c * (loss - np.max(loss)))
        log_share += count * np.log(np.sum(terms[atoms]) / np.sum(terms) + REAL(1e-30))
    return bool(log_share < -40)


def _period(runs, mu, epsilon, c, near):
    # Poisson's formula adds e^{cjP} δ(ε + jP): a moment at a larger tilt bounds those
    # on the right, and 1 those on the left. None may reach e^{near − 45}.
    found = []
    for tilt in c * np.array([1.05, 1.1, 1.2, 1.4, 1.7, 2, 3], REAL):
        value = _log_moment(runs, mu, tilt[None])[0] - tilt * REAL(epsilon)
        found.append((value - near + 45) / (tilt - c))
    right = min((value for value in found if np.isfinite(value)), default=np.inf)
    return max(right, (45 - near) / c)


def log_delta(runs, mu, epsilon, near):
    """Compute ln δ(ε) of releases (nodes, count) and a Gaussian one of μ, or None.

    ``near`` is what ln δ is thought to be, for the step alone.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return _log_delta(runs, mu, epsilon, near)


def _log_delta(runs, mu, epsilon, near):
    c = _saddle(runs, mu, epsilon)
    size = sum(len(nodes(float(c))[0]) for nodes, _ in runs) + 1
    period, found = _period(runs, mu, epsilon, c, near), []
    if size > MOST / 64 or not np.isfinite(period) or not _fades(runs, mu, c):
        return None
    for stretch in (1, REAL(1.37)):
        value, count = None, 64
        while value is None and count * size < MOST:
            value = _integral(runs, mu, epsilon, c, period * stretch, count)
            count *= 2
        if value is None:
            return None
        found.append(value)
    one, two = found
    return two if abs(one - two) < AGREE else None
