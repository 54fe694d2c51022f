"""Wrappers for other systems: in their formats, and run where that can be done here."""

import json
import os
import re
import subprocess
import sys
import zipfile

import jsonschema
import nbformat
import pytest
from course import student_files

from dpteach import check
from dpteach.chapters.catalog import load, names
from dpteach.grading.judge.course import course_of, read_course
from dpteach.grading.judge.wrappers import lost
from tests.grading.judge.attacks import RIGHT_CLIP
from tests.grading.judge.test_class import GRADESCOPE
from tests.public import ROOT

COURSE = "title: Homework\nexercises:\n  clip: 2\n  exact_delta: 3\n  best_T: 1\n"

# What PrairieLearn demands of a question's info.json, as far as it is used here.
INFO = {
    "type": "object",
    "properties": {
        "uuid": {
            "type": "string",
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        },
        "title": {"type": "string"},
        "topic": {"type": "string"},
        "type": {"const": "v3"},
        "gradingMethod": {"enum": ["Internal", "External", "Manual"]},
        "externalGradingOptions": {
            "type": "object",
            "properties": {
                "enabled": {"type": "boolean"},
                "image": {"type": "string"},
                "entrypoint": {"type": "string"},
                "timeout": {"type": "integer"},
            },
            "required": ["image", "entrypoint"],
            "additionalProperties": False,
        },
    },
    "required": ["uuid", "title", "topic", "type"],
    "additionalProperties": False,
}
# What PrairieLearn reads of results.json.
RESULTS = {
    "type": "object",
    "properties": {
        "gradable": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "output": {"type": "string"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "points": {"type": "number"},
                    "max_points": {"type": "number"},
                    "output": {"type": "string"},
                },
                "required": ["name", "points", "max_points"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["gradable", "score", "tests"],
    "additionalProperties": False,
}
# The third schema of nbgrader's metadata of a cell.
CELL = {
    "type": "object",
    "properties": {
        "schema_version": {"const": 3},
        "grade_id": {"type": "string", "pattern": "^[a-zA-Z0-9_\\-]+$"},
        "cell_type": {"enum": ["code", "markdown"]},
        "grade": {"type": "boolean"},
        "solution": {"type": "boolean"},
        "locked": {"type": "boolean"},
        "task": {"type": "boolean"},
        "points": {"type": "number", "minimum": 0},
    },
    "required": ["schema_version", "grade_id", "grade", "solution", "locked", "task"],
    "additionalProperties": False,
}

needs_sandbox = pytest.mark.usefixtures("sandbox")


def run(*arguments, **more):
    done = subprocess.run(
        [sys.executable, "-m", "dpteach.grading", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, timeout=300, **more,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wrappers")
    (folder / "course.yml").write_text(COURSE, "utf-8")
    for system in ("gradescope", "prairielearn", "otter", "nbgrader"):
        run(
            "export", system, "--course", folder / "course.yml",
            "--key", folder / "course.key", "--out", folder,
        )  # fmt: skip
    return folder


def one(folder, wrapper, style, *more):
    """Grade as the wrapper's script does, with the package that is inside it."""
    (folder / "submission").mkdir(exist_ok=True)
    (folder / "submission" / "answers.py").write_text(RIGHT_CLIP, "utf-8")
    done = subprocess.run(
        [
            sys.executable, "-m", "dpteach.grading", "one", folder / "submission",
            "--course", wrapper / "course.yml", "--key", wrapper / "course.key",
            "--results", folder / "results.json", "--format", style, *more,
        ],
        cwd=wrapper, env={**os.environ, "PYTHONPATH": str(wrapper)},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "results.json").read_text("utf-8"))


@needs_sandbox
def test_gradescopes_zip_grades_with_nothing_but_what_is_in_it(made, tmp_path):
    with zipfile.ZipFile(made / "gradescope-autograder.zip") as archive:
        archive.extractall(tmp_path / "source")
        modes = {info.filename: info.external_attr >> 16 for info in archive.filelist}
    assert modes["run_autograder"] & 0o111
    assert modes["setup.sh"] & 0o111
    for name in ("run_autograder", "setup.sh"):
        checked = subprocess.run(
            ["bash", "-n", tmp_path / "source" / name], check=False
        )
        assert checked.returncode == 0
    metadata = {
        "id": 1,
        "created_at": "2026-10-06T12:00:00.000000-07:00",
        "assignment": {"due_date": "2026-10-07T12:00:00.000000-07:00"},
        "users": [{"id": 77, "email": "ada@example.org", "name": "Ada"}],
    }
    (tmp_path / "metadata.json").write_text(json.dumps(metadata), "utf-8")
    result = one(
        tmp_path, tmp_path / "source", "gradescope",
        "--metadata", str(tmp_path / "metadata.json"),
    )  # fmt: skip
    jsonschema.validate(result, GRADESCOPE)
    assert result["score"] == 2
    assert [test["status"] for test in result["tests"]] == [
        "passed",
        "failed",
        "failed",
    ]


@pytest.mark.parametrize(("old", "python"), [(1, "python3.11"), (0, "python3")])
def test_gradescopes_set_up_finds_a_python_that_is_new_enough(
    made, tmp_path, old, python
):
    """Gradescope's usual image has Python 3.10, where some exercises cannot be read."""
    for name in ("apt-get", "python3", "python3.11", "pip"):
        code = f"[ {name} != python3 ] || [ $1 != -c ] || exit {old}\n"
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} "$@"\n{code}')
        (tmp_path / name).chmod(0o755)
    with zipfile.ZipFile(made / "gradescope-autograder.zip") as archive:
        script = archive.read("setup.sh").decode()
    for place in ("/opt/judge/bin", "/autograder/source"):
        script = script.replace(place, str(tmp_path))
    done = subprocess.run(
        ["bash", "-c", script], env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"{python} -m venv /opt/judge" in done.stdout
    assert ("install -y python3.11" in done.stdout) == bool(old)


@needs_sandbox
def test_prairielearns_question_grades_with_nothing_but_what_is_in_it(made, tmp_path):
    folder = made / "prairielearn"
    jsonschema.validate(json.loads((folder / "info.json").read_text("utf-8")), INFO)
    script = folder / "tests" / "run.sh"
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    assert script.stat().st_mode & 0o111
    result = one(tmp_path, folder / "tests", "prairielearn")
    jsonschema.validate(result, RESULTS)
    assert result["score"] == pytest.approx(2 / 6)


def test_a_student_uploads_the_files_of_the_students_download(made):
    course = read_course(made / "course.yml", names)
    page = (made / "prairielearn" / "question.html").read_text("utf-8")
    asked = re.search('file-names="([^"]*)"', page)[1].split(",")
    assert sorted([*asked, "README.md"]) == sorted(student_files(course))


@pytest.mark.parametrize(
    ("system", "told"),
    [("nbgrader", ["best_T left out", "clip: nbgrader gives all", "lateness"]),
     ("prairielearn", [])],
)  # fmt: skip
def test_what_a_system_leaves_out_is_told(system, told):
    asked = {"clip": {"partial": True}, "best_T": 1}
    course = course_of({"exercises": asked, "late": {"per_day": 0.1}}, names, "course")
    found = lost(system, course, load)
    assert len(found) == len(told)
    assert all(start in each for start, each in zip(told, found, strict=True))


def test_otters_tests_pass_right_answers_alone(made, monkeypatch):
    """What Otter does with a test file: run it, then call its marked function."""
    path = made / "otter" / "tests" / "clip.py"
    marked = []

    class Marker:
        def __init__(self, points=None):
            del points

        def __call__(self, function):
            marked.append(function)
            return function

    files = type(sys)("otter.test_files")
    files.test_case = Marker
    monkeypatch.setitem(sys.modules, "otter", type(sys)("otter"))
    monkeypatch.setitem(sys.modules, "otter.test_files", files)
    file = {}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), file)
    assert file["OK_FORMAT"] is False
    assert (file["name"], file["points"]) == ("clip", 2)
    answers = {}
    exec(RIGHT_CLIP, answers)
    marked[0](clip=answers["clip"])
    with pytest.raises(AssertionError, match="not yet"):
        marked[0](clip=lambda G, C: G)  # noqa: ARG005  (a wrong answer)


def test_nbgraders_notebooks_fit_its_schema_and_their_tests_tell(made):
    paths = sorted((made / "nbgrader" / "source" / "exercises").glob("*.ipynb"))
    assert [path.stem for path in paths] == ["clip", "exact_delta"]
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        told = [
            cell.metadata["nbgrader"] for cell in notebook.cells
            if "nbgrader" in cell.metadata
        ]  # fmt: skip
        for each in told:
            jsonschema.validate(each, CELL)
        assert [(each["grade"], each["solution"]) for each in told] == [
            (False, True), (True, False),
        ]  # fmt: skip
        assert len({each["grade_id"] for each in told}) == 2
    code = [cell.source for cell in nbformat.read(paths[0], 4).cells][1:]
    with pytest.raises(AssertionError, match="not yet"):
        exec("\n".join(code), {})
    exec("\n".join([RIGHT_CLIP, code[1]]), {})


def test_what_runs_in_the_students_process_holds_no_solution(made):
    """The starters are there, and fail; no bank and no key."""
    for name in ("otter", "nbgrader"):
        for path in (made / name).rglob("*"):
            if path.is_file():
                text = path.read_text("utf-8")
                assert "np.minimum(1.0" not in text
                assert "3375" not in text
    assert not check("clip", _starter("clip")).passed


def _starter(name):
    made = {}
    exec(load(name).starter, made)
    return made[name]


def test_no_wrapper_does_without_a_sandbox_unless_it_was_asked_for(made, tmp_path):
    """And where none works, the result says so, and the command ends with 3."""

    def scripts(folder):
        with zipfile.ZipFile(folder / "gradescope-autograder.zip") as archive:
            yield archive.read("run_autograder").decode()
        yield (folder / "prairielearn" / "tests" / "run.sh").read_text("utf-8")

    assert not any("--unsafe" in script for script in scripts(made))
    for system in ("gradescope", "prairielearn"):
        run(
            "export", system, "--course", made / "course.yml", "--unsafe",
            "--key", made / "course.key", "--out", tmp_path,
        )  # fmt: skip
    assert all(script.count("--unsafe") == 1 for script in scripts(tmp_path))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "clip.py").write_text(RIGHT_CLIP, "utf-8")
    done = subprocess.run(
        [
            sys.executable, "-m", "dpteach.grading", "one", tmp_path / "in",
            "--exercises", "clip", "--key", made / "course.key",
            "--results", tmp_path / "results.json", "--format", "gradescope",
        ],
        cwd=ROOT, env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    (test,) = json.loads((tmp_path / "results.json").read_text("utf-8"))["tests"]
    assert test["name"] == "clip (could not be graded)"
    assert (test["score"], "status" in test) == (0, False)
