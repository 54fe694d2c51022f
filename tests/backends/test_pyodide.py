"""The Python of a page gives Python's verdicts, and prints what the book prints.

Where ``DPTEACH_BACKENDS`` names ``pyodide``. Needs node and npm, and no browser.
"""

import json
import os

import chapter_cells
import pytest
import runtime

from tests.pyodide.node import ROOT, node

NAMES = sorted(
    path.parent.name for path in (ROOT / "tests" / "chapters").glob("*/*/bank.py")
)
MOST = 9.0  # MB that a reader's first check loads


@pytest.fixture(scope="session")
def made():
    """What was packed for the pages, from this repository as it is."""
    return runtime.make()


@pytest.fixture(scope="session")
def verdicts(made):
    """The verdict on every answer of every bank."""
    assert made
    done = node("PAGE", "banks.py")
    assert done.returncode == 0, done.stderr[-3000:]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return {each["name"]: each for each in told}


def test_it_is_as_light_as_promised(made):
    assert made["megabytes"] <= MOST


@pytest.mark.parametrize("name", NAMES)
def test_the_verdicts_are_those_of_python(name, verdicts):
    """Right answers pass, wrong ones are told the same, as in ``test_banks.py``."""
    told = verdicts[name]
    assert told["wrong_verdicts"] == []
    right = [each for each in told["left_out"] if each.startswith("right_")]
    assert (
        len(right) <= told["right"] / 2
    )  # what needs SciPy itself is the smaller part
    assert len(told["left_out"]) <= (told["right"] + told["wrong"]) / 4


def test_a_wrong_verdict_would_be_seen(made, tmp_path):
    """Power: a bank whose first wrong answer is called right."""
    assert made
    script = (ROOT / "tests/pyodide/banks.py").read_text()
    old = "answers, patient = bank(name), load(name)\n"
    assert old in script
    wrong = f"{old}    answers.RIGHT = (*answers.RIGHT, next(iter(answers.WRONG)))\n"
    path = tmp_path / "banks.py"
    path.write_text(script.replace(old, wrong))
    done = node("PAGE", os.path.relpath(path, ROOT / "tests" / "pyodide"), "clip")
    (seen, _), *_ = json.loads(done.stdout)["wrong_verdicts"]
    assert seen.startswith("wrong_")


def test_cells_with_a_button_print_what_the_book_prints(made):
    """Under the page's own Python, without a browser; ``make book`` built the book."""
    assert made
    listed = json.loads(chapter_cells.LIST.read_text("utf-8"))
    runs = {name: set(each["run"]) for name, each in listed.items()}
    todo, wanted = {}, {}
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        cells = [*runtime.visible(path)]
        shown = chapter_cells.printed(chapter_cells.HTML / f"{path.stem}.html")
        wanted |= {c["id"]: text for c, text in zip(cells, shown, strict=True)}
        todo[path.stem] = [cell for cell in cells if cell["id"] in runs[path.stem]]
    for name, each in chapter_cells.tried(todo).items():
        assert each["failed"] == {}, name
        for key, told in each["told"].items():
            assert not chapter_cells.fault(told | {"seconds": 0}, wanted[key]), key
