"""A class of twenty, of which processes are killed on the way: every mark is right."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpteach.chapters.catalog import load
from tests.grading.judge.attacks import ATTACKS, RIGHT_CLIP, RIGHT_DELTA
from tests.grading.judge.classroom import notebook
from tests.public import ROOT

pytestmark = pytest.mark.usefixtures("sandbox")

COURSE = {
    "title": "Homework 3",
    "exercises": {"clip": {"points": 2, "partial": True}, "exact_delta": 3},
    "due": "2026-10-05T23:59:00+00:00",
    "late": {"per_day": 0.5, "days": 1},
}
TIMES = """\
student,submitted
late,2026-10-06T12:00:00+00:00
too-late,2026-12-01T12:00:00+00:00
right,
"""
WRONG_CLIP = "def clip(G, C):\n    return C * G\n"
WRONG_DELTA = "def exact_delta(P, Q, eps):\n    return abs(P - Q).max()\n"
NEITHER, BOTH = (0, 0), (2, 3)
LOST = None


def attack(name):
    return {"clip.py": ATTACKS[name][1], "exact_delta.py": RIGHT_DELTA}


def starter(name):
    return load(name).starter


# Who hands in what, and the points for either exercise; None if it cannot be graded.
CLASS = {
    "right": ({"a.ipynb": notebook([RIGHT_CLIP, RIGHT_DELTA])}, BOTH),
    "late": ({"a.py": RIGHT_CLIP + RIGHT_DELTA}, BOTH),
    "too-late": ({"a.py": RIGHT_CLIP + RIGHT_DELTA}, BOTH),
    "half": ({"a.py": RIGHT_CLIP + WRONG_DELTA}, (2, 0)),
    "other half": ({"a.py": WRONG_CLIP + RIGHT_DELTA}, (0, 3)),
    "wrong": ({"a.py": WRONG_CLIP + WRONG_DELTA}, NEITHER),
    "untouched": ({f"{k}.py": starter(k) for k in COURSE["exercises"]}, NEITHER),
    "template": (
        {"clip.py": starter("clip"), "clip (1).py": RIGHT_CLIP, "b.py": RIGHT_DELTA},
        BOTH,
    ),
    "x" * 252: ({"a.py": RIGHT_DELTA}, (0, 3)),
    "=SUM(A1)": ({"a.py": RIGHT_CLIP}, (2, 0)),
    "Zoë": ({"a.py": "# coding: latin-1\n" + RIGHT_CLIP + "# é"}, (2, 0)),
    "no coding": ({"a.py": b"# \xe9\n" + RIGHT_CLIP.encode()}, (LOST, LOST)),
    "cut": ({"a.ipynb": notebook([RIGHT_CLIP])[:-40]}, (LOST, LOST)),
    "empty": ({}, (LOST, LOST)),
    "no cells": ({"a.ipynb": notebook([])}, NEITHER),
    "beside": ({"a.py": RIGHT_CLIP, "b.ipynb": "{"}, (2, LOST)),
    "ends": (attack("leave by os._exit"), (0, 3)),
    "kills": (attack("kill everybody"), (0, 3)),
    "forks": (attack("many processes"), (0, 3)),
    "forges": (attack("a forged result"), (0, 3)),
    "patches": (attack("patch what compares"), (0, 3)),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    for student, (files, _) in CLASS.items():
        (tmp_path / "in" / student).mkdir(parents=True)
        for name, text in files.items():
            content = text if isinstance(text, bytes) else None
            if content is None:
                content = text.encode("latin-1" if "latin-1" in text else "utf-8")
            (tmp_path / "in" / student / name).write_bytes(content)
    (tmp_path / "course.yml").write_text(json.dumps(COURSE), "utf-8")
    (tmp_path / "times.csv").write_text(TIMES, "utf-8")
    return tmp_path


def start(folder, command, *more):
    return subprocess.Popen(
        [
            sys.executable, "-m", "dpteach.grading", command, str(folder / "in"),
            "--out", str(folder / "out"), "--course", str(folder / "course.yml"),
            "--times", str(folder / "times.csv"), "--key", str(folder / "key"), *more,
        ],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def ended(process):
    out, error = process.communicate(timeout=300)
    return process.returncode, out + error


def kept(folder):
    return len(list((folder / "out" / "students").glob("[!.]*.json")))


def wait_for(happens):
    end = time.monotonic() + 120
    while not (seen := happens()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return seen


def children(process):
    """List the processes that one has started."""
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(each) for each in text.split()]


def gradings(judge):
    """List the judge's own processes, each of which grades a student."""
    return [grading for server in children(judge) for grading in children(server)]


def sandboxes(judge):
    """List the processes in which answers run."""
    return [sandbox for grading in gradings(judge) for sandbox in children(grading)]


def kill_one(processes):
    """Kill one of them, if it is still there."""
    for each in processes():
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            continue
        return True
    return False


def test_every_mark_is_right_whatever_is_killed_on_the_way(folder):
    judge = start(folder, "judge", "--jobs", "2")
    for number in range(1, 4):  # what answers run in
        wait_for(lambda number=number: kept(folder) >= number)
        wait_for(lambda: kill_one(lambda: sandboxes(judge.pid)))
    wait_for(lambda: kill_one(lambda: gradings(judge.pid)))
    wait_for(lambda: kept(folder) >= 6)
    judge.send_signal(signal.SIGTERM)
    status, said = ended(judge)
    assert status == 128 + signal.SIGTERM, said
    first = kept(folder)
    assert first < len(CLASS)

    judge = start(folder, "judge", "--jobs", "2")  # the instructor types it again
    wait_for(lambda: kept(folder) > first)
    wait_for(lambda: kill_one(lambda: gradings(judge.pid)))
    status, said = ended(judge)
    assert status == 4, said
    assert "from an earlier run are kept" in said
    assert "was killed (SIGKILL)" in said

    status, said = ended(start(folder, "judge", "--jobs", "2"))
    assert status == 4, said
    assert "SIGKILL" not in said
    with (folder / "out" / "marks.csv").open(newline="") as file:
        rows = {row["student"].removeprefix("'"): row for row in csv.DictReader(file)}
    assert rows.keys() == CLASS.keys()
    for student, (_, points) in CLASS.items():
        row = rows[student]
        wanted = ["" if each is None else str(each) for each in points]
        assert [row["clip"], row["exact_delta"]] == wanted, (student, row)
        assert bool(row["look_at"]) == (LOST in points), (student, row)
        share = {"late": 0.5, "too-late": 0}.get(student, 1)
        assert float(row["total"]) == share * sum(each or 0 for each in points)
    assert ended(start(folder, "verify"))[0] == 0
