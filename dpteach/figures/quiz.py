"""Questions: predict, then reveal. A wrong choice is told what it overlooks.

On the book's page the player (``static/explore.js``) gives the feedback; answers stay
in the reader's browser. In a notebook, in print and without scripts, a question is
text, with its answers folded or below it.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from .. import checks
from ._page import STATIC
from .style import escaped


def demand_identity(identity: str) -> None:
    """Refuse a name that cannot be part of an address.

    Parameters
    ----------
    identity : str
        Lowercase letters, digits and dashes.

    Raises
    ------
    ValueError
        If it has other characters.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]*", identity):
        raise ValueError(
            f"`identity` must consist of lowercase letters, digits and dashes, got "
            f"{identity!r}. It becomes part of an address."
        )


@dataclass(frozen=True)
class Choice:
    """One answer that a reader may give.

    Parameters
    ----------
    text : str
        The answer.
    right : bool
        Whether it is right.
    why : str
        Why it is right, or what a reader who gives it overlooks.

    Raises
    ------
    ValueError, TypeError
        If a text is empty.

    Examples
    --------
    >>> Choice("√T times", True, "Variances add up, and the noise is their root.").right
    True
    """

    text: str
    right: bool
    why: str

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.instance(str, text=self.text, why=self.why)
        checks.instance(bool, right=self.right)
        for name, value in (("text", self.text), ("why", self.why)):
            if not value.strip():
                raise ValueError(
                    f"`{name}` must say something, got {value!r}. "
                    "Every answer gets a reason."
                )


@dataclass(frozen=True)
class Question:
    """A question with choices; the last line of a cell displays it.

    Parameters
    ----------
    identity : str
        Its id on the page, and the name under which the browser keeps the answer.
    text : str
        The question, in plain text.
    choices : sequence of Choice
        At least two; one or more of them right.
    reveal : str, optional
        What every reader is told in the end, even after skipping.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two choices, none is right, or two have the same text.

    Examples
    --------
    >>> question = Question(
    ...     "noise-and-steps", "Four times the steps need how much more noise a step?",
    ...     [Choice("twice", True, "Noise grows as the square root of T."),
    ...      Choice("four times", False, "That adds budgets; variances add instead.")],
    ... )
    >>> print(question)
    Four times the steps need how much more noise a step?
      a) twice
      b) four times
    Answer: a) Noise grows as the square root of T.
    """

    identity: str
    text: str
    choices: Sequence[Choice]
    _: KW_ONLY
    reveal: str = ""

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.instance(str, identity=self.identity, text=self.text, reveal=self.reveal)
        demand_identity(self.identity)
        if not self.text.strip():
            raise ValueError(f"`text` must ask something, got {self.text!r}.")
        checks.instance((list, tuple), choices=self.choices)
        for choice in self.choices:
            checks.instance(Choice, choices=choice)
        object.__setattr__(self, "choices", tuple(self.choices))
        if len({choice.text for choice in self.choices}) < max(2, len(self.choices)):
            raise ValueError(
                f"`choices` must be two or more that differ, got {self.choices!r}."
            )
        if not any(choice.right for choice in self.choices):
            raise ValueError(
                f"`choices` must include a right one, got {self.choices!r}. "
                "Mark it with right=True."
            )

    @property
    def lettered(self) -> list[tuple[str, Choice]]:
        """Its choices, each with its letter."""
        return list(zip("abcdefghijklmnopqrstuvwxyz", self.choices, strict=False))

    def __str__(self) -> str:
        """Write the question and its answer as text."""
        lines = [self.text]
        lines += [f"  {letter}) {choice.text}" for letter, choice in self.lettered]
        right = [
            f"{letter}) {choice.why}"
            for letter, choice in self.lettered
            if choice.right
        ]
        lines.append(f"Answer: {' '.join([*right, self.reveal])}".rstrip())
        return "\n".join(lines)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Show it for the player in the book; elsewhere text, and folded answers."""
        if os.environ.get("DPTEACH_BOOK"):
            return {"text/html": self.html(), "text/plain": str(self)}
        css = (STATIC / "explore.css").read_text(encoding="utf-8")
        page = f"<style>{css}</style>{self._folded()}"
        return {"text/html": page, "text/plain": str(self)}

    def html(self) -> str:
        """Write the question for the page.

        Returns
        -------
        str
            A form of radio buttons that are disabled until the player enables them;
            without scripts, a list with the answers folded below it.
        """
        name = f"quiz-{self.identity}"
        rows = "".join(
            f'<label class="dpt-choice"><input type="radio" name="{name}" '
            f'value="{letter}" data-why="{escaped(choice.why)}"'
            f"{' data-right' if choice.right else ''} disabled>"
            f"<span>{escaped(choice.text)}</span></label>"
            for letter, choice in self.lettered
        )
        buttons = (
            '<button type="button" class="dpt-check" disabled>Check</button>'
            '<button type="button" class="dpt-skip" disabled>'
            "Skip, and show the answer</button>"
        )
        return (
            f'<div class="dpt dpt-quiz" id="{name}" data-quiz="{self.identity}">'
            f"<fieldset><legend>{escaped(self.text)}</legend>{rows}</fieldset>"
            '<div class="dpt-verdict" role="status"></div>'
            f'<div class="dpt-quiz-foot">{buttons}</div>{self._answers()}</div>'
        )

    def _answers(self) -> str:
        reveal = f"<p>{escaped(self.reveal)}</p>" if self.reveal else ""
        items = "".join(
            f"<li><strong>{escaped(choice.text)}</strong> "
            f"({'right' if choice.right else 'wrong'}): {escaped(choice.why)}</li>"
            for choice in self.choices
        )
        return (
            '<details class="dpt-answers"><summary>The answers</summary>'
            f"<ul>{items}</ul>{reveal}</details>"
        )

    def _folded(self) -> str:
        rows = "".join(f"<li>{escaped(choice.text)}</li>" for choice in self.choices)
        return (
            f'<div class="dpt dpt-quiz"><p><strong>{escaped(self.text)}</strong></p>'
            f'<ol type="a">{rows}</ol>{self._answers()}</div>'
        )
