"""A report with an explanation, which opens after a pass or three tries."""

from collections import Counter
from dataclasses import dataclass, fields
from typing import Any

from ..grading.report import Report
from .catalog import explanation

ENOUGH = 3
_tries: Counter[str] = Counter()  # of this process: answers that did not pass
_FOLDED = """\
<details>
<summary>Explanation</summary>

{text}

</details>"""


@dataclass(frozen=True, repr=False)
class Explained(Report):
    """A report, and what explains the exercise.

    Parameters
    ----------
    explanation : str, optional
        In Markdown; empty as long as it is not open.
    left : int, optional
        After how many more tries it opens.
    """

    explanation: str = ""
    left: int = 0

    def _ends(self) -> list[str]:
        ends = super()._ends()
        if not self.explanation:
            more = f"{self.left} more {'try' if self.left == 1 else 'tries'}"
            ends.append(f"An explanation opens when you pass, or after {more}.")
        return ends

    def _ipython_display_(self) -> None:
        """Show the explanation below the report; Markdown is an output of its own."""
        if not self.explanation:
            raise NotImplementedError  # IPython then shows the report as it is
        from IPython.display import display

        display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)
        folded = _FOLDED.format(text=self.explanation.strip())
        display({"text/plain": self.explanation, "text/markdown": folded}, raw=True)


def explained(report: Report) -> Report:
    """Count a try, and add the explanation if it is time.

    Parameters
    ----------
    report : Report
        What the exercise itself reports.

    Returns
    -------
    Report
        An ``Explained`` one, if there is something that explains the exercise.
    """
    text = explanation(report.name)
    if not text:
        return report
    _tries[report.name] += not report.passed
    left = ENOUGH - _tries[report.name]
    is_open = report.passed or left <= 0
    return Explained(
        **_parts(report),
        explanation=text if is_open else "",
        left=0 if is_open else left,
    )


def unexplained(report: Report) -> Report:
    """Return the report of the exercise itself, as a page shows it.

    Parameters
    ----------
    report : Report
        With an explanation or without.

    Returns
    -------
    Report
        Without.
    """
    return Report(**_parts(report))


def _parts(report: Report) -> dict[str, Any]:
    return {each.name: getattr(report, each.name) for each in fields(Report)}
