"""Nothing imports upward, and every module of the package stands on some floor."""

import shutil
import tomllib

import pytest
from importlinter.cli import lint_imports

from tests.public import PACKAGE, ROOT


def _upward_in_a_copy(tmp_path, monkeypatch, module, line):
    shutil.copytree(PACKAGE, tmp_path / "dpteach")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "dpteach" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


def _lint():
    return lint_imports(config_filename="pyproject.toml", no_cache=True)


def test_nothing_imports_upward(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert _lint() == 0


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("arrays.py", "from .problem import Problem"),
        ("losses.py", "def f():\n    from .algorithms.sgd import dp_sgd"),
        ("problem.py", "import matplotlib"),
    ],
    ids=["floor 0 to 2", "floor 1 to 3, inside a function", "drawing on floor 2"],
)
def test_an_upward_import_is_caught(tmp_path, monkeypatch, module, line):
    """Power: the same contract refuses a copy of the package with one line more."""
    _upward_in_a_copy(tmp_path, monkeypatch, module, line)
    assert _lint() == 1


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
