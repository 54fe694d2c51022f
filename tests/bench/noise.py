"""Errors of correlated noise, at equal steps, visits and memory, beside jax_privacy's.

Its errors are those that ``make bench-peers`` measured and stored; ours are computed
here, each with what certifies how far it can be from the least.
"""

import json
import time
from pathlib import Path

import harness

from dpteach.algorithms import (
    multi_participation_factorization,
    optimal_bands,
    optimal_buffers,
)

STORED = Path(__file__).parent / "peers" / "jax_privacy.json"


def passes(T: int, k: int) -> tuple[float, float]:
    """Return the error for k passes in one order, and what no error is below."""
    best, certificate = multi_participation_factorization(T, epochs=k)
    return best.mean_error, certificate.lower_bound


def separated(T: int, k: int, d: int) -> tuple[float, float]:
    """Return both for k visits d apart, with d - 1 vectors of memory."""
    best, certificate = multi_participation_factorization(
        T, participations=k, separation=d, memory=d - 1
    )
    return best.mean_error, certificate.lower_bound


def bands(T: int, b: int) -> tuple[float, float]:
    """Return both for one visit and b bands with one coefficient per lag."""
    _, certificate = multi_participation_factorization(T, epochs=1, memory=0)
    return optimal_bands(T, bands=b).mean_error(T), certificate.lower_bound


def buffered(T: int, k: int, d: int, m: int) -> tuple[float, float]:
    """Return both for k visits d apart and m buffers."""
    rules = {"participations": k, "separation": d}
    _, certificate = multi_participation_factorization(T, memory=0, **rules)
    best = optimal_buffers(T, buffers=m, **rules)
    return best.mean_error(T, **rules), certificate.lower_bound


OURS = {
    function.__name__: function for function in (passes, separated, bands, buffered)
}
NAMES = {
    "passes": "T = {}, {} passes",
    "separated": "T = {}, {} visits {} apart, all bands",
    "bands": "T = {}, {} coefficients",
    "buffered": "T = {}, {} visits {} apart, {} buffers",
}


def compare(kind: str, setting: list[int], theirs: float) -> None:
    """Print our error beside theirs, and keep the ratio for the table."""
    start = time.process_time()
    ours, bound = OURS[kind](*setting)
    seconds = time.process_time() - start
    name = NAMES[kind].format(*setting)
    met = harness.verdict(f"{name}: error / jax_privacy's", ours / theirs, 1 + 1e-6)
    print(
        f"{name}: ours {ours:.6f}, theirs {theirs:.6f}, none is below {bound:.6f}; "
        f"{seconds:.2g} s CPU{met}",
        flush=True,
    )


def main() -> None:
    stored = json.loads(STORED.read_text("utf-8"))
    print(f"jax_privacy {stored['version']}")
    rows = stored["rows"]
    for row in rows[: harness.size(len(rows), 1)]:
        compare(**row)


if __name__ == "__main__":
    main()
