"""Measure ratios within one run: contestants take turns, so that noise hits all alike.

Set one BLAS thread before NumPy is imported: ``import harness`` comes first. With
BENCH=small in the environment sizes are small, and what is measured means nothing: so
the tests see that each script runs. Goals are kept for the table of ``run.py``.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import json  # noqa: E402  (threads are set before NumPy loads)
import re  # noqa: E402  (see above)
import statistics  # noqa: E402  (see above)
import time  # noqa: E402  (see above)
from collections.abc import Callable  # noqa: E402  (see above)
from pathlib import Path  # noqa: E402  (see above)

SMALL = os.environ.get("BENCH") == "small"


def chapter_lines(first: str) -> str:
    """Return the lines of chapter 11 for another library, by the first of them."""
    chapter = Path(__file__).parents[2] / "chapters/11-training-a-network.ipynb"
    cells = json.loads(chapter.read_text("utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (block,) = (each for each in blocks if each.startswith(first))
    return block


def size(full: int, small: int) -> int:
    """Return the size to measure at, or in small mode the one that runs in a moment."""
    return small if SMALL else full


def interleaved(
    contestants: dict[str, Callable[[], object]],
    *,
    repeats: int = 15,
    budget: float = 60.0,
    of: Callable[[list[float]], float] = statistics.median,
) -> dict[str, float]:
    """Take CPU seconds of one call of each, as medians over rounds of turns.

    ``of=min`` takes the least of all turns instead: for what lasts milliseconds, where
    a busy neighbor slows some turns and none is ever too fast.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    if not SMALL:
        for run in contestants.values():
            run()  # warm caches and lazy imports
    begin = time.perf_counter()
    for turn in range(size(repeats, 1)):
        for name, run in contestants.items():
            start = time.process_time()
            run()
            seconds[name].append(time.process_time() - start)
        if turn >= 4 and time.perf_counter() - begin > budget:
            break
    return {name: of(each) for name, each in seconds.items()}


def verdict(
    what: str,
    measured: float,
    goal: float | None,
    unit: str = "",
    *,
    at_least: bool = False,
) -> str:
    """Keep a measurement for the table, and return its goal in words: met or not."""
    if goal is None:
        return ""
    met = measured >= goal if at_least else measured <= goal
    row = {
        "what": what,
        "goal": f"{'>=' if at_least else '<='} {goal:g}{unit}",
        "measured": f"{measured:.4g}{unit}",
        "met": "small" if SMALL else "met" if met else "NOT MET",
    }
    if "BENCH_ROWS" in os.environ:
        with open(os.environ["BENCH_ROWS"], "a", encoding="utf-8") as rows:
            rows.write(json.dumps(row) + "\n")
    return f"  goal {row['goal']}  {row['met']}"


def report(
    what: str,
    seconds: dict[str, float],
    name: str,
    base: str,
    goal: float | None = None,
) -> None:
    """Print how many times the CPU time of ``base`` a call of ``name`` takes."""
    ratio = seconds[name] / max(seconds[base], 1e-9)
    said = verdict(f"{what}: {name} / {base}", ratio, goal)
    print(
        f"{what}: {name} / {base} = {ratio:.3f}  "
        f"({1e3 * seconds[name]:.4g} ms / {1e3 * seconds[base]:.4g} ms CPU){said}",
        flush=True,
    )
