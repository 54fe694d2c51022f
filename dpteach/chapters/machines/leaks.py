"""Seventeen ways to break a proof by a program: what each promises, and what it keeps.

Each function runs, or computes exactly, a broken release of the chapter. It takes the
budget ε and returns how often the best guess about one record is right at even odds:
as promised, and as it is.
"""

from collections.abc import Callable
from fractions import Fraction
from math import inf, tanh

import numpy as np

from ...accounting import gaussian_mu, guess_probability
from ...arrays import clip
from ...auditing import exact_mu, noise_map
from ...privacy import Gaussian, Pure, Relation
from ..shared.tied_noise import DELTA
from .floats import share_guessed
from .sums import said_mu, totals_apart, tree_mu

Guesses = tuple[float, float]  # as promised, as it is


def _normal(mu: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(mu / 2))


def _pure(epsilon: float) -> float:
    return guess_probability(Pure(epsilon, relation=Relation.ADD_REMOVE), 0.5)


def promised_mu(epsilon: float) -> float:
    """Compute the μ of a Gaussian release that costs ε at δ = 10⁻⁶.

    Examples
    --------
    >>> round(promised_mu(1.0), 3)
    0.237
    """
    return gaussian_mu(epsilon, DELTA)


def audited(epsilon: float, release: Callable, X: np.ndarray, lost: int) -> Guesses:
    """Audit a Gaussian release that runs, with and without a record, by noise tape.

    Examples
    --------
    >>> def right(X, sigma, rng):
    ...     return clip(X, 1.0).sum(axis=0) + sigma * rng.standard_normal(X.shape[1])
    >>> told, found = audited(1.0, right, np.eye(3), 0)
    >>> round(told, 9) == round(found, 9)
    True
    """
    mu = promised_mu(epsilon)
    having, lacking = (
        noise_map(lambda rng, rows=rows: release(rows, 1 / mu, rng))
        for rows in (X, np.delete(X, lost, axis=0))
    )
    if having.mean.shape != lacking.mean.shape:
        return _normal(mu), 1.0  # the length of the output tells
    if not np.allclose(having.covariance, lacking.covariance):
        raise ValueError("`release` must add the same noise to all data, got two kinds")
    found = exact_mu(having.matrix, having.mean - lacking.mean)
    return _normal(mu), 1.0 if found == inf else _normal(found)


def floating_point(epsilon: float) -> Guesses:
    """Add Laplace noise by ``rng.laplace``, and publish every bit of the result."""
    return _pure(epsilon), share_guessed(epsilon)


def clock_seed(epsilon: float) -> Guesses:
    """Seed the generator by the clock; the attacker tries each second of an hour."""
    mu, second, right = promised_mu(epsilon), 1234, []
    for answer in (0.0, 1.0):
        seen = answer + np.random.default_rng(second).standard_normal() / mu
        guesses = [
            {seen == a + np.random.default_rng(k).standard_normal() / mu: a
             for a in (0.0, 1.0)}.get(True)
            for k in range(1200, 1260)
        ]  # fmt: skip
        right.append([each for each in guesses if each is not None] == [answer])
    return _normal(mu), 0.5 + 0.5 * float(np.mean(right))


def coarse_grid(epsilon: float) -> Guesses:
    """Round to whole numbers first, but size the noise for a sensitivity of 0.1."""
    # Floors of 0.95 and 1.05 differ by 1, and the noise of scale 0.1/ε hides 0.1.
    return _pure(epsilon), 0.5 + 0.5 * tanh(epsilon / 0.1 / 2)


def running_time(epsilon: float) -> Guesses:
    """Let the attacker count the rounds in which exact Laplace noise was drawn."""
    # Of scale t/s, as dpteach.secure draws it: x = u + t v, one round for each v.
    scale = 1 / Fraction(epsilon).limit_denominator(100)
    t, s = scale.numerator, scale.denominator
    x = np.arange(40 * t)
    weight = np.exp(-x / t)
    having, lacking = {}, {}
    for size, rounds, p in zip((x // s).tolist(), x // t, weight, strict=True):
        for noise in {size, -size}:
            for seen, answer in ((having, 1), (lacking, 0)):
                key = answer + noise, rounds
                seen[key] = seen.get(key, 0.0) + p
    apart = sum(max(p - lacking.get(key, 0.0), 0.0) for key, p in having.items())
    return _pure(epsilon), (1 + float(apart / sum(having.values()))) / 2


def best_of_ten(epsilon: float) -> Guesses:
    """Run ten times, publish the run with the highest score, and price one run."""
    from scipy.special import ndtr

    mu = promised_mu(epsilon)
    x = np.linspace(-6, 6 + mu, 20_001)
    # The score is the release: the best of ten has distribution function Φ¹⁰.
    apart = np.max(np.abs(ndtr(x) ** 10 - ndtr(x - mu) ** 10))
    return _normal(mu), (1 + float(apart)) / 2


def own_scale(epsilon: float) -> Guesses:
    """Divide all records by the longest norm among them, and take 1 for the bound."""

    def release(X, sigma, rng):
        scaled = X / np.linalg.norm(X, axis=1).max()
        return scaled.sum(axis=0) + sigma * rng.standard_normal(1)

    return audited(epsilon, release, np.array([[1.0]] * 20 + [[2.0]]), 20)


def early_stop(epsilon: float) -> Guesses:
    """Stop when the exact training loss is small: the number of steps tells."""

    def release(X, sigma, rng):
        theta, path = 0.0, []
        while np.mean((X - theta) ** 2) > 0.5 and len(path) < 20:
            theta += 0.1 * np.mean(X - theta)
            path.append(theta + sigma * rng.standard_normal())
        return np.array(path)

    return audited(epsilon, release, np.array([[1.0]] * 9 + [[4.0]]), 9)


def exception(epsilon: float) -> Guesses:
    """Refuse to publish if a record has no label: the error message is an output."""

    def release(X, sigma, rng):
        if np.isnan(X).any():
            return np.zeros(0)  # what the caller sees is the exception alone
        return X.sum(axis=0) + sigma * rng.standard_normal(1)

    return audited(epsilon, release, np.array([[1.0], [np.nan]]), 1)


def batch_norm(epsilon: float) -> Guesses:
    """Normalize each feature by the batch, then clip each record's gradient."""

    def release(X, sigma, rng):
        whitened = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-5)
        return clip(whitened, 1.0).sum(axis=0) + sigma * rng.standard_normal(1)

    # Without the far record the others cancel; with it, all lie on one side.
    X = np.array([[-1.0], [1.0]] * 16 + [[-60.0]])
    return audited(epsilon, release, X, 32)


def accumulation(epsilon: float) -> Guesses:
    """Add a quarter of the deviation in each of four micro-batches."""

    def release(X, sigma, rng):
        total = np.zeros(1)
        for rows in np.array_split(X, 4):
            total += clip(rows, 1.0).sum(axis=0) + sigma / 4 * rng.standard_normal(1)
        return total

    return audited(epsilon, release, np.ones((8, 1)), 7)


def resumed(epsilon: float) -> Guesses:
    """Restore the generator with the model: two steps get the same noise."""

    def release(X, sigma, rng):
        noise = 2**0.5 * sigma * rng.standard_normal(1)
        gradients = X.sum(axis=0), -X.sum(axis=0) / 2  # at two models
        return np.concatenate([g + noise for g in gradients])

    return audited(epsilon, release, np.ones((5, 1)), 4)


def devices(epsilon: float) -> Guesses:
    """Let each of eight devices add its share of the noise, and see each sum."""

    def release(X, sigma, rng):
        share = sigma / 8**0.5
        sums = [rows.sum(axis=0) for rows in np.array_split(X, 8)]
        return np.concatenate([g + share * rng.standard_normal(1) for g in sums])

    # A record is cleared, not removed, so that all devices keep their others.
    X, mu = np.ones((8, 1)), promised_mu(epsilon)
    having, lacking = (
        noise_map(lambda rng, rows=rows: release(rows, 1 / mu, rng))
        for rows in (X, np.r_[X[:7], [[0.0]]])
    )
    return _normal(mu), _normal(exact_mu(having.matrix, having.mean - lacking.mean))


def forgotten_layer(epsilon: float) -> Guesses:
    """Clip and noise the adapter, and leave the biases to the ordinary optimizer."""

    def release(X, sigma, rng):
        adapter, bias = X[:, :2], X[:, 2:]
        noisy = clip(adapter, 1.0).sum(axis=0) + sigma * rng.standard_normal(2)
        return np.concatenate([noisy, bias.sum(axis=0)])

    return audited(epsilon, release, np.ones((6, 3)) / 2, 5)


def logged_loss(epsilon: float) -> Guesses:
    """Send the exact training loss to a dashboard, beside the noisy step."""

    def release(X, sigma, rng):
        step = clip(X, 1.0).sum(axis=0) + sigma * rng.standard_normal(1)
        return np.concatenate([step, [np.mean(X**2)]])

    return audited(epsilon, release, np.array([[0.3], [0.5], [0.9]]), 2)


def actual_batch(epsilon: float) -> Guesses:
    """Divide the noisy sum of a million weights by the size that the batch has."""
    # All gradients are alike, so the two means agree, and the noise tells the size: its
    # squared length is (σ/b)² times a chi-square number, b = 256 or 255.
    from scipy.stats import chi2

    weights, ratio = 1_000_000, (256 / 255) ** 2
    # The densities of c and ratio · c cross at this c.
    cross = weights * np.log(ratio) / (1 - 1 / ratio)
    apart = chi2.cdf(cross, weights) - chi2.cdf(cross / ratio, weights)
    return _normal(promised_mu(epsilon)), (1 + float(apart)) / 2


def rounded_sum(epsilon: float) -> Guesses:
    """Add up a million records in single precision; price the tree for exact sums."""
    shift, promised = totals_apart(4, single=True), promised_mu(epsilon)
    noise = said_mu(4, 1.0) / promised  # of the tree, in records
    return _normal(promised), _normal(tree_mu(shift, noise))


def overflow(epsilon: float) -> Guesses:
    """Clip gradients in single precision, one row of them a raster's missing value."""

    def release(X):
        theta = np.array([2, -2], dtype=np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            G = X / (1 + np.exp(X @ theta))[:, None]
            return (G / np.maximum(np.linalg.norm(G, axis=1), 1)[:, None]).sum(axis=0)

    X = np.ones((5, 2), dtype=np.float32)
    X[4] = -3.4e38
    # No noise hides that a sum is no number.
    seen = not np.isfinite(release(X)).all() and np.isfinite(release(X[:4])).all()
    return _normal(promised_mu(epsilon)), 1.0 if seen else 0.5


# In the order of the table in the chapter: a name, how bad it is, and what runs it.
# Total: one output can give a record away. Partial: more is spent than was stated.
# Conditional: more is spent if an attacker can watch more than the output.
LEAKS: tuple[tuple[str, str, Callable[[float], Guesses]], ...] = (
    ("floating-point noise", "total", floating_point),
    ("a seed that can be guessed", "total", clock_seed),
    ("rounding before the noise", "partial", coarse_grid),
    ("running time", "conditional", running_time),
    ("the best of ten runs", "partial", best_of_ten),
    ("scaling by the data", "partial", own_scale),
    ("stopping by the exact loss", "total", early_stop),
    ("an exception", "total", exception),
    ("batch normalization", "partial", batch_norm),
    ("noise of micro-batches", "partial", accumulation),
    ("a restored generator", "total", resumed),
    ("noise shared by devices", "partial", devices),
    ("a layer without noise", "total", forgotten_layer),
    ("a logged loss", "total", logged_loss),
    ("dividing by the actual batch", "total", actual_batch),
    ("a sum in single precision", "partial", rounded_sum),
    ("a gradient that overflows", "total", overflow),
)


def budget_event(epsilon: float) -> Gaussian:
    """State the Gaussian release that the pitfalls promise.

    Examples
    --------
    >>> round(budget_event(1.0).mu, 3)
    0.237
    """
    return Gaussian(1 / promised_mu(epsilon), relation=Relation.ADD_REMOVE)
