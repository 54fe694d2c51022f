"""The tools that keep the style, run as tests: ``pytest`` alone runs them all."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.public import ROOT

# The tools of the environment that runs the tests, whatever PATH says.
BIN = Path(sys.executable).parent


def _run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(BIN / command[0]), *command[1:]],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--no-cache", "--output-format=concise", "."),
        ("ruff", "format", "--no-cache", "--check", "."),
        ("codespell",),
        pytest.param(
            ("pyright", "--pythonpath", sys.executable, "dpteach"),
            marks=[pytest.mark.slow, pytest.mark.thorough],
        ),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_tool_finds_nothing(command):
    done = _run(*command)
    assert done.returncode == 0, done.stdout + done.stderr


def test_notebooks_are_stored_without_outputs():
    notebooks = [
        str(path)
        for folder in ("chapters", "exercises", "book")
        for path in sorted((ROOT / folder).rglob("*.ipynb"))
        if "_build" not in path.parts
    ]
    if notebooks:
        done = _run("nbstripout", "--verify", "--keep-id", *notebooks)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_tools_see_a_fault(tmp_path):
    """Power: one unused import, one bad indent and one misspelled word."""
    bad = tmp_path / "bad.py"
    bad.write_text('import os\nx = { 1:2 }\ny: int = "a"  # t\x65h end\n')
    assert _run("ruff", "check", "--no-cache", str(bad)).returncode == 1
    assert _run("ruff", "format", "--no-cache", "--check", str(bad)).returncode == 1
    assert _run("codespell", str(bad)).returncode != 0
    assert _run("pyright", str(bad)).returncode == 1
