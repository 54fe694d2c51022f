"""The list of exercises holds each of them once, where a reader meets it."""

import json
import re

import pytest
import yaml

from tests.chapters.banks import NAMES
from tests.public import ROOT

README = (ROOT / "exercises" / "README.md").read_text("utf-8")
ROW = re.compile(r"^\| \[(\w+)\]\(([^)]+)\) \| (.+) \| \[(\d+)\]\(([^)]+)\) \|$", re.M)


def set_by_the_chapters():
    """List pairs of an exercise and the first chapter that asks for it, in order."""
    found = {}
    for chapter in yaml.safe_load((ROOT / "book/chapters.yml").read_text("utf-8")):
        path = ROOT / f"{chapter.get('file')}.ipynb"
        if not path.exists():
            continue
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                for name in re.findall(r'check\("(\w+)"', "".join(cell["source"])):
                    if name in NAMES:
                        found.setdefault(name, chapter)
    return list(found.items())


def complaints(text):
    """Compare the rows of a list with the folders and with the chapters."""
    rows = ROW.findall(text)
    said = []
    if text.count("\n| [") != len(rows):
        said.append("a row that is not: [name](link) | what | [chapter](link)")
    listed = [name for name, *_ in rows]
    said += [f"{name} has {listed.count(name)} rows" for name in NAMES
             if listed.count(name) != 1]  # fmt: skip
    said += [f"{name} has no folder" for name in listed if name not in NAMES]
    wanted = set_by_the_chapters()
    said += [f"no chapter asks for {name}" for name in set(NAMES) - dict(wanted).keys()]
    if not said and listed != [name for name, _ in wanted]:
        said.append(
            f"the order is that of the chapters: {[name for name, _ in wanted]}"
        )
    for name, link, _, number, chapter in rows:
        where = dict(wanted).get(name, {})
        if link != f"{name}.ipynb":
            said.append(f"{name} is linked to {link}")
        if (int(number), chapter) != (
            where.get("number"),
            f"../{where.get('file')}.ipynb",
        ):
            said.append(f"{name} belongs to chapter {where.get('number')}")
    said += [
        f"{link} leads nowhere" for link in re.findall(r"\]\(([^)]+)\)", text)
        if not (ROOT / "exercises" / link).exists()
    ]  # fmt: skip
    return said


def test_the_list_of_exercises_is_complete_and_in_order():
    assert not complaints(README)


LINES = README.splitlines(keepends=True)
FIRST = next(k for k, line in enumerate(LINES) if line.startswith("| ["))


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (LINES[:FIRST] + LINES[FIRST + 1 :], "estimate_share has 0 rows"),
        ([*LINES[: FIRST + 1], *LINES[FIRST:]], "estimate_share has 2 rows"),
        (
            [*LINES[:FIRST], LINES[FIRST + 1], LINES[FIRST], *LINES[FIRST + 2 :]],
            "the order is that of the chapters",
        ),
        ([README.replace("(clip.ipynb)", "(clap.ipynb)")], "leads nowhere"),
        ([README.replace("(clip.ipynb)", "(README.md)")], "clip is linked to"),
        ([README.replace("| [18](", "| [17](")], "shuffled_delta belongs to"),
        ([README.replace("[clip]", "[clasp]")], "clasp has no folder"),
        ([README.replace("| [18](", "| 18 (")], "a row that is not"),
    ],
)
def test_a_broken_list_is_caught(broken, said):
    """Power: one row missing, twice, elsewhere, or with a link that is wrong."""
    assert any(said in each for each in complaints("".join(broken)))
