"""The recipe of book/contributing.md, followed to the letter in a copy, ends in green.

The files are written as they are printed, the commands run as they are printed, and of
all tests those that concern what was added.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import chapter
import pytest
import yaml

from tests.public import ROOT

PAGE = (ROOT / "book" / "contributing.md").read_text("utf-8")
BLOCK = re.compile(
    r"^(?P<fence>`{3,})\{code-block\} \w+\n:caption: `(?P<path>[^`]+)`"
    r"(?:, (?P<where>[^\n]+))?\n\n(?P<text>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
COMMANDS = re.compile(
    r"^:name: recipe-commands\n\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
# What git does not keep (environments, what was built, Pyodide with all of Python) is
# no part of what a newcomer clones.
LEFT_OUT = [".git"] + [
    line.rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split()
]

# Whole files that hold for everything there is, and tests of what bears the new names.
WHOLE = (
    "tests/algorithms/gradients/test_normalized_sgd.py",
    "dpteach/algorithms/gradients/normalized_sgd.py",
    "dpteach/chapters/dp_sgd/normalizing.py",
    "tests/test_floors.py",
    "tests/test_mirror.py",
    "tests/test_notation.py",
    "tests/test_pseudocode.py",
    "tests/book/test_generated.py",
    "tests/book/test_references.py",
    "tests/chapters/test_verified.py",
)
NAMED = (
    "tests/test_bad_input.py",
    "tests/test_docstrings.py",
    "tests/test_public_names.py",
    "tests/algorithms/test_common.py",
    "tests/chapters/test_banks.py",
    "tests/chapters/test_edges.py",
    "tests/chapters/test_every_figure.py",
    "tests/chapters/test_exercises.py",
    "tests/chapters/test_explanations.py",
    "tests/chapters/test_false_rejects.py",
    "tests/chapters/test_mutants.py",
    "tests/chapters/test_notebooks.py",
)
# That every function is listed, and every figure shown, concerns the new ones, too.
NAMES = "normalized_ or normalizing or shown_once or listed or has_an_address"


@dataclass(frozen=True)
class Block:
    """A file, or a part of one, as the page prints it."""

    path: str
    where: str | None
    text: str

    def write(self, root: Path) -> None:
        """Make the file, or put the part where the page says."""
        path = root / self.path
        if self.where is None:
            assert not path.exists(), self.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text, encoding="utf-8")
            return
        before = path.read_text("utf-8")
        after = before + self.text
        if self.where != "at the end":
            line = re.fullmatch(r"before `(.+)`", self.where)[1] + "\n"
            assert before.count(f"\n{line}") == 1, line
            after = before.replace(f"\n{line}", f"\n{self.text}\n{line}")
        path.write_text(after, encoding="utf-8")


BLOCKS = [
    Block(found["path"], found["where"], found["text"])
    for found in BLOCK.finditer(PAGE)
]


def test_the_addition_is_small():
    """At most twelve files in eight folders, those that are generated among them."""
    files = {block.path for block in BLOCKS} | {
        "exercises/normalized_sum.ipynb",
        "tests/chapters/dp_sgd/normalized_sum/false_rejects.json",
    }
    listed = set(re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE))
    assert {path.replace(".md", ".ipynb") for path in files} == listed
    assert len(files) <= 12
    assert len({str(Path(path).parent) for path in files}) <= 8
    written = [block for block in BLOCKS if block.where is None]
    assert not [each.path for each in written if (ROOT / each.path).exists()]


def test_its_symbol_is_explained_in_its_chapter():
    """A row that lists other chapters is not shown there."""
    (row,) = [block for block in BLOCKS if block.path == "book/notation.yml"]
    ((symbol, meaning),) = yaml.safe_load(row.text).items()
    assert meaning["chapters"] == [chapter.find("dp-sgd").number]
    assert f"{symbol}: float" in PAGE


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Follow the recipe in a copy of the repository."""
    root = tmp_path_factory.mktemp("recipe") / "book"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*LEFT_OUT))
    run(root, "jupytext", "--to", "md:myst", "chapters/09-dp-sgd.ipynb")
    for block in BLOCKS:
        block.write(root)
    (commands,) = COMMANDS.findall(PAGE)
    for line in commands.splitlines():
        if line == "make generated":  # which would make a virtual environment first
            run(root, "python", "book/_tools/generated.py")
        elif line:
            tool, *rest = shlex.split(line)
            run(root, tool.removeprefix(".venv/bin/"), *rest)
    return root


def run(root, tool, *arguments):
    """Run a command of the recipe with the environment that runs the tests."""
    beside = Path(sys.executable).parent / tool
    paths = [root, root / "book" / "_tools", root / "book" / "_ext"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    done = subprocess.run(
        [str(beside) if beside.exists() else tool, *arguments],
        cwd=root, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, f"{tool} {arguments}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.thorough
@pytest.mark.slow
def test_the_tools_find_nothing(copy):
    run(copy, "ruff", "check", "--no-cache", ".")
    run(copy, "ruff", "format", "--no-cache", "--check", ".")
    run(copy, "pyright", "--pythonpath", sys.executable, *WHOLE[1:3])


@pytest.mark.thorough
@pytest.mark.slow
def test_the_tests_that_concern_it_are_green(copy):
    said = run(copy, "python", "-m", "pytest", "-q", "-m", "", *WHOLE)
    assert re.search(r"\d+ passed", said)
    said = run(copy, "python", "-m", "pytest", "-q", "-m", "", *NAMED, "-k", NAMES)
    found = int(re.search(r"(\d+) passed", said)[1])
    assert found > 2 * (4 + 15), said  # each answer, on two tests of the bank


@pytest.mark.thorough
@pytest.mark.slow
def test_only_generated_lists_name_it_elsewhere(copy):
    """The facade and the students' list, and the record of the new claim."""
    own = {block.path.replace("09-dp-sgd.md", "09-dp-sgd.ipynb") for block in BLOCKS}
    naming = set()
    for path in copy.rglob("*.*"):
        name = path.relative_to(copy).as_posix()
        if path.suffix in {".py", ".md", ".yml", ".ipynb", ".json", ".toml"}:
            text = path.read_text("utf-8", errors="ignore")
            if re.search(r"normalized_(?:sum|dp_sgd|sgd)|normalizing\.pulls", text):
                naming.add(name)
    assert naming - own == {
        "book/contributing.md",  # the recipe itself
        "tests/chapters/test_recipe.py",
        "exercises/normalized_sum.ipynb",
        "tests/chapters/dp_sgd/normalized_sum/false_rejects.json",
        "dpteach/algorithms/__init__.py",
        "exercises/README.md",
        "dpteach/chapters/verified.json",
    }


def test_every_name_that_the_pages_give_exists():
    page = (ROOT / "book" / "exercises.md").read_text("utf-8")
    for path in re.findall(r"(?:book/_tools|tests/bench)/\w+\.py", page + PAGE):
        assert (ROOT / path).exists(), path
    from dpteach.grading import ladder

    for name in (
        "found_noise", "demand_measured_noise", "matching_hint", "ratio_hint"
    ):  # fmt: skip
        assert name in page
        assert callable(getattr(ladder, name))
