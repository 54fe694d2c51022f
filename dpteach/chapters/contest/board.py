"""The board: each submission runs in a sandbox of its own, on both tracks."""

import csv
import hashlib
import html
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...auditing import NotGaussian
from ...grading.clock import TimeUp
from ...grading.judge.judge import printable
from ...grading.judge.remote import Remote
from ...grading.judge.results import write
from ...grading.judge.submissions import Submission
from ...grading.judge.wire import Malformed, NotLoaded, TooBusy, Worker, WorkerEnded
from ...grading.report import Fault
from ...grading.student import Ended, Student
from . import attack, noise

_SECONDS = 20.0  # of a single call
_NO_NAME = "without a team name"
_NOT_AFFINE = (
    "the noise is no linear map of the normals that are drawn from rng: it must not be "
    "cut, rounded or multiplied by itself, and be of float64"
)
_UNRUN = (NotLoaded, WorkerEnded, Malformed, TimeUp, TooBusy, Ended, MemoryError)


@dataclass(frozen=True)
class Row:
    """How a submission did on a track.

    Parameters
    ----------
    student : str
        Whose it is.
    team : str
        What the board calls it; empty if it gives itself no name.
    numbers : tuple of float
        What the track measures, the ranking number first; none where there is none.
    reason : str
        Why there are no numbers.
    """

    student: str
    team: str
    numbers: tuple[float, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Track:
    """A part of the contest: a function to hand in, and what is measured.

    Parameters
    ----------
    title : str
        What the board calls it.
    name, parameters : str, tuple of str
        The function.
    heads : tuple of str
        What the numbers are.
    limit : str
        What the board calls the numbers that nobody exceeds.
    best : callable
        Computes the first of these numbers, or all.
    measure : callable
        Computes the numbers of a function, from a seed.
    falling : bool
        Whether the largest number ranks first.
    """

    title: str
    name: str
    parameters: tuple[str, ...]
    heads: tuple[str, ...]
    limit: str
    best: Callable[[], tuple[float, ...]]
    measure: Callable[[Student, int], tuple[float, ...]]
    falling: bool


def _noise(student: Student, seed: int) -> tuple[float, ...]:
    found = noise.certify(student)
    return found.error, found.mu, 100 * noise.accuracy(found, seed)


def _attack(student: Student, seed: int) -> tuple[float, ...]:
    shares = [100 * share for share in attack.right_guesses(student, seed)]
    return sum(shares) / len(shares), *shares


def _best_attack() -> tuple[float, ...]:
    shares = [100 * level.best() for level in attack.levels()]
    return sum(shares) / len(shares), *shares


TRACKS = (
    Track(
        "Defend: the least noise", noise.NAME, noise.PARAMETERS,
        ("error at μ = 1", "μ as handed in", "hidden images read, %"),
        "no noise is below", lambda: (noise.least_error(),), _noise, False,
    ),
    Track(
        "Attack: was the record in?", attack.NAME, attack.PARAMETERS,
        ("right in 100", *(level.name for level in attack.levels())),
        "the best possible", _best_attack, _attack, True,
    ),
)  # fmt: skip


def run(submission: Submission, track: Track, key: bytes, isolation: str) -> Row | None:
    """Run one submission on one track, whatever it does.

    Parameters
    ----------
    submission : Submission
        What was handed in.
    track : Track
        One of ``TRACKS``.
    key : bytes
        The contest's secret, which draws what is hidden: the same for everybody.
    isolation : str
        How the submission is kept apart; see ``dpteach.grading``.

    Returns
    -------
    Row or None
        None if the submission can be read, and has no function of this name.
    """
    cells, unread = submission.cells(track.name)
    if not submission.defining(track.name):
        # The page for the class gets the reason: it must not name the file.
        why = [each.rpartition(" cannot be read: ")[2] for each in unread]
        return Row(submission.student, "", reason=printable(why[0])) if why else None
    team = ""
    seed = int.from_bytes(hashlib.sha256(key + track.name.encode()).digest()[:8])
    try:
        with Worker(cells, isolation=isolation) as worker:
            team = _team(worker)
            way = Remote(worker, track.name)
            student = Student(way, track.name, track.parameters, _SECONDS)
            student.demand_signature()
            numbers = track.measure(student, seed)
    except (Fault, NotGaussian, *_UNRUN) as error:
        said = _NOT_AFFINE if getattr(error, "reason", "") == "not affine" else error
        reason = printable(" ".join(str(said).split()))[:300]
        return Row(submission.student, team, reason=reason)
    return Row(submission.student, team, numbers)


def _team(worker: Worker) -> str:
    """Read the name that a submission gives itself, if it is one that can be shown."""
    said = worker.value("TEAM")
    return printable(" ".join(said.split()))[:40] if isinstance(said, str) else ""


def ranked(rows: list[Row], track: Track) -> list[Row]:
    """Sort rows: the best first, and last those without numbers."""
    sign = -1 if track.falling else 1
    return sorted(
        rows,
        key=lambda row: (
            not row.numbers,
            sign * row.numbers[0] if row.numbers else 0.0,
            row.team,
        ),
    )


def _placed(rows: list[Row], track: Track) -> list[tuple[int, Row]]:
    """Give each row its place: equal numbers share one."""
    order = ranked(rows, track)
    firsts = [row.numbers[:1] for row in order]
    return [(1 + firsts.index(row.numbers[:1]), row) for row in order]


def publish(rows: dict[str, list[Row]], folder: Path) -> None:
    """Write the board: a page for the class, and a table with all names for you.

    Parameters
    ----------
    rows : dict
        From the name of a track to its rows.
    folder : Path
        Gets ``board.html``, which names teams alone, and ``board.csv``.
    """
    write(folder / "board.html", _page(rows))
    write(folder / "board.csv", _table(rows))


def _table(rows: dict[str, list[Row]]) -> str:
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["track", "rank", "student", "team", "what", "number", "reason"])
    for track in TRACKS:
        for place, row in _placed(rows[track.name], track):
            who = [_plain(row.student), _plain(row.team)]
            for head, number in zip(track.heads, row.numbers, strict=False):
                out.writerow([track.name, place, *who, head, f"{number:.6g}", ""])
            if not row.numbers:
                out.writerow([track.name, "", *who, "", "", _plain(row.reason)])
    return text.getvalue()


def _plain(text: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def _page(rows: dict[str, list[Row]]) -> str:
    parts = "".join(_section(track, rows[track.name]) for track in TRACKS)
    return _HEAD + parts + "</main></html>\n"


def _section(track: Track, rows: list[Row]) -> str:
    heads = "".join(f"<th scope=col>{html.escape(each)}</th>" for each in track.heads)
    best = track.best()
    lines = [_line("", track.limit, best, len(track.heads) - len(best))]
    order = _placed(rows, track)
    lines += [
        _line(str(place), row.team or _NO_NAME, row.numbers, 0)
        for place, row in order
        if row.numbers
    ]
    failed = "".join(
        f"<li><b>{html.escape(row.team or _NO_NAME)}</b>: "
        f"{html.escape(row.reason)}</li>"
        for _, row in order
        if not row.numbers
    )
    return (
        f"<h2>{track.title}</h2><div class=wide><table><thead><tr><th scope=col></th>"
        f"<th scope=col class=team>team</th>{heads}</tr></thead><tbody>"
        + "".join(lines)
        + "</tbody></table></div>"
        + (f"<h3>Without a rank</h3><ul>{failed}</ul>" if failed else "")
    )


def _line(place: str, team: str, numbers: tuple[float, ...], empty: int) -> str:
    cells = "".join(f"<td>{number:.2f}</td>" for number in numbers)
    cells += "<td></td>" * empty
    kind = "" if place else " class=best"
    return (
        f"<tr{kind}><td>{place}</td><th scope=row class=team>{html.escape(team)}</th>"
        f"{cells}</tr>"
    )


_HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The contest</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 52rem; margin: auto; padding: 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid #8886 }
.team { text-align: left }
tbody th { font-weight: 500 }
li { overflow-wrap: anywhere }
.best { font-style: italic }
</style><main><h1>The contest</h1>
"""


def run_all(
    submissions: list[Submission], key: bytes, isolation: str, folder: Path
) -> None:
    """Run all submissions on all tracks; the board grows with each.

    Parameters
    ----------
    submissions : list of Submission
        What was handed in.
    key : bytes
        The contest's secret.
    isolation : str
        How each is kept apart.
    folder : Path
        Where the board goes.
    """
    rows: dict[str, list[Row]] = {track.name: [] for track in TRACKS}
    neither = "it defines neither " + " nor ".join(track.name for track in TRACKS)
    for each in submissions:
        found = {track.name: run(each, track, key, isolation) for track in TRACKS}
        for name, row in found.items():
            if not any(found.values()):
                row = Row(each.student, "", reason=neither)
            if row is not None:
                rows[name].append(row)
        publish(rows, folder)
        print(each.student)
