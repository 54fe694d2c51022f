"""Courses, submissions and keys: what is read, and what is refused with a remedy."""

import ast
import json
import os
import re
import unicodedata
from datetime import datetime, timedelta

import numpy as np
import pytest

from dpteach.chapters.catalog import load, names
from dpteach.grading.calling import call
from dpteach.grading.judge import command, wire
from dpteach.grading.judge.cells import load as load_cells
from dpteach.grading.judge.cells import parsed
from dpteach.grading.judge.course import course_of, moment, read_course
from dpteach.grading.judge.exports import as_csv, as_gradescope, as_prairielearn
from dpteach.grading.judge.frames import packed, unpacked
from dpteach.grading.judge.isolation import Limits, open_to_all
from dpteach.grading.judge.isolation import command as command_of
from dpteach.grading.judge.judge import RIGHT, UNGRADED, WRONG, Judge, Marks, Verdict
from dpteach.grading.judge.keys import is_signed, read_key, seed_of, signature
from dpteach.grading.judge.remote import numbers_asked
from dpteach.grading.judge.submissions import left_out, single, submissions
from tests.grading.judge.attacks import RIGHT_CLIP
from tests.grading.judge.classroom import notebook


def course(**found):
    return course_of({"exercises": {"clip": 2}, **found}, names, "course.yml")


# Courses -----------------------------------------------------------------------------


def test_a_course_says_what_is_asked(tmp_path):
    path = tmp_path / "course.yml"
    path.write_text(
        "title: Homework 2\nexercises:\n  clip: 2\n  private_step: {points: 4, "
        "partial: true}\ndue: 2026-10-05T23:59:00+00:00\n"
        "late: {grace_minutes: 10, per_day: 0.1, days: 3}\n"
    )
    found = read_course(path, names)
    assert [(each.name, each.points, each.partial) for each in found.tasks] == [
        ("clip", 2, False), ("private_step", 4, True),
    ]  # fmt: skip
    assert found.points == 6
    assert (found.per_day, found.days) == (0.1, 3)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([], "must be a table"),
        ({}, "at least one exercise"),
        ({"exercises": {}}, "at least one exercise"),
        ({"exercises": {"clipp": 1}}, "no exercise clipp"),
        ({"exercises": {"clip": -1}}, "at least 0"),
        ({"exercises": {"clip": float("nan")}}, "at least 0"),
        ({"exercises": {"clip": "two"}}, "must be a number"),
        ({"exercises": {"clip": True}}, "must be a number"),
        ({"exercises": {"clip": {"point": 1}}}, "has no key point"),
        ({"exercises": {"clip": {"partial": 1}}}, "true or false"),
        ({"exercises": ["clip"], "duo": 1}, "has no key duo"),
        ({"exercises": ["clip"], "due": "soon"}, "must be a time"),
        ({"exercises": ["clip"], "late": {"per_week": 1}}, "has no key per_week"),
        ({"exercises": ["clip"], "late": {"per_day": 10}}, "For 10 percent write 0.1"),
    ],
)
def test_what_cannot_be_meant_is_refused(found, told):
    with pytest.raises(ValueError, match=told):
        course_of(found, names, "course.yml")


def test_a_file_that_is_no_yaml_is_refused(tmp_path):
    path = tmp_path / "course.yml"
    path.write_text("exercises: [clip")
    with pytest.raises(ValueError, match="cannot be read"):
        read_course(path, names)
    with pytest.raises(ValueError, match="cannot be read"):
        read_course(tmp_path / "none.yml", names)


@pytest.mark.parametrize(
    ("minutes", "share"),
    [(-5, 1), (0, 1), (10, 1), (11, 0.75), (24 * 60, 0.75), (24 * 60 + 1, 0.5),
     (48 * 60 + 1, 0.25), (72 * 60 + 1, 0), (10**7, 0)],
)  # fmt: skip
def test_each_day_begun_costs_its_share(minutes, share):
    found = course(
        due="2026-10-05T12:00:00", late={"grace_minutes": 10, "per_day": 0.25}
    )
    assert found.share(found.due + timedelta(minutes=minutes)) == share
    assert found.share(None) == 1


def test_after_the_last_day_nothing_counts():
    found = course(due="2026-10-05", late={"per_day": 0.1, "days": 1})
    assert found.share(datetime(2026, 10, 6, 12)) == 0.9
    assert found.share(datetime(2026, 10, 7, 12)) == 0


def test_times_with_and_without_a_zone_are_not_compared():
    found = course(due="2026-10-05T12:00:00")
    with pytest.raises(ValueError, match="time zone"):
        found.share(moment("2026-10-05T12:00:00+00:00", "it"))


# Submissions -------------------------------------------------------------------------


def test_students_are_found_by_file_and_by_folder(tmp_path):
    (tmp_path / "ada.ipynb").write_text(notebook(["x = 1"]))
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "clip.py").write_text("y = 2")
    (tmp_path / "bob" / "rest.py").write_text("z = 3")
    (tmp_path / "notes.txt").write_text("not code")
    ada, bob = submissions(tmp_path)
    assert (ada.student, bob.student) == ("ada", "bob")
    assert bob.cells("clip") == (["y = 2"], [])
    assert bob.cells("other") == (["y = 2", "z = 3"], [])


def test_all_that_has_one_students_name_is_one_submission(tmp_path):
    (tmp_path / "ada.py").write_text("x = 1")
    (tmp_path / "ada.ipynb").write_text(notebook(["y = 2"]))
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "clip.py").write_text("z = 3")
    (ada,) = submissions(tmp_path)
    assert sorted(ada.cells("other")[0]) == ["x = 1", "y = 2", "z = 3"]
    with pytest.raises(ValueError, match="folder of submissions"):
        submissions(tmp_path / "nowhere")


def test_a_link_to_another_file_is_not_followed(tmp_path):
    secret = tmp_path / "secret.py"
    secret.write_text("secret = 1")
    folder = tmp_path / "all"
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / "clip.py").symlink_to(secret)
    (folder / "bob.py").symlink_to(secret)
    (folder / "eve").symlink_to(tmp_path)
    (found,) = submissions(folder)
    assert found.files == ()
    assert "no notebook" in found.cells("clip")[1][0]


@pytest.mark.parametrize(
    "text",
    ["", "no json", "[]", "{}", '{"cells": 3}', "[" * 100_000, "\ud800", '{"cells": '],
)
def test_a_broken_notebook_is_said_to_be_so(tmp_path, text):
    path = tmp_path / "ada.ipynb"
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    cells, (unread,) = single(tmp_path, "ada").cells("clip")
    assert cells == []
    assert "ada.ipynb cannot be read" in unread


def test_a_file_in_another_encoding_is_said_to_be_so(tmp_path):
    code = b"# \xe9t\xe9\ndef clip(G, C):\n    return G\n"
    path = tmp_path / "ada.py"
    path.write_bytes(code)
    cells, (unread,) = single(tmp_path, "ada").cells("clip")
    assert cells == []
    assert "Save it again" in unread
    path.write_bytes(b"\n\n\n" + code)
    assert "Save it again" in single(tmp_path, "ada").cells("clip")[1][0]
    for name in (b"unknown-8", b"rot13"):
        path.write_bytes(b"# coding: " + name + b"\n" + code)
        assert len(single(tmp_path, "ada").cells("clip")[1]) == 1


def test_an_encoding_that_a_file_declares_is_honored(tmp_path):
    code = b"# -*- coding: latin-1 -*-\nname = '\xe9'\n"
    (tmp_path / "ada.py").write_bytes(code)
    assert single(tmp_path, "ada").cells("clip") == ([code.decode("latin-1")], [])


def test_strange_cells_are_left_out(tmp_path):
    cells = [
        3, None, {"cell_type": "markdown", "source": "x"}, {"cell_type": "code"},
        {"cell_type": "code", "source": 5}, {"cell_type": "code", "source": ["a", 5]},
        {"cell_type": "code", "source": ["a = 1\n", "b = 2"]},
    ]  # fmt: skip
    (tmp_path / "ada.ipynb").write_text(json.dumps({"cells": cells}))
    assert single(tmp_path, "ada").cells("clip") == (["a = 1\nb = 2"], [])


@pytest.mark.parametrize(
    ("cell", "statements"),
    [
        ("%matplotlib inline\nif True:\n    !ls\n    x = 7 % 3",
         ["pass", "if True:\n    pass\n    x = 7 % 3"]),
        ("x = (7\n     % 3)\n%cd it's", ["x = 7 % 3", "pass"]),
        ("np.sum?\n?np\nx = 1", ["pass", "pass", "x = 1"]),
        ("%%time\nx = 1", ["pass", "x = 1"]),
        ("%%bash\nls", []),
        ("", []),
    ],
)  # fmt: skip
def test_lines_that_python_cannot_read_and_the_notebook_can_are_left_out(
    cell, statements
):
    assert [ast.unparse(each) for each in parsed(cell, "cell")] == statements
    lines = [each.end_lineno for each in parsed(cell, "cell")]
    assert not statements or lines[-1] == len(cell.split("\n"))


@pytest.mark.parametrize("cell", ["x = [1,\n%time\n2]", "def f(:\n  pass", "why? no"])
def test_a_cell_that_is_no_python_is_not_read(cell):
    with pytest.raises(SyntaxError):
        parsed(cell, "cell")


def test_annotations_that_nobody_defined_are_not_looked_up():
    cells = ["from __future__ import annotations", "def f(x: A) -> B:\n    return x"]
    namespace, errors, more = load_cells(cells, definitions_alone=False)
    assert (namespace["f"](3), errors, more) == (3, [], False)


def test_a_name_is_the_same_however_a_system_writes_it(tmp_path):
    (tmp_path / unicodedata.normalize("NFD", "Zoë.PY")).write_text("x = 1")
    broken = os.path.join(os.fsencode(tmp_path), b"Ren\xe9.py")
    try:
        with open(broken, "w") as file:
            file.write(RIGHT_CLIP)
    except OSError:  # macOS takes UTF-8 alone
        pytest.skip("no such name can be given here")
    found = submissions(tmp_path)
    assert [each.student for each in found] == [r"Ren\xe9", "Zoë"]


def test_what_is_left_out_is_listed(tmp_path):
    for name in ("ada.zip", "_bob.py", "eve.py", ".hidden", "__MACOSX", "mary.IPYNB"):
        (tmp_path / name).write_text("")
    (tmp_path / "sue.py").symlink_to(tmp_path / "eve.py")
    assert left_out(tmp_path) == ["_bob.py", "ada.zip", "sue.py"]
    assert [each.student for each in submissions(tmp_path)] == ["eve", "mary"]


# Keys --------------------------------------------------------------------------------


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path):
    path = tmp_path / "deep" / "course.key"
    key = read_key(path)
    assert read_key(path) == key
    assert len(key) == 64
    assert path.stat().st_mode & 0o077 == 0
    for guessed in ("short", "a" * 64):
        path.write_text(guessed)
        with pytest.raises(ValueError, match="at least 32"):
            read_key(path)


def test_seeds_differ_by_student_exercise_answer_and_key():
    seeds = {
        seed_of(key, student, name, cells)
        for key in (b"k" * 32, b"l" * 32)
        for student in ("ada", "bob")
        for name in ("clip", "exact_delta")
        for cells in (["x = 1"], ["x = 2"], ["x", " = 1"])
    }
    assert len(seeds) == 24
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_signature_is_of_the_text_and_the_key():
    signed = signature(b"k" * 32, b"marks")
    assert is_signed(b"k" * 32, b"marks", signed + "\n")
    assert not is_signed(b"k" * 32, b"marks!", signed)
    assert not is_signed(b"l" * 32, b"marks", signed)


# The wire ----------------------------------------------------------------------------


def test_many_lists_that_a_notebook_takes_fit_into_a_message():
    """Some of whole numbers alone, so that they are not alike."""
    outcome = call(lambda rng: [round(rng.random(), 0)] * 60, (), range(3000))
    mixed = call(lambda rng: [[0, 0.5][rng.integers(2)]] * 60, (), range(3000))
    for each in (outcome, mixed):
        spec, blob = packed(each.result)
        assert len(json.dumps(spec)) < wire._LONGEST
        assert len(blob) < wire._LARGEST


@pytest.mark.parametrize(
    "value",
    [None, True, 3, 2.5, -0.0, "text", np.float64(2.5), np.arange(6).reshape(2, 3),
     np.zeros((0, 4)), np.array(3), np.eye(3)[:, ::2], (np.eye(2), [1, (2.5, None)])],
    ids=repr,
)  # fmt: skip
def test_what_is_packed_is_unpacked(value):
    spec, blob = packed(value)
    found = unpacked(json.loads(json.dumps(spec)), blob)
    assert type(found) is type(value)
    np.testing.assert_equal(found, value)


def test_what_cannot_be_sent_is_refused():
    with pytest.raises(TypeError, match="cannot be sent"):
        packed([len])


@pytest.mark.parametrize(
    "spec",
    [
        5, [], {"plain": {}}, {"plain": [1]},
        {"array": "O", "shape": [1], "start": 0},
        {"array": "<f8", "shape": [-1], "start": 0},
        {"array": "<f8", "shape": [9], "start": 0},
        {"array": "<f8", "shape": [1], "start": -8},
        {"array": "<f8", "shape": [1] * 99, "start": 0},
        {"array": "f8,f8", "shape": [1], "start": 0},
        {"array": "x", "shape": [1], "start": 0},
        {"replayed": True}, {"generator": [{}, {}]},
        {"tuple": {"tuple": 3}}, {"list": [[[]]]}, {},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_malformed_is_refused(spec):
    with pytest.raises((ValueError, TypeError, KeyError, OverflowError)):
        unpacked(spec, bytes(64))


def test_no_draw_costs_the_judge_much():
    assert numbers_asked((10**6, 10**6), []) == 10**12
    assert numbers_asked(None, [np.zeros((1000, 1)), np.zeros((1, 1000))]) >= 10**6
    assert numbers_asked(3, [0.0, 1.0]) == 3


# Marks -------------------------------------------------------------------------------

MARKS = Marks(
    "=cmd()",
    (Verdict("clip", RIGHT, 2.0, 2.0, "good", 0.1), Verdict("x", WRONG, 0, 1, "", 0.2)),
    0.5,
    "2026-10-06",
)


def test_a_name_is_no_formula_in_a_spreadsheet():
    assert as_csv([MARKS]).splitlines()[1].startswith("'=cmd(),2,0,0.5,1,3,")


def test_the_total_is_after_what_lateness_costs():
    assert as_gradescope(MARKS)["score"] == 1.0
    assert as_prairielearn(MARKS)["score"] == pytest.approx(1 / 3)


# The command -------------------------------------------------------------------------


def run(*arguments):
    return command.main([str(each) for each in arguments], load, names)


def test_without_a_sandbox_it_refuses_unless_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "obstacle", lambda: "Type: apt install bubblewrap.")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text(RIGHT_CLIP)
    given = ["judge", tmp_path / "in", "--out", tmp_path / "out", "--exercises", "clip",
             "--jobs", 1]  # fmt: skip
    assert run(*given) == command.NO_SANDBOX == 3
    told = capsys.readouterr().err
    assert "apt install bubblewrap" in told
    assert "--unsafe" in told
    assert not (tmp_path / "out" / "marks.csv").exists()
    assert run(*given, "--unsafe") == command.DONE == 0
    assert "NOT ISOLATED" in capsys.readouterr().err
    assert "ada,1,1,1,1" in (tmp_path / "out" / "marks.csv").read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--exercises", "clipp"], "no exercise clipp"),
        ([], "either --course"),
        (["--exercises", "clip", "--course", "x.yml"], "either --course"),
        (["--exercises", "clip", "--jobs", "0"], "--jobs"),
        (["--exercises", "clip", "--times", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_a_command_that_cannot_be_meant_is_refused(tmp_path, capsys, arguments, told):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.py").write_text(RIGHT_CLIP)
    assert run("judge", tmp_path / "in", "--out", tmp_path / "out", *arguments) == 2
    assert told in capsys.readouterr().err


def judged(tmp_path, times, due="2026-10-05"):
    (tmp_path / "in").mkdir()
    for name in ("ada", "bob"):
        (tmp_path / "in" / f"{name}.py").write_text("best_T = 1")
    (tmp_path / "in" / "eve.zip").write_text("")
    (tmp_path / "times.csv").write_text(times, "utf-8")
    told = "exercises: [best_T]\n" + (f"due: {due}\n" if due else "")
    (tmp_path / "course.yml").write_text(told, "utf-8")
    return run(
        "judge", tmp_path / "in", "--out", tmp_path / "out", "--unsafe", "--jobs", 1,
        "--course", tmp_path / "course.yml", "--times", tmp_path / "times.csv",
    )  # fmt: skip


def test_whoever_is_left_out_or_has_no_time_is_named(tmp_path, capsys):
    assert judged(tmp_path, "student,submitted\nada,2026-10-05\nsue,2026-10-05\n") == 0
    told = capsys.readouterr().err
    for note in ("eve.zip left out", "names sue", "no time of bob: marked as on time"):
        assert note in told


@pytest.mark.parametrize(
    ("rows", "due", "told"),
    [
        ("ada,2026-10-05\nada,2026-10-06\n", "2026-10-05", "two times of ada"),
        ("ada,2026-10-05\n", "", "has no `due`"),
        ("ada,soon\nbob,later\n", "2026-10-05", "ada must be a time.*bob must be"),
        ("x" * 200_000, "2026-10-05", "is no CSV file in UTF-8"),
    ],
)
def test_times_that_decide_nothing_are_refused(tmp_path, capsys, rows, due, told):
    assert judged(tmp_path, f"student,submitted\n{rows}", due) == 2
    assert re.search(told, capsys.readouterr().err)


def test_an_empty_time_is_that_of_somebody_who_is_on_time(tmp_path, capsys):
    """As systems list whoever has handed in nothing."""
    assert judged(tmp_path, "student,submitted\nada,\nbob,2026-10-05\nsue\n") == 0
    assert "no time of ada" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["np.float64(3375)", "np.array(3375.0)", "3375"])
def test_a_question_takes_the_number_of_a_formula(tmp_path, kind):
    """NumPy's functions return NumPy's numbers."""
    (tmp_path / "ada.py").write_text(f"import numpy as np\nbest_T = {kind}")
    asked = course_of({"exercises": ["best_T"]}, names, "course.yml")
    (verdict,) = (
        Judge(asked, load, b"k" * 32, "none").marks(single(tmp_path, "ada")).verdicts
    )
    assert verdict.passed, verdict.report


def test_an_empty_folder_is_said_to_be_so(tmp_path, capsys):
    given = ["--out", tmp_path / "out", "--exercises", "clip"]
    assert run("judge", tmp_path, *given) == command.REFUSED == 2
    assert "no submission" in capsys.readouterr().err


def test_a_check_that_breaks_costs_one_answer_and_is_reported(tmp_path):
    """The judge's own fault: a person looks at it, and the batch goes on."""

    def broken(name):
        raise RuntimeError(f"no {name}")

    (tmp_path / "ada.py").write_text(RIGHT_CLIP)
    marks = Judge(course(), broken, b"k" * 32, "none").marks(single(tmp_path, "ada"))
    (verdict,) = marks.verdicts
    assert (verdict.status, verdict.score) == (UNGRADED, 0)
    assert verdict.reason == "RuntimeError: no clip"
    assert "could not be graded" in verdict.report
    assert as_csv([marks]).splitlines()[1] == "ada,,1,0,2,,clip: RuntimeError: no clip"
    (test,) = as_gradescope(marks)["tests"]
    assert "status" not in test
    assert test["name"] == "clip (could not be graded)"
    assert as_prairielearn(marks)["gradable"] is False


def test_without_a_sandbox_root_gives_up_its_rights_where_it_can():
    settings = json.loads(command_of("none", Limits()).arguments[-1])
    if os.getuid() == 0 and not open_to_all():
        assert settings["user"] is None
    else:
        assert settings["user"] >= 1_000_000_000
    assert settings["limits"]["CORE"] == 0
