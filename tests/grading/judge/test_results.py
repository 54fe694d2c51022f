"""Nothing is lost: marks are written as they come, and one student's trouble is his."""

import csv
import dataclasses
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpteach.chapters.catalog import load, names
from dpteach.grading.judge import batch, command, results
from dpteach.grading.judge.course import course_of, moment
from dpteach.grading.judge.judge import RIGHT, UNGRADED, WRONG, Judge, Marks, Verdict
from dpteach.grading.judge.remote import Remote
from dpteach.grading.judge.results import Results, file_name
from dpteach.grading.judge.submissions import is_untouched, single, submissions
from tests.grading.judge.attacks import RIGHT_CLIP
from tests.public import ROOT

KEY = b"k" * 32
COURSE = course_of({"exercises": ["best_T"], "due": "2026-10-05"}, names, "course")


def marks(student, digest="", **more):
    verdict = Verdict("best_T", RIGHT, 1.0, 1.0, "good", 0.1)
    return Marks(student, (verdict,), digest=digest, **more)


def hand_in(folder, *students):
    folder.mkdir(exist_ok=True)
    for student in students:
        (folder / f"{student}.py").write_text("best_T = 3375", "utf-8")
    return submissions(folder)


# Names of files ----------------------------------------------------------------------


@pytest.mark.parametrize("student", ["ada", "Zoë", "ada lov", "=1+1", "a.b", "77"])
def test_an_ordinary_name_is_that_of_the_file(student):
    assert file_name(student) == student


@pytest.mark.parametrize(
    "student",
    ["x" * 252, "é" * 130, ".hidden", "a/b", "..", "", " a", "a.", r"Ren\xe9", "a\nb",
     "a:b", "x~y", "-" * 300],
)  # fmt: skip
def test_any_other_name_is_made_one_that_every_system_takes(tmp_path, student):
    name = file_name(student)
    assert len(f".{name}.json.tmp".encode()) < 255
    assert re.fullmatch(r"[\w=+@,-]*~[0-9a-f]{16}", name)
    assert name != file_name(student + "x")
    Results(tmp_path, COURSE, KEY).keep(marks(student))
    assert (tmp_path / "students" / f"{name}.json").exists()


# Marks that are kept -----------------------------------------------------------------


def test_marks_are_kept_for_the_same_submission_course_time_and_key(tmp_path):
    (ada,) = hand_in(tmp_path / "in", "ada")
    kept = Results(tmp_path / "out", COURSE, KEY)
    when = moment("2026-10-04", "time")
    known = marks("ada", ada.digest, submitted=when.isoformat())
    kept.keep(known)
    assert kept.kept(ada, when) == known
    assert kept.kept(ada, None) is None
    assert Results(tmp_path / "out", COURSE, b"l" * 32).kept(ada, when) is None
    other = dataclasses.replace(COURSE, title="Another")
    assert Results(tmp_path / "out", other, KEY).kept(ada, when) is None
    ada.files[0].write_text("best_T = 1")
    assert kept.kept(ada, when) is None


def test_the_marks_of_one_student_are_not_another_ones(tmp_path):
    """Both may have handed in the same file."""
    for student in ("ada", "bob"):
        (tmp_path / "in" / student).mkdir(parents=True)
        (tmp_path / "in" / student / "clip.py").write_text("best_T = 3375")
    ada, bob = submissions(tmp_path / "in")
    kept = Results(tmp_path / "out", COURSE, KEY)
    kept.keep(marks("ada", ada.digest))
    folder = tmp_path / "out" / "students"
    shutil.copy(folder / "ada.json", folder / "bob.json")
    assert kept.kept(ada, None)
    assert kept.kept(bob, None) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"text": "{}", "signature": ""}', "\0"]
)
def test_a_damaged_file_of_marks_is_made_anew(tmp_path, text):
    (ada,) = hand_in(tmp_path / "in", "ada")
    kept = Results(tmp_path / "out", COURSE, KEY)
    kept.keep(marks("ada", ada.digest))
    (tmp_path / "out" / "students" / "ada.json").write_text(text)
    assert kept.kept(ada, None) is None


def test_what_could_not_be_graded_is_tried_again(tmp_path):
    (ada,) = hand_in(tmp_path / "in", "ada")
    kept = Results(tmp_path / "out", COURSE, KEY)
    verdict = Verdict("best_T", UNGRADED, 0.0, 1.0, "", 0.1, "no memory")
    kept.keep(Marks("ada", (verdict,), digest=ada.digest))
    assert kept.kept(ada, None) is None


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "marks.csv"
    results.write(path, "before")

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(results.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        results.write(path, "after")
    assert path.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["marks.csv"]


# A run that is cut short -------------------------------------------------------------


def judge_command(folder, *more):
    return [
        "judge", str(folder / "in"), "--out", str(folder / "out"), "--unsafe",
        "--exercises", "best_T", "--key", str(folder / "key"), "--jobs", "1", *more,
    ]  # fmt: skip


def rows(folder):
    with (folder / "out" / "marks.csv").open(newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_a_full_disk_keeps_what_was_written(tmp_path, monkeypatch, capsys):
    hand_in(tmp_path / "in", "ada", "bob", "eve")
    written, real = [], results.write

    def write(path, text):
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(path)
        real(path, text)

    monkeypatch.setattr(results, "write", write)
    assert command.main(judge_command(tmp_path), load, names) == command.NOT_WRITTEN
    assert "No space left on device" in capsys.readouterr().err
    monkeypatch.setattr(results, "write", real)
    assert command.main(judge_command(tmp_path), load, names) == command.DONE
    assert "marks of 2 from an earlier run are kept" in capsys.readouterr().err
    assert rows(tmp_path).keys() == {"ada", "bob", "eve"}


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path, stop):
    hand_in(tmp_path / "in", "ada", "bob")
    (tmp_path / "in" / "slow.py").write_text("while True: pass\nbest_T = 3375")
    process = subprocess.Popen(
        [sys.executable, "-m", "dpteach.grading", *judge_command(tmp_path)],
        cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        # Whoever starts the tests in the background has it ignored.
        preexec_fn=lambda: signal.signal(stop, signal.SIG_DFL),
    )  # fmt: skip
    kept = tmp_path / "out" / "students"
    end = time.monotonic() + 120
    while not (kept / "bob.json").exists() and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(stop)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + stop, said
    assert "with 1 students left" in said
    assert sorted(each.name for each in kept.iterdir()) == ["ada.json", "bob.json"]
    before = (kept / "ada.json").stat().st_mtime_ns
    (tmp_path / "in" / "slow.py").unlink()
    assert command.main(judge_command(tmp_path), load, names) == command.DONE
    assert (kept / "ada.json").stat().st_mtime_ns == before
    assert rows(tmp_path).keys() == {"ada", "bob"}


def test_a_signal_that_was_to_be_ignored_ends_nothing():
    """As under nohup, where a run goes on when its terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    caught = command._catch_stops()
    try:
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.SIGTERM in caught
    finally:
        for number, handler in caught.items():
            signal.signal(number, handler)
        signal.signal(signal.SIGHUP, before)


def test_a_strange_folder_or_file_costs_its_own_student_alone(tmp_path, monkeypatch):
    """Folders without end, a pipe that nobody writes to, and a file of a terabyte."""
    hand_in(tmp_path / "in", "ada")
    folder = tmp_path / "in" / "deep"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for _ in range(1500):
        os.mkdir("a")
        os.chdir("a")
    os.chdir(tmp_path)
    os.mkfifo(tmp_path / "in" / "pipe.py")
    with (tmp_path / "in" / "huge.py").open("wb") as file:
        file.truncate(1 << 40)
    try:
        assert command.main(judge_command(tmp_path), load, names) == (
            command.SOME_UNGRADED
        )
    finally:  # pytest's own way to remove it ends in a RecursionError
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    given = rows(tmp_path)
    assert given.keys() == {"ada", "deep", "huge"}
    assert given["ada"]["best_T"] == "1"
    assert "no notebook" in given["deep"]["look_at"]
    assert "larger than 20 MB" in given["huge"]["look_at"]


def test_a_name_cannot_write_to_the_terminal(tmp_path, capsys):
    hand_in(tmp_path / "in", "\x1b[2Jada")
    (tmp_path / "in" / "\x1b[2Jeve").mkdir()
    (tmp_path / "in" / "\x1b.zip").write_text("")
    assert command.main(judge_command(tmp_path), load, names) == command.SOME_UNGRADED
    told = capsys.readouterr()
    assert "\x1b" not in told.out + told.err
    assert "[2Jeve, best_T: could not be graded" in told.out


class KilledFor(Judge):
    """A judge whose process is killed when it grades eve, as for want of memory."""

    def marks(self, submission, submitted=None):
        if submission.student == "eve":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().marks(submission, submitted)


def test_a_process_that_is_killed_costs_its_own_student_alone(tmp_path):
    hand_in(tmp_path, "ada", "bob", "eve", "mallory")
    course = course_of({"exercises": ["best_T"]}, names, "course")
    judge = KilledFor(course, load, KEY, "none")
    found = {
        each.student: each.verdicts[0]
        for each in batch.all_marks(judge, submissions(tmp_path), {}, jobs=2)
    }
    assert {each for each, v in found.items() if v.status == RIGHT} == {
        "ada", "bob", "mallory",
    }  # fmt: skip
    assert found["eve"].status == UNGRADED
    assert "was killed (SIGKILL)" in found["eve"].reason


@pytest.mark.parametrize(("times", "status"), [(1, RIGHT), (99, WRONG)])
def test_a_worker_that_is_killed_once_costs_nothing(
    tmp_path, monkeypatch, times, status
):
    """As for want of memory. What kills itself is killed again."""
    (tmp_path / "clip.py").write_text(RIGHT_CLIP)
    killed, real = [], Remote.call

    def call(self, *arguments):
        if len(killed) < times:
            killed.append(self.worker.process.pid)
            os.kill(killed[-1], signal.SIGKILL)
        return real(self, *arguments)

    monkeypatch.setattr(Remote, "call", call)
    found = verdict_of(tmp_path)
    assert found.status == status, found.report
    assert killed


# What could not be graded ------------------------------------------------------------


def verdict_of(folder, name="clip"):
    course = course_of({"exercises": [name]}, names, "course")
    judge = Judge(course, load, KEY, "none")
    return judge.marks(single(folder, "ada")).verdicts[0]


def test_a_damaged_notebook_is_not_taken_for_a_wrong_answer(tmp_path):
    (tmp_path / "clip.ipynb").write_text('{"cells": [')
    found = verdict_of(tmp_path)
    assert (found.status, found.score) == (UNGRADED, 0)
    assert "clip.ipynb cannot be read" in found.reason


def test_of_many_damaged_files_the_reason_names_one_and_counts_the_rest(tmp_path):
    for name in "abcdefgh":
        (tmp_path / f"{name}.ipynb").write_text('{"cells": [')
    found = verdict_of(tmp_path, "best_T")
    assert found.status == UNGRADED
    assert found.reason.count(".ipynb cannot be read") == 1
    assert found.reason.endswith("(nor can 7 more of the files)")


def test_nor_is_a_folder_with_nothing_in_it(tmp_path):
    assert verdict_of(tmp_path).status == UNGRADED


def test_nor_is_a_file_that_was_lost(tmp_path):
    (tmp_path / "clip.py").write_text(RIGHT_CLIP)
    ada = single(tmp_path, "ada")
    (tmp_path / "clip.py").unlink()
    judge = Judge(course_of({"exercises": ["clip"]}, names, "c"), load, KEY, "none")
    (found,) = judge.marks(ada).verdicts
    assert found.status == UNGRADED
    assert "No such file" in found.reason


def test_a_damaged_file_beside_the_answer_costs_nothing(tmp_path):
    (tmp_path / "a.ipynb").write_text("no notebook")
    (tmp_path / "b.py").write_text(RIGHT_CLIP)
    assert verdict_of(tmp_path).status == RIGHT


WRONG_CLIP = "def clip(G, C):\n    return C * G\n"


@pytest.mark.parametrize(
    "files",
    [
        {"clip.py": None, "clip (1).py": RIGHT_CLIP},
        {"clip.py": None, "answers.py": RIGHT_CLIP},
        {"a/clip.py": RIGHT_CLIP, "b/clip.py": None},
        {"clip.py": RIGHT_CLIP, "clip (1).py": None},
        {"clip.py": "def helper():\n    pass", "clip (1).py": RIGHT_CLIP},
    ],
)
def test_a_template_beside_the_answer_costs_nothing(tmp_path, files):
    """Which name a second download gets, and where it lies, is left to chance."""
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text or f"# mine\n{load('clip').starter}")
    assert verdict_of(tmp_path).status == RIGHT


def test_two_answers_to_one_exercise_are_pointed_out(tmp_path):
    (tmp_path / "clip.py").write_text(WRONG_CLIP)
    (tmp_path / "clip (1).py").write_text(RIGHT_CLIP)
    assert (
        verdict_of(tmp_path).reason == "clip is defined in clip (1).py and in clip.py"
    )


def test_a_starter_with_a_helper_changed_is_an_answer():
    starter = "def helper(x):\n    return 0\n\ndef f(x):\n    return helper(x)\n"
    assert is_untouched([f"import numpy\n{starter}  # so far"], "f", starter)
    assert not is_untouched([starter.replace("0", "x")], "f", starter)
    assert not is_untouched([starter, "def f(x):\n    return x"], "f", starter)
    assert not is_untouched(["f = abs"], "f", starter)


# Marks that are checked --------------------------------------------------------------


@pytest.fixture
def signed(tmp_path):
    handed_in = hand_in(tmp_path / "in", "ada", "bob")
    signed = Results(tmp_path / "out", COURSE, KEY)
    given = [marks(each.student, each.digest) for each in handed_in]
    for each in given:
        signed.keep(each)
    signed.finish(given)
    return signed, handed_in, tmp_path


def test_marks_of_these_submissions_are_accepted(signed):
    written, handed_in, _ = signed
    found, judged = written.verified(handed_in, {})
    assert [each.student for each in found] == ["ada", "bob"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT.*\+00:00", judged)


@pytest.mark.parametrize(
    "stranger",
    ["gradescope/eve.json", "feedback/eve.txt", "students/eve.json", "x.csv"],
)
def test_a_file_that_the_judge_did_not_write_is_refused(signed, stranger):
    written, handed_in, folder = signed
    (folder / "out" / stranger).write_text("{}")
    with pytest.raises(ValueError, match=f"did not write {stranger}"):
        written.verified(handed_in, {})


def test_marks_of_an_earlier_run_are_refused(signed):
    """Whatever was handed in since, and whichever course was judged then."""
    written, handed_in, folder = signed
    earlier = shutil.copytree(folder / "out", folder / "earlier")
    replayed = Results(earlier, COURSE, KEY)
    replayed.verified(handed_in, {})
    with pytest.raises(ValueError, match="of another course"):
        Results(earlier, dataclasses.replace(COURSE, title="X"), KEY).verified(
            handed_in, {}
        )
    with pytest.raises(ValueError, match="what bob handed in, or when"):
        replayed.verified(handed_in, {"bob": moment("2026-10-09", "time")})
    (folder / "in" / "ada.py").write_text("best_T = 4000")
    with pytest.raises(ValueError, match="what ada handed in, or when"):
        written.verified(submissions(folder / "in"), {})
    with pytest.raises(ValueError, match="what ada, bob handed in"):
        written.verified(handed_in[:1], {})


@pytest.mark.parametrize(
    "name", ["marks.csv", "feedback/ada.txt", "gradescope/bob.json"]
)
def test_a_changed_file_is_named(signed, name):
    written, handed_in, folder = signed
    path = folder / "out" / name
    path.write_text(path.read_text() + "\n")
    with pytest.raises(ValueError, match=re.escape(f"{name} in")):
        written.verified(handed_in, {})


def test_a_students_file_does_not_stand_for_that_of_all(signed):
    written, handed_in, folder = signed
    record = json.loads((folder / "out" / "students" / "ada.json").read_text())
    (folder / "out" / "marks.json").write_text(record["text"])
    (folder / "out" / "marks.sig").write_text(record["signature"])
    with pytest.raises(ValueError, match="The signature in"):
        written.verified(handed_in, {})


def test_changed_marks_and_another_key_are_refused(signed):
    written, handed_in, folder = signed
    with pytest.raises(ValueError, match="the key is another"):
        Results(folder / "out", COURSE, b"l" * 32).verified(handed_in, {})
    path = folder / "out" / "marks.json"
    record = json.loads(path.read_text())
    record["marks"][0]["verdicts"][0]["score"] = 2.0
    path.write_text(json.dumps(record))
    with pytest.raises(ValueError, match="were changed"):
        written.verified(handed_in, {})


def test_the_command_checks_with_the_words_it_judged_with(tmp_path, capsys):
    hand_in(tmp_path / "in", "ada")
    given = judge_command(tmp_path)
    assert command.main(given, load, names) == command.DONE
    checked = ["verify", *given[1:4], *given[5:9]]
    assert command.main(checked, load, names) == command.DONE
    assert "as the judge wrote them" in capsys.readouterr().out
    Path(tmp_path / "in" / "ada.py").write_text("best_T = 1")
    assert command.main(checked, load, names) == command.REFUSED
