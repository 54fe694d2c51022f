"""Write a stored record under its seal, and see which files changed since."""

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import atomic

from dpteach.figures.results import seal

ROOT = Path(__file__).resolve().parents[2]


def write(file: Path, record: dict[str, Any]) -> None:
    """Seal a record and write it; a run that is cut off leaves the old one whole."""
    plain = json.loads(json.dumps(record))  # as a reader gets it, without tuples
    sealed = {**record, "sha256": seal(plain)}
    text = json.dumps(sealed, indent=1, ensure_ascii=False)
    atomic.write(file, re.sub(r"\[\n[^\[\]{}]*\n *\]", _on_one_line, text) + "\n")


def _on_one_line(row: re.Match) -> str:
    """Join a list of numbers, or a short one: so it reads, and differs, better."""
    items = json.loads(row[0])
    line = json.dumps(items, ensure_ascii=False)
    short = len(line) < 80 or not all(isinstance(item, str) for item in items)
    return line if short else row[0]


def changed(since: str, files: Iterable[Path]) -> list[str]:
    """Name those of some files that differ from a commit; none if it is not known."""
    command = ["git", "diff", "--name-only", since, "--", *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.stdout.split()
