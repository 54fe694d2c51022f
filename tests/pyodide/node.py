"""Runs a script under the Pyodide of the pages, by node."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def node(kind: str, script: str, *arguments: str) -> subprocess.CompletedProcess:
    """Run a script of ``tests/pyodide``, with what a page has or with all that is."""
    return subprocess.run(
        ["node", "tests/pyodide/run.mjs", kind, f"tests/pyodide/{script}", *arguments],
        cwd=ROOT, text=True, capture_output=True,
        env=os.environ | {"PURE_PACKAGES": str(Path(pytest.__file__).parents[1])},
    )  # fmt: skip
