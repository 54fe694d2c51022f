"""What students handed in: notebooks or Python files, read without running them."""

import json
import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path

_SUFFIXES = (".ipynb", ".py")
# A notebook of ours has ten kilobytes. One with pictures may have a few megabytes.
_LARGEST = 20 << 20


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

    def cells(self, name: str) -> tuple[list[str], str]:
        """Return the code for an exercise, and what went wrong when it was read.

        A file that has the name of the exercise is taken alone. Else all files are.
        """
        own = [path for path in self.files if path.stem == name]
        found, trouble = [], []
        for path in own or self.files:
            try:
                found += _cells(path)
            except (OSError, ValueError, RecursionError, MemoryError) as error:
                trouble.append(f"{path.name} cannot be read: {_why(error)}")
        if not self.files:
            trouble.append("no notebook and no Python file was handed in")
        return found, "; ".join(trouble)


def _why(error: Exception) -> str:
    """Say what is wrong with a file, and what to do."""
    told = (str(error) or type(error).__name__)[:200].rstrip(".")
    if isinstance(error, UnicodeDecodeError):
        return "its letters are not in UTF-8. Save it again with this encoding"
    if isinstance(error, json.JSONDecodeError):
        return f"it is not a whole notebook ({told}). Save it, and hand it in again"
    return told


def submissions(folder: Path) -> list[Submission]:
    """Find what each student handed in.

    Parameters
    ----------
    folder : Path
        Holds a file for each student, such as ``ada.ipynb`` or ``ada.py``, or a folder
        for each, such as ``ada/``, with files of any names.

    Returns
    -------
    list of Submission
        In alphabetical order of the students.

    Raises
    ------
    ValueError
        If the folder is not there, or if two submissions have one student's name.
    """
    if not folder.is_dir():
        raise ValueError(f"`folder` must be a folder of submissions, got {folder}.")
    found: dict[str, Submission] = {}
    for path in sorted(folder.iterdir()):
        if _is_aside(path):
            continue
        if path.is_dir():
            files, student = _files(path), path.name
        elif _is_code(path):
            files, student = (path,), path.stem
        else:
            continue
        student = named(student)
        if student in found:
            raise ValueError(
                f"Two submissions in {folder} are {student}'s. Put the files of one "
                "student into a folder of the student's name."
            )
        found[student] = Submission(student, files)
    return list(found.values())


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
    return path.suffix.lower() in _SUFFIXES


def single(folder: Path, student: str) -> Submission:
    """Take all files of a folder as one student's submission."""
    return Submission(student, _files(folder))


def _files(folder: Path) -> tuple[Path, ...]:
    # No links: one could name any file of the machine that judges.
    return tuple(
        path
        for path in sorted(folder.rglob("*"))
        if _is_code(path)
        and path.is_file()
        and not path.is_symlink()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.resolve().is_relative_to(folder.resolve())
    )


def _cells(path: Path) -> list[str]:
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"it is larger than {_LARGEST >> 20} MB")
    text = path.read_bytes().decode("utf-8-sig")
    if path.suffix.lower() == ".py":
        return [text]
    notebook = json.loads(text)
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
