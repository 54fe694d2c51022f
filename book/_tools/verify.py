"""Record the claims of the "Verified" boxes, and the tests that show them: verify.py.

A claim stands on its test: ``@pytest.mark.claim(chapter, sentence, order=place)``.
What is recorded stays as long as the test says what it said, wherever it stands; tests
that are new, or have changed, or were recorded with other versions, are run. Each row
has a seal over what its run showed, so that two records can be merged.
"""

import ast
import json
import platform
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import atomic
from fingerprint import fingerprint, source

from dpteach.chapters.verified import RECORD, seal_of

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
TOOLS = ("numpy", "scipy", "mpmath", "pytest")
MARK = "pytest.mark.claim"


@dataclass(frozen=True)
class Claim:
    """A sentence of a chapter's box, and the test that shows it.

    ``test`` is a file of tests, or one test as ``file::name``. Claims of a chapter are
    listed by ``order``; those with the same one, as their tests stand.
    """

    chapter: str
    sentence: str
    order: int
    test: str


def claims(folder: Path = TESTS) -> dict[str, list[Claim]]:
    """Read the claims of every chapter from the marks on the tests."""
    found: dict[str, list[Claim]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        if f"{MARK}(" in path.read_text(encoding="utf-8"):
            for each in _marks(path, path.relative_to(folder.parent).as_posix()):
                found.setdefault(each.chapter, []).append(each)
    return {
        chapter: sorted(found[chapter], key=lambda each: each.order)
        for chapter in sorted(found)
    }


def _marks(path: Path, file: str) -> Iterator[Claim]:
    for node in source(path).tree.body:
        marks: list[ast.expr] = []
        test = file
        if isinstance(node, ast.FunctionDef):
            marks, test = node.decorator_list, f"{file}::{node.name}"
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets) == "pytestmark":
            several = isinstance(node.value, ast.List)
            marks = node.value.elts if several else [node.value]
        for mark in marks:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == MARK:
                chapter, sentence = map(ast.literal_eval, mark.args)
                order = {each.arg: each.value for each in mark.keywords}["order"]
                yield Claim(chapter, sentence, ast.literal_eval(order), test)


def fingerprint_of(test: str) -> str:
    """Return the fingerprint of a test, or of all tests of a file."""
    file, _, name = test.partition("::")
    path = ROOT / file
    tests = [each for each in source(path).defined if each.startswith("test_")]
    return fingerprint(
        [(path, name) for name in ([name] if name else tests)], within=[TESTS]
    )


def run(tests: list[str]) -> dict[str, int]:
    """Run tests, all their cases, and say how many of each passed."""
    if not tests:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n=auto", "--dist=loadfile"]
        command += ["-m", ""]  # all cases, not a sample
        command += [*dict.fromkeys(tests), f"--junitxml={report}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"No box may claim what fails.\n{done.stdout.decode()}")
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


def versions() -> dict[str, str]:
    """Name the versions that a record is made with."""
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in TOOLS},
    }


def stale() -> dict[str, str]:
    """Name the tests whose claims must be recorded anew, and say why."""
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    why: dict[str, str] = {}
    for chapter, several in claims().items():
        rows = (
            {(row["claim"], row["test"]): row for row in recorded["chapters"][chapter]}
            if chapter in recorded["chapters"]
            else {}
        )
        for each in several:
            row = rows.pop((each.sentence, each.test), None)
            if row is None:
                why[each.test] = f"a claim of {chapter} was never recorded"
            elif row.get("sha256") != seal_of(row, recorded["versions"]):
                why[each.test] = "its row was edited: the seal does not fit"
            elif row["fingerprint"] != fingerprint_of(each.test):
                why[each.test] = f"the test has changed since {row['date']}"
        for _, test in rows:
            why.setdefault(test, f"{chapter} no longer claims what it recorded")
    return why


def main() -> None:
    """Record every claim of every chapter; run only the tests that need it."""
    found = claims()
    stored = json.loads(RECORD.read_text(encoding="utf-8"))
    now = versions()
    known = {
        row["fingerprint"]: {"cases": row["cases"], "date": row["date"]}
        for rows in stored["chapters"].values()
        for row in rows
        if stored["versions"] == now and row.get("sha256") == seal_of(row, now)
    }
    stamps = {
        each.test: fingerprint_of(each.test)
        for several in found.values()
        for each in several
    }
    cases = run([test for test, stamp in stamps.items() if stamp not in known])
    today = datetime.now(UTC).date().isoformat()
    for test, number in cases.items():
        known[stamps[test]] = {"cases": number, "date": today}
    record = {
        "command": "python book/_tools/verify.py",
        "versions": now,
        "chapters": {
            chapter: [
                row(each, stamps[each.test], known[stamps[each.test]], now)
                for each in several
            ]
            for chapter, several in found.items()
        },
    }
    text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    atomic.write(RECORD, text)


def row(
    claim: Claim, stamp: str, known: dict[str, Any], tools: dict[str, str]
) -> dict[str, Any]:
    """Write what a run of a claim's test has shown, and seal it."""
    told = {
        "claim": claim.sentence,
        "test": claim.test,
        **known,
        "fingerprint": stamp,
    }
    return {**told, "sha256": seal_of(told, tools)}


if __name__ == "__main__":
    main()
