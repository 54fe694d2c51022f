"""The ladder of methods for randomized code: the first that applies is used.

1. Without noise (sigma = 0) the answer is a plain function, compared with ours.
2. With a noise tape the answer is m + B z, found exactly: privacy is linear algebra.
3. Noise drawn in another way is measured over 3,000 runs: ``distributions``.
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
from .distributions import FALSE_ALARM, RUNS, demand_standard_normal
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
    """Demand that ``normals_of`` many results, a row a run, is standard normal."""
    for runs in stages:
        samples = student.sample(runs, shape, rng, *arguments)
        rate = FALSE_ALARM / len(RUNS)
        demand_standard_normal(normals_of(samples), what, hint, rate)


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
