"""List the stored records that must be made anew, and why: records.py [--renew].

A record is what a page or a test takes from a run that is too long for either: results
of experiments, tests behind the "Verified" boxes, thousands of graded right answers. A
stale one stops a release, and no commit. With ``--renew`` all that are stale are made
anew, which can take hours.
"""

import json
import re
import subprocess
import sys
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


def stale() -> dict[str, dict[str, str]]:
    """Return for each tool what it must renew, by name, and why."""
    import error_rates  # imported here: they write by this module
    import experiments
    import false_rejects
    import verify

    return {
        "book/_tools/experiments.py": experiments.stale(),
        "book/_tools/verify.py": verify.stale(),
        "book/_tools/false_rejects.py": false_rejects.stale(),
        "book/_tools/error_rates.py": error_rates.stale(),
    }


def main(words: list[str]) -> None:
    """List what is stale, or renew it."""
    found = stale()
    for tool, names in found.items():
        if names and "--renew" in words:
            chosen = [] if tool.endswith("verify.py") else list(names)
            subprocess.run([sys.executable, tool, *chosen], cwd=ROOT, check=True)
        elif names:
            print(f"{tool}:")
            for name, why in names.items():
                print(f"  {name}: {why}")
    count = sum(map(len, found.values()))
    if not count:
        print("Every stored record is fresh.")
    elif "--renew" not in words:
        sys.exit(
            f"{count} records are stale. No commit needs them; a release does: "
            "make records RENEW=1"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
