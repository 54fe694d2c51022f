"""Marks in the formats that others read: CSV, Gradescope, PrairieLearn; and signed."""

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .judge import Marks, Verdict
from .keys import is_signed, signature


def as_csv(marks: list[Marks]) -> str:
    """Write a row for each student: the points of each exercise, and their total."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [each.exercise for each in marks[0].verdicts] if marks else []
    ends = ["late_share", "total", "points", "submitted", "look_at"]
    writer.writerow(["student", *names, *ends])
    for each in marks:
        scores = [_short(verdict.score) for verdict in each.verdicts]
        broken = [verdict.exercise for verdict in each.verdicts if verdict.broken]
        writer.writerow([
            _harmless(each.student), *scores, _short(each.share), _short(each.score),
            _short(each.points), each.submitted, " ".join(broken),
        ])  # fmt: skip
    return text.getvalue()


def as_gradescope(marks: Marks, seconds: float | None = None) -> dict[str, Any]:
    """Write one student's marks as Gradescope's ``results.json``."""
    tests = [
        {
            "name": verdict.exercise,
            "score": verdict.score,
            "max_score": verdict.points,
            "status": "passed" if verdict.passed else "failed",
            "output": verdict.report,
            "output_format": "text",
        }
        for verdict in marks.verdicts
    ]
    spent = sum(each.seconds for each in marks.verdicts) if seconds is None else seconds
    return {
        "score": marks.score,
        "execution_time": round(spent, 3),
        "output": _late(marks),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def as_prairielearn(marks: Marks) -> dict[str, Any]:
    """Write one student's marks as PrairieLearn's ``results.json``."""
    return {
        "gradable": True,
        "score": marks.score / marks.points if marks.points else 0.0,
        "output": _late(marks),
        "tests": [
            {
                "name": verdict.exercise,
                "points": verdict.score,
                "max_points": verdict.points,
                "output": verdict.report,
            }
            for verdict in marks.verdicts
        ],
    }


def write_all(folder: Path, title: str, marks: list[Marks], key: bytes) -> None:
    """Write marks, what each student may read, and the signature.

    Parameters
    ----------
    folder : Path
        Gets ``marks.csv``, ``marks.json``, ``marks.sig``, ``gradescope/`` and
        ``feedback/``.
    title : str
        The course's.
    marks : list of Marks
        A class's.
    key : bytes
        Signs ``marks.json``.
    """
    for name, text in _unsigned(title, marks).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    everything = {"title": title, "marks": [asdict(each) for each in marks]}
    text = json.dumps(everything, indent=1).encode()
    (folder / "marks.json").write_bytes(text)
    (folder / "marks.sig").write_text(signature(key, text) + "\n", "ascii")


def _unsigned(title: str, marks: list[Marks]) -> dict[str, str]:
    """Write what follows from ``marks.json``, each file under its name."""
    files = {"marks.csv": as_csv(marks)}
    for each in marks:
        result = json.dumps(as_gradescope(each), indent=1)
        files[f"gradescope/{each.student}.json"] = result
        files[f"feedback/{each.student}.txt"] = feedback(title, each)
    return files


def read_signed(folder: Path, key: bytes) -> list[Marks]:
    """Read marks that were written with this key; refuse all others.

    Parameters
    ----------
    folder : Path
        What ``write_all`` wrote to.
    key : bytes
        The course's secret.

    Returns
    -------
    list of Marks
        The marks.

    Raises
    ------
    ValueError
        If a mark, the signature or the key is another, or another file that was
        written from the marks says something else.
    """
    try:
        text = (folder / "marks.json").read_bytes()
        signed = (folder / "marks.sig").read_text("ascii")
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder} holds no signed marks: {error}") from None
    if not is_signed(key, text, signed):
        raise ValueError(
            f"The signature in {folder} is not that of marks.json with this key. The "
            "marks were changed after they were written, or the key is another."
        )
    told = json.loads(text)
    marks = [
        Marks(**{**each, "verdicts": tuple(Verdict(**v) for v in each["verdicts"])})
        for each in told["marks"]
    ]
    for name, written in _unsigned(told["title"], marks).items():
        if _read(folder / name) != written:
            raise ValueError(
                f"{name} in {folder} is missing, or was changed: the signed "
                "marks.json says something else."
            )
    return marks


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return None


def feedback(title: str, marks: Marks) -> str:
    """Write what a student may read."""
    total = f"{_short(marks.score)} of {_short(marks.points)} points"
    parts = [f"{title}\n{marks.student}: {total}", _late(marks)]
    parts += [
        f"{each.exercise}, {_short(each.score)} of {_short(each.points)}\n{each.report}"
        for each in marks.verdicts
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _late(marks: Marks) -> str:
    if marks.share == 1.0:
        return ""
    lost = round(100 * (1 - marks.share))
    return f"Handed in late ({marks.submitted}): {lost}% of the points are lost."


def _short(number: float) -> str:
    return f"{number:.10g}"


def _harmless(text: str) -> str:
    """Keep a name from being a formula in a spreadsheet."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
