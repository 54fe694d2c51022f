"""The order of the files: those that take long come first.

Workers are handed whole files, in this order; a long one at the end would leave the
others idle. `make test` builds the book meanwhile: what does not need it goes ahead.
"""

import os

import pytest


def pytest_collection_modifyitems(items) -> None:
    """Move files with a slow test, or one in a browser, to the front."""
    long, waits = set(), set()
    for item in items:
        if item.get_closest_marker("slow") or item.get_closest_marker("browser"):
            long.add(item.path)
        if "book" in item.fixturenames:
            waits.add(item.path)
    items.sort(key=lambda item: 2 if item.path not in long else item.path in waits)


@pytest.hookimpl(optionalhook=True)  # mutants and backends run without xdist
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: browsers and sandboxes are waited for."""
    return (os.cpu_count() or 1) + 1
