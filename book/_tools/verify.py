"""Run the tests that the "Verified" boxes name, and record them: verify.py."""

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
from fingerprint import fingerprint, source

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ROOT / "book" / "verified.yml"
RECORD = ROOT / "dpteach" / "chapters" / "verified.json"
TOOLS = ("numpy", "scipy", "mpmath", "pytest")


def source_hash(test: str) -> str:
    """Return the fingerprint of a test, or of all tests of a file."""
    file, _, name = test.partition("::")
    path = ROOT / file
    tests = [each for each in source(path).defined if each.startswith("test_")]
    return fingerprint(
        [(path, name) for name in ([name] if name else tests)], within=[path]
    )


def run(tests: list[str]) -> dict[str, int]:
    """Run tests, all their cases, and say how many of each passed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n=auto", "--dist=loadfile"]
        command += [*dict.fromkeys(tests), f"--junitxml={report}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"A box may not claim what fails.\n{done.stdout.decode()}")
        cases = [
            (case.get("classname", ""), case.get("name", "").partition("[")[0])
            for case in ElementTree.parse(report).iter("testcase")
            if case.find("skipped") is None
        ]
    return {test: sum(_is_of(case, test) for case in cases) for test in tests}


def _is_of(case: tuple[str, str], test: str) -> bool:
    file, _, name = test.partition("::")
    return case[0] == file.removesuffix(".py").replace("/", ".") and (
        not name or case[1] == name.partition("[")[0]
    )


def main() -> None:
    """Record every claim of every chapter."""
    chapters = yaml.safe_load(CLAIMS.read_text(encoding="utf-8"))
    cases = run([row["test"] for rows in chapters.values() for row in rows])
    record = {
        "command": "python book/_tools/verify.py",
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in TOOLS},
        },
        "chapters": {
            chapter: [
                {
                    **row,
                    "cases": cases[row["test"]],
                    "source": source_hash(row["test"]),
                }
                for row in rows
            ]
            for chapter, rows in chapters.items()
        },
    }
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
