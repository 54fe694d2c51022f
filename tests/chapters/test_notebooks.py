"""The student's notebooks say what the modules say, and run from top to bottom."""

import ast
import json
import re

import numpy as np
import pytest

from dpteach.chapters.catalog import load
from tests.chapters.banks import NAMES, right
from tests.grading.markup import demand_sound
from tests.public import ROOT


def _path(name):
    return ROOT / "exercises" / f"{name}.ipynb"


def _run(name, answer=None):
    """Run every code cell but the install cell, with an answer in its place.

    With the starter nobody looks at means over thousands of runs: there are few.
    """
    namespace, last = {}, None
    for cell in json.loads(_path(name).read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code" or cell["id"] == "install":
            continue
        text = "".join(cell["source"])
        if answer is None:
            text = re.sub(r"range\(\d{4}\)", "range(9)", text)
        tree = ast.parse(text)
        *body, end = tree.body
        exec(compile(ast.Module(body, []), "<cell>", "exec"), namespace)
        if isinstance(end, ast.Expr):
            last = eval(compile(ast.Expression(end.value), "<cell>", "eval"), namespace)
            namespace["shown", cell["id"]] = last
        else:
            exec(compile(ast.Module([end], []), "<cell>", "exec"), namespace)
        if answer is not None and cell["id"] == f"{name}-answer":
            namespace[name] = answer
    return namespace, last


@pytest.mark.parametrize("name", NAMES)
def test_the_starter_runs_and_does_not_pass(name):
    _, report = _run(name)
    assert not report.passed
    assert report.fault.hint


@pytest.mark.parametrize("name", NAMES)
def test_the_worked_case_is_right_and_a_right_answer_passes(name):
    answer = right(name)[0]
    namespace, report = _run(name, answer)
    assert report.passed
    demand_sound(report)
    shown = namespace["shown", f"{name}-try"]
    assert np.allclose(shown, ast.literal_eval(load(name).worked[1]))


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_keeps_its_promises(name):
    cells = json.loads(_path(name).read_text("utf-8"))["cells"]
    assert cells[1]["id"] == "install"
    assert cells[2]["metadata"]["tags"] == [f"answer:{name}"]
    hints = "".join(next(c for c in cells if c["id"] == f"{name}-hints")["source"])
    assert hints.count("<details>") == hints.count("</details>")
    assert hints.count("<details>") >= 3, "an exercise has three hints or more"
    # No line of an answer stands in the statement or in a hint.
    assert "np.minimum" not in hints


def _functions(text):
    return {
        each.name: ast.unparse(each)
        for each in ast.parse(text).body
        if isinstance(each, ast.FunctionDef)
    }


@pytest.fixture(scope="module")
def cells_of_chapters():
    return [
        "".join(cell["source"])
        for path in sorted((ROOT / "chapters").glob("*.ipynb"))
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_chapter_asks_for_what_the_starter_begins(name, cells_of_chapters):
    (at,) = [
        k
        for k, text in enumerate(cells_of_chapters)
        if f'check("{name}", {name})' in text
    ]
    began = _functions(cells_of_chapters[at - 1]) | _functions(cells_of_chapters[at])
    assert began[name] == _functions(load(name).starter)[name]
