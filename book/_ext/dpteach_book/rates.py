"""``{error-rates}``: what graders catch, what they refuse falsely, how they are told.

All of it is read from stored runs. A row whose grader has changed since says so.
"""

from typing import Any

from docutils import nodes
from scipy.stats import binomtest
from sphinx.application import Sphinx

from . import ROOT
from .tables import Generated

CONFIDENCE = 0.95


def at_most(refused: int, runs: int) -> float:
    """Bound a rate from above, exactly, with a confidence of 95 %."""
    test = binomtest(refused, runs, alternative="less")
    return float(test.proportion_ci(CONFIDENCE, "exact").high)


def added(counts) -> list[int]:
    """Add up rows of counts: runs, caught, told their own cause."""
    return [sum(column) for column in zip(*counts, strict=True)] or [0, 0, 0]


class ErrorRates(Generated):
    """The error rates of all graders."""

    def make(self) -> list[nodes.Node]:
        """Put rates first, then what wrong noise shows, then mistaken causes."""
        import error_rates
        import false_rejects

        self._note(error_rates)
        rows, right = error_rates.stored(), {
            name: error_rates.read(false_rejects.stored(name))
            for name in error_rates.NAMES
        }  # fmt: skip
        stale = {**error_rates.stale()}, {**false_rejects.stale()}
        rates = [
            (
                f"error rates {name}",
                rate_cells(name, rows.get(name), right[name], stale),
            )
            for name in sorted(right)
        ]
        noise = [
            (f"wrong noise {name}", noise_cells(name, row["noise"], error_rates.NOISE))
            for name, row in sorted(rows.items())
            if row["noise"]
        ]
        return [
            *self.parse(summary(rows, right)),
            self._numbers(RATES, rates, "rates"),
            self.section("Wrong noise", "error-rates-noise", [
                *self.parse(NOISE_TEXT),
                self._numbers(["exercise", *error_rates.NOISE], noise, "noise"),
            ]),
            self.section("Slips made, slips told", "error-rates-confusion", [
                *self.parse(causes(rows)),
                self._numbers(MISTAKEN, mistaken(rows), "mistaken"),
            ]),
        ]  # fmt: skip

    def _note(self, error_rates) -> None:
        """Make the page anew when a record or a grader changes."""
        rooms = ROOT / "dpteach" / "chapters"
        for path in (
            error_rates.RECORD,
            *(ROOT / "dpteach" / "grading").glob("*.py"),
            *rooms.glob("*/exercises/**/*.py"),
            *(ROOT / "tests" / "chapters").glob("*/*/false_rejects.json"),
            *(ROOT / "tests" / "chapters").glob("*/*/bank.py"),
        ):
            self.env.note_dependency(str(path))

    def _numbers(self, head: list[str], rows: list, kind: str) -> nodes.table:
        table = self.table(head, rows, kind)
        table["classes"].append("numbers")
        return table


RATES = [
    "exercise", "wrong answers caught", "strangers' slips caught",
    "small changes refused", "right answers refused", "at most (95 %)",
    "seconds, median and worst", "measured: wrong, right",
]  # fmt: skip
MISTAKEN = ["exercise", "slip made", "told", "caught", "told its own cause"]
NOISE_TEXT = (
    "A right answer is graded again with noise that is wrong in one way. A kind that "
    "changes nothing in an answer, such as one draw for all where one is drawn, is "
    "left out. The numbers are runs that were caught, of all."
)


def rate_cells(
    name: str, row: dict[str, Any] | None, right: dict[str, Any], stale: tuple
) -> list[str]:
    """Write one exercise's rates."""
    refused, runs = len(right["rejected"]), right["runs"]
    mutants = right["mutants"]
    caught = ["", ""]
    if row is not None:
        for k, key in enumerate(("wrong", "slips")):
            total, seen, _ = added(row[key].values())
            caught[k] = f"{seen:,} of {total:,}" if total else ""
    changed = mutants["made"] - len(mutants["passed"])
    return [
        f"`{name}`",
        *caught,
        f"{changed} of {mutants['made']}",
        f"{refused} of {runs:,}",
        f"{at_most(refused, runs):.2%}",
        f"{right['cpu_seconds_median']:.3f}, {right['cpu_seconds_worst']:.2f}",
        when(name, row, right, stale),
    ]


def when(name: str, row: dict[str, Any] | None, right: dict, stale: tuple) -> str:
    """Give the days of the numbers, with a star if the grader has changed since."""
    dates = ["not yet" if row is None else row["date"], right["date"]]
    stars = [row is not None and name in stale[0], name in stale[1]]
    return ", ".join(
        date + "\\*" * star for date, star in zip(dates, stars, strict=True)
    )


def noise_cells(name: str, noise: dict[str, Any], kinds) -> list[str]:
    """Write how often each kind of wrong noise was caught in one exercise."""
    counts = [noise[kind]["counts"] if kind in noise else None for kind in kinds]
    return [f"`{name}`", *(f"{c[1]} of {c[0]}" if c else "" for c in counts)]


def summary(rows: dict[str, Any], right: dict[str, Any]) -> str:
    """Say in three sentences what all tables say together."""
    total, caught, _ = added(c for row in rows.values() for c in row["wrong"].values())
    refused = sum(len(record["rejected"]) for record in right.values())
    runs = sum(record["runs"] for record in right.values())
    return (
        f"Wrong answers of {len(rows)} of {len(right)} exercises were graded "
        f"{total:,} times with fresh cases: **{caught:,}** were caught. Right answers "
        f"were graded {runs:,} times, and **{refused:,}** refused."
    )


def causes(rows: dict[str, Any]) -> str:
    """Count what the messages were about."""
    kinds = [added(c for row in rows.values() for c in row[kind].values())
             for kind in ("wrong", "slips")]  # fmt: skip
    total, caught, own = added(kinds)
    return (
        f"{total - caught:,} of {total:,} passed. Of those that were caught, {own:,} "
        f"got a message about what is wrong in them, and {caught - own:,} another one. "
        "These are all that did not get their own each time:"
    )


def mistaken(rows: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """List the slips that passed, or were told another cause at least once."""
    slips = []
    for name, row in sorted(rows.items()):
        for slip, (runs, caught, own) in {**row["wrong"], **row["slips"]}.items():
            if own < runs:
                others = row["confused"].get(slip, [])
                other = words(", ".join(others)).replace("None", "something else")
                counts = [f"{caught} of {runs}", f"{own} of {runs}"]
                cells = [f"`{name}`", words(slip), other, *counts]
                slips.append((f"slip {name} {slip}", cells))
    return slips


def words(slip: str) -> str:
    """Write the name of a wrong answer as words."""
    return slip.replace("wrong_", "").replace("_", " ")


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("error-rates", ErrorRates)
