"""The leak museum: what each leak claims, and what it really costs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import exp, expm1, inf, log

import numpy as np

from ... import checks
from ...accounting import calibrate, gaussian_epsilon
from ...auditing import exact_mu, noise_map
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...numerics import safe_root
from ...privacy import Approximate, Relation, SampledGaussian
from ..shared.tied_noise import DELTA, noise_for
from . import leaks

Pair = tuple[np.ndarray, np.ndarray]  # the records of two neighbors
Price = Callable[[float], float]  # from the ε that is claimed to the ε that is paid


@dataclass(frozen=True)
class Leak:
    """One exhibit: leaky code, its repair, and what each costs.

    Parameters
    ----------
    name : str
        What was done.
    found : str
        A thread of a library in which it is discussed, or a citation.
    leaky, repaired : callable
        The code.
    price, repaired_price : callable
        From the ε that is claimed, at δ = 10⁻⁶, to the least ε that two neighbors
        allow. For shuffled batches it is a lower bound of that.
    relation : Relation, optional
        What kind of neighbors the two are.
    """

    name: str
    found: str
    leaky: Callable
    repaired: Callable
    price: Price
    repaired_price: Price
    relation: Relation = Relation.ADD_REMOVE


def gaussian_pair_epsilon(
    mechanism: Callable, pair: Pair, noise_multiplier: float, delta: float = DELTA
) -> float:
    """Compute the exact ε of a Gaussian mechanism on two neighbors, from its code.

    Parameters
    ----------
    mechanism : callable
        Takes records, a noise multiplier and a ``Generator``.
    pair : tuple of ndarray
        The records of two neighbors.
    noise_multiplier : float
        λ.
    delta : float, optional
        δ.

    Returns
    -------
    float
        The least ε, infinite if some direction that tells them apart has no noise.

    Raises
    ------
    ValueError
        If the two noises differ in more than their size, or in size while the means
        differ, too.

    Examples
    --------
    >>> rows = np.eye(3)[:, :2]  # the last of three rows is zero
    >>> twice = lambda G, lam, rng: leaks.right_sum(2 * G, lam, rng)  # clipped anyway
    >>> round(gaussian_pair_epsilon(twice, (rows, rows[1:]), noise_for(1.0, 1)), 6)
    1.0
    """
    first, second = (
        noise_map(lambda rng, D=D: mechanism(D, noise_multiplier, rng)) for D in pair
    )
    moved = first.mean - second.mean
    if np.allclose(first.covariance, second.covariance, rtol=1e-9, atol=0):
        mu = exact_mu(first.matrix, moved)
        return gaussian_epsilon(mu, delta) if 0 < mu < inf else mu
    sizes = [float(np.linalg.norm(each.matrix, 2)) for each in (first, second)]
    round_ = [
        np.allclose(each.covariance, size**2 * np.eye(len(moved)), atol=1e-9 * size**2)
        for each, size in zip((first, second), sizes, strict=True)
    ]
    if moved.any() or not all(round_):
        raise ValueError("`pair` must give noises that differ in their size alone.")
    return _scales_epsilon(max(sizes) / min(sizes), len(moved), delta)


def _scales_epsilon(ratio: float, p: int, delta: float) -> float:
    """Tell N(0, I) from N(0, ratio² I): the squared length says all that there is."""
    from scipy.stats import chi2

    def square(e: float) -> float:  # where the log-ratio of wide to narrow is e
        return 2 * (e + p * log(ratio)) / (1 - ratio**-2)

    def excess(e: float) -> float:
        at = square(e)
        wide = chi2.sf(at / ratio**2, p) - exp(e + chi2.logsf(at, p))
        at = max(square(-e), 0.0)
        narrow = chi2.cdf(at, p) - exp(e + chi2.logcdf(at / ratio**2, p))
        return float(max(wide, narrow)) - delta

    return safe_root(excess, 0.0, 500.0) if excess(0.0) > 0 else 0.0


def _rows(*columns: float, n: int = 7, p: int = 4) -> np.ndarray:
    """Make n equal rows of length p."""
    return np.tile(np.resize(np.array(columns, dtype=float), p), (n, 1))


def _with(others: np.ndarray, *last: float) -> np.ndarray:
    return np.vstack([others, np.resize(np.array(last), others.shape[1])])


# Neighbors on which the leaks show: the last record is in, or out, or zeroed out.
QUIET = np.zeros((7, 4))
ONE_MORE: Pair = (_with(QUIET, 1e3), QUIET)
ZEROED: Pair = (_with(QUIET, 1e3), _with(QUIET, 0.0))
TURNS_THE_MEAN: Pair = (_with(_rows(2.0), -1e3), _with(_rows(2.0), 0.0))
TURNS_A_GROUP: Pair = (
    np.vstack([_with(_rows(1e3, n=3), -1e6), np.zeros((4, 4))]),
    np.vstack([_with(_rows(1e3, n=3), 0.0), np.zeros((4, 4))]),
)
_SIX_AND_ONE = np.array([6.0] * 6 + [-36.0])[:, None]
TURNS_THE_BATCH: Pair = (np.vstack([_SIX_AND_ONE, [[1e6]]]), _SIX_AND_ONE)
NOBODY_PULLS: Pair = (np.zeros((10, 256)), np.zeros((9, 256)))
EIGHT_OR_SEVEN: Pair = (np.full((8, 1), 50.0), np.full((7, 1), 50.0))
REPLACED: Pair = (_with(QUIET, 1e3), _with(QUIET, -1e3))


def _by_tape(mechanism: Callable, pair: Pair, releases: int = 1) -> Price:
    return lambda epsilon: gaussian_pair_epsilon(
        mechanism, pair, noise_for(epsilon, releases)
    )


def _right_replaced(G: np.ndarray, lam: float, rng: np.random.Generator) -> np.ndarray:
    return leaks.right_sum(G, 2 * lam, rng)  # a record that turns around moves by 2


BATCHES = 100


@cache
def coin_noise(epsilon: float) -> float:
    """Compute the noise multiplier of 100 batches that records join by coins.

    Parameters
    ----------
    epsilon : float
        The budget, at δ = 10⁻⁶.

    Returns
    -------
    float
        λ, where each record joins a batch with probability 1/100.

    Examples
    --------
    >>> round(coin_noise(1.0), 3)
    0.986
    """
    return calibrate(
        lambda lam: SampledGaussian(
            lam, rate=1 / BATCHES, releases=BATCHES, relation=Relation.ZERO_OUT
        ),
        epsilon,
        DELTA,
    )


def shuffled_rates(threshold: float, noise_multiplier: float) -> tuple[float, float]:
    """Compute how often some batch exceeds a threshold, with the record and without.

    All other records pull by −1. The record pulls by 1, or has been zeroed out.

    Parameters
    ----------
    threshold : float
        Above what a batch would give if all of its records pulled by −1, in
        deviations of the noise.
    noise_multiplier : float
        λ.

    Returns
    -------
    tuple of float
        The two probabilities.

    Examples
    --------
    >>> having, lacking = shuffled_rates(4.0, coin_noise(1.0))
    >>> having / lacking > 20
    True
    """
    from scipy.stats import norm

    calm = (BATCHES - 1) * norm.logcdf(threshold)
    having, lacking = (
        -expm1(calm + norm.logcdf(threshold - pull / noise_multiplier))
        for pull in (2.0, 1.0)
    )
    return having, lacking


def _shuffled(epsilon: float) -> float:
    """Find the best threshold; the probabilities are exact, so the bound is certain."""
    lam, best = coin_noise(epsilon), 0.0
    for threshold in np.linspace(0, 12, 481):
        having, lacking = shuffled_rates(float(threshold), lam)
        if having > DELTA and lacking > 0:
            best = max(best, log((having - DELTA) / lacking))
    return best


def _best_of(runs: int) -> Price:
    """Price the largest of several normals: its log-ratio is monotone."""
    from scipy.stats import norm

    def price(epsilon: float) -> float:
        mu = 1 / noise_for(epsilon, 1)
        most = 20 + 30 * epsilon  # above every price that comes out
        far = (most + 10) / mu + mu

        def log_ratio(x: float) -> float:  # without the record over with it, at x
            rise = norm.logcdf(x) - norm.logcdf(x - mu)
            return float(mu**2 / 2 - mu * x + (runs - 1) * rise)

        def excess(e: float) -> float:
            low = safe_root(lambda x: log_ratio(x) - e, -far, far)
            below = [runs * norm.logcdf(low - move) for move in (0.0, mu)]
            high = safe_root(lambda x: log_ratio(x) + e, -far, far)
            above = [runs * norm.logcdf(high - move) for move in (0.0, mu)]
            without = exp(below[0]) - exp(e + below[1])
            having = -expm1(above[1]) + exp(e) * expm1(above[0])
            return max(without, having) - DELTA

        return safe_root(excess, 0.0, most)

    return price


def _stopped(epsilon: float) -> float:
    """Price a stop after the first step, which seven records can never cause."""
    from scipy.stats import norm

    # with eight records of gradient 1 the first model is above zero this often
    seen = norm.cdf(8 / noise_for(epsilon, 4))
    return inf if seen > DELTA else 0.0


def last_bits_rate(noise_multiplier: float) -> float:
    """Compute how often a noisy count of 0 shows bits that a count of 1 never shows.

    Parameters
    ----------
    noise_multiplier : float
        λ.

    Returns
    -------
    float
        The probability of ``leaks.last_bits``, if a floating-point normal is a normal
        that was rounded to the nearest number.

    Examples
    --------
    >>> round(last_bits_rate(3.7), 4)
    0.0446
    """
    from scipy.stats import norm

    # Between 2^(−k−1) and 2^(−k) numbers are 2^(−k−53) apart.
    return float(
        sum(
            2 * (1 - 2.0**-k)
            * (norm.cdf(2.0**-k / noise_multiplier)
               - norm.cdf(2.0 ** -(k + 1) / noise_multiplier))
            for k in range(2, 60)
        )
    )  # fmt: skip


def _floats(epsilon: float) -> float:
    return inf if last_bits_rate(noise_for(epsilon, 1)) > DELTA else 0.0


GRID = 1000  # whole numbers that stand for one


def discrete_noise(epsilon: float) -> float:
    """Compute the λ of discrete Gaussian noise, in units of one record.

    Parameters
    ----------
    epsilon : float
        The budget, at δ = 10⁻⁶.

    Returns
    -------
    float
        A millionth more than the continuous noise needs: enough, as its exact price
        shows.

    Examples
    --------
    >>> discrete_noise(1.0) > noise_for(1.0, 1)
    True
    """
    return (1 + 1e-6) * noise_for(epsilon, 1)


def right_count(count: int, lam: float) -> float:
    """Publish a count with noise that is drawn exactly, from whole numbers.

    Parameters
    ----------
    count : int
        The true answer.
    lam : float
        λ.

    Returns
    -------
    float
        A multiple of a thousandth.

    Examples
    --------
    >>> -100 < right_count(1, 4.22) < 100
    True
    """
    from ...secure import discrete_gaussian

    return (GRID * count + discrete_gaussian((GRID * lam) ** 2)) / GRID


def _discrete(epsilon: float) -> float:
    """Price it exactly, as a sum over whole numbers."""
    sigma = GRID * discrete_noise(epsilon)
    x = np.arange(-int(12 * sigma) - GRID, int(12 * sigma) + GRID)
    logs = -(x**2) / (2 * sigma**2)
    logs = logs - log(np.exp(logs).sum())
    moved = logs[:-GRID]
    here = logs[GRID:]

    def excess(e: float) -> float:
        return float(np.maximum(np.exp(here) - np.exp(e + moved), 0).sum()) - DELTA

    return safe_root(excess, 0.0, 60.0)


right = leaks.right_sum
LEAKS = (
    Leak(
        "clip the mean of a batch",
        "APPFL/APPFL#349",
        leaks.clip_after_mean,
        right,
        _by_tape(leaks.clip_after_mean, TURNS_THE_MEAN),
        _by_tape(right, TURNS_THE_MEAN),
        Relation.ZERO_OUT,
    ),
    Leak(
        "clip each layer by itself",
        "fedbiomed/fedbiomed#1443",
        leaks.clip_by_layer,
        right,
        _by_tape(leaks.clip_by_layer, ONE_MORE),
        _by_tape(right, ONE_MORE),
    ),
    Leak(
        "clip means of microbatches",
        "tensorflow/privacy#620",
        leaks.clip_by_microbatch,
        right,
        _by_tape(leaks.clip_by_microbatch, TURNS_A_GROUP),
        _by_tape(right, TURNS_A_GROUP),
        Relation.ZERO_OUT,
    ),
    Leak(
        "center by the batch (BatchNorm)",
        "meta-pytorch/opacus#319",
        leaks.batch_statistics,
        right,
        _by_tape(leaks.batch_statistics, TURNS_THE_BATCH),
        _by_tape(right, TURNS_THE_BATCH),
    ),
    Leak(
        "divide the noise by the batch twice",
        "Tramèr et al. 2022",
        leaks.noise_of_a_mean_twice,
        right,
        _by_tape(leaks.noise_of_a_mean_twice, ZEROED),
        _by_tape(right, ZEROED),
        Relation.ZERO_OUT,
    ),
    Leak(
        "a quarter of the noise per device",
        "google-deepmind/optax#148",
        leaks.noise_by_device,
        right,
        _by_tape(leaks.noise_by_device, ONE_MORE),
        _by_tape(right, ONE_MORE),
    ),
    Leak(
        "one key for two layers",
        "jax-ml/jax#3646",
        leaks.one_key_for_two_layers,
        right,
        _by_tape(leaks.one_key_for_two_layers, (_with(QUIET, 1e3, 0, 0, 0), QUIET)),
        _by_tape(right, (_with(QUIET, 1e3, 0, 0, 0), QUIET)),
    ),
    Leak(
        "a seed in the code",
        "IBM/differential-privacy-library#72",
        leaks.public_seed,
        right,
        _by_tape(leaks.public_seed, ONE_MORE),
        _by_tape(right, ONE_MORE),
    ),
    Leak(
        "divide by the number of records",
        "meta-pytorch/opacus#571, #819",
        leaks.private_divisor,
        leaks.right_divisor,
        _by_tape(leaks.private_divisor, NOBODY_PULLS),
        _by_tape(leaks.right_divisor, NOBODY_PULLS),
    ),
    Leak(
        "replaced, priced as removed",
        "google/differential-privacy#378",
        leaks.right_sum,
        _right_replaced,
        _by_tape(leaks.right_sum, REPLACED),
        _by_tape(_right_replaced, REPLACED),
        Relation.REPLACE,
    ),
    Leak(
        "shuffled, priced as coins",
        "ftramer/Handcrafted-DP#2",
        leaks.shuffled_epoch,
        leaks.right_coins,
        _shuffled,
        lambda epsilon: epsilon,
        Relation.ZERO_OUT,
    ),
    Leak(
        "the lower end of a range twice",
        "IBM/differential-privacy-library#110",
        leaks.one_endpoint,
        leaks.right_endpoints,
        lambda epsilon: 25 * epsilon,
        lambda epsilon: epsilon,
    ),
    Leak(
        "the best of twenty runs",
        "aidotse/LeakPro#438",
        leaks.best_of_twenty,
        leaks.right_one_run,
        _best_of(20),
        _best_of(1),
    ),
    Leak(
        "stop on a private loss",
        "no thread that we know of",
        leaks.stop_on_private_loss,
        leaks.right_fixed_steps,
        _stopped,
        _by_tape(leaks.right_fixed_steps, EIGHT_OR_SEVEN, 4),
    ),
    Leak(
        "floating-point noise",
        "opendp/opendp#414",
        leaks.floating_point,
        right_count,
        _floats,
        _discrete,
    ),
)  # fmt: skip

EPSILONS = (0.3, 1, 3, 10)
TOP = 2000.0
EXHIBITS = tuple(range(1, len(LEAKS) + 1))


@cache
def prices(epsilon: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Price every exhibit and its repair.

    Parameters
    ----------
    epsilon : float
        What each claims, at δ = 10⁻⁶.

    Returns
    -------
    tuple of tuple
        The prices of the leaks, and of the repairs, in the order of ``LEAKS``.

    Raises
    ------
    ValueError, TypeError
        If ε is not above 0.

    Examples
    --------
    >>> leaky, repaired = prices(1.0)
    >>> min(leaky) > 2 and max(repaired) <= 1 + 1e-9
    True
    """
    checks.positive(epsilon=epsilon)
    leaky = tuple(leak.price(epsilon) for leak in LEAKS)
    return leaky, tuple(leak.repaired_price(epsilon) for leak in LEAKS)


@figure(
    axes=Axes(
        "exhibit",
        "ε at δ = 10⁻⁶",
        xlim=(0.4, len(LEAKS) + 0.6),
        ylim=(0.1, TOP),
        yscale="log",
        xticks=EXHIBITS,
    ),
    title="The leak museum",
    alt=(
        "Fifteen points above the line of what is claimed, four of them at the upper "
        "edge. Their repairs lie on the line or below it."
    ),
    caption=(
        "Each exhibit on one pair of neighbors. A point at the upper edge is infinite. "
        "Exhibit 11 is a lower bound; the others are exact for their pair."
    ),
    identity="museum",
    picks="exhibit",
    epsilon=Slider(EPSILONS, start=1),
    exhibit=Slider(EXHIBITS, start=4),
)
def museum(epsilon: float, exhibit: int) -> list[Mark]:
    """Show what every leak costs beside what it claims.

    Parameters
    ----------
    epsilon : float
        What each claims, at δ = 10⁻⁶.
    exhibit : int
        Which one to name, from 1.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> *_, sentence, _ = museum(1.0, 2)
    >>> sentence.text.startswith("Exhibit {exhibit}, “clip each layer by itself”")
    True
    """
    checks.count(exhibit=exhibit)
    checks.one_of(EXHIBITS, exhibit=exhibit)
    leaky, repaired = prices(epsilon)
    where = np.arange(1, len(LEAKS) + 1)
    leak, paid = LEAKS[exhibit - 1], leaky[exhibit - 1]
    shown = [min(price, TOP) for price in leaky]
    cost = "an infinite ε" if paid == inf else f"ε = {write(paid)}"
    least = "at least " if leak.leaky is leaks.shuffled_epoch else ""
    return [
        Line([0.4, len(LEAKS) + 0.6], [epsilon, epsilon], "claimed", "bound"),
        Points(where, np.maximum(repaired, 0.1), "repaired", "private"),
        Points(where, shown, "leaky", "broken"),
        Points([exhibit], [shown[exhibit - 1]], "this one", "measured"),
        Sentence(
            f"Exhibit {{exhibit}}, “{leak.name}”, claims ε = {{epsilon}} and costs "
            f"{least}{cost}. Repaired it costs {write(repaired[exhibit - 1])} on the "
            f"same neighbors. Seen in {leak.found}."
        ),
        Spent(
            Approximate(min(paid, TOP), DELTA, relation=leak.relation),
            DELTA,
            at_least=True,
        ),
    ]
