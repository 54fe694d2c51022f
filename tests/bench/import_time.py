"""What ``import dpteach`` costs, as a ratio to ``import numpy``."""

import subprocess
import sys

import harness

GOAL = 1.35
CODE = "import time; t = time.process_time(); {}; print(time.process_time() - t)"
LINES = {
    "import dpteach": GOAL,
    "from dpteach import Problem, dp_sgd, losses": GOAL,
    "from dpteach.algorithms import banco": None,
    "import dpteach.accounting": None,
}


def seconds(line: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(line)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return float(done.stdout)


def main() -> None:
    lines = [*LINES, "import numpy"]
    for line in lines:
        seconds(line)  # warm the disk's caches
    # Turn by turn, so that noise hits all alike; a busy neighbor only ever slows a run.
    rounds = [[seconds(line) for line in lines] for _ in range(harness.size(21, 1))]
    took = dict(zip(lines, map(min, zip(*rounds, strict=True)), strict=True))
    numpy = took["import numpy"]
    for line, goal in LINES.items():
        ratio = took[line] / numpy
        said = harness.verdict(f"{line} / import numpy", ratio, goal)
        print(
            f"{line} / import numpy = {ratio:.3f}  ({1e3 * took[line]:.4g} ms / "
            f"{1e3 * numpy:.4g} ms CPU){said}"
        )


if __name__ == "__main__":
    main()
