"""Measure how often graders err: error_rates.py [NAME ...].

Grades every wrong answer of the banks and every slip of strangers with fresh seeds,
and sees whether it is caught and whether its own cause is told; and right answers whose
noise was made wrong. Writes the row of an exercise in ``book/error-rates.json`` as soon
as it is there. Without names it does those whose row is missing or stale, so a run that
was cut off goes on.
"""

import copy
import dataclasses
import functools
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import sealed_records
from false_rejects import BANKS, NAMES, ROOT, bank, load_file, places
from fingerprint import fingerprint

from dpteach.chapters.catalog import load
from dpteach.figures.results import read
from dpteach.grading.calling import copied, replays

RECORD = ROOT / "book" / "error-rates.json"
SLIPS = ROOT / "tests" / "chapters" / "slips.py"
SEEDS = 3
PATIENCE = 2.0  # seconds of a call; what takes longer is taken for endless

Change = Callable[[np.ndarray], np.ndarray]


def _one_for_all(z: np.ndarray) -> np.ndarray:
    return np.full_like(z, z.flat[0]) if z.size else z


def _correlated(z: np.ndarray) -> np.ndarray:
    """Add 0.3 of the neighbor's draw; each entry keeps its distribution's scale."""
    flat = z.ravel()
    return ((flat + 0.3 * np.roll(flat, 1)) / np.sqrt(1.09)).reshape(z.shape)


# What goes wrong with noise: each changes draws that are centered at 0.
NOISE: dict[str, Change] = {
    "5 % too small": lambda z: 0.95 * z,
    "one draw for all": _one_for_all,
    "correlated": _correlated,
    "one-sided": np.abs,
    "one-sided if p = 1": lambda z: np.abs(z) if z.size == 1 else z,
}


class WrongNoise:
    """A generator whose normal and Laplace draws are changed; others are as they were.

    Parameters
    ----------
    rng : Generator
        Where the draws come from.
    change : callable
        What is done to those of one call.
    """

    def __init__(self, rng: np.random.Generator, change: Change) -> None:
        self._rng, self._change = rng, change

    def __getattr__(self, name: str) -> Any:
        """Hand on all that is no noise."""
        return getattr(self._rng, name)

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Draw, and change the draw."""
        return self._changed("normal", loc, scale, size)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Draw, and change the draw."""
        return self._changed("laplace", loc, scale, size)

    def standard_normal(self, size=None):
        """Draw, and change the draw."""
        return self._changed("normal", 0.0, 1.0, size)

    def _changed(self, kind: str, loc, scale, size):
        if size is None:
            size = np.broadcast_shapes(np.shape(loc), np.shape(scale)) or None
        draw = np.asarray(getattr(self._rng, kind)(0.0, scale, size), dtype=float)
        out = loc + self._change(draw)
        return out if np.ndim(out) else float(out)


def with_wrong_noise(answer: Callable, change: Change) -> Callable:
    """Make an answer that is right but for its noise."""

    @functools.wraps(answer)
    def wrong(*arguments):
        *others, rng = arguments
        return answer(*others, WrongNoise(rng, change))

    return wrong


def cases(exercise, answer: Callable, most: int = 200) -> list[tuple]:
    """Collect calls of the grader whose generator is an ordinary one."""
    calls: list[tuple] = []

    @functools.wraps(answer)
    def recorded(*arguments):
        if len(calls) < most and not replays(arguments[-1]):
            calls.append(tuple(map(copied, arguments)))
        return answer(*arguments)

    assert exercise.grade(recorded, 1).passed, exercise.name
    return calls


def differs(answer: Callable, wrong: Callable, calls: Iterable[tuple]) -> bool:
    """Tell whether two answers give different results in some call."""
    return any(
        not np.allclose(answer(*copy.deepcopy(case)), wrong(*copy.deepcopy(case)))
        for case in calls
    )


def graded(exercise, answer: Callable, seeds: Iterable[int]) -> Iterator[Any]:
    """Grade with each of these seeds, and say what is wrong; None if nothing is."""
    patient = dataclasses.replace(exercise, seconds=PATIENCE)
    for seed in seeds:
        yield patient.grade(answer, int(seed))


def of_noise(name: str, seeds: list[int]) -> dict[str, Any]:
    """Grade the first right answer with each kind of wrong noise that matters to it.

    A kind that changes none of its results is left out: it has no such noise.
    """
    exercise = load(name)
    if exercise.parameters[-1] != "rng":
        return {}
    answer, result = bank(name).RIGHT[0], {}
    calls = cases(exercise, answer)
    for kind, change in NOISE.items():
        wrong = with_wrong_noise(answer, change)
        if not differs(answer, wrong, calls):
            continue
        reports = list(graded(exercise, wrong, seeds))
        by = [exercise.checks[r.reached][0] for r in reports if not r.passed]
        result[kind] = {"counts": [len(reports), len(by)], "by": sorted(set(by))}
    return result


def confused(message: str, own: str, patterns: dict[str, str]) -> str | None:
    """Name what a message is about: "own", another answer whose pattern fits, or none.

    Patterns of other answers count only where the own one does not fit.
    """
    if re.search(own, message):
        return "own"
    others = [name for name, cause in patterns.items() if re.search(cause, message)]
    return others[0] if others else None


def of_wrong(name: str, seeds: list[int]) -> dict[str, dict[str, list]]:
    """Grade each wrong answer of the bank, and see what its message is about.

    Counts are runs, how many were caught, and how many were told their own cause.
    """
    wrong, exercise = bank(name).WRONG, load(name)
    patterns = {each.__name__: pattern for each, pattern in wrong.items()}
    counts, others = {}, {}
    for answer, own in wrong.items():
        faults = [report.fault for report in graded(exercise, answer, seeds)]
        about = [confused(str(fault), own, patterns) for fault in faults if fault]
        counts[answer.__name__] = [len(faults), len(about), about.count("own")]
        if set(about) - {"own"}:
            others[answer.__name__] = sorted({str(each) for each in about} - {"own"})
    return {"wrong": counts, "confused": others}


def of_slips(name: str, seeds: list[int]) -> dict[str, list[int]]:
    """Grade the slips that strangers made in this exercise, and count as above."""
    result = {}
    for title, (_, said, unsaid) in _slips(name).items():
        reports = graded(load(name), _slips_file().slip(title), seeds)
        messages = [str(each.fault) for each in reports if not each.passed]
        fits = [
            re.search(said, each) and not re.search(unsaid, each) for each in messages
        ]
        result[title] = [len(seeds), len(messages), sum(map(bool, fits))]
    return result


@functools.cache
def _slips_file():
    return load_file(SLIPS, "slips")


def _slips(name: str) -> dict[str, Any]:
    """List the changes of each slip in an exercise, and what must be said or not."""
    every = _slips_file().SLIPS.items()
    return {title: rest for title, (exercise, *rest) in every if exercise == name}


def inputs(name: str) -> str:
    """Hash what decides the row: the grader, the bank, and how they are measured."""
    file, folder = places(name)[0][0], BANKS[name]
    bank_file, here = folder / "bank.py", Path(__file__)
    packages = [ROOT / "dpteach" / each for each in ("grading", "auditing")]
    starts = [(file, "EXERCISE"), (bank_file, "RIGHT"), (bank_file, "WRONG")]
    starts += [(here, each) for each in ("of_noise", "of_wrong", "of_slips")]
    return fingerprint(
        starts, within=[*packages, file.parent, folder, here], arguments=_slips(name)
    )


def row(name: str) -> dict[str, Any]:
    """Measure one exercise."""
    entropy = secrets.randbits(64)
    drawn = np.random.SeedSequence(entropy).generate_state(SEEDS, dtype=np.uint32)
    seeds = [int(seed) for seed in drawn]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "inputs": inputs(name),
        "seed": entropy,
        **of_wrong(name, seeds),
        "slips": of_slips(name, seeds),
        "noise": of_noise(name, seeds),
    }


def stored() -> dict[str, Any]:
    """Read the rows that are there."""
    return read(RECORD)["exercises"] if RECORD.exists() else {}


def stale() -> dict[str, str]:
    """Name the exercises that must be measured anew, and say why."""
    try:
        rows = stored()
    except ValueError as error:  # of a record that was edited no row is believed
        return dict.fromkeys(NAMES, str(error))
    return {name: why for name in NAMES if (why := _why(name, rows.get(name)))}


def _why(name: str, kept: dict[str, Any] | None) -> str:
    if kept is None:
        return "its error rates were never measured"
    if kept["inputs"] != inputs(name):
        return f"its grader, its bank or the measurement changed since {kept['date']}"
    return ""


def main(chosen: list[str]) -> None:
    """Measure the exercises that are named, else those that are stale."""
    try:
        rows = stored()
    except ValueError:
        rows, chosen = {}, list(NAMES)
    chosen = chosen or list(stale())
    with ProcessPoolExecutor() as pool:
        for name, result in zip(chosen, pool.map(row, chosen), strict=True):
            rows[name] = result
            record = {
                "command": "python book/_tools/error_rates.py",
                "exercises": {each: rows[each] for each in NAMES if each in rows},
            }
            sealed_records.write(RECORD, record)
            runs, caught, _ = map(sum, zip(*result["wrong"].values(), strict=True))
            print(f"{name}: {caught} of {runs} caught", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
