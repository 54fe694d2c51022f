"""Run the tests that the "Verified" boxes name, and record them: verify.py."""

import hashlib
import json
import platform
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ROOT / "book" / "verified.yml"
RECORD = ROOT / "dpteach" / "figures" / "verified.json"
TOOLS = ("numpy", "scipy", "mpmath", "pytest")


def source_hash(test: str) -> str:
    """Return the hash of the file that a test stands in."""
    return hashlib.sha256((ROOT / test.split("::")[0]).read_bytes()).hexdigest()


def run(test: str) -> dict:
    """Run one test, all its cases, and say how many passed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", test, f"--junitxml={report}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"{test} fails: a box may not claim it.\n{done.stdout.decode()}")
        suite = ElementTree.parse(report).getroot()[0]
    return {"cases": int(suite.get("tests", 0)) - int(suite.get("skipped", 0))}


def main() -> None:
    """Record every claim of every chapter."""
    chapters = yaml.safe_load(CLAIMS.read_text(encoding="utf-8"))
    record = {
        "command": "python book/_tools/verify.py",
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in TOOLS},
        },
        "chapters": {
            chapter: [
                {**row, **run(row["test"]), "source": source_hash(row["test"])}
                for row in rows
            ]
            for chapter, rows in chapters.items()
        },
    }
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
