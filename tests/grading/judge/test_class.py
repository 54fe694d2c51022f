"""A class of thirty and more, from end to end, as an instructor would run it."""

import csv
import json
import shutil
import subprocess
import sys

import jsonschema
import pytest

from dpteach.chapters.catalog import load
from dpteach.grading.judge.results import file_name
from tests.grading.judge.classroom import NAMES, QUESTION, hand_in
from tests.public import ROOT

# What Gradescope accepts: its documentation of results.json, as a schema.
GRADESCOPE = {
    "type": "object",
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "test_output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "visibility": {
            "enum": ["hidden", "after_due_date", "after_published", "visible"]
        },
        "stdout_visibility": {
            "enum": ["hidden", "after_due_date", "after_published", "visible"]
        },
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": {
                        "enum": ["text", "html", "simple_format", "md", "ansi"]
                    },
                },
                "additionalProperties": False,
            },
        },
    },
    "required": ["tests"],
    "additionalProperties": False,
}
POINTS = {"clip": 2, "exact_delta": 3, "private_step": 4, QUESTION: 1}

pytestmark = pytest.mark.thorough


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "dpteach.grading", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, timeout=500,
    )  # fmt: skip


@pytest.fixture(scope="module")
def judged(tmp_path_factory, sandbox):
    """Hand in, judge, and return what should be and where the marks are."""
    del sandbox  # without one there is nothing to look at
    folder = tmp_path_factory.mktemp("course")
    (folder / "submissions").mkdir()
    expected = hand_in(folder / "submissions")
    course = {
        "title": "Homework 2",
        "exercises": {**POINTS, "private_step": {"points": 4, "partial": True}},
        "due": "2026-10-05T23:59:00+00:00",
        "late": {"grace_minutes": 10, "per_day": 0.25},
    }
    # JSON is YAML, too.
    (folder / "course.yml").write_text(json.dumps(course), "utf-8")
    times = (
        "student,submitted\nright-0,2026-10-05T12:00:00+00:00\n"
        "right-1,2026-10-06T12:00:00+00:00\nright-2,2026-10-06T00:05:00+00:00\n"
        "right-3,2027-01-01T00:00:00+00:00\n"
    )
    (folder / "times.csv").write_text(times, "utf-8")
    done = run(
        "judge", folder / "submissions", "--out", folder / "results",
        "--course", folder / "course.yml", "--times", folder / "times.csv",
        "--key", folder / "secret.key", "--jobs", 2,
    )  # fmt: skip
    assert done.returncode == 4, done.stderr  # some could not be graded
    return expected, folder, done


def test_every_verdict_is_right_in_the_csv(judged):
    expected, folder, _ = judged
    assert len(expected) >= 30
    with (folder / "results" / "marks.csv").open(newline="") as file:
        rows = {row["student"].removeprefix("'"): row for row in csv.DictReader(file)}
    assert rows.keys() == expected.keys()
    for student, passed in expected.items():
        for name, verdict in passed.items():
            if verdict is None:
                assert rows[student][name] == ""
                continue
            score, full = float(rows[student][name]), POINTS[name]
            assert (score == full) == verdict, (student, name, rows[student])
            assert 0 <= score <= full
            if name != "private_step":  # the one that gives part of its points
                assert score in (0, full)
        ungraded = [name for name, verdict in passed.items() if verdict is None]
        reasons = rows[student]["look_at"].split("; ") if ungraded else []
        assert [each.partition(": ")[0] for each in reasons] == ungraded
    assert float(rows["starters"]["total"]) == 0


def test_every_verdict_is_right_in_gradescopes_format(judged):
    expected, folder, _ = judged
    for student, passed in expected.items():
        path = folder / "results" / "gradescope" / f"{file_name(student)}.json"
        result = json.loads(path.read_text("utf-8"))
        jsonschema.validate(result, GRADESCOPE)
        verdicts = {None: None, "passed": True, "failed": False}
        assert {
            test["name"].removesuffix(" (could not be graded)"): verdicts[
                test.get("status")
            ]
            for test in result["tests"]
        } == passed
        assert result["score"] <= sum(test["score"] for test in result["tests"])


def test_part_of_the_points_is_for_the_checks_before_the_first_that_fails(judged):
    _, folder, _ = judged
    told = json.loads((folder / "results" / "marks.json").read_text("utf-8"))
    scores = {
        verdict["score"]
        for marks in told["marks"]
        for verdict in marks["verdicts"]
        if verdict["exercise"] == "private_step"
    }
    exercise = load("private_step")
    parts = len(exercise.checks) - exercise.starters_reach(1)
    assert scores <= {4 * k / parts for k in range(parts + 1)}
    assert len(scores) >= 4


def test_late_work_loses_what_the_course_says(judged):
    _, folder, _ = judged
    with (folder / "results" / "marks.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    shares = [float(rows[f"right-{k}"]["late_share"]) for k in range(5)]
    assert shares == [1, 0.75, 1, 0, 1]
    assert float(rows["right-1"]["total"]) == 7.5
    told = (folder / "results" / "feedback" / "right-1.txt").read_text("utf-8")
    assert "25% of the points are lost" in told


def test_the_sandbox_is_named_and_the_sum_is_told(judged):
    expected, _, done = judged
    assert "bubblewrap sandbox" in done.stderr
    assert "empty-folder, clip: could not be graded, no notebook" in done.stdout
    assert f"{len(expected)} submissions, 10 points each." in done.stdout
    assert f"clip: 5 of {len(expected)} right" in done.stdout


def test_no_feedback_tells_the_seed_the_key_or_a_reference(judged):
    _, folder, _ = judged
    key = (folder / "secret.key").read_text("ascii").strip()
    for path in (folder / "results").rglob("*"):
        if path.is_file():
            text = path.read_text("utf-8")
            assert key not in text
            assert "seed=" not in text


def test_marks_verify_until_one_is_changed(judged, tmp_path):
    _, folder, _ = judged
    results = shutil.copytree(folder / "results", tmp_path / "results")

    def verify():
        return run(
            "verify", folder / "submissions", "--out", results,
            "--course", folder / "course.yml", "--times", folder / "times.csv",
            "--key", folder / "secret.key",
        )  # fmt: skip

    assert verify().returncode == 0
    table = (results / "marks.csv").read_text("utf-8")
    (results / "marks.csv").write_text(table.replace("wrong-0,0", "wrong-0,2"), "utf-8")
    assert "marks.csv in" in verify().stderr


def test_a_second_run_with_the_same_key_gives_the_same_marks(judged, tmp_path):
    _, folder, _ = judged
    some = tmp_path / "submissions"
    some.mkdir()
    for name in ("wrong-3.ipynb", "right-2.ipynb"):
        (some / name).write_bytes((folder / "submissions" / name).read_bytes())
    done = run(
        "judge", some, "--out", tmp_path / "out", "--key", folder / "secret.key",
        "--exercises", ",".join(NAMES),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr

    def reports(path, student):
        record = json.loads(path.read_text("utf-8"))["marks"]
        (marks,) = (each for each in record if each["student"] == student)
        return {v["exercise"]: v["report"] for v in marks["verdicts"]}

    for student in ("wrong-3", "right-2"):
        before = reports(folder / "results" / "marks.json", student)
        after = reports(tmp_path / "out" / "marks.json", student)
        assert after == {name: before[name] for name in NAMES}
