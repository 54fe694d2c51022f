"""Measure ratios within one run: contestants take turns, so that noise hits all alike.

Set one BLAS thread before NumPy is imported: ``import harness`` comes first.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import statistics  # noqa: E402  (threads are set before NumPy loads)
import time  # noqa: E402  (see above)
from collections.abc import Callable  # noqa: E402  (see above)


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
    for run in contestants.values():
        run()  # warm caches and lazy imports
    begin = time.perf_counter()
    for turn in range(repeats):
        for name, run in contestants.items():
            start = time.process_time()
            run()
            seconds[name].append(time.process_time() - start)
        if turn >= 4 and time.perf_counter() - begin > budget:
            break
    return {name: of(each) for name, each in seconds.items()}


def report(
    what: str,
    seconds: dict[str, float],
    name: str,
    base: str,
    goal: float | None = None,
) -> None:
    """Print how many times the CPU time of ``base`` a call of ``name`` takes."""
    ratio = seconds[name] / seconds[base]
    verdict = "" if goal is None else f"  goal <= {goal:g}  "
    verdict += "" if goal is None else ("met" if ratio <= goal else "NOT MET")
    print(
        f"{what}: {name} / {base} = {ratio:.3f}  "
        f"({1e3 * seconds[name]:.4g} ms / {1e3 * seconds[base]:.4g} ms CPU){verdict}",
        flush=True,
    )
