"""``pytest --chapter`` takes what concerns a chapter, and misses no table."""

import subprocess
import sys

import chapter
import pytest

from tests.one_chapter import TABLES, Concern
from tests.public import ROOT


@pytest.fixture(scope="module")
def concern():
    return Concern("dp-sgd")


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        *(("name", "private_step"), ("place", "dp_sgd.descent.cloud")),
        *(("chapter", "09-dp-sgd"), ("path", ROOT / "chapters" / "09-dp-sgd.ipynb")),
        *(("lecture", 9), ("row", {"id": "E-1", "page": "chapters/09-dp-sgd"})),
        ("path", ROOT / "book" / "teach" / "keys" / "09-dp-sgd-key.md"),
    ],
)
def test_what_a_chapter_has_is_its_own(concern, parameter, value):
    assert concern.owns(parameter, value)
    assert not Concern("tour").owns(parameter, value)


@pytest.mark.parametrize("value", ["clip", 9, 9.0, None, {"page": "book/errata"}, "dp"])
def test_what_others_have_is_not(concern, value):
    assert not concern.owns("seed", value)


def test_files_of_others_are_not_read(concern):
    assert concern.reads(ROOT / "tests")
    assert concern.reads(ROOT / "dpteach" / "chapters" / "dp_sgd" / "descent.py")
    assert concern.reads(ROOT / "tests" / "algorithms" / "gradients" / "test_sgd.py")
    assert not concern.reads(ROOT / "dpteach" / "chapters" / "tour" / "tour.py")
    assert not concern.reads(ROOT / "tests" / "grading" / "judge")


def collected(*arguments):
    """List the tests that pytest would run."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", ""]
    done = subprocess.run(
        [*command, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_a_chapter_that_is_not_there_is_named():
    command = [sys.executable, "-m", "pytest", "--chapter", "dp-sgb"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 4
    assert "There is no chapter 'dp-sgb'" in done.stderr


@pytest.mark.thorough
@pytest.mark.slow
def test_no_table_is_left_out():
    """A case that names a chapter by its notebook stands in a file that is read."""
    names = {each.stem for each in chapter.chapters()}
    needs_the_book = tuple(
        f"tests/book/test_{of}.py" for of in ("fit", "pages", "writing")
    )
    files = {
        test.partition("::")[0]
        for test in collected()
        if any(f"[{name}]" in test or f"[{name}-" in test for name in names)
    }
    read = tuple(TABLES)
    assert len(files) > 3
    assert not {each for each in files if not each.startswith((*read, *needs_the_book))}
