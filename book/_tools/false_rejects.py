"""Grade right answers thousands of times with fresh seeds: false_rejects.py [NAME ...].

2,500 runs of each exercise, or of those that are named. Writes ``false_rejects.json``
beside each bank: how many of how many were rejected.
Answers whose noise must be measured take a 25th of the runs: each takes 3,000 calls.
"""

import importlib.util
import json
import platform
import secrets
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from fingerprint import Place, fingerprint, reached

import dpteach
from dpteach.chapters.catalog import load, rooms

ROOT = Path(__file__).resolve().parents[2]
BANKS = {
    path.parent.name: path.parent
    for path in sorted((ROOT / "tests" / "chapters").glob("ch*/*/bank.py"))
}
NAMES = tuple(BANKS)
RUNS = 2_500
PACKAGE = ROOT / "dpteach"
EXERCISES = PACKAGE / "chapters"


def inputs(name: str) -> str:
    """Hash the code that decides a verdict: its words do not count."""
    return fingerprint(_places(name), within=_deciding(name))


def decides(name: str) -> set[Place]:
    """List the definitions that decide a verdict."""
    return reached(_places(name), within=_deciding(name))


def _places(name: str) -> tuple[Place, Place]:
    module = EXERCISES / rooms()[name] / "exercises" / name
    file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
    return (file, "EXERCISE"), (BANKS[name] / "bank.py", "RIGHT")


def _deciding(name: str) -> list[Path]:
    files = ("exact.py", "tape.py", "_releases.py")
    audits = [PACKAGE / "auditing" / each for each in files]
    room = EXERCISES / rooms()[name] / "exercises"
    return [PACKAGE / "grading", room, *audits, BANKS[name]]


def bank(name: str):
    """Import the bank of one exercise."""
    spec = importlib.util.spec_from_file_location(name, BANKS[name] / "bank.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
    }


def main() -> None:
    """Count for each exercise, one process a core."""
    chosen = sys.argv[1:] or NAMES
    with ProcessPoolExecutor() as pool:
        for name, result in zip(chosen, pool.map(record, chosen), strict=True):
            text = json.dumps(result, indent=1) + "\n"
            stored(name).write_text(text, encoding="utf-8")
            print(f"{name}: {len(result['rejected'])} of {result['runs']} rejected")


def stored(name: str) -> Path:
    """Say where the record of one exercise lies."""
    return BANKS[name] / "false_rejects.json"


if __name__ == "__main__":
    main()
