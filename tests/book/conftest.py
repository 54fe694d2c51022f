"""The built book, and a small one that holds everything a page can hold."""

import fcntl
import os
from pathlib import Path

import pytest

from tests.book import small
from tests.browser import browser, site, visit  # noqa: F401 (fixtures)


@pytest.fixture(scope="session")
def book() -> Path:
    """The pages of the real book; built here if they are not fresh."""
    return small.build.build()


@pytest.fixture(scope="session")
def gallery(tmp_path_factory) -> Path:
    """The pages of the small book; workers of one session build it once."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "gallery"
    with Path(f"{shared}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        pages = shared / "out" / "_build" / "html"
        if not shared.exists():
            small.build.bring_python()
            shared.mkdir()
            done = small.make(shared, *small.CHAPTER)
            (shared / "log").write_text(done.stdout + done.stderr)
        assert pages.exists(), (shared / "log").read_text()
    return pages
