"""Grade right answers thousands of times with fresh seeds: false_rejects.py [NAME ...].

900 runs of each exercise, or of those that are named, and one of each mutant of its
right answers. Writes ``false_rejects.json`` beside each bank: how many of how many were
rejected, and which mutants passed. ``--mutants`` grades the mutants alone.
Answers whose noise must be measured take a 25th of the runs: each takes 3,000 calls.
"""

import dataclasses
import hashlib
import importlib.util
import platform
import secrets
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import sealed_records
from fingerprint import Place, fingerprint, reached

import dpteach
from dpteach.chapters.catalog import load, rooms
from dpteach.figures.results import read

ROOT = Path(__file__).resolve().parents[2]
BANKS = {
    path.parent.name: path.parent
    for path in sorted((ROOT / "tests" / "chapters").glob("*/*/bank.py"))
}
NAMES = tuple(BANKS)
MUTANTS = ROOT / "tests" / "chapters" / "mutants.py"
RUNS = 900  # if none is rejected: at most one in 300, at 95 %
PATIENCE = 1.0  # seconds of a call, for mutants
PACKAGE = ROOT / "dpteach"
EXERCISES = PACKAGE / "chapters"


def inputs(name: str) -> str:
    """Hash the code that decides a verdict: its words do not count."""
    return fingerprint(places(name), within=_deciding(name))


def decides(name: str) -> set[Place]:
    """List the definitions that decide a verdict."""
    return reached(places(name), within=_deciding(name))


def places(name: str) -> tuple[Place, Place]:
    """Say where the exercise and its right answers are defined."""
    module = EXERCISES / rooms()[name] / "exercises" / name
    file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
    return (file, "EXERCISE"), (BANKS[name] / "bank.py", "RIGHT")


def _deciding(name: str) -> list[Path]:
    files = ("exact.py", "tape.py", "_releases.py")
    audits = [PACKAGE / "auditing" / each for each in files]
    room = EXERCISES / rooms()[name] / "exercises"
    return [PACKAGE / "grading", room, *audits, BANKS[name]]


def load_file(path: Path, name: str):
    """Import a file of the tests by its path."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that its source can be found
    spec.loader.exec_module(module)
    return module


def bank(name: str):
    """Import the bank of one exercise."""
    return load_file(BANKS[name] / "bank.py", f"bank_of_{name}")


def shares(answers, runs: int) -> list[int]:
    """Split the runs: measured answers get a 25th, the others the rest, evenly."""
    slow = [answer.__name__ == "right_other_noise" for answer in answers]
    each = runs // 25
    fast = (runs - each * sum(slow)) // (len(slow) - sum(slow))
    return [each if one else fast for one in slow]


def count(name: str, runs: int, entropy: int) -> dict:
    """Grade the right answers of one exercise, each with seeds of its own."""
    exercise, seeds = load(name), np.random.SeedSequence(entropy)
    answers, rejected, times = bank(name).RIGHT, [], []
    for answer, share in zip(answers, shares(answers, runs), strict=True):
        for seed in seeds.spawn(1)[0].generate_state(share, dtype=np.uint32):
            start = time.process_time()
            report = exercise.grade(answer, int(seed))
            times.append(time.process_time() - start)
            if not report.passed:
                rejected.append([answer.__name__, int(seed), str(report.fault)])
    return {
        "runs": len(times),
        "answers": len(answers),
        "rejected": rejected,
        "cpu_seconds_median": round(float(np.median(times)), 4),
        "cpu_seconds_worst": round(max(times), 4),
    }


def mutant_inputs(name: str) -> str:
    """Hash what decides which mutants pass: the grader, and how mutants are made."""
    return hashlib.sha256(inputs(name).encode() + MUTANTS.read_bytes()).hexdigest()


def survivors(name: str) -> dict:
    """Grade each mutant of the right answers with one seed, and name those that pass.

    What takes long is taken for endless, as a mutant often is.
    """
    mutants = load_file(MUTANTS, "mutants").mutants
    made = dict(pair for answer in bank(name).RIGHT for pair in mutants(answer))
    exercise = dataclasses.replace(load(name), seconds=PATIENCE)
    passed = [key for key, mutant in made.items() if exercise.grade(mutant, 1).passed]
    return {"inputs": mutant_inputs(name), "made": len(made), "passed": sorted(passed)}


def record(name: str) -> dict:
    """Count, and keep all that it takes to count again."""
    entropy = secrets.randbits(64)
    return {
        "command": f"python book/_tools/false_rejects.py {name}",
        "date": datetime.now(UTC).date().isoformat(),
        "inputs": inputs(name),
        "seed": entropy,
        "versions": {
            "dpteach": dpteach.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
        **count(name, RUNS, entropy),
        "mutants": survivors(name),
    }


def record_mutants(name: str) -> dict:
    """Grade the mutants anew, and keep what is known of the right answers."""
    kept = read(stored(name))
    return {**kept, "mutants": survivors(name)}


def stale() -> dict[str, str]:
    """Name the exercises whose right answers must be graded anew, and say why."""
    return {name: why for name in NAMES if (why := _why(name))}


def _why(name: str) -> str:
    try:
        kept = read(stored(name))
    except FileNotFoundError:
        return "its right answers were never graded"
    except ValueError as error:
        return str(error)
    if kept["inputs"] != inputs(name):
        return f"what decides its verdicts has changed since {kept['date']}"
    if kept["mutants"]["inputs"] != mutant_inputs(name):
        return f"how mutants are made has changed since {kept['date']}"
    return ""


def main() -> None:
    """Count for each exercise, one process a core."""
    alone = "--mutants" in sys.argv
    chosen = [name for name in sys.argv[1:] if name != "--mutants"] or NAMES
    work = record_mutants if alone else record
    with ProcessPoolExecutor() as pool:
        for name, result in zip(chosen, pool.map(work, chosen), strict=True):
            sealed_records.write(stored(name), result)
            mutants = result["mutants"]
            print(
                f"{name}: {len(result['rejected'])} of {result['runs']} rejected; "
                f"{len(mutants['passed'])} of {mutants['made']} mutants pass"
            )


def stored(name: str) -> Path:
    """Say where the record of one exercise lies."""
    return BANKS[name] / "false_rejects.json"


if __name__ == "__main__":
    main()
