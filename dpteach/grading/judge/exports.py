"""Marks in the formats that others read: CSV, Gradescope, PrairieLearn, and plain text.

What could not be graded is told from what is wrong in each of them.
"""

import csv
import io
from typing import Any

from .judge import UNGRADED, Marks, printable


def as_csv(marks: list[Marks]) -> str:
    """Write a row for each student: the points of each exercise, and their total.

    What could not be graded has no points; the last column says what a person should
    look at, and why.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [each.exercise for each in marks[0].verdicts] if marks else []
    ends = ["late_share", "total", "points", "submitted", "look_at"]
    writer.writerow(["student", *names, *ends])
    for each in marks:
        scores = [
            "" if verdict.status == UNGRADED else _short(verdict.score)
            for verdict in each.verdicts
        ]
        reasons = [f"{v.exercise}: {v.reason}" for v in each.verdicts if v.reason]
        writer.writerow([
            _harmless(each.student), *scores, _short(each.share), _short(each.score),
            _short(each.points), each.submitted, "; ".join(reasons),
        ])  # fmt: skip
    return text.getvalue()


def as_gradescope(marks: Marks) -> dict[str, Any]:
    """Write one student's marks as Gradescope's ``results.json``."""
    tests = []
    for verdict in marks.verdicts:
        test = {
            "name": verdict.exercise,
            "score": verdict.score,
            "max_score": verdict.points,
            "output": verdict.report,
            "output_format": "text",
        }
        if verdict.status == UNGRADED:  # it is neither passed nor failed
            test["name"] += f" ({UNGRADED})"
        else:
            test["status"] = "passed" if verdict.passed else "failed"
        tests.append(test)
    return {
        "score": marks.score,
        "execution_time": round(sum(each.seconds for each in marks.verdicts), 3),
        "output": _notices(marks),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def as_prairielearn(marks: Marks) -> dict[str, Any]:
    """Write one student's marks as PrairieLearn's ``results.json``.

    A submission of which something could not be graded is not gradable: it then costs
    no attempt, and gets no score.
    """
    result = {
        "gradable": not marks.ungraded,
        "score": marks.score / marks.points if marks.points else 0.0,
        "output": _notices(marks),
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
    if marks.ungraded:
        result["format_errors"] = [
            each.report for each in marks.verdicts if each.status == UNGRADED
        ]
    return result


def feedback(title: str, marks: Marks) -> str:
    """Write what a student may read."""
    total = f"{_short(marks.score)} of {_short(marks.points)} points"
    parts = [f"{title}\n{printable(marks.student)}: {total}", _notices(marks)]
    parts += [
        f"{each.exercise}, {_short(each.score)} of {_short(each.points)}\n{each.report}"
        for each in marks.verdicts
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _notices(marks: Marks) -> str:
    """Say what concerns the whole submission."""
    notices = [_late(marks)] if marks.share < 1.0 else []
    names = [each.exercise for each in marks.verdicts if each.status == UNGRADED]
    if names:
        notices.append(f"{', '.join(names)} {UNGRADED}: no points are final yet.")
    return "\n".join(notices)


def _late(marks: Marks) -> str:
    lost = round(100 * (1 - marks.share))
    return f"Handed in late ({marks.submitted}): {lost}% of the points are lost."


def _short(number: float) -> str:
    return f"{number:.10g}"


def _harmless(text: str) -> str:
    """Keep a name from being a formula in a spreadsheet."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
