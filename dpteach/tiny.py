"""The book's program in one file: train, price, audit and label, on NumPy alone.

Each function is the shortest that is right for real numbers, and a test holds it equal
to the package, which adds checks, certified bounds, safe rounding, other libraries.
"""

from collections.abc import Callable, Sequence

import numpy as np

# One record's gradients: row i is the gradient of record i's loss at theta.
Gradients = Callable[[np.ndarray], np.ndarray]
# Gaussian sums (λ, q, T): noise over clip norm, rate of Poisson sampling, how many.
Runs = Sequence[tuple[float, float, int]]


def clip(gradients: np.ndarray, L: float) -> np.ndarray:
    """Shorten each row to norm L at most; a row that is not finite counts as 0."""
    finite = np.isfinite(gradients).all(axis=1, keepdims=True)
    rows = np.where(finite, gradients, 0.0)
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=1e-300)
    norms = largest * np.sqrt(((rows / largest) ** 2).sum(axis=1, keepdims=True))
    return rows / largest * (largest * (L / np.maximum(norms, L)))


def poisson_batch(n: int, q: float, rng: np.random.Generator) -> np.ndarray:
    """Flip a coin of probability q for each of n records; return the rows chosen."""
    return np.flatnonzero(rng.random(n) < q)


def dp_sgd(
    gradients: Gradients, start: np.ndarray, *, n: int, q: float, L: float, lam: float,
    steps: int, eta: float, rng: np.random.Generator,
) -> np.ndarray:  # fmt: skip
    """Return every model of DP-SGD; all of them cost ``[(lam, q, steps)]``."""
    theta, path = start, []
    for _ in range(steps):
        batch = poisson_batch(n, q, rng) if q < 1 else np.arange(n)
        total = clip(gradients(theta)[batch], L).sum(axis=0)
        noise = L * lam * rng.standard_normal(theta.shape)
        theta = theta - eta / q * (total + noise)
        path.append(theta)
    return np.array(path)


def log_moment(z: np.ndarray, runs: Runs, removed: bool) -> np.ndarray:
    """Return ln E[exp(z · loss)], the loss if a record is removed, or added."""
    total = np.zeros(z.shape, dtype=complex)
    for lam, q, T in runs:
        power = z + 1 if removed else -z  # of dP/dQ at x ~ Q = N(0, λ²)
        shift = np.real(power).max() if removed else np.real(power).min()
        x = np.arange(min(shift, 0) - 12 * lam, max(shift, 0) + 12 * lam, lam / 6)
        with np.errstate(divide="ignore"):  # q = 1 leaves no weight on N(0, λ²)
            log_ratio = np.logaddexp(np.log1p(-q), np.log(q) + (x - 0.5) / lam**2)
        exponent = np.multiply.outer(power, log_ratio) - x**2 / (2 * lam**2)
        peak = exponent.real.max(axis=-1, keepdims=True)
        mean = np.exp(exponent - peak).sum(axis=-1) / (6 * np.sqrt(2 * np.pi))
        total += T * (np.log(mean) + peak[..., 0])
    return total


def _delta(epsilon: float, runs: Runs, removed: bool) -> float:
    """Integrate E[e^{zL}] e^{−εz} / (z (z + 1)) over Re z = c, any c > 0, by 2πi."""

    def log_term(z: np.ndarray) -> np.ndarray:
        return log_moment(z, runs, removed) - epsilon * z - np.log(z) - np.log(z + 1)

    c = np.array([1.0 + 0j])
    for f in (1.25, 0.8):  # where the integrand is least, little cancels
        while 1e-3 < c[0].real < 1e3 and np.real(log_term(f * c) - log_term(c)) < 0:
            c = f * c
    c = 0.7 * c  # farther out, the rare large losses would fill the digits
    step, total = c[0].real / 32, np.exp(log_term(c))[0].real / 2
    for first in range(1, 16384, 64):  # above the axis; below it lie the conjugates
        terms = np.exp(log_term(c + 1j * step * (first + np.arange(64))))
        total += terms.sum().real
        if abs(terms[-1]) < 1e-13 * abs(total):
            break
    return float(step * total / np.pi)


def delta(epsilon: float, runs: Runs) -> float:
    """Return δ(ε): ten digits of many releases, two or three of one on a sample."""
    most = sum(-T * np.log1p(-q) if q < 1 else np.inf for _, q, T in runs)
    sides = (True,) if epsilon >= most else (True, False)  # a record added loses less
    value = max(_delta(epsilon, runs, removed) for removed in sides)
    if value < -1e-12:
        raise ArithmeticError("Too rarely sampled for this sum: see dpteach.accounting")
    return value


def epsilon(delta_: float, runs: Runs) -> float:
    """Return the least ε for δ, by bisection."""
    low, high = 0.0, 1.0
    while delta(high, runs) > delta_:
        low, high = high, 2 * high
    for _ in range(45):
        middle = (low + high) / 2
        low, high = (middle, high) if delta(middle, runs) > delta_ else (low, middle)
    return high


def tree_noise(n: int, p: int, sigma: float, rng: np.random.Generator) -> np.ndarray:
    """Return the noise in each of n prefix sums; they cost ``(σ/L, 1, ⌊lg n⌋ + 1)``."""
    N = 1 << (n - 1).bit_length()
    nodes = sigma * rng.standard_normal((2 * N - 1, p))  # node k is row k − 1
    noise = np.zeros((n, p))
    for t in range(1, n + 1):
        node = N + t - 1
        for bit in format(t, f"0{node.bit_length()}b")[::-1]:  # from the leaf up
            if bit == "1":
                noise[t - 1] += nodes[max(node & ~1, 1) - 1]
            node >>= 1
    return noise


def dp_ftrl(
    gradients: Gradients, start: np.ndarray, *, n: int, L: float, lam: float,
    Lam: float, rng: np.random.Generator,
) -> np.ndarray:  # fmt: skip
    """Return DP-FTRL's n + 1 models; all cost ``[(lam, 1, n.bit_length())]``."""
    total, theta, path = np.zeros_like(start), start, [start]
    for t, noise in enumerate(tree_noise(n, len(start), L * lam, rng)):
        total = total + clip(gradients(theta)[t : t + 1], L)[0]
        theta = start - (total + noise) / Lam
        path.append(theta)
    return np.array(path)


def audit(
    hits: int, runs: int, hits_without: int, runs_without: int, delta: float,
    false_alarm: float,
) -> float:  # fmt: skip
    """Return an ε that an event's counts prove, with and without a record."""
    from scipy.special import betaincinv

    alpha = false_alarm / 2
    least = betaincinv(hits, runs - hits + 1, alpha) if hits else 0.0
    missed = runs_without - hits_without
    most = 1 - betaincinv(missed, hits_without + 1, alpha) if missed else 1.0
    return float(np.log((least - delta) / most)) if least > delta else -np.inf


def label(runs: Runs, delta_: float) -> str:
    """Say in two lines what the runs cost, and what an attacker can guess."""
    right = 50 * (1 + delta(0.0, runs))  # of 100 guesses, at even odds
    return (
        f"ε ≤ {epsilon(delta_, runs):.4g} at δ = {delta_:g}, one record more or less\n"
        f"right guesses about one record: at most {right:.1f} of 100"
    )
