"""What a student gets to see: each check, and of the first that fails, why."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape


class Fault(Exception):
    """Something is wrong with an answer: what was looked at, seen and wanted.

    Parameters
    ----------
    quantity : str
        What was looked at, and in which case.
    seen, wanted : str
        What was found there, and what should have been.
    hint : str, optional
        The likely misconception, in a sentence or two; never the answer.
    """

    def __init__(self, quantity: str, seen: str, wanted: str, hint: str = "") -> None:
        super().__init__(quantity)
        self.quantity, self.seen, self.wanted, self.hint = quantity, seen, wanted, hint

    def __str__(self) -> str:
        """Say it in one paragraph."""
        said = f"{self.quantity}: seen {self.seen}; wanted {self.wanted}."
        return f"{said} {self.hint}".strip()


def first_fault(attempts: Iterable[Callable[[], None]]) -> tuple[Fault | None, int]:
    """Run checks up to the first that fails; return its fault, and how many passed."""
    reached = 0
    for attempt in attempts:
        try:
            attempt()
        except Fault as fault:
            return fault, reached
        reached += 1
    return None, reached


@dataclass(frozen=True)
class Report:
    """The result of one call of ``check``.

    Parameters
    ----------
    name : str
        The exercise.
    checks : tuple of str
        What is checked, in order.
    fault : Fault or None
        What is wrong at the first check that fails. Those after it were not run.
    reached : int
        How many checks passed.
    seed : int or None
        ``check(name, answer, seed=seed)`` gives this report again; None where no case
        was drawn.
    notes : tuple of str, optional
        What is harmless and worth knowing.
    praise : str, optional
        What a right answer teaches.
    """

    name: str
    checks: tuple[str, ...]
    fault: Fault | None
    reached: int
    seed: int | None
    notes: tuple[str, ...] = ()
    praise: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer passed every check."""
        return self.fault is None

    @property
    def summary(self) -> str:
        """One line on how far the answer got."""
        verdict = "passed" if self.passed else "not yet"
        return f"{self.name}: {verdict}, {self.reached} of {len(self.checks)} checks"

    def _rows(self) -> list[tuple[str, str, str]]:
        marks = [("✓", "passed")] * self.reached
        if self.fault is not None:
            marks.append(("✗", "not yet"))
        marks += [("·", "not run")] * (len(self.checks) - len(marks))
        return [(*mark, each) for mark, each in zip(marks, self.checks, strict=True)]

    def __repr__(self) -> str:
        """Show it as plain text."""
        lines = [self.summary]
        for sign, word, check in self._rows():
            lines.append(f"  {sign} {check}" + ("" if sign == "✓" else f" ({word})"))
            if sign == "✗" and self.fault is not None:
                for key, value in self._details(self.fault):
                    lines.append(f"      {key}: {value}")
        lines += [f"  {end}" for end in self._ends()]
        return "\n".join(lines)

    def _ends(self) -> list[str]:
        ends = [f"Note: {note}" for note in self.notes]
        if self.passed:
            return ends + ([self.praise] if self.praise else [])
        if self.seed is not None and len(self.checks) > 1:  # a question draws no cases
            ends.append(f"The same cases once more: seed={self.seed}.")
        return ends

    def _details(self, fault: Fault) -> list[tuple[str, str]]:
        details = [("Looked at", fault.quantity), ("Seen", fault.seen)]
        details.append(("Wanted", fault.wanted))
        return details + ([("Hint", fault.hint)] if fault.hint else [])

    def _repr_html_(self) -> str:
        """Show it in a notebook: no script, and no color that a dark page swallows."""
        edge = "#2e8540" if self.passed else "#d54309"  # 3:1 on white and on black
        items = "".join(self._item(*row) for row in self._rows())
        return (
            f'<div role="status" style="border-left: 0.3em solid {edge}; '
            'padding: 0.1em 1em; color: inherit; background: none">'
            f"<p><strong>{escape(self.summary)}</strong></p>"
            f'<ul style="list-style: none; padding-left: 0">{items}</ul>'
            + "".join(f"<p>{escape(end)}</p>" for end in self._ends())
            + "</div>"
        )

    def _item(self, sign: str, word: str, check: str) -> str:
        item = (
            f'<span aria-hidden="true">{sign}</span> {escape(check)} <em>({word})</em>'
        )
        if sign == "✗" and self.fault is not None:
            rows = "".join(
                f'<dt style="font-weight: bold">{key}</dt>'
                f'<dd style="margin: 0">{escape(value)}</dd>'
                for key, value in self._details(self.fault)
            )
            item += (
                '<dl style="display: grid; grid-template-columns: max-content 1fr; '
                f'gap: 0.2em 1em; margin: 0.3em 0 0.6em 1.2em">{rows}</dl>'
            )
        return f"<li>{item}</li>"
