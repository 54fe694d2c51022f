"""Hostile answers get no point, harm nothing, and take nothing from other answers."""

import dataclasses
import re
import socket
import time
from pathlib import Path

import pytest

from dpteach.chapters.catalog import load, names
from dpteach.grading.judge.course import course_of
from dpteach.grading.judge.isolation import Limits
from dpteach.grading.judge.judge import UNGRADED, Judge
from dpteach.grading.judge.remote import Remote
from dpteach.grading.judge.submissions import single
from dpteach.grading.report import Fault
from tests.grading.judge.attacks import (
    ATTACKS,
    BESIDE,
    RIGHT_CLIP,
    RIGHT_DELTA,
    RIGHT_STEP,
)

needs_sandbox = pytest.mark.usefixtures("sandbox")


def quick(name):
    return dataclasses.replace(load(name), seconds=1.0)


def graded(folder, **cells):
    for name, text in cells.items():
        if text is None:  # it is in another file
            continue
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    course = course_of({"exercises": list(cells)}, names, "course")
    judge = Judge(course, quick, b"k" * 32, "bubblewrap", Limits(load=3.0))
    return judge.marks(single(folder, "ada")).verdicts


@pytest.fixture(scope="module")
def port():
    """A service of this machine that anyone here could talk to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@needs_sandbox
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_no_point_and_takes_none(tmp_path, name, port):
    exercise, code, pattern = ATTACKS[name]
    code = code.replace("{port}", str(port))
    code = code.replace("{judge!r}", repr(str(Path(__file__).resolve())))
    begin = time.monotonic()
    verdicts = graded(tmp_path, **{exercise: code, "exact_delta": RIGHT_DELTA})
    found = {each.exercise: each for each in verdicts}
    assert not found[exercise].passed
    assert found[exercise].status != UNGRADED
    assert not found[exercise].reason
    assert re.search(pattern, found[exercise].report), found[exercise].report
    assert found[exercise].report.encode()
    assert found["exact_delta"].passed, found["exact_delta"].report
    assert time.monotonic() - begin < 40


@needs_sandbox
@pytest.mark.parametrize("name", BESIDE)
def test_trouble_beside_a_right_answer_does_not_cost_it(tmp_path, name):
    (tmp_path / "a.py").write_text(BESIDE[name], encoding="utf-8")
    (tmp_path / "b.py").write_text(RIGHT_CLIP, encoding="utf-8")
    (clip,) = graded(tmp_path, clip=None)
    assert clip.passed, clip.report


@needs_sandbox
def test_without_the_second_look_the_tape_would_be_told(tmp_path, monkeypatch):
    """Power: what the check with ordinary generators is there for."""
    caught = [name for name in ATTACKS if name.startswith("tell the tape by")]
    codes = {name: ATTACKS[name][1] for name in caught}
    monkeypatch.setattr(Remote, "call", _always_replaying(Remote.call))
    slipped = [
        name
        for name, code in codes.items()
        if graded(tmp_path, private_step=code)[0].passed
    ]
    assert slipped


def _always_replaying(call):
    def called(self, *arguments):
        self.refuse_replay = False
        return call(self, *arguments)

    return called


@needs_sandbox
def test_nothing_is_left_behind(tmp_path):
    """A child that has left its session goes when its sandbox goes."""
    marker = f"judged-{time.monotonic_ns()}"
    _, code, _ = ATTACKS["outlive the judge"]
    code = code.replace("time.sleep(600)", f"os.execv(sys.executable, ['{marker}', "
                        "'-c', 'import time; time.sleep(600)'])")  # fmt: skip
    graded(tmp_path, clip=code)
    time.sleep(0.3)
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert not [line for line in lines if marker.encode() in line]


@needs_sandbox
def test_a_right_answer_passes_in_the_sandbox(tmp_path):
    for each in graded(tmp_path, clip=RIGHT_CLIP, private_step=RIGHT_STEP):
        assert each.passed, each.report


class Without:
    """A worker whose notebook defined nothing, with what stopped its lines."""

    def __init__(self, *errors):
        self.errors = errors

    def exchange(self, *_):
        return {"missing": True}, b""


@pytest.mark.parametrize(
    ("errors", "named"),
    [
        (["ModuleNotFoundError: No module named 'dpteach'",
          "NameError: name 'load' is not defined"], True),
        (["ModuleNotFoundError: No module named 'dpteach'"], False),
        (["ModuleNotFoundError: No module named 'dpteach'",
          "ZeroDivisionError: division by zero"], False),
        (["NameError: name 'load' is not defined"], False),
    ],
)  # fmt: skip
def test_a_name_that_dpteach_was_to_bring_is_told_from_others(errors, named):
    with pytest.raises(Fault) as found:
        Remote(Without(*errors), "clip").demand_signature("clip", ("G", "C"))
    assert ("but no dpteach" in found.value.hint) is named
    assert "with the cell that defines it" in found.value.hint
