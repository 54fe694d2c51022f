"""The experiments on accounting, as pure functions that ``explore`` draws."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import (
    advanced_composition,
    epsilon_of,
    renyi_epsilon,
    sampled_gaussian_rdp,
    zcdp_epsilon,
)
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Bars,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.style import write
from ...privacy import Gaussian, Relation, SampledGaussian

DELTA = 1e-6
STEPS = (10, 30, 100, 300, 1000, 3000, 10_000)
ORDERS = np.concatenate((np.arange(1.05, 12, 0.05), np.arange(12, 257, 4)))
NAMES = ("basic", "advanced", "concentrated", "Rényi", "contour")
# One record of some 342,000, in 1,600 steps of 100: the DP-FTRL paper's comparison.
SGD_NOISE, SGD_RATE, SGD_STEPS = 0.3, 100 / 342_477, 1600
FTRL_NOISE, FTRL_RELEASES = 1.13, 11


def _sampled(noise: float, rate: float, steps: int) -> SampledGaussian:
    relation = Relation.ADD_REMOVE
    return SampledGaussian(noise, rate=rate, releases=steps, relation=relation)


@cache
def _divergences(noise: float, rate: float) -> np.ndarray:
    # of one step, at each order
    return np.asarray(
        [sampled_gaussian_rdp(a, rate=rate, noise_multiplier=noise) for a in ORDERS]
    )


def _one(noise: float, rate: float, delta: float) -> float:
    return epsilon_of(_sampled(noise, rate, 1), delta)


@cache
def _five(noise: float, rate: float) -> dict[str, list[float]]:
    """Ask each accountant about each number of steps."""
    step = _divergences(noise, rate)
    half = DELTA / 2
    return {
        "basic": [T * _one(noise, rate, DELTA / T) for T in STEPS],
        "advanced": [
            advanced_composition(
                _one(noise, rate, half / T), half / T, releases=T, slack=half
            )[0]
            for T in STEPS
        ],
        "concentrated": [zcdp_epsilon(T / (2 * noise**2), DELTA) for T in STEPS],
        "Rényi": [renyi_epsilon(ORDERS, T * step, DELTA) for T in STEPS],
        "contour": [epsilon_of(_sampled(noise, rate, T), DELTA) for T in STEPS],
    }


@figure(
    axes=Axes(
        "steps T",
        "ε at δ = 10⁻⁶",
        xlim=(10, 10_000),
        ylim=(0.03, 3000),
        xscale="log",
        yscale="log",
    ),
    title="One run, five accountants",
    alt=(
        "Five rising curves of ε against the number of steps. Basic composition is "
        "far above, the contour integral lowest."
    ),
    caption=(
        "A Gaussian release on a fresh Poisson sample, T times; neighbors differ by "
        "adding or removing one record. All numbers are upper bounds; the contour’s is "
        "within a millionth of the truth."
    ),
    identity="five-accountants",
    noise_multiplier=Slider((1, 2, 4, 10), start=2),
    rate=Slider((0.01, 0.1, 1), start=0.01),
    steps=Slider((10, 100, 1000, 10000), start=1000),
)
def five_accountants(noise_multiplier: float, rate: float, steps: int) -> list[Mark]:
    """Ask five accountants what the same sampled run costs, as T moves.

    Parameters
    ----------
    noise_multiplier : float
        λ of each step.
    rate : float
        q, the probability that a record is in the sample of a step.
    steps : int
        T, for which the sentence states numbers: one of ``STEPS``.

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
    >>> basic, _, _, renyi, contour, *_ = five_accountants(1.0, 0.01, 1000)
    >>> bool((contour.y < renyi.y).all()), bool((renyi.y < basic.y).all())
    (True, True)
    """
    checks.one_of(STEPS, steps=steps)
    found = _five(noise_multiplier, rate)
    roles = ("broken", "bound", "reference", "measured", "private")
    lines = [
        Line(STEPS, np.clip(found[name], 1e-3, 1e5), name, role)
        for name, role in zip(NAMES, roles, strict=True)
    ]
    said = {name: write(found[name][STEPS.index(steps)]) for name in NAMES}
    now = found["contour"][STEPS.index(steps)]
    return [
        *lines,
        Points([steps], [now], "what it costs", "private", moves="steps"),
        Sentence(
            f"{{steps}} steps at λ = {{noise_multiplier}} and q = {{rate}}, priced by "
            f"five accountants: ε = {said['basic']} (basic), {said['advanced']} "
            f"(advanced), {said['concentrated']} (concentrated, which ignores the "
            f"sampling), {said['Rényi']} (Rényi) and {said['contour']} (contour). The "
            "run is the same."
        ),
        Spent(_sampled(noise_multiplier, rate, steps), DELTA),
    ]


@cache
def _two_runs(delta: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Price DP-SGD and DP-FTRL by three accountants each."""
    divergence = SGD_STEPS * _divergences(SGD_NOISE, SGD_RATE)
    rho = FTRL_RELEASES / (2 * FTRL_NOISE**2)
    methods = "basic", "canonne_kamath_steinke"
    sgd = [renyi_epsilon(ORDERS, divergence, delta, method=m) for m in methods]
    ftrl = [zcdp_epsilon(rho, delta, method=m) for m in methods]
    run, tree = _runs()
    return (*sgd, epsilon_of(run, delta)), (*ftrl, epsilon_of(tree, delta))


def _runs() -> tuple[SampledGaussian, Gaussian]:
    relation = Relation.ZERO_OUT
    return (
        SampledGaussian(
            SGD_NOISE, rate=SGD_RATE, releases=SGD_STEPS, relation=relation
        ),
        Gaussian(FTRL_NOISE, releases=FTRL_RELEASES, relation=relation),
    )


@figure(
    axes=Axes(
        "how the price is computed",
        "ε when one record is zeroed out",
        xlim=(0.4, 3.6),
        ylim=(0, 26),
        xticks={1: "old bound", 2: "best bound", 3: "all losses"},
    ),
    title="The same two runs, by three accountants",
    alt="Three pairs of bars, falling from left to right; in each, DP-SGD is lower.",
    caption=(
        "DP-SGD: λ = 0.3, 1,600 Poisson samples of 100 in 342,477 records. DP-FTRL: "
        "λ = 1.13, a record in 11 nodes of a tree. The first two pairs take the old "
        "and the best bound by one moment. The third takes the privacy loss "
        "distribution: a tight upper bound for DP-SGD, the exact price of DP-FTRL."
    ),
    identity="mixed-accountants",
    delta=Slider((1e-08, 1e-07, 1e-06, 1e-05, 0.0001), start=1e-06),
)
def mixed_accountants(delta: float) -> list[Mark]:
    """Price two algorithms by three accountants: by the same one, or by different ones.

    Parameters
    ----------
    delta : float
        δ of all six prices.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If the value is out of its range.

    Examples
    --------
    >>> sgd, ftrl, *_ = mixed_accountants(1e-6)
    >>> bool((sgd.height < ftrl.height).all())  # like with like
    True
    >>> bool(sgd.height[1] < ftrl.height[2])  # Rényi for one, exact for the other
    False
    """
    sgd, ftrl = _two_runs(delta)
    like = sum(a < b for a, b in zip(sgd, ftrl, strict=True))
    order = "puts DP-FTRL first" if ftrl[2] < sgd[1] else "puts DP-SGD first still"
    at = np.array([1.0, 2.0, 3.0])
    return [
        Bars(at - 0.2, sgd, "DP-SGD", "measured", width=0.36),
        Bars(at + 0.2, ftrl, "DP-FTRL", "private", width=0.36),
        Sentence(
            f"At δ = {{delta}}, with the same accountant for both, DP-SGD is cheaper "
            f"in {like} of 3 comparisons. Taking {write(sgd[1])} for it (by its best "
            f"moment) and {write(ftrl[2])} for DP-FTRL (by its privacy loss "
            f"distribution) {order}."
        ),
        Spent(_runs(), delta),
    ]


DRIFT_STEPS = (1, 4, 16, 64, 256, 1024)
_LOSSES = np.linspace(-6, 22, 141)


@figure(
    axes=(
        Axes(
            "privacy loss",
            "density, top at 1",
            xlim=(-6, 22),
            ylim=(0, 1.1),
            title="After T releases",
        ),
        Axes(
            "releases T",
            "ε at δ = 10⁻⁶",
            xlim=(1, 1024),
            ylim=(1e-3, 300),
            xscale="log",
            yscale="log",
            xticks=(1, 4, 16, 64, 256, 1024),
            title="ε against T",
        ),
    ),
    title="Where √T comes from",
    alt=(
        "Left, a bell curve that moves right and widens as T grows, with a line at "
        "ε. Right, ε against T between the sum of single prices and the mean loss."
    ),
    caption="Gaussian releases of all records, δ = 10⁻⁶.",
    identity="drift",
    noise_multiplier=Slider((10, 20, 40), start=10),
    steps=Slider(DRIFT_STEPS, start=64),
)
def drift(noise_multiplier: float, steps: int) -> list[Mark]:
    """Watch the privacy loss of T releases drift and widen.

    Parameters
    ----------
    noise_multiplier : float
        λ of each release.
    steps : int
        T, the number of releases.

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
    >>> density, *_ = drift(10.0, 256)
    >>> round(float(density.x[density.y.argmax()]), 1)  # T/2λ² = 1.28, nearly
    1.2
    """
    mean, spread = steps / (2 * noise_multiplier**2), steps**0.5 / noise_multiplier
    once, at = _gaussian(noise_multiplier, 1), DRIFT_STEPS
    now = _gaussian(noise_multiplier, steps)
    epsilon = epsilon_of(now, DELTA)
    exact = [epsilon_of(_gaussian(noise_multiplier, T), DELTA) for T in at]
    first, T = epsilon_of(once, DELTA), np.asarray(at)
    height = np.exp(-(((_LOSSES - mean) / spread) ** 2) / 2)
    return [
        Line(_LOSSES, height, "privacy loss distribution", "measured"),
        Line([epsilon, epsilon], [0, 1], "ε", "private"),
        Line(T, T * first, "T times the first ε", "broken", panel=1),
        Line(T, exact, "exact ε", "private", panel=1),
        Line(T, T / (2 * noise_multiplier**2), "mean loss", "reference", panel=1),
        Points([steps], [epsilon], "your T", "private", panel=1, moves="steps"),
        Sentence(
            f"After {{steps}} releases at λ = {{noise_multiplier}} the loss has mean "
            f"{write(mean)}, which grew as T, and deviation {write(spread)}, which "
            f"grew as √T. So ε = {write(epsilon)} where the single ones add up to "
            f"{write(steps * first)}."
        ),
        Spent(now, DELTA),
    ]


def _gaussian(noise: float, steps: int) -> Gaussian:
    return Gaussian(noise, releases=steps, relation=Relation.ADD_REMOVE)
