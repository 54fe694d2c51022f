"""Figure of the chapter on choosing: which algorithm fits your sizes and promise."""

import itertools
from functools import cache

import numpy as np

from ... import checks
from ...algorithms.geometry import frank_wolfe_bounds, private_frank_wolfe
from ...algorithms.gradients import sgd
from ...algorithms.local import banco, local_sgd
from ...algorithms.pure import gaussian_objective, objective, output
from ...algorithms.streams import ftrl, regret
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Cells, Line, Mark, Points, Sentence, Spent
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Approximate, Pure
from .benchmark import EPSILONS, TASKS, four_data_sets
from .options import (
    LOCAL,
    MOST_PASSES,
    NAMES,
    PURE,
    SETTINGS,
    ZERO_OUT,
    Option,
    allowed,
    least_possible,
    options,
)

RECORDS = (100, 1000, 10_000, 100_000)
FEATURES = (10, 100, 1000, 10_000)
DELTAS = (0.0, 1e-9, 1e-6)
TWO_DELTAS = {"0": 0.0, "10⁻⁶": 1e-6}  # a switch: pure privacy, or not
# The rows, in words that a phone has room for.
SHORT = (
    "output, pure", "output, normal", "objective, pure", "objective, normal", "DP-SGD",
    "DP-FTRL", "Frank-Wolfe", "local SGD", "BANCO",
)  # fmt: skip
ROWS = len(NAMES) - np.arange(len(NAMES))  # where they are
LOW, HIGH, OUT = 1e-5, 10.0, 60.0  # smallest and largest bound drawn; "does not apply"


@stored(
    uses=(
        output,
        objective,
        gaussian_objective,
        sgd,
        ftrl,
        regret,
        frank_wolfe_bounds,
        private_frank_wolfe,
        local_sgd,
        banco,
    ),
    records=RECORDS,
    features=FEATURES,
    epsilons=EPSILONS,
    deltas=DELTAS,
    seed=0,
)
def all_options(
    records: tuple[int, ...],
    features: tuple[int, ...],
    epsilons: tuple[float, ...],
    deltas: tuple[float, ...],
    seed: int,
) -> dict:
    """Compute what each theorem asks for and promises, for all sizes and budgets."""
    del seed  # nothing here is drawn
    every = itertools.product(SETTINGS[:2], records, features, epsilons, deltas)
    return {
        f"{setting} {n} {p} {epsilon:g} {delta:g}": {
            each.algorithm: [
                float(f"{each.bound:.4g}"),
                float(f"{each.noise_multiplier:.4g}"),
                each.steps,
                each.tuned,
                each.passes,
            ]
            for each in options(n, p, epsilon, delta=delta, setting=setting)
        }
        for setting, n, p, epsilon, delta in every
    }


@cache
def stored_options(
    n: int, p: int, epsilon: float, delta: float, setting: str
) -> tuple[Option, ...]:
    """Read what ``options`` returns from the stored table.

    Examples
    --------
    >>> stored_options(10_000, 100, 1.0, 0.0, "a trusted server")[0].algorithm
    'objective perturbation'
    """
    checks.one_of(RECORDS, n=int(n))
    checks.one_of(FEATURES, p=int(p))
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(DELTAS, delta=delta)
    checks.one_of(SETTINGS, setting=setting)
    table = SETTINGS[1] if setting == SETTINGS[1] else SETTINGS[0]
    rows = all_options()[f"{table} {n} {p} {epsilon:g} {delta:g}"]
    found = [
        Option(name, *row, pure=name in PURE, local=name in LOCAL)
        for name, row in rows.items()
    ]
    fitting = [each for each in found if allowed(each, MOST_PASSES, setting)]
    return tuple(sorted(fitting, key=lambda each: each.bound))


def _measured(epsilon: float, allowed: np.ndarray) -> list[Mark]:
    """Draw what each algorithm lost in the benchmark; pale if it may not be taken."""
    at, marks = EPSILONS.index(epsilon), []
    for name in TASKS:
        rows = four_data_sets()[name]
        shares = [rows[each]["1"][at][0] for each in NAMES]
        marks.append(shares)
    found = np.array(marks)
    return [
        _gains(found.mean(axis=0), 100.0, allowed, panel=1),
        Line([100, 100], [0.4, len(NAMES) + 0.6], "ignores the data",
             "reference", panel=1),
        *(
            Line([low, high], [height, height], "range of four data sets", "measured",
                 panel=1)
            for low, high, height in zip(
                found.min(axis=0), found.max(axis=0), ROWS, strict=True
            )
        ),
        Points(found.mean(axis=0), ROWS, "mean of four data sets", "measured", panel=1),
    ]  # fmt: skip


def _gains(
    found: np.ndarray, no_data: float, allowed: np.ndarray, panel: int = 0
) -> Cells:
    """Draw a bar from the model that ignores the data; the best one is full."""
    reached = np.minimum(found, no_data)
    best = np.min(reached, where=allowed, initial=no_data)
    level = np.where(allowed, 0.375, 0.125)
    level[allowed & (reached == best)] = 1.0
    return Cells((reached + no_data) / 2, ROWS, level, "better than that", "private",
                 width=no_data - reached, height=0.62, panel=panel)  # fmt: skip


def _out_of_reach(least: float) -> Cells:
    """Shade the promises that no algorithm can keep, where any are known."""
    width, middle = max(least, LOW) - LOW, len(NAMES) / 2 + 0.5
    return Cells([LOW + width / 2], [middle], [0.25], "no algorithm here",
                 "non_private", width=width, height=len(NAMES) + 0.2)  # fmt: skip


def _said(option: Option) -> str:
    steps = f", T = {write(option.steps)}" if option.steps else ""
    cost = "one pass" if option.passes == 1 else f"{write(option.passes)} passes"
    if not option.steps:
        cost = f"at most {cost} of a solver"
    tuned = "" if option.tuned == "nothing" else f", {option.tuned}"
    return (
        f"{option.algorithm}, with λ = {write(option.noise_multiplier)}{steps}{tuned} "
        f"and {cost}"
    )


def _advice(best: Option, least: float) -> str:
    if best.bound >= 1:
        return (
            f"None of them promises anything: the least bound, of {best.algorithm}, is "
            f"{write(best.bound)}, and a model that ignores the data loses at most 1. "
            "Get more records, or fewer features."
        )
    floor = f" No algorithm is sure of less than {write(least)}." if least > LOW else ""
    return f"Take {_said(best)}: the excess is at most {write(best.bound)}.{floor}"


@figure(
    axes=(
        Axes(
            "excess risk per record, at most",
            "",
            xlim=(LOW, 150.0),
            ylim=(0.4, len(NAMES) + 0.6),
            xscale="log",
            xticks={1e-4: "10⁻⁴", 1e-2: "0.01", 1.0: "1", OUT: "no"},
            yticks={len(NAMES) - k: word for k, word in enumerate(SHORT)},
            title="What the theorems promise",
        ),
        Axes(
            "loss in % of what can be learned",
            "",
            xlim=(0, 200),
            ylim=(0.4, len(NAMES) + 0.6),
            xticks=(0, 50, 100, 150),
            yticks={len(NAMES) - k: word for k, word in enumerate(SHORT)},
            title="What was measured, at this ε",
        ),
    ),
    title="Which algorithm?",
    alt=(
        "A row for each of nine algorithms. In the panel “What the theorems promise”, "
        "a bar from 1 leftward to its bound, or a mark at the word no if the setting "
        "rules it out; the bar of the least bound is full. In the panel “What was "
        "measured, at this ε”, a bar from 100 leftward to what it lost on the mean of "
        "four real data sets; the least is full again, and what is ruled out is pale."
    ),
    caption=(
        "Logistic regression, models of norm 1. Longer bars are better. Measured at "
        "δ = 10⁻⁶."
    ),
    identity="which-algorithm",
    setting=Slider(SETTINGS, start=SETTINGS[0]),
    n=Slider(RECORDS, start=10_000),
    p=Slider(FEATURES, start=100),
    epsilon=Slider(EPSILONS, start=1.0),
    delta=Slider(tuple(TWO_DELTAS), start="10⁻⁶"),
)
def decide(setting: str, n: int, p: int, epsilon: float, delta: str) -> list[Mark]:
    """Compare what nine algorithms promise, and name the one with the least bound.

    Examples
    --------
    >>> *_, said, _ = decide("no trusted server", 100_000, 10, 8.0, "0")
    >>> said.text[:22]
    'Take local SGD, with λ'
    """
    checks.one_of(tuple(TWO_DELTAS), delta=delta)
    allowance = TWO_DELTAS[delta]
    found = stored_options(n, p, epsilon, allowance, setting)
    bounds = {each.algorithm: float(np.clip(each.bound, LOW, HIGH)) for each in found}
    best, drawn = found[0], np.array([bounds.get(name, OUT) for name in NAMES])
    least = least_possible(n, p, epsilon, delta=allowance, setting=setting)
    spent: Pure | Approximate = Pure(epsilon, relation=ZERO_OUT)
    if not best.pure:
        spent = Approximate(epsilon, allowance, relation=ZERO_OUT)
    return [
        _out_of_reach(least),
        _gains(drawn, 1.0, drawn < OUT),
        Line([1, 1], [0.4, len(NAMES) + 0.6], "ignores the data", "reference"),
        Points(drawn, ROWS, "bound", "bound"),
        Points([bounds[best.algorithm]], [ROWS[NAMES.index(best.algorithm)]],
               "least bound", "private"),
        *_measured(epsilon, drawn < OUT),
        Sentence(
            f"{_advice(best, least)} For n = {{n}}, p = {{p}}, "
            "ε = {epsilon}, δ = {delta}."
        ),
        Spent(spent, 0.0 if best.pure else allowance),
    ]  # fmt: skip
