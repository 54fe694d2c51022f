"""What students handed in: notebooks or Python files, read without running them."""

import ast
import hashlib
import io
import json
import os
import re
import tokenize
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from .cells import parsed

_SUFFIXES = (".ipynb", ".py")
# A notebook of ours has ten kilobytes. One with pictures may have a few megabytes.
_LARGEST = 20 << 20
# No folder of ours is so deep, and none holds so many files.
_DEEPEST_FOLDER, _MOST_FILES = 20, 100
# What is raised when a file is no notebook, and no Python file.
_UNREADABLE = (OSError, ValueError, LookupError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Submission:
    """What one student handed in.

    Parameters
    ----------
    student : str
        The name of the file, without its ending, or of the folder.
    files : tuple of Path
        In alphabetical order.
    """

    student: str
    files: tuple[Path, ...]

    def cells(self, name: str, starter: str = "") -> tuple[list[str], list[str]]:
        """Return the code for an exercise, and what could not be read, and why.

        A file that has the name of the exercise is taken alone. Else all files are. One
        in which the starter is untouched is left out if another has an answer.
        """
        if not self.files:
            return [], ["no notebook and no Python file was handed in"]
        read, unread = self._read()
        answers = {
            path for path, cells in read.items()
            if defines(cells, name) and not is_untouched(cells, name, starter)
        }  # fmt: skip
        left = [
            path for path in self.files
            if path in answers or not (answers and defines(read.get(path, []), name))
        ]  # fmt: skip
        taken = [path for path in left if path.stem == name] or left
        if answers and not answers & set(taken):  # the file of this name has no answer
            taken = left
        cells = [cell for path in taken for cell in read.get(path, [])]
        return cells, [unread[path] for path in taken if path in unread]

    def _read(self) -> tuple[dict[Path, list[str]], dict[Path, str]]:
        """Read all files; say of those that cannot be read why not."""
        read, unread = {}, {}
        for path in self.files:
            try:
                read[path] = _cells(path)
            except _UNREADABLE as error:
                unread[path] = f"{path.name} cannot be read: {_why(error)}"
        return read, unread

    def defining(self, name: str) -> list[str]:
        """List the files that define an exercise's function, or answer a question."""
        read, _ = self._read()
        return [path.name for path, cells in read.items() if defines(cells, name)]

    @property
    def digest(self) -> str:
        """A hash of the files' names and contents."""
        digest = hashlib.sha256()
        for path in self.files:
            try:
                content = _content(path)
            except (OSError, ValueError) as error:
                content = f"not read: {error}".encode()
            for part in (os.fsencode(path.name), content):
                digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()


def defines(cells: list[str], name: str) -> bool:
    """Tell whether cells give a name a function or a value, without running them."""
    found = re.compile(
        rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b"
        rf"|^[ \t]*{name}[ \t]*(?::[^=\n]*)?=(?!=)|\bimport\b.*\b{name}\b",
        re.MULTILINE,
    )
    return any(found.search(cell) for cell in cells)


def is_untouched(cells: list[str], name: str, starter: str) -> bool:
    """Tell whether cells define an exercise's functions, and only as the starter does.

    Comments and spaces do not count.
    """
    given, found = _functions([starter]), _functions(cells)
    return name in given and all(found.get(each) == given[each] for each in given)


def _functions(cells: list[str]) -> dict[str, set[str]]:
    """Write down all definitions of each function."""
    functions: dict[str, set[str]] = {}
    for cell in cells:
        try:
            statements = parsed(cell, "<cell>")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for each in statements:
            if isinstance(each, ast.FunctionDef):
                functions.setdefault(each.name, set()).add(ast.dump(each))
    return functions


def _why(error: Exception) -> str:
    """Say what is wrong with a file, and what to do."""
    text = (str(error) or type(error).__name__)[:200].rstrip(".")
    if isinstance(error, UnicodeDecodeError):
        return "its letters are not in UTF-8. Save it again with this encoding"
    if isinstance(error, json.JSONDecodeError):
        return f"it is not a whole notebook ({text}). Save it, and hand it in again"
    return text


def submissions(folder: Path) -> list[Submission]:
    """Find what each student handed in.

    Parameters
    ----------
    folder : Path
        Holds a file for each student, such as ``ada.ipynb`` or ``ada.py``, or a folder
        for each, such as ``ada/``, with files of any names. All that has one student's
        name is one submission.

    Returns
    -------
    list of Submission
        In alphabetical order of the students.

    Raises
    ------
    ValueError
        If the folder is not there.
    """
    if not folder.is_dir():
        raise ValueError(f"`folder` must be a folder of submissions, got {folder}.")
    files: dict[str, tuple[Path, ...]] = {}
    for path in sorted(folder.iterdir()):
        if _is_aside(path):
            continue
        if path.is_dir():
            more, student = _files(path), named(path.name)
        elif _is_code(path):
            more, student = (path,), named(path.stem)
        else:
            continue
        files[student] = (*files.get(student, ()), *more)
    return [Submission(student, files[student]) for student in sorted(files)]


def left_out(folder: Path) -> list[str]:
    """List what in the folder is nobody's submission, such as ``ada.zip`` or a link."""
    return [
        named(path.name)
        for path in sorted(folder.iterdir())
        if not path.name.startswith((".", "__"))
        and (_is_aside(path) or not (path.is_dir() or _is_code(path)))
    ]


def named(name: str) -> str:
    """Write a name in one way, for systems write an accent in two, or not in UTF-8."""
    text = os.fsencode(name).decode("utf-8", errors="backslashreplace")
    return unicodedata.normalize("NFC", text)


def _is_aside(path: Path) -> bool:
    # No links: one could name any file of the machine that judges.
    return path.name.startswith((".", "_")) or path.is_symlink()


def _is_code(path: Path) -> bool:
    # No pipe, whose reader would wait for ever.
    return path.suffix.lower() in _SUFFIXES and path.is_file()


def single(folder: Path, student: str) -> Submission:
    """Take all files of a folder as one student's submission."""
    return Submission(student, _files(folder))


def _files(folder: Path) -> tuple[Path, ...]:
    """Find the files in a folder and in those inside it, those near the top first."""
    files, level = [], [folder]
    for _ in range(_DEEPEST_FOLDER):
        level = sorted(path for each in level for path in _inside(each))
        files += [path for path in level if _is_code(path)]
        level = [path for path in level if path.is_dir()]
    return tuple(sorted(files[:_MOST_FILES]))


def _inside(folder: Path) -> list[Path]:
    try:
        found = list(folder.iterdir())
    except OSError:  # it may not be read, or its name is too long
        return []
    # No links: one could name any file of the machine that judges.
    return [
        each
        for each in found
        if not each.name.startswith(".") and not each.is_symlink()
    ]


def _content(path: Path) -> bytes:
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"it is larger than {_LARGEST >> 20} MB")
    return path.read_bytes()


def _cells(path: Path) -> list[str]:
    content = _content(path)
    if path.suffix.lower() == ".py":
        try:  # a first line may say in which encoding it is
            encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        except SyntaxError as error:
            raise ValueError(f"{error}. Save it again in UTF-8") from None
        text = content.decode(encoding)
        return [text.replace("\r\n", "\n")]
    notebook = json.loads(content.decode("utf-8-sig"))
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("it is not a notebook of format 4")
    return [
        source
        for cell in cells
        if isinstance(cell, dict)
        and cell.get("cell_type") == "code"
        and (source := _source(cell.get("source")))
    ]


def _source(value: object) -> str:
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return value if isinstance(value, str) else ""
