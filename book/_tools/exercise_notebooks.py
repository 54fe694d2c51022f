"""Write the student's notebook of each exercise from its module.

Statement, starter, worked case and hints are written once, in the exercise's module.
The install cell is left as ``notebooks.py`` made it.
"""

import json
from pathlib import Path

from dpteach.chapters.catalog import load, names
from dpteach.grading.exercise import Exercise

FOLDER = Path(__file__).resolve().parents[2] / "exercises"
INSTALL = "# Replaced by `make notebooks`: installs dpteach where it is missing."
HINT = """\
<details>
<summary>Hint {number}</summary>

{text}

</details>"""


def cells(exercise: Exercise, install: dict) -> list[dict]:
    """List the cells of an exercise's notebook."""
    call, result, why = exercise.worked
    name = exercise.name
    hints = [
        HINT.format(number=number, text=text)
        for number, text in enumerate(exercise.hints, start=1)
    ]
    return [
        _text(f"{name}-statement", f"# {exercise.title}\n\n{exercise.statement}"),
        install,
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


def notebook(exercise: Exercise, install: dict) -> str:
    """Return the text of the notebook's file, in its stored form."""
    found = {
        "cells": cells(exercise, install),
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def installed(path: Path) -> dict:
    """Return the install cell that a notebook has now."""
    if not path.exists():
        return _code("install", INSTALL)
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return next(cell for cell in found if cell["id"] == "install")


def exercises() -> list[Exercise]:
    """List the exercises that ask for a function; questions have no notebook."""
    found = [load(name) for name in names()]
    return [each for each in found if isinstance(each, Exercise)]


def main() -> None:
    """Write every notebook."""
    for exercise in exercises():
        path = FOLDER / f"{exercise.name}.ipynb"
        path.write_text(notebook(exercise, installed(path)), encoding="utf-8")


if __name__ == "__main__":
    main()
