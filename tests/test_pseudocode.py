"""The code carries the book's line numbers, in order, and code follows each."""

import ast
import inspect
import re

import pytest

from dpteach.privacy import Release
from tests.public import PACKAGE, functions, table

LINE = re.compile(r"^\s*# (\d+): (.*)$")
ERRATUM = re.compile(r"\[((?:[ELFRB]-\d+\w*(?:, )?)+)\]$")
# Lines that only close a block, for which Python has no code.
ENDS = ("end for", "end while", "end if", "end function", "end procedure", "else")


def _sources():
    """Every function of the algorithms that has numbered comments, by its place."""
    for path in sorted((PACKAGE / "algorithms").rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                source = ast.get_source_segment(text, node, padded=True)
                if any(LINE.match(line) for line in source.splitlines()):
                    place = path.relative_to(PACKAGE / "algorithms").with_suffix("")
                    yield ".".join((*place.parts, node.name)), source


def faults(source: str, errata: set[str]) -> list[str]:
    """Say what is wrong with the numbered comments of one function."""
    found, numbers, awaiting = [], [], None
    comment = ""  # a long line of pseudo-code runs over several comment lines
    for line in [*source.splitlines(), "# end"]:
        numbered, text = LINE.match(line), line.strip()
        if not text.startswith("#") or numbered or line == "# end":
            for ids in ERRATUM.findall(comment.rstrip()):
                found += [f"no row {i}" for i in ids.split(", ") if i not in errata]
        if numbered:
            if awaiting is not None:
                found.append(f"no code follows line {awaiting}")
            numbers.append(int(numbered[1]))
            comment = numbered[2]
            awaiting = None if comment.startswith(ENDS) else numbers[-1]
        elif text.startswith("#"):
            comment += " " + text.lstrip("# ")
        elif text:
            awaiting, comment = None, ""
    if awaiting is not None:
        found.append(f"no code follows line {awaiting}")
    if numbers != list(range(1, len(numbers) + 1)):
        found.append(f"lines are numbered {numbers}")
    return found


ERRATA = {row["id"] for row in table("errata")}


@pytest.mark.parametrize(("name", "source"), list(_sources()), ids=lambda s: s[:40])
def test_every_line_of_the_pseudocode_is_there_in_order(name, source):
    assert not faults(source, ERRATA), name


def test_every_algorithm_that_releases_a_model_carries_its_pseudocode():
    numbered = {name for name, _ in _sources()}
    algorithms = {
        name.removeprefix("dpteach.algorithms.")
        for name, each in functions().items()
        if name.startswith("dpteach.algorithms.")
        and inspect.signature(each).return_annotation in (Release, "Release")
    }
    assert algorithms
    assert algorithms <= numbered


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("# 1: a\nx = 1\n# 3: b\ny = 2", "numbered [1, 3]"),
        ("# 1: a\n# 2: b\ny = 2", "no code follows line 1"),
        ("# 1: a\nx = 1\n# 2: b", "no code follows line 2"),
        ("# 1: a\n# more of it  [E-99]\nx = 1", "no row E-99"),
        ("# 1: a  [E-19, E-98]\nx = 1", "no row E-98"),
    ],
)
def test_a_fault_is_found(source, fault):
    """Power: each way of going wrong is named."""
    assert any(fault in each for each in faults(source, {"E-19"}))


def test_ends_and_long_lines_are_no_fault():
    source = "# 1: for t\nfor t in x:\n# 2: a [E-19]\n#    b\n    y\n# 3: end for"
    assert not faults(source, {"E-19"})
