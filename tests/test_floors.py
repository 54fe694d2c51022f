"""Nothing imports upward, and every module of the package stands on some floor."""

import shutil
import subprocess
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.public import PACKAGE, ROOT


def _lint(folder):
    command = Path(sys.executable).parent / "lint-imports"
    return subprocess.run(
        [command, "--no-cache"], cwd=folder, capture_output=True, text=True
    )


def test_nothing_imports_upward():
    done = _lint(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("arrays.py", "from .problem import Problem"),
        ("losses.py", "def f():\n    from .algorithms.gradients.sgd import dp_sgd"),
        ("problem.py", "import matplotlib"),
        ("grading/ladder.py", "from ..chapters.catalog import load"),
        ("figures/marks.py", "from ..chapters.shared import users"),
    ],
    ids=[
        "floor 0 to 2",
        "floor 1 to 3, inside a function",
        "drawing on floor 2",
        "grading to content",
        "figures to content",
    ],
)
def test_an_upward_import_is_caught(tmp_path, module, line):
    """Power: the same contracts refuse a copy of the package with one line more."""
    shutil.copytree(PACKAGE, tmp_path / "dpteach")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "dpteach" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = _lint(tmp_path)
    assert done.returncode == 1
    assert "BROKEN" in done.stdout


def circles(edges):
    """Name the modules of a circle of imports, if there is one."""
    try:
        list(TopologicalSorter(edges).static_order())
    except CycleError as found:
        return found.args[1]
    return []


def imports():
    """Map each module to those that it imports, also inside functions."""
    graph = grimp.build_graph(
        "dpteach", exclude_type_checking_imports=True, cache_dir=None
    )
    return {
        each: graph.find_modules_directly_imported_by(each) for each in graph.modules
    }


def test_no_modules_import_each_other():
    assert not circles(imports())


def test_a_circle_is_seen():
    """Power: one more import, of what imports the module already."""
    edges = imports()
    edges["dpteach.grading.judge.isolation"].add("dpteach.grading.judge.wire")
    assert set(circles(edges)) == {
        "dpteach.grading.judge.isolation",
        "dpteach.grading.judge.wire",
    }


def test_no_module_imports_from_what_hands_it_out():
    """`dpteach` hands out names of other modules, so it stands above them all."""
    assert not [each for each, others in imports().items() if "dpteach" in others]


def test_every_module_stands_on_a_floor():
    """A new file at the top of the package must be put on a floor in pyproject.toml."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    floors = config["tool"]["importlinter"]["contracts"][0]["layers"]
    named = {each.strip(" ()") for floor in floors for each in floor.split(":")}
    present = {
        f"dpteach.{path.stem}"
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    } - {"dpteach.__init__"}
    assert present <= named
