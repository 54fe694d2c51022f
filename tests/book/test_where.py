"""The map of the repository tells the truth: what it names is there, under its name."""

import json
import re

from dpteach_book import floors

from dpteach.chapters.frank_wolfe import step_rules
from tests.public import PACKAGE, ROOT

TEXT = (ROOT / "book" / "where-things-are.md").read_text("utf-8")


def paths(text):
    """What stands between backticks and names a file or a folder."""
    found = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)
    return [each for each in found if "/" in each or (ROOT / each).exists()]


def test_every_path_on_the_page_is_there():
    named = paths(TEXT)
    assert len(named) > 35
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_a_path_that_is_gone_is_noticed():
    named = paths("in `dpteach/gone.py`, by `check`, not `dpteach/grading`")
    assert named == ["dpteach/gone.py", "dpteach/grading"]
    assert not (ROOT / named[0]).exists()


def test_the_three_searches_end_where_the_page_says():
    title = "How many private steps are worth it"
    assert step_rules.excess_against_steps.explorer.title == title
    cells = json.loads((ROOT / "chapters/17-frank-wolfe.ipynb").read_text())["cells"]
    shown = re.findall(
        r"^(?!drawings\.|threshold\.|votes\.)\w+\.(\w+)$",  # drawings are no figures
        "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"),
        re.MULTILINE,
    )
    figures = [name for name in shown if name.islower()]
    assert figures[2] == "excess_against_steps"
    grader = PACKAGE / "chapters/banco/exercises/bet_size.py"
    assert "bet_size" in grader.read_text("utf-8")
    assert "def epsilon_of" in (PACKAGE / "accounting/pricing.py").read_text("utf-8")


def test_the_drawing_shows_every_module_once():
    drawn = re.findall(r'class="name"[^>]*>([^<]+)<', floors.drawing(680, "wide"))
    assert len(drawn) == len(set(drawn))
    for each in drawn:
        assert (PACKAGE / each).exists(), each
    here = {
        path.name
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    } - {"__init__.py"}
    assert {each.split("/")[0] for each in drawn} == here


def test_nothing_leaves_the_drawing():
    for width in (floors.WIDE, floors.NARROW):
        picture = floors.drawing(width, "any")
        for x, wide in re.findall(
            r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"', picture
        ):
            assert float(x) + float(wide) <= width
    assert len(floors.WORDS) == len(floors.floors())
    widest = max(map(len, floors.WORDS)) * 7.4 + 30  # letters of 14 pixels
    assert widest <= floors.NARROW
