"""Which tests run, and in which order.

With ``--chapter`` those that concern one chapter: see ``tests.one_chapter``. What needs
the whole book, which takes minutes to build, bears a mark of its own. What takes long
comes first; a long test at the end would leave the other workers idle. Where the book
is built meanwhile, what needs it comes when the rest of what takes long is done.
"""

import gc
import os
from pathlib import Path

import pytest

# Without a slow test, but with many.
LARGE = [Path(__file__).parent / name for name in ("accounting", "chapters", "grading")]


CONCERN = pytest.StashKey["Concern"]()


def pytest_addoption(parser) -> None:
    """Let one chapter be chosen."""
    parser.addoption("--chapter", help="what concerns this chapter: 9, or dp-sgd")


def pytest_configure(config) -> None:
    """Find the chapter that is chosen."""
    if name := config.getoption("--chapter"):
        from tests.one_chapter import Concern  # a browser's Python has no PyYAML

        try:
            config.stash[CONCERN] = Concern(name)
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None


def pytest_ignore_collect(collection_path: Path, config) -> bool | None:
    """Leave out files that do not concern the chapter."""
    if CONCERN in config.stash and not config.stash[CONCERN].reads(collection_path):
        return True
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage meanwhile: of a million objects, that is a fifth of it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # marks count when pytest chooses by them
def pytest_collection_modifyitems(config, items) -> None:
    """Keep what concerns the chapter, and put what takes long first.

    That is what is slow, then large folders, then what waits for the book.
    """
    if CONCERN in config.stash:
        keeps = config.stash[CONCERN].keeps
        left_out = [item for item in items if not keeps(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if keeps(item)]
    long, waits = set(), set()
    for item in items:
        if item.get_closest_marker("slow") or item.get_closest_marker("browser"):
            long.add(item.path)
        if "book" in item.fixturenames:
            waits.add(item.path)
            item.add_marker(pytest.mark.whole_book)

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
