"""Make the two downloads of a course: course.py [COURSE.yml] [--out FOLDER].

The student's has notebooks and instructions, and nothing that answers them. The
instructor's has a solution of each exercise with its explanation, the banks of right
and wrong answers, the keys, and what the judge needs.
"""

import argparse
import ast
import json
import zipfile
from pathlib import Path

import exercise_notebooks
import notebooks

from dpteach.chapters import catalog
from dpteach.chapters.catalog import load, names, rooms
from dpteach.grading.exercise import Exercise
from dpteach.grading.judge.course import Course, read_course
from dpteach.grading.questions import Choice, Number

ROOT = Path(__file__).resolve().parents[2]
STANDARD = ROOT / "book" / "teach" / "course.yml"

_STUDENT = """\
# {title}

Here is a notebook for each exercise{and_questions}.
Write your function in the cell where the starter stands, and run the case that is
worked by hand.

## What to hand in

Hand in the notebooks, under their own names:

{files}

These rules hold:

* Your function must have the name and the arguments of the starter.
* It may use NumPy and SciPy, and the standard library. The package `dpteach` is not
  there when your answer is graded.
* Helper functions and imports belong in the same notebook. Cells that stop with an
  error are skipped.
* All randomness must come from the argument `rng`, where there is one.
* Arrays hold NumPy's usual floats, `float64`, unless the task says otherwise.

## How it is graded

Your function is called in a sandbox, on cases that are drawn for you alone. An exercise
gives its points if every check passes. Where the table says "in parts", an answer gets
a share of them for the checks before the first that fails, beyond those that the
starter passes as it is.{late}

| exercise | points | |
|---|---|---|
{table}

You may check your answers with the book, as often as you like. A pass there tells you
that you are done. It proves nothing to anyone else, because it ran on your own machine.
"""

_INSTRUCTOR = """\
# {title}: for the instructor

Keep this folder to yourself: it holds every answer.

* `solutions/`: for each exercise a solution, why it is right, what is checked in which
  order, and what students get wrong.
* `banks/`: every right and every wrong answer that the grader is tested with. A new
  wrong answer that passes is a defect of the grader; please report it.
* `questions.md`: the answers to the questions of the course.
* `keys/`: keys and rubrics of the problems that people mark.
* `course.yml`: points, due date, and what lateness costs.

## Give marks

Put what students hand in into one folder: a file for each student, such as `ada.ipynb`,
or a folder for each, such as `ada/clip.ipynb`. Unpack zip files first. Then type, in
the book's repository,

    python3 -m venv .venvs/judge && source .venvs/judge/bin/activate
    pip install '.[courses]'
    python -m dpteach.grading judge submissions/ --course course.yml --out results/ \\
        --key course.key

Where `make course` has run, `source .venv/bin/activate` replaces the first two lines.
Each answer runs in a sandbox of its own, which needs Linux and bubblewrap: on Debian
and Ubuntu type `apt install bubblewrap`. Where it does not work, the command says why
and refuses; `--unsafe` judges people whom you trust.

* `results/marks.csv` has a row for each student. What could not be graded has no
  points there, and the column `look_at` says why: a damaged notebook, an empty folder,
  two files that define one function, too busy a machine. Look at it yourself.
* Marks are written as they come. If the run is cut short, the same command goes on
  where it was. What could not be graded is then tried again.
* `results/feedback/` has what each student may read.
* `results/gradescope/` has a `results.json` for each student.
* `course.key` draws the cases and signs the marks. It is made at the first run. Keep it
  secret, and keep it: with it you get the same cases and the same marks again.
* `python -m dpteach.grading verify`, followed by what followed `judge`, says whether
  `results/` is what the judge wrote for this course and for these submissions.
* `--times times.csv`, with the columns `student` and `submitted`, says who was late.
  Whoever has no time there counts as in time.

The command ends with 0 if all went well, 2 if it refuses something, 3 if no sandbox
works here, 4 if some answer could not be graded, 5 if no more can be written, as on a
full disk, and 128 plus the number of a signal that ended it. 1 is a fault of the judge
itself.

Statements are the same for all students; the numbers of the cases differ from student
to student, and from one answer to the next.

## Let another system run it

    python -m dpteach.grading export gradescope --course course.yml --key course.key \\
        --out wrappers/

makes `gradescope-autograder.zip`, to be uploaded as an autograder. If the containers of
your service allow no sandbox, the results say so and nothing is graded; to rely on the
container alone, make the files again with `--unsafe`. `prairielearn`,
`otter` and `nbgrader` make folders for these systems. Gradescope and PrairieLearn run
the judge. Otter and nbgrader run the checks in the process of the student's code, which
can deceive them: use these two where you would believe a student's own word. They need
`dpteach` installed where they run, and leave out questions, parts and lateness.

## What a mark shows, and what it does not

A mark shows that the function computes what was asked, on cases that nobody knew. It
does not show who wrote it. The book, its package, their reference functions and the
explanation of each exercise are public. If that matters to you, ask students to explain
an answer in person.
"""


def student_files(course: Course) -> dict[str, str]:
    """Return the files of the student's pack, by name."""
    coded = [each for each in course.tasks if isinstance(load(each.name), Exercise)]
    questions = [each for each in course.tasks if each not in coded]
    files = {f"{each.name}.ipynb": _notebook(load(each.name)) for each in coded}
    if questions:
        files["questions.ipynb"] = _questions([load(each.name) for each in questions])
    table = [
        f"| {load(each.name).title} (`{each.name}`) | {each.points:g} | "
        f"{'in parts' if each.partial else ''} |"
        for each in course.tasks
    ]
    files["README.md"] = _STUDENT.format(
        title=course.title,
        and_questions=", and one for the questions" if questions else "",
        files="\n".join(f"* `{name}`" for name in files),
        table="\n".join(table),
        late=_late(course),
    )
    return files


def _late(course: Course) -> str:
    if course.due is None:
        return ""
    told = f" It is due on {course.due:%Y-%m-%d at %H:%M %Z}".rstrip() + "."
    if course.per_day:
        lost = f"{100 * course.per_day:g}%"
        told += f" Each day begun after that costs {lost} of the points."
    if course.days is not None:
        told += f" {course.days} days after it nothing counts."
    return told


def _notebook(exercise: Exercise) -> str:
    name = exercise.name
    kept = [
        cell
        for cell in exercise_notebooks.cells(exercise)
        if not cell["id"].endswith(("-how", "-check"))
    ]
    last = _text(f"{name}-hand-in", "## Hand in\n\nSave the notebook.")
    return _written([*kept, last])


def _questions(asked: list) -> str:
    cells = [_text("questions", "# Questions\n\nPut your answer behind each `=`.")]
    for each in asked:
        kind = "a number" if isinstance(each, Number) else '"a letter"'
        if not isinstance(each, Number | Choice):
            kind = '"the letters in your order"'
        cells.append(_text(f"{each.name}-text", f"## {each.title}\n\n{each.markdown}"))
        cells.append(_code(f"{each.name}-answer", f"{each.name} = None  # {kind}"))
    return _written(cells)


def _text(identity: str, source: str) -> dict:
    return {
        "cell_type": "markdown", "id": identity, "metadata": {},
        "source": source.splitlines(keepends=True),
    }  # fmt: skip


def _code(identity: str, source: str) -> dict:
    return {
        "cell_type": "code", "execution_count": None, "id": identity, "metadata": {},
        "outputs": [], "source": source.splitlines(keepends=True),
    }  # fmt: skip


def _written(cells: list[dict]) -> str:
    notebook = {
        "cells": cells, "metadata": {"kernelspec": notebooks.KERNEL},
        "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def instructor_files(course: Course, source: str) -> dict[str, str]:
    """Return the files of the instructor's pack, by name."""
    files = {"README.md": _INSTRUCTOR.format(title=course.title), "course.yml": source}
    answers = []
    for each in course.tasks:
        exercise = load(each.name)
        if isinstance(exercise, Exercise):
            folder = bank_folder(each.name)
            bank = (folder / "bank.py").read_text("utf-8")
            files[f"solutions/{each.name}.py"] = solution(each.name)
            files[f"solutions/{each.name}.md"] = explanation(exercise)
            files[f"banks/{each.name}.py"] = bank
        else:
            answers.append(_answer(exercise))
    if answers:
        files["questions.md"] = "# Answers\n\n" + "\n\n".join(answers) + "\n"
    for path in sorted((ROOT / "book" / "teach" / "keys").glob("*.md")):
        files[f"keys/{path.name}"] = path.read_text("utf-8")
    return files


def bank_folder(name: str) -> Path:
    """Return the folder of an exercise's tests."""
    return ROOT / "tests" / "chapters" / rooms()[name] / name


def _bank(name: str) -> tuple[str, ast.Module]:
    text = (bank_folder(name) / "bank.py").read_text("utf-8")
    return text, ast.parse(text)


def _listed(tree: ast.Module, name: str) -> list[str]:
    """List the names in the bank's RIGHT or WRONG, in order."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            value = node.value
            listed = value.keys if isinstance(value, ast.Dict) else value.elts
            return [ast.unparse(each) for each in listed]
    raise ValueError(f"the bank has no {name}")


def solution(name: str) -> str:
    """Write the first right answer of a bank, with all that it needs."""
    text, tree = _bank(name)
    chosen = _listed(tree, "RIGHT")[0]
    needed = _needed(tree, chosen)
    lines = text.splitlines()
    parts = []
    for node in tree.body:
        if node in needed:
            marks = getattr(node, "decorator_list", [])
            first = min(each.lineno for each in (*marks, node))
            parts.append("\n".join(lines[first - 1 : node.end_lineno]))
    written = "\n\n\n".join(parts)
    return f'"""A solution of {name}."""\n\n{written}\n\n\n{name} = {chosen}\n'


def _needed(tree: ast.Module, chosen: str) -> list[ast.stmt]:
    """Find the statements of a module that one of its functions rests on."""
    makers: dict[str, list[ast.stmt]] = {}
    for node in tree.body:
        for made in _made(node):
            makers.setdefault(made, []).append(node)
    found: list[ast.stmt] = []
    waiting = list(makers[chosen])
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found.append(node)
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        waiting += [node for each in used for node in makers.get(each, ())]
    return found


def _made(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(each.asname or each.name).split(".")[0] for each in node.names]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [
            each.id
            for target in targets
            for each in ast.walk(target)
            if isinstance(each, ast.Name)
        ]
    return []


def explanation(exercise: Exercise) -> str:
    """Explain an exercise's solution, its checks and its usual mistakes."""
    call, result, why = exercise.worked
    _, tree = _bank(exercise.name)
    free = exercise.starters_reach(seed=1)
    share = 1 / (len(exercise.checks) - free)
    checks = "\n".join(
        f"{number}. {sentence} (in parts: {share * max(0, number - 1 - free):.0%} for "
        "an answer that fails here)"
        for number, (sentence, _) in enumerate(exercise.checks, start=1)
    )
    wrong = "\n".join(
        f"* {each.removeprefix('wrong_').replace('_', ' ')}: `{each}`"
        for each in _listed(tree, "WRONG")
    )
    hints = "\n".join(f"* {each}" for each in exercise.hints)
    return (
        f"# {exercise.title}\n\n{exercise.statement}\n\n"
        "## Why the solution is right\n\n"
        f"The code is in `{exercise.name}.py`.\n\n"
        f"{catalog.explanation(exercise.name) or hints}\n\n{exercise.praise}\n\n"
        f"## A case worked by hand\n\n    {call.replace(chr(10), chr(10) + '    ')}\n\n"
        f"This gives `{result}`. {why}\n\n"
        f"## What is checked, in this order\n\n{checks}\n\n"
        f"## What students get wrong\n\nEach is a function of "
        f"`banks/{exercise.name}.py`, beside a pattern of the message that a student "
        f"gets.\n\n{wrong}\n"
    )


def _answer(question) -> str:
    if isinstance(question, Number):
        low, high = question.band
        said = f"Any number from {low:g} to {high:g}."
        wrong = [
            f"* {least:g} to {most:g}: {told}"
            for (least, most), told in question.misconceptions
        ]
    else:
        right = question.right
        said = f"**{right if isinstance(right, str) else ', or '.join(right)}**"
        wrong = [f"* {key}: {told}" for key, told in question.feedback.items()]
    return (
        f"## {question.title} (`{question.name}`)\n\n{question.markdown}\n\n{said} "
        f"{question.praise}\n\n"
        + "\n".join(wrong)
        + f"\n\n{catalog.explanation(question.name)}"
    )


def zipped(path: Path, top: str, files: dict[str, str]) -> None:
    """Write files into a zip, alike each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{top}/{name}", (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)


def main() -> None:
    """Write both packs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("course", nargs="?", type=Path, default=STANDARD)
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "course")
    given = parser.parse_args()
    try:
        course = read_course(given.course, names)
    except ValueError as error:
        parser.error(str(error))
    source = given.course.read_text("utf-8")
    for top, files in (
        ("student", student_files(course)),
        ("instructor", instructor_files(course, source)),
    ):
        zipped(given.out / f"{top}.zip", top, files)
        print(f"{given.out / top}.zip: {len(files)} files")


if __name__ == "__main__":
    main()
