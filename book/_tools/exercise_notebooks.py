"""The student's notebook of each exercise, made from its module.

Statement, starter, worked case and hints are written once, in the exercise's module.
"""

from pathlib import Path

import notebooks

from dpteach.chapters.catalog import load, names
from dpteach.grading.exercise import Exercise

FOLDER = Path(__file__).resolve().parents[2] / "exercises"
HINT = """\
<details>
<summary>Hint {number}</summary>

{text}

</details>"""


def cells(exercise: Exercise) -> list[dict]:
    """List the cells of an exercise's notebook, without the install cell."""
    call, result, why = exercise.worked
    name = exercise.name
    hints = [
        HINT.format(number=number, text=text)
        for number, text in enumerate(exercise.hints, start=1)
    ]
    return [
        _text(f"{name}-statement", f"# {exercise.title}\n\n{exercise.statement}"),
        _code(f"{name}-answer", exercise.starter, f"answer:{name}"),
        _text(
            f"{name}-worked",
            f"## A case worked by hand\n\n{why}\n\nThe next cell should show "
            f"`{result}`, up to rounding.",
        ),
        _code(f"{name}-try", call),
        _text(f"{name}-hints", "## Hints\n\n" + "\n\n".join(hints)),
        _text(
            f"{name}-how",
            "## Check your answer\n\nRun this as often as you like. Nothing leaves "
            "your machine, and nothing is counted.",
        ),
        _code(f"{name}-check", f'from dpteach import check\n\ncheck("{name}", {name})'),
    ]


def _text(identity: str, source: str) -> dict:
    return {
        "cell_type": "markdown",
        "id": identity,
        "metadata": {},
        "source": source.splitlines(keepends=True),
    }


def _code(identity: str, source: str, tag: str = "") -> dict:
    return {
        "cell_type": "code",
        "id": identity,
        "metadata": {"tags": [tag]} if tag else {},
        "source": source.splitlines(keepends=True),
        "execution_count": None,
        "outputs": [],
    }


def notebook(exercise: Exercise) -> str:
    """Return the text of the notebook's file."""
    made = {"cells": cells(exercise), "metadata": {}}
    return notebooks.text(notebooks.tidy(made, exercise.name))


def exercises() -> list[Exercise]:
    """List the exercises that ask for a function; questions have no notebook."""
    found = [load(name) for name in names()]
    return [each for each in found if isinstance(each, Exercise)]


def files() -> dict[Path, str]:
    """Return the text that each exercise's notebook should have."""
    return {FOLDER / f"{each.name}.ipynb": notebook(each) for each in exercises()}
