"""The folder of results: written as marks come, signed, and checked later.

``students/`` gets a file for each student as soon as there are marks, so that a run
that was cut short goes on where it ended. ``marks.csv``, ``feedback/`` and
``gradescope/`` are made of them at the end, and so is ``marks.json``, which is signed.
"""

import hashlib
import json
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .course import Course
from .exports import as_csv, as_gradescope, feedback
from .judge import Marks, Verdict
from .keys import is_signed, signature
from .submissions import Submission

_LONGEST_NAME = 200  # bytes; most file systems take 255


class Results:
    """The marks of a class, in a folder.

    Parameters
    ----------
    folder : Path
        Where they are.
    course : Course
        What was asked.
    key : bytes
        The course's secret, which signs.
    """

    def __init__(self, folder: Path, course: Course, key: bytes) -> None:
        self.folder, self.course, self.key = folder, course, key

    def keep(self, marks: Marks) -> None:
        """Write down the marks of one student, at once and for good."""
        text = json.dumps({"course": self.course.digest, "marks": asdict(marks)})
        signed = json.dumps({"text": text, "signature": self._signature(text, "one")})
        write(self.folder / "students" / f"{file_name(marks.student)}.json", signed)

    def kept(self, submission: Submission, submitted: datetime | None) -> Marks | None:
        """Return the marks of the same submission from an earlier run, or None.

        Whatever could not be graded then is graded again.
        """
        path = self.folder / "students" / f"{file_name(submission.student)}.json"
        try:
            signed = json.loads(path.read_text("utf-8"))
            if not self._is_signed(signed["text"], signed["signature"], "one"):
                return None
            record = json.loads(signed["text"])
            marks = _marks(record["marks"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        time = "" if submitted is None else submitted.isoformat()
        same = (record["course"], marks.student, marks.digest, marks.submitted) == (
            self.course.digest, submission.student, submission.digest, time,
        )  # fmt: skip
        return marks if same and not marks.ungraded else None

    def finish(self, marks: list[Marks]) -> None:
        """Write what is made of all marks together, and the signature."""
        text = json.dumps(
            {
                "course": self.course.digest,
                "title": self.course.title,
                "judged": datetime.now(UTC).isoformat(timespec="seconds"),
                "marks": [asdict(each) for each in marks],
            },
            indent=1,
        )
        for name, content in self._unsigned(marks).items():
            write(self.folder / name, content)
        write(self.folder / "marks.json", text)
        write(self.folder / "marks.sig", self._signature(text, "all") + "\n")

    def verified(
        self, submissions: list[Submission], times: dict[str, datetime]
    ) -> tuple[list[Marks], str]:
        """Read the marks of these submissions, and when they were given.

        Parameters
        ----------
        submissions : list of Submission
            What was graded.
        times : dict
            When it was handed in, by student.

        Returns
        -------
        tuple
            The marks, and the time at which the judge wrote them.

        Raises
        ------
        ValueError
            If anything differs: a mark, a file made from the marks, the key, the
            course, what was handed in or when; or if a file is there that the judge did
            not write.
        """
        try:
            text = (self.folder / "marks.json").read_text("utf-8")
            signed = (self.folder / "marks.sig").read_text("ascii")
        except (OSError, ValueError) as error:
            raise ValueError(f"{self.folder} holds no signed marks: {error}") from None
        if not self._is_signed(text, signed, "all"):
            raise ValueError(
                f"The signature in {self.folder} is not that of marks.json with this "
                "key. The marks were changed after they were written, or the key is "
                "another."
            )
        record = json.loads(text)
        marks, judged = [_marks(each) for each in record["marks"]], record["judged"]
        if record["course"] != self.course.digest:
            raise ValueError(
                f"The marks in {self.folder}, of {judged}, are of another course: "
                f"“{record['title']}”, or one with other points or dates."
            )
        self._demand_same_submissions(marks, judged, submissions, times)
        self._demand_same_files(marks)
        return marks, judged

    def _demand_same_submissions(
        self,
        marks: list[Marks],
        judged: str,
        submissions: list[Submission],
        times: dict[str, datetime],
    ) -> None:
        graded = {each.student: (each.digest, each.submitted) for each in marks}
        now = {
            each.student: (
                each.digest,
                times[each.student].isoformat() if each.student in times else "",
            )
            for each in submissions
        }
        students = sorted(graded.keys() | now.keys())
        differ = [each for each in students if graded.get(each) != now.get(each)]
        if differ:
            raise ValueError(
                f"The marks in {self.folder}, of {judged}, are not those of these "
                f"submissions: what {', '.join(differ[:5])} handed in, or when, is not "
                "what was graded."
            )

    def _demand_same_files(self, marks: list[Marks]) -> None:
        expected = self._unsigned(marks)
        for name, content in expected.items():
            if _read(self.folder / name) != content:
                raise ValueError(
                    f"{name} in {self.folder} is missing, or was changed: the signed "
                    "marks.json says something else."
                )
        students = {f"students/{file_name(each.student)}.json" for each in marks}
        known = {*expected, *students, "marks.json", "marks.sig"}
        there = {
            path.relative_to(self.folder).as_posix()
            for path in self.folder.rglob("*")
            if not path.is_dir() or path.is_symlink()
        }
        if strangers := sorted(there - known):
            raise ValueError(
                f"The judge did not write {', '.join(strangers[:5])} in {self.folder}, "
                "or not in this run. Take it away."
            )

    def _unsigned(self, marks: list[Marks]) -> dict[str, str]:
        """Write all files that are made from the marks, by name."""
        files = {"marks.csv": as_csv(marks)}
        for each in marks:
            name = file_name(each.student)
            gradescope = json.dumps(as_gradescope(each), indent=1)
            files[f"gradescope/{name}.json"] = gradescope
            files[f"feedback/{name}.txt"] = feedback(self.course.title, each)
        return files

    # What is signed says what it is: no student's file can stand for that of all.
    def _signature(self, text: str, of: str) -> str:
        return signature(self.key, f"{of}\0{text}".encode())

    def _is_signed(self, text: str, signed: str, of: str) -> bool:
        return is_signed(self.key, f"{of}\0{text}".encode(), signed)


def _marks(fields: dict[str, Any]) -> Marks:
    verdicts = tuple(Verdict(**verdict) for verdict in fields["verdicts"])
    return Marks(**{**fields, "verdicts": verdicts})


def file_name(student: str) -> str:
    """Return a name for a student's files that every file system takes.

    A name that is too long, or has characters that are not safe, is cut and gets a
    hash; no other name has the sign before it.
    """
    safe = re.fullmatch(r"[\w=+@,-][\w=+@, .-]*", student) and student[-1] not in " ."
    if safe and len(student.encode()) <= _LONGEST_NAME:
        return student
    cut = re.sub(r"[^\w-]+", "_", student)[:40]
    return f"{cut}~{hashlib.sha256(student.encode()).hexdigest()[:16]}"


def write(path: Path, text: str) -> None:
    """Write a file as a whole or not at all, so that it survives a crash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, ValueError):
        return None
