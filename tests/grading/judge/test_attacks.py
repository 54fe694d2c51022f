"""Hostile answers get no point, harm nothing, and take nothing from other answers."""

import dataclasses
import re
import socket
import time
from pathlib import Path

import pytest

from dpteach.chapters.catalog import load, names
from dpteach.grading.judge.course import course_of
from dpteach.grading.judge.isolation import WAYS, Limits, works
from dpteach.grading.judge.judge import Judge
from dpteach.grading.judge.submissions import single
from tests.grading.judge.attacks import ATTACKS, BESIDE, RIGHT_CLIP, RIGHT_STEP

COURSE = course_of({"exercises": ["clip", "private_step"]}, names, "course")
HERE = [way for way in WAYS[:2] if works(way)]

pytestmark = pytest.mark.skipif(
    not HERE, reason="neither bubblewrap nor Linux namespaces work here"
)


def quick(name):
    return dataclasses.replace(load(name), seconds=1.0)


def graded(folder, way, **cells):
    for name, text in cells.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    judge = Judge(COURSE, quick, b"k" * 32, way, Limits(load=3.0))
    return judge.marks(single(folder, "ada")).verdicts


@pytest.fixture(scope="module")
def port():
    """A service of this machine that anyone here could talk to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("way", HERE)
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_no_point_and_takes_none(tmp_path, way, name, port):
    exercise, code, pattern = ATTACKS[name]
    code = code.replace("{port}", str(port))
    code = code.replace("{judge!r}", repr(str(Path(__file__).resolve())))
    other = "private_step" if exercise == "clip" else "clip"
    right = {"clip": RIGHT_CLIP, "private_step": RIGHT_STEP}[other]
    begin = time.monotonic()
    verdicts = graded(tmp_path, way, **{exercise: code, other: right})
    found = {each.exercise: each for each in verdicts}
    assert not found[exercise].passed
    assert not found[exercise].broken
    assert re.search(pattern, found[exercise].report), found[exercise].report
    assert found[other].passed, found[other].report
    assert time.monotonic() - begin < 40


@pytest.mark.parametrize("way", HERE)
@pytest.mark.parametrize("name", BESIDE)
def test_trouble_beside_a_right_answer_does_not_cost_it(tmp_path, way, name):
    verdicts = graded(tmp_path, way, a=BESIDE[name], b=RIGHT_CLIP, c=RIGHT_STEP)
    for each in verdicts:
        assert each.passed, each.report


@pytest.mark.parametrize("way", HERE)
def test_nothing_is_left_behind(tmp_path, way):
    """A child that has left its session goes when its sandbox goes."""
    marker = f"judged-{time.monotonic_ns()}"
    _, code, _ = ATTACKS["outlive the judge"]
    code = code.replace("time.sleep(600)", f"os.execv(sys.executable, ['{marker}', "
                        "'-c', 'import time; time.sleep(600)'])")  # fmt: skip
    graded(tmp_path, way, clip=code, private_step=RIGHT_STEP)
    time.sleep(0.3)
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
    assert not [line for line in lines if marker.encode() in line]


def test_the_number_of_attacks():
    assert len(ATTACKS) >= 35
