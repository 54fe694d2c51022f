"""Grade right answers thousands of times with fresh seeds: false_rejects.py [RUNS].

RUNS of each exercise, 2,500 unless said: 10,000 in all. Writes ``false_rejects.json``
beside this file: how many of how many were rejected.
Answers whose noise must be measured take RUNS/25 of the runs: each takes 3,000 calls.
"""

import ast
import importlib.util
import json
import platform
import secrets
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import numpy as np

import dpteach
from dpteach.grading.exercises import load

FOLDER = Path(__file__).resolve().parent
OUT = FOLDER / "false_rejects.json"
NAMES = ("calibrate_sigma", "clip", "private_step", "tree_prefix_sums")
PACKAGE = Path(dpteach.__file__).parent


def inputs() -> str:
    """Hash the code that decides a verdict: what it says in words does not count."""
    files = [PACKAGE / "auditing" / name for name in ("exact.py", "tape.py")]
    files += sorted((PACKAGE / "grading").rglob("*.py"))
    files += [FOLDER / name / "bank.py" for name in NAMES]
    told = ("report.py", "questions.py", "best_T.py", "why_clip.py")
    digest = sha256()
    for path in files:
        if path.name in told or path.name.startswith("order_"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not _is_text(node):
                plain = [
                    f"{key}={value!r}"
                    for key, value in ast.iter_fields(node)
                    if isinstance(value, str | int | float | complex | bytes)
                ]
                digest.update(f"{type(node).__name__} {plain};".encode())
    return digest.hexdigest()


def _is_text(node: ast.AST) -> bool:
    text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return text or isinstance(node, ast.JoinedStr)


def bank(name: str):
    """Import the bank of one exercise."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / name / "bank.py")
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


def main() -> None:
    """Count, and store with all that it takes to count again."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2_500
    entropy = secrets.randbits(64)
    result = {
        "command": f"python exercises/false_rejects.py {runs}",
        "date": datetime.now(UTC).date().isoformat(),
        "inputs": inputs(),
        "seed": entropy,
        "versions": {
            "dpteach": dpteach.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
        "exercises": {},
    }
    with ProcessPoolExecutor() as pool:  # one process a core
        jobs = {name: pool.submit(count, name, runs, entropy) for name in NAMES}
        result["exercises"] = {name: job.result() for name, job in jobs.items()}
    OUT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
