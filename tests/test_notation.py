"""Every keyword a reader types is a row of book/notation.yml, and no row is idle."""

import inspect
import json
import re
from functools import cache

from tests.public import (
    ROOT,
    UPPER,
    functions,
    modules,
    objects,
    parameters,
    table,
    value_module,
)

ROWS = table("notation")
FIELDS = {"symbol", "tex", "name", "unit", "meaning", "sources"}
SOURCES = {"chapter", "lecture", "ftrl", "check-ins", "banco"}


# What a function returns nobody makes: its fields need no row.
RETURNED = {inspect.signature(each).return_annotation for each in functions().values()}
# The words of drawing and grading are no notation; a slider's keyword is an argument
# of the function that it moves.
TYPED = [
    name
    for name, each in objects().items()
    if each not in RETURNED and not name.startswith(UPPER)
]


def test_every_keyword_is_a_row():
    missing = {
        f"{name}: {each}"
        for name in TYPED
        for each in parameters(objects()[name])
        if each not in ROWS
    }
    assert not missing, f"add to book/notation.yml: {sorted(missing)}"


def complete(row):
    return (
        set(row) - {"chapters", "letter"} == FIELDS
        and all(0 <= number <= 24 for number in row.get("chapters", ()))
        and row["name"]
        and row["meaning"].endswith(".")
        and set(row["sources"]) <= SOURCES
        and bool(row["symbol"]) == bool(row["tex"])
    )


def test_every_row_is_complete():
    assert not {key: row for key, row in ROWS.items() if not complete(row)}


def test_a_row_that_is_not_complete_is_noticed():
    row = ROWS["epsilon"]
    assert not complete({**row, "meaning": "No full stop"})
    assert not complete({**row, "tex": ""})
    assert not complete({key: row[key] for key in row if key != "unit"})


def test_no_row_is_written_twice():
    """YAML would keep the last one in silence, and a merge may leave two."""
    keys = re.findall(r"^(\w+):", (ROOT / "book/notation.yml").read_text("utf-8"), re.M)
    assert len(keys) == len(set(keys)) == len(ROWS)


def test_no_row_is_an_orphan():
    """A row is used by some parameter somewhere in the package."""
    used = set()
    for module in modules():
        for value in vars(module).values():
            if (value_module(value) or "").startswith("dpteach"):
                used.update(_all_parameters(value))
    letters = {key for key, row in ROWS.items() if row.get("letter")}
    assert set(ROWS) - letters <= used, sorted(set(ROWS) - letters - used)
    assert not letters & used, f"keywords are no mere letters: {letters & used}"


@cache
def formulas(chapter):
    """All TeX of a chapter, without spaces."""
    (file,) = (ROOT / "chapters").glob(f"{chapter:02d}-*.ipynb")
    cells = json.loads(file.read_text("utf-8"))["cells"]
    text = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return "".join("".join(re.findall(r"\$+([^$]+)\$+", text)).split())


def test_a_letter_without_a_keyword_stands_in_its_chapters():
    absent = [
        f"{key} in chapter {chapter}"
        for key, row in ROWS.items()
        if row.get("letter")
        for chapter in row["chapters"]
        if row["tex"].replace(" ", "") not in formulas(chapter)
    ]
    assert not absent


def _all_parameters(value):
    yield from parameters(value)
    if inspect.isclass(value):
        for each in vars(value).values():
            if inspect.isfunction(each):
                yield from parameters(each)
