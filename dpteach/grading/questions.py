"""Questions with one answer: a number in a band, a choice, or an order of steps."""

from dataclasses import dataclass, field
from typing import Any

from .. import checks
from .report import Fault, Report


def _listed(statement: str, lettered: dict[str, str]) -> str:
    lines = [f"* {letter}) {told}" for letter, told in lettered.items()]
    return "\n".join([statement, "", *lines])


def _report(name: str, sentence: str, fault: Fault | None, seed: int, praise: str):
    return Report(name, (sentence,), fault, int(fault is None), seed, praise=praise)


@dataclass(frozen=True)
class Number:
    """A number that is right within a band.

    Parameters
    ----------
    name, title, statement : str
        What is asked, in Markdown.
    band : tuple of float
        The least and the largest answer that is right.
    wanted : str
        What is wanted, in words that do not give the answer away.
    misconceptions : tuple
        Pairs of a band and what its answers reveal, tried in order.
    hints : tuple of str
        From gentle to strong.
    praise : str
        What a right answer teaches.
    """

    name: str
    title: str
    statement: str
    band: tuple[float, float]
    wanted: str
    misconceptions: tuple[tuple[tuple[float, float], str], ...]
    hints: tuple[str, ...]
    praise: str

    @property
    def markdown(self) -> str:
        """The question as it is put to a reader."""
        return self.statement

    def grade(self, answer: Any, seed: int) -> Report:
        """Compare the answer with the band."""
        answer = checks.finite(answer=answer)
        fault = None
        if not self.band[0] <= answer <= self.band[1]:
            side = "large" if answer > self.band[1] else "small"
            hint = next(
                (told for (low, high), told in self.misconceptions
                 if low <= answer <= high),
                f"It is too {side}.",
            )  # fmt: skip
            fault = Fault("your number", f"{answer:g}", self.wanted, hint)
        return _report(self.name, "the number is right", fault, seed, self.praise)


@dataclass(frozen=True)
class Choice:
    """A multiple-choice question that answers each wrong choice.

    Parameters
    ----------
    name, title, statement : str
        What is asked, in Markdown.
    choices : dict of str to str
        A letter, and what it stands for.
    right : str
        The letter of the right choice.
    feedback : dict of str to str
        For each wrong letter, why one may think so, and what it misses.
    hints : tuple of str
        From gentle to strong.
    praise : str
        Why the right choice is right.
    """

    name: str
    title: str
    statement: str
    choices: dict[str, str]
    right: str
    feedback: dict[str, str]
    hints: tuple[str, ...]
    praise: str

    @property
    def markdown(self) -> str:
        """The question as it is put to a reader, with its choices."""
        return _listed(self.statement, self.choices)

    def grade(self, answer: Any, seed: int) -> Report:
        """Compare the answer with the key."""
        checks.instance(str, answer=answer)
        letter = answer.strip().lower()
        checks.one_of(tuple(self.choices), answer=letter)
        fault = None
        if letter != self.right:
            seen = f"{letter}) {self.choices[letter]}"
            wanted = "the right choice"
            fault = Fault("your choice", seen, wanted, self.feedback[letter])
        return _report(self.name, "the choice is right", fault, seed, self.praise)


@dataclass(frozen=True)
class Order:
    """Steps of a proof or an algorithm to be put in order.

    Parameters
    ----------
    name, title, statement : str
        What is asked, in Markdown.
    steps : dict of str to str
        A letter, and the step; shown in the order of the letters.
    right : tuple of str
        Every order that is right, as letters: ``("cabd", "acbd")``.
    feedback : dict of str to str
        For a pair of letters such as ``"ab"`` why a must stand before b.
    hints : tuple of str
        From gentle to strong.
    praise : str
        What the order teaches.
    """

    name: str
    title: str
    statement: str
    steps: dict[str, str]
    right: tuple[str, ...]
    feedback: dict[str, str] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    praise: str = ""

    @property
    def markdown(self) -> str:
        """The question as it is put to a reader, with its steps."""
        return _listed(self.statement, self.steps)

    def grade(self, answer: Any, seed: int) -> Report:
        """Find the first pair that is in the wrong order."""
        checks.instance(str, answer=answer)
        given = "".join(answer.lower().replace(",", " ").split())
        if sorted(given) != sorted(self.steps):
            raise ValueError(
                f"`answer` must name each of {''.join(self.steps)} once, got "
                f"{answer!r}. "
                f'Write the letters in your order, such as "{"".join(self.steps)}".'
            )
        fault = None if given in self.right else self._fault(given)
        return _report(self.name, "the order is right", fault, seed, self.praise)

    def _fault(self, given: str) -> Fault:
        # Of the right orders the one with the longest common start is meant.
        def common(right: str) -> int:
            return next(k for k, letter in enumerate(given) if letter != right[k])

        start = max(common(right) for right in self.right)
        hints = (
            told for (first, then), told in self.feedback.items()
            if given.index(first) > given.index(then)
        )  # fmt: skip
        return Fault(
            "the order of your steps",
            f"{given}, which goes wrong at step {start + 1}",
            "each step after those that it builds on",
            next(hints, "What does this step use that has not been shown yet?"),
        )
