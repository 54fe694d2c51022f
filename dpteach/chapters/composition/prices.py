"""The experiments on composition, as pure functions that ``explore`` draws."""

from functools import cache
from typing import Any

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
from ...figures.explore import Slider, even, geometric
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Cells,
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
# The curve of an accountant that was not asked: it has no length, so it is not seen.
NOT_SEEN = [STEPS[0]] * len(STEPS), [0.03] * len(STEPS)
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
        "Rising curves of ε against the number of steps, one for each accountant that "
        "was asked. Basic composition is far above, the contour integral lowest."
    ),
    caption=(
        "T Gaussian releases on fresh Poisson samples; a record is added or removed. "
        "All are upper bounds."
    ),
    identity="five-accountants",
    noise_multiplier=Slider((1, 1.5, 2, 3, 4, 6, 10), start=2),
    rate=Slider((0.01, 0.1, 1), start=0.01),
    steps=Slider((10, 100, 1000, 10000), start=1000),
    accountants=Slider((1, 2, 3, 4, 5), start=5),
    plays="accountants",
)
def five_accountants(
    noise_multiplier: float, rate: float, steps: int, accountants: int
) -> list[Mark]:
    """Ask one accountant after another what the same sampled run costs.

    Examples
    --------
    >>> basic, _, _, renyi, contour, *_ = five_accountants(1.0, 0.01, 1000, 5)
    >>> bool((contour.y < renyi.y).all()), bool((renyi.y < basic.y).all())
    (True, True)
    """
    checks.one_of(STEPS, steps=steps)
    checks.one_of((1, 2, 3, 4, 5), accountants=accountants)
    asked = NAMES[:accountants]
    found = _five(noise_multiplier, rate)
    roles = ("broken", "bound", "reference", "measured", "private")
    lines = []
    for name, role in zip(NAMES, roles, strict=True):
        x, y = (STEPS, found[name]) if name in asked else NOT_SEEN
        lines.append(Line(x, y, name, role))
    at = STEPS.index(steps)
    said = [f"{write(found[name][at])} ({name})" for name in asked]
    prices = " and ".join([", ".join(said[:-1]), said[-1]] if said[1:] else said)
    return [
        *lines,
        Points([steps], [found[asked[-1]][at]], "your T", "private", moves="steps"),
        Sentence(
            f"{{steps}} steps at λ = {{noise_multiplier}} and q = {{rate}}, by "
            f"{{accountants}} of five accountants: ε = {prices}."
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
        "ε of a run",
        "accountant",
        xlim=(9, 26),
        ylim=(0.4, 4.6),
        xticks=(10, 15, 20, 25),
        yticks={4: "old bound", 3: "best bound", 2: "all losses", 1: "mixed"},
    ),
    title="Mix accountants, and two runs change places",
    alt=(
        "Four rows of two points, the prices of DP-SGD and DP-FTRL, which are joined. "
        "At the default DP-SGD is to the left in the three rows that ask one "
        "accountant about both. In the fourth, which takes the best bound for DP-SGD "
        "and all losses for DP-FTRL, DP-FTRL is."
    ),
    caption=(
        "When one record is zeroed out. DP-SGD: λ = 0.3, 1,600 Poisson samples of 100 "
        "in 342,477 records. DP-FTRL: λ = 1.13, a record in 11 nodes of a tree. Two "
        "conversions of a bound on moments; and all losses, an upper bound for "
        "DP-SGD, exact for DP-FTRL."
    ),
    identity="mixed-accountants",
    delta=Slider(geometric(1e-8, 1e-4, 17), start=1e-06),
)
def mixed_accountants(delta: float) -> list[Mark]:
    """Compare two algorithms by the same accountant, and by different ones.

    Examples
    --------
    >>> *_, sgd, ftrl, said, spent = mixed_accountants(1e-6)
    >>> (sgd.x < ftrl.x).tolist()  # in the last row, each by another accountant
    [True, True, True, False]
    """
    sgd, ftrl = _two_runs(delta)
    # the last row: the best bound for one, all losses for the other
    rows = np.array([(*sgd, sgd[1]), (*ftrl, ftrl[2])]).T
    heights, cheaper = np.arange(4, 0, -1), rows[:, 0] < rows[:, 1]
    return [
        Cells([17.5], [1], [0.15], "two accountants", "broken", width=17),
        *(
            Line(row, [height] * 2, "one accountant for both", "reference")
            for row, height in zip(rows[:3], heights, strict=False)
        ),
        Line(rows[3], [1, 1], "two accountants", "broken"),
        Points(rows[:, 0], heights, "DP-SGD", "bound"),
        Points(rows[:, 1], heights, "DP-FTRL", "private"),
        Sentence(
            f"At δ = {{delta}}, with the same accountant for both, DP-SGD is cheaper "
            f"in {cheaper[:3].sum()} of 3 comparisons; by all losses, the tightest, it "
            f"costs {write(sgd[2])} and DP-FTRL {write(ftrl[2])}. Put "
            f"{write(sgd[1])} for DP-SGD, by the best bound, beside that, and "
            f"{'DP-SGD' if cheaper[3] else 'DP-FTRL'} seems cheaper."
        ),
        Spent(_runs(), delta),
    ]


DRIFT_STEPS = (1, 4, 16, 32, 64, 128, 256, 512, 1024)
_LATE = range(256, 1025, 16)
_T = np.linspace(0, 1024, 129)  # where walks are drawn
_WALKS = 5


def _walks_without_drift() -> np.ndarray:
    """Draw five walks of λ = 1, shape ``(5, 129)``."""
    gaps = np.random.default_rng(3).standard_normal((_WALKS, len(_T) - 1))
    ways = np.cumsum(gaps * np.sqrt(np.diff(_T)), axis=1)
    return np.c_[np.zeros(_WALKS), ways]


def _walks_at_one() -> dict[str, Any]:
    """Hand the page what it scales."""
    walks = _walks_without_drift().tolist()
    return {"T": _T.tolist(), "walks": walks, "delta": DELTA, "shown": DRIFT_STEPS}


@figure(
    axes=(
        Axes(
            "releases T",
            "privacy loss so far",
            xlim=(0, 1280),
            ylim=(-4, 22),
            xticks=(0, 256, 512, 768, 1024),
            title="Five runs",
        ),
        Axes(
            "releases T",
            "ε at δ = 10⁻⁶",
            xlim=(1, 1024),
            ylim=(0.01, 1000),
            xscale="log",
            yscale="log",
            xticks=(1, 4, 16, 64, 256, 1024),
            title="ε against T",
        ),
    ),
    title="Where √T comes from",
    alt=(
        "In the panel “Five runs”, five random walks in a band that rises slowly and "
        "widens; a bell curve stands on its side at T, with ε above it. In the panel "
        "“ε against T”, ε against T between the sum of single prices and the mean "
        "loss."
    ),
    caption="Gaussian releases of all records. Every bell is drawn equally high.",
    identity="drift",
    plays="steps",
    in_hand="drift",
    given=_walks_at_one,
    noise_multiplier=Slider(even(10, 40, 0.5), start=10),
    steps=Slider((*range(1, 64), *range(64, 256, 4), *_LATE), start=256),
)
def drift(noise_multiplier: float, steps: int) -> list[Mark]:
    """Watch the privacy loss of T releases drift and widen.

    Examples
    --------
    >>> density, *_ = drift(10.0, 256)
    >>> round(float(density.y[density.x.argmax()]), 2)  # T/2λ², the mean loss
    1.28
    """
    now = _gaussian(noise_multiplier, steps)
    epsilon = epsilon_of(now, DELTA)
    one = epsilon_of(_gaussian(noise_multiplier, 1), DELTA)
    mean, spread = steps / (2 * noise_multiplier**2), steps**0.5 / noise_multiplier
    return [
        *_walks(noise_multiplier, steps),
        Points([steps], [epsilon], "exact ε", "private"),
        *_against_steps(noise_multiplier),
        Points([steps], [epsilon], "exact ε", "private", panel=1, moves="steps"),
        Sentence(
            "At T = {steps} and λ = {noise_multiplier} the loss has mean {mean}, which "
            "grew as T, and deviation {spread}, which grew as √T. So "
            "ε = {price} where the single ones add up to {sum}.",
            {"mean": mean, "spread": spread, "price": epsilon, "sum": steps * one},
        ),
        Spent(now, DELTA),
    ]


def _walks(noise: float, steps: int) -> list[Mark]:
    """Draw the loss of five runs, where it lies, and its distribution at ``steps``."""
    ways = _walks_without_drift() / noise + _T / (2 * noise**2)
    mean, spread = _T / (2 * noise**2), np.sqrt(_T) / noise
    z = np.linspace(-4, 4, 81)
    center, width = steps / (2 * noise**2), steps**0.5 / noise
    height, loss = steps + 200 * np.exp(-(z**2) / 2), center + width * z
    return [
        Line(height, loss, "its distribution at T", "private"),
        Band(_T, mean - spread, mean + spread, "one deviation", "reference"),
        Line(_T, mean, "mean loss", "reference"),
        *[Line(_T, way, "loss of a run", "measured") for way in ways],
    ]


def _against_steps(noise: float) -> list[Mark]:
    """Draw the right panel, the price against T."""
    T = np.asarray(DRIFT_STEPS)
    exact = [epsilon_of(_gaussian(noise, each), DELTA) for each in DRIFT_STEPS]
    return [
        Line(T, T * exact[0], "T times the first ε", "broken", panel=1),
        Line(T, exact, "exact ε", "private", panel=1),
        Line(T, T / (2 * noise**2), "mean loss", "reference", panel=1),
    ]


def _gaussian(noise: float, steps: int) -> Gaussian:
    return Gaussian(noise, releases=steps, relation=Relation.ADD_REMOVE)
