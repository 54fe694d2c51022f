"""The order of the files: those that take long come first.

Workers are handed whole files, in this order; a long one at the end would leave the
others idle. `make test` builds the book meanwhile, for some minutes: what needs it
comes when the rest of what takes long is done.
"""

import os
from pathlib import Path

import pytest

# Without a slow test, but with many.
LARGE = [Path(__file__).parent / name for name in ("accounting", "chapters", "grading")]


def pytest_collection_modifyitems(items) -> None:
    """Put what is slow first, then large folders, then what waits for the book."""
    long, waits = set(), set()
    for item in items:
        if item.get_closest_marker("slow") or item.get_closest_marker("browser"):
            long.add(item.path)
        if "book" in item.fixturenames:
            waits.add(item.path)

    def place(item) -> int:
        if item.path in waits:
            return 2
        if item.path in long:
            return 0
        return 1 if any(map(item.path.is_relative_to, LARGE)) else 3

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)  # mutants and backends run without xdist
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: browsers and sandboxes are waited for."""
    return (os.cpu_count() or 1) + 1
