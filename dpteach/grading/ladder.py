"""The ladder of methods for randomized code: the first that applies is used.

1. Without noise (sigma = 0) the answer is a plain function, compared with ours.
2. With a noise tape the answer is m + B z, found exactly: privacy is linear algebra.
3. Noise drawn in another way must have no bound, which chosen draws show (``bounded``),
   and is measured over 3,000 runs, or more: ``distributions``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..auditing import (
    NoiseMap,
    NotGaussian,
    Tape,
    noise_map,
)
from .bounded import demand_unbounded
from .distributions import FALSE_ALARM, RUNS, demand_standard_normal, more_runs
from .report import Fault
from .student import Student

# Wrong answers as functions of the arguments, and what each reveals: ten an exercise.
Misreadings = tuple[tuple[Callable[..., Any], str], ...]

# With more draws than this the noise is measured, so that no check takes long.
_MOST_DRAWS = 600


def demand_fresh_noise(
    student: Student, shape: tuple[int, ...], rng: np.random.Generator, *arguments: Any
) -> None:
    """Demand that three generators give three results, and one seed the same twice."""
    seeds = [int(seed) for seed in rng.integers(2**62, size=3)]
    a, b, c, again = (
        student.array(shape, *arguments, np.random.default_rng(seed))
        for seed in (*seeds, seeds[0])
    )
    if not np.array_equal(a, again):
        raise Fault(
            f"two calls of {student.name} with the same seed in rng",
            f"results that differ by up to {np.abs(a - again).max():.3g}",
            "the same result twice",
            "Some noise comes from elsewhere. Draw all of it from the argument rng.",
        )
    if np.array_equal(a, b) and np.array_equal(b, c):
        raise Fault(
            f"three calls of {student.name} with different rng",
            "the same result three times",
            "fresh noise in each call",
            "Is noise drawn at all, and from the argument rng? A seed inside the "
            "function makes noise that anyone can subtract.",
        )


def sample_distinct(
    student: Student,
    runs: int,
    shape: tuple[int, ...],
    rng: np.random.Generator,
    *arguments: Any,
) -> np.ndarray:
    """Call the function with fresh generators, and demand that no two results agree."""
    found = student.sample(runs, shape, rng, *arguments)
    demand_distinct(student, found)
    return found


def demand_distinct(student: Student, results: np.ndarray) -> None:
    """Demand that no two of many results, a row each, agree."""
    runs = len(results)
    distinct = len(np.unique(results.reshape(runs, -1), axis=0))
    if distinct < runs:
        raise Fault(
            f"{runs:,} calls of {student.name} with different rng",
            f"only {distinct:,} different results",
            f"{runs:,} of them: noise repeats itself with probability 0",
            "Does a small seed that you draw from rng make the noise? Whoever tries "
            "all of them can subtract it.",
        )


def demand_whole_numbers(
    student: Student, shape: tuple[int, ...], *arguments: Any
) -> None:
    """Demand that arrays of integers give what the same numbers give as floats."""
    floats = [
        each.astype(float) if isinstance(each, np.ndarray) else each
        for each in arguments
    ]
    takes_rng = student.parameters[-1] == "rng"
    found, wanted = (
        student.array(shape, *case, *([np.random.default_rng(5)] if takes_rng else []))
        for case in (arguments, floats)
    )
    if not np.allclose(found, wanted, rtol=1e-4):
        at = tuple(
            int(k) for k in np.argwhere(~np.isclose(found, wanted, rtol=1e-4))[0]
        )
        raise Fault(
            f"{student.case(arguments)}, in arrays of integers"
            + (f": index {at} of the result" if shape else ""),
            f"{found[at]:.5g}",
            f"{wanted[at]:.5g}, as for the same numbers in arrays of floats",
            "An array that is made like such an argument, or is a copy of it, holds "
            "integers too: what is written into it loses its fraction.",
        )


def demand_noise_for_short_gradients(demand_noise: Callable[[], None]) -> None:
    """Demand the right noise where no gradient is cut, in words that say so."""
    try:
        demand_noise()
    except Fault as fault:
        fault.quantity += ", where every gradient is shorter than C"
        fault.hint = (
            "How long these gradients are must not matter. The noise hides what a "
            "record might pull, and that is C."
        )
        raise


def found_noise(
    student: Student, shape: tuple[int, ...], *arguments: Any
) -> NoiseMap | str:
    """Find out = m + B z by a noise tape; else say why the noise must be measured."""

    def run(rng: np.random.Generator) -> np.ndarray:
        return student.array(shape, *arguments, rng)

    tape = Tape()
    try:
        run(tape)
        if tape.draws > _MOST_DRAWS:
            return f"You draw {tape.draws} numbers, so the noise was measured."
        return noise_map(run)
    except NotGaussian as error:
        if tape.other:
            return f"You draw from rng.{tape.other[0]}, so the noise was measured."
        return {
            "not affine": "The noise passes through something that is not linear: is "
            "it cut, or projected?",
        }.get(error.reason, str(error))


def demand_measured_noise(
    student: Student,
    shape: tuple[int, ...],
    rng: np.random.Generator,
    arguments: tuple[Any, ...],
    normals_of: Callable[[np.ndarray], np.ndarray],
    what: str,
    hint: str,
    stages: tuple[int, ...] = RUNS,
) -> None:
    """Demand that ``normals_of`` many results, a row a run, is standard normal.

    Where the scale looks a little off, there is one more stage, and a longer one.
    """
    demand_unbounded(lambda rng: student.array(shape, *arguments, rng), what)

    def look(runs: int) -> np.ndarray:
        Y = normals_of(sample_distinct(student, runs, shape, rng, *arguments))
        demand_standard_normal(Y, what, hint, FALSE_ALARM / (len(RUNS) + 1))
        return Y

    for runs in stages:
        more = more_runs(look(runs))
        if runs == stages[-1] >= RUNS[-1] and more:
            look(more)


def demand_noise_around(
    student: Student,
    rng: np.random.Generator,
    arguments: tuple[Any, ...],
    mean: np.ndarray,
    deviation: float,
    names: tuple[str, str],
    fault_of: Callable[[np.ndarray], Fault],
    stages: tuple[int, ...] = RUNS,
) -> None:
    """Demand that an answer is ``mean`` with noise of this deviation in each direction.

    The ``names`` are those of the noise, and of the result with noise of zero. What
    ``fault_of`` is given are the wrong deviations, ascending, over the right one.
    """
    noise, result = names
    found = found_noise(student, mean.shape, *arguments)
    if isinstance(found, str):
        demand_measured_noise(
            student, mean.shape, rng, arguments, lambda out: (out - mean) / deviation,
            noise, found, stages,
        )  # fmt: skip
        return
    ratios = np.sqrt(np.linalg.eigvalsh(found.covariance).clip(min=0.0)) / deviation
    if abs(ratios - 1).max() > 1e-6:
        raise fault_of(np.where(ratios > 1e-6, ratios, 0.0))  # the rest is rounding
    if not np.allclose(found.mean, mean, rtol=2e-4, atol=1e-6):
        raise Fault(
            f"{result} with noise of zero",
            f"{np.linalg.norm(found.mean - mean):.3g} from that at sigma = 0",
            "the same",
            "Is the data part different when there is noise?",
        )


def wrong_deviation(
    ratios: np.ndarray,
    right: tuple[str, float],
    noise: str,
    uneven: str,
    known: Misreadings,
    arguments: tuple[Any, ...],
) -> Fault:
    """Say how deviations are wrong: by direction, or by one factor in all of them.

    ``right`` is the formula of the right one, and its value. What differs by direction
    is explained by ``uneven``, one factor by the wrong formula that gives it.
    """
    formula, goal = right
    case = f"the standard deviation of {noise}"
    if ratios[-1] - ratios[0] > 1e-6 * ratios[-1]:
        return Fault(
            f"{case}, by direction",
            f"deviations from {ratios[0] * goal:.3g} to {ratios[-1] * goal:.3g}",
            f"{goal:.4g} in every direction",
            uneven,
        )
    side = (
        "Too little noise protects nobody."
        if ratios[0] < 1
        else "This is more noise than is needed."
    )
    return Fault(
        case,
        f"{ratios[0] * goal:.4g}, which is {ratios[0]:.3g} times what is asked for",
        f"{formula} = {goal:.4g}",
        ratio_hint(ratios[0], known, arguments, side, 1.0),
    )


def ratio_hint(
    found: float,
    known: Misreadings,
    arguments: tuple[Any, ...],
    other: str,
    wanted: float = np.nan,
) -> str:
    """Explain a wrong number by the first of ``known`` wrong formulas that gives it.

    One that gives what is ``wanted`` in this case explains nothing.
    """
    for formula, told in known:
        value = formula(*arguments)
        if abs(found / value - 1) < 1e-3 and not abs(value / wanted - 1) < 1e-3:
            return told
    return other


def matching_hint(
    found: np.ndarray,
    known: Misreadings,
    arguments: tuple[Any, ...],
    other: str,
    wanted: Any = np.nan,
) -> str:
    """Explain a wrong result by the first of ``known`` wrong answers that gives it.

    One that gives what is ``wanted`` in this case explains nothing.
    """
    with np.errstate(all="ignore"):
        for answer, told in known:
            value = np.asarray(answer(*arguments))
            same = value.shape == found.shape and np.allclose(found, value, rtol=1e-4)
            if same and not np.allclose(value, wanted, rtol=1e-4):
                return told
    return other
