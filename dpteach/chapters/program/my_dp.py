"""The file of the reader's program: begin it, let it grow, and check it."""

import re
import secrets
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ... import checks
from ...grading.clock import TimeUp, limited
from ...grading.report import Fault, Report, first_fault
from .._reader import SECONDS, value_of
from .calls import Part, Program
from .checks import CHECKS
from .parts import HEAD, PARTS

NAME = "my_dp"


def there(part: Part) -> str:
    """Return a pattern of the line in which a file has a part, for Python and a page.

    Parameters
    ----------
    part : Part
        One of ``PARTS``.

    Returns
    -------
    str
        A regular expression, to be read with ``^`` at each line.
    """
    name = part.name
    imported = rf"from dpteach\.tiny import\b(.*|\s*\([^)]*)\b{name}\b"
    return rf"^(def {name}\b|{name} *=|{imported})"


def borrowed(part: Part) -> str:
    """Return the line that takes a part from the book.

    Parameters
    ----------
    part : Part
        One of ``PARTS``.

    Returns
    -------
    str
        An import, with a comment that says whose the part is.
    """
    return f"from dpteach.tiny import {part.name}  # the book's\n"


def grow_program(file: str | Path = "my_dp.py", *, book: bool = False) -> str:
    """Add the next part of your own program to its file, for you to write.

    Parameters
    ----------
    file : str or Path, optional
        Its name ends in .py. Where there is none it is begun; what it has stays.
    book : bool, optional
        Take the part from the book instead, by an import that says so.

    Returns
    -------
    str
        The name of the part that was added; empty if the file has all nine.

    Raises
    ------
    ValueError, TypeError
        If the file is no text, or not named as Python's files are.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "my_dp.py")
    ...     grow_program(file), grow_program(file, book=True)
    ...     print(file.read_text(encoding="utf-8").splitlines()[-1])
    ('clip', 'poisson_batch')
    from dpteach.tiny import poisson_batch  # the book's
    """
    checks.flag(book=book)
    path = _python(file)
    text = _text(path) if path.exists() else HEAD
    for part in PARTS:
        if not re.search(there(part), text, re.MULTILINE):
            more = borrowed(part) if book else part.starter
            grown = f"{text.rstrip()}\n\n\n{more}"
            path.write_text(grown, encoding="utf-8")
            return part.name
    return ""


def _python(file: str | Path) -> Path:
    checks.instance((str, Path), file=file)
    if Path(file).suffix != ".py":
        raise ValueError(
            f"`file` must be a Python file, such as 'my_dp.py', got {str(file)!r}."
        )
    return Path(file)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin with a mark
    except UnicodeDecodeError as error:
        hint = "Save it in UTF-8."
        raise ValueError(_unreadable(path, error, hint)) from None
    except OSError as error:
        hint = "grow_program begins one where there is nothing."
        raise ValueError(_unreadable(path, error, hint)) from None


def _unreadable(path: Path, error: Exception, hint: str) -> str:
    return (
        f"`file` must be a file with your program, got {str(path)!r} ({error}). {hint}"
    )


def check_program(file: str | Path = "my_dp.py", *, seed: int | None = None) -> Report:
    """Check your own program part by part, and see which one is next.

    Parameters
    ----------
    file : str or Path, optional
        Where the program is; its name ends in .py.
    seed : int, optional
        The seed of the cases that are tried. Without a seed they are new each time.

    Returns
    -------
    Report
        The first part that is missing or wrong is named. After a pass the program does
        what ``dpteach.tiny`` does.

    Raises
    ------
    ValueError, TypeError
        If there is no such file. What the file itself raises comes through as it is.
    TimeoutError
        If the file does not come to its end.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "my_dp.py")
    ...     for _ in range(2):
    ...         added = grow_program(file, book=True)
    ...     print(check_program(file))
    my_dp: not yet, 2 of 9 checks
      ✓ clip: no record pulls with a norm above L
      ✓ poisson_batch: one coin for each record
      ✗ dp_sgd: clipped, sampled, noisy steps (not yet)
          Looked at: your file
          Seen: no function dp_sgd
    ...
    """
    path = _python(file)
    names: dict[str, Any] = {"__name__": NAME, "__file__": str(path)}
    text = _text(path)
    try:
        limited(lambda: value_of(text, str(path), names), SECONDS)
    except TimeUp:
        raise TimeoutError(
            f"{path.name} was still running after {SECONDS:g} s. Keep only "
            "functions in it, and what tries them out under "
            "`if __name__ == '__main__':`."
        ) from None
    return grade(names, seed)


def grade(names: dict[str, Any], seed: int | None = None) -> Report:
    """Grade a program that has run.

    Parameters
    ----------
    names : dict
        What it defines: the globals of its functions.
    seed : int, optional
        The seed of the cases that are tried.

    Returns
    -------
    Report
        One check for each part.
    """
    start = secrets.randbits(32) if seed is None else int(checks.count(0, seed=seed))
    program = Program(names)
    attempts = (
        partial(_attempt, program, part, np.random.default_rng([start, number]))
        for number, part in enumerate(PARTS)
    )
    fault, reached = first_fault(attempts)
    books = [part.name for part in PARTS if program.is_books(part)]
    notes = (f"from the book: {', '.join(books)}.",) if books else ()
    sentences = tuple(part.sentence for part in PARTS)
    return Report(NAME, sentences, fault, reached, start, notes, _praise(len(books)))


def _attempt(program: Program, part: Part, rng: np.random.Generator) -> None:
    if program.is_books(part):
        return
    program.demand(part)
    try:
        CHECKS[part.name](program, part, rng)
    except Fault as fault:
        fault.quantity = f"{part.name}: {fault.quantity}"
        raise


def _praise(books: int) -> str:
    if books:
        return f"It runs, and {len(PARTS) - books} of its {len(PARTS)} parts are yours."
    return (
        "All of it is yours: a program that trains on records one by one or in "
        "samples, and says what that costs, what an audit proves, and what to promise."
    )
