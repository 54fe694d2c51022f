"""Wrappers that let other systems run the judge, or the checks, for a course.

Gradescope and PrairieLearn start the judge, one submission at a time. Otter and
nbgrader run tests in the student's own process, so there a pass is worth what it is
worth in a notebook; the judge is the better choice where marks count.
"""

import json
import uuid
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..exercise import Exercise
from .course import Course, Task

_PACKAGE = Path(__file__).parents[2]
_REQUIRED = "numpy>=2.0 scipy>=1.13 array-api-compat>=1.11 pyyaml>=6"
_PLACE = "/autograder/source"

_GRADESCOPE_SETUP = f"""\
#!/usr/bin/env bash
# Runs once, when Gradescope builds the image.
set -e
apt-get update
apt-get install -y python3 python3-venv bubblewrap
python=python3
# Ubuntu 22.04, which Gradescope takes if nobody chooses, has Python 3.10, and 3.11 too.
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  python=python3.11
  apt-get install -y python3.11 python3.11-venv
fi
"$python" -m venv /opt/judge
/opt/judge/bin/pip install {" ".join(f"'{each}'" for each in _REQUIRED.split())}
# What a student's code must not read, where it is judged without a sandbox.
chmod -R go-rwx {_PLACE}
"""

_GRADESCOPE_RUN = f"""\
#!/usr/bin/env bash
# Runs for each submission, in a container of its own.
cd {_PLACE}
# The container keeps students apart. Inside it a sandbox keeps the answer from the
# judge. Where the container allows none, nothing is graded, and the result says so.
PYTHONPATH={_PLACE} OMP_NUM_THREADS=1 /opt/judge/bin/python -m dpteach.grading one \\
  /autograder/submission --metadata /autograder/submission_metadata.json \\
  --course {_PLACE}/course.yml --key {_PLACE}/course.key \\
  --results /autograder/results/results.json --format gradescope{{more}}
[ -e /autograder/results/results.json ]
"""

_PRAIRIELEARN_RUN = """\
#!/usr/bin/env bash
cd /grade/tests
chmod -R go-rwx /grade/tests
PYTHONPATH=/grade/tests OMP_NUM_THREADS=1 python3 -m dpteach.grading one \\
  /grade/student --course course.yml --key course.key \\
  --results /grade/results/results.json --format prairielearn{more}
[ -e /grade/results/results.json ]
"""

_PRAIRIELEARN_IMAGE = f"""\
# docker build -t dpteach-grader . && docker push ..., then name it in info.json.
FROM python:3.12-slim
RUN apt-get update && apt-get install -y bubblewrap && pip install {
    " ".join(f"'{each}'" for each in _REQUIRED.split())
}
"""

_OTTER_TEST = """\
OK_FORMAT = False

from otter.test_files import test_case

name = "{name}"
points = {points:g}


@test_case()
def test_{name}({name}):
    from dpteach import check

    report = check("{name}", {name})
    assert report.passed, str(report)
"""


def _gradescope(
    course: Course,
    source: Path,
    key: bytes,
    out: Path,
    load: Callable[[str], Any],
    *,
    unsafe: bool,
) -> Path:
    del course, load
    files = {
        "setup.sh": _GRADESCOPE_SETUP,
        "run_autograder": _GRADESCOPE_RUN.format(more=" --unsafe" * unsafe),
        "course.yml": source.read_text("utf-8"),
        "course.key": key.decode("ascii"),
    }
    return _zipped(out / "gradescope-autograder.zip", files)


def _prairielearn(
    course: Course,
    source: Path,
    key: bytes,
    out: Path,
    load: Callable[[str], Any],
    *,
    unsafe: bool,
) -> Path:
    folder = out / "prairielearn"
    files = {
        "info.json": json.dumps(_question_info(course), indent=1),
        "question.html": _question_page(course, load),
        "Dockerfile": _PRAIRIELEARN_IMAGE,
        "tests/run.sh": _PRAIRIELEARN_RUN.format(more=" --unsafe" * unsafe),
        "tests/course.yml": source.read_text("utf-8"),
    }
    _write(folder, files)
    tests = folder / "tests"
    (tests / "run.sh").chmod(0o755)
    (tests / "course.key").write_bytes(key)
    for path, name in _modules():
        target = tests / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return folder


def _question_info(course: Course) -> dict[str, Any]:
    """Tell PrairieLearn what the question is, and who grades it."""
    return {
        "uuid": str(uuid.uuid4()),
        "title": course.title,
        "topic": "Private optimization",
        "type": "v3",
        "gradingMethod": "External",
        "externalGradingOptions": {
            "enabled": True,
            "image": "dpteach-grader",
            "entrypoint": "/grade/tests/run.sh",
            "timeout": 600,
        },
    }


def _question_page(course: Course, load: Callable[[str], Any]) -> str:
    """Write what a student sees: the exercises, where to upload, and the results."""
    titles = [f"<li>{load(each.name).title}</li>" for each in course.tasks]
    coded = _coded(course, load)
    names = [f"{each.name}.ipynb" for each in coded]
    if len(coded) < len(course.tasks):  # as in the student's download
        names.append("questions.ipynb")
    return (
        "<pl-question-panel>\n<ul>\n" + "\n".join(titles) + "\n</ul>\n"
        f'<pl-file-upload file-names="{",".join(names)}"></pl-file-upload>\n'
        "</pl-question-panel>\n<pl-submission-panel>\n"
        "<pl-external-grader-results></pl-external-grader-results>\n"
        "</pl-submission-panel>\n"
    )


def _otter(
    course: Course,
    source: Path,
    key: bytes,
    out: Path,
    load: Callable[[str], Any],
    *,
    unsafe: bool,
) -> Path:
    del source, key, unsafe
    files = {
        f"tests/{each.name}.py": _OTTER_TEST.format(name=each.name, points=each.points)
        for each in _coded(course, load)
    }
    files["requirements.txt"] = _REQUIRED.replace(" ", "\n") + "\n"
    files["otter_config.json"] = json.dumps({"lang": "python"})
    folder = out / "otter"
    _write(folder, files)
    return folder


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write texts into a folder, each under its name."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _nbgrader(
    course: Course,
    source: Path,
    key: bytes,
    out: Path,
    load: Callable[[str], Any],
    *,
    unsafe: bool,
) -> Path:
    """Write the source version of an assignment, one notebook an exercise."""
    del source, key, unsafe
    folder = out / "nbgrader" / "source" / "exercises"
    folder.mkdir(parents=True, exist_ok=True)
    for each in _coded(course, load):
        notebook = _notebook(load(each.name), each)
        path = folder / f"{each.name}.ipynb"
        path.write_text(json.dumps(notebook, indent=1), "utf-8")
    return folder


def _notebook(exercise: Exercise, task: Task) -> dict[str, Any]:
    """Write a notebook of three cells: the task, the answer, and the check of it."""
    name = task.name
    text = f"# {exercise.title}\n\n{exercise.statement}"
    check = (
        f'from dpteach import check\n\nreport = check("{name}", {name})\n'
        "assert report.passed, str(report)"
    )
    cells = [
        _cell("markdown", text, None),
        _cell("code", exercise.starter, _graded(name, "answer", None)),
        _cell("code", check, _graded(name, "test", task.points)),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"{name}-{number}"[:64]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(kind: str, source: str, nbgrader: dict | None) -> dict[str, Any]:
    metadata = {} if nbgrader is None else {"nbgrader": nbgrader}
    cell: dict[str, Any] = {"cell_type": kind, "metadata": metadata, "source": source}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell


def _graded(name: str, part: str, points: float | None) -> dict[str, Any]:
    """Write what nbgrader wants to know of a cell, in its third schema."""
    told = {
        "schema_version": 3,
        "grade_id": f"{name}-{part}",
        "cell_type": "code",
        "grade": points is not None,
        "solution": points is None,
        "locked": points is not None,
        "task": False,
    }
    return told if points is None else {**told, "points": points}


def _coded(course: Course, load: Callable[[str], Any]) -> list[Task]:
    return [each for each in course.tasks if isinstance(load(each.name), Exercise)]


def lost(system: str, course: Course, load: Callable[[str], Any]) -> list[str]:
    """Say in sentences what of a course a system's files leave out."""
    if system not in ("otter", "nbgrader"):
        return []
    coded = _coded(course, load)
    questions = [each.name for each in course.tasks if each not in coded]
    parts = [each.name for each in coded if each.partial]
    told = []
    if questions:
        told.append(f"{', '.join(questions)} left out: {system} gets functions alone")
    if parts:
        told.append(f"{', '.join(parts)}: {system} gives all points or none")
    if course.per_day or course.days is not None:
        told.append(f"what lateness costs is left to {system}")
    return told


def _modules() -> list[tuple[Path, str]]:
    """List the files of dpteach, which is not on a package index."""
    return [
        (path, f"dpteach/{path.relative_to(_PACKAGE)}")
        for path in sorted(_PACKAGE.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]


def _zipped(path: Path, files: dict[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o755 << 16
            archive.writestr(entry, text)
        for source, name in _modules():
            archive.write(source, name)
    return path


WRAPPERS: dict[str, Callable[..., Path]] = {
    "gradescope": _gradescope,
    "prairielearn": _prairielearn,
    "otter": _otter,
    "nbgrader": _nbgrader,
}
