"""What the states of a figure have in common: marks of one kind, and a price for ε."""

from collections.abc import Mapping, Sequence
from typing import Any

from ._declared import kind
from ._states import States
from .axes import Axes
from .marks import TOTAL, Drawn


def check_alike(
    values: Mapping[str, Any],
    drawn: Sequence[Drawn],
    texts: int,
    first: Sequence[Drawn],
    first_texts: Sequence[str],
) -> None:
    """Refuse a state whose marks or sentences are not those of the start."""
    these, those = [kind(mark) for mark in drawn], [kind(mark) for mark in first]
    if these == those and texts == len(first_texts):
        return
    named = ", ".join(f"{key}={value!r}" for key, value in values.items())
    for k, (one, other) in enumerate(zip(these, those, strict=False)):
        if one != other:
            raise ValueError(
                f"`experiment` must return marks of one kind, label, role and number "
                f"of points in every state: mark {k} is {other} at the start and {one} "
                f"at {named}."
            )
    raise ValueError(
        f"`experiment` must return as many marks and sentences in every state, got "
        f"{len(these)} and {texts} at {named}, and {len(those)} and "
        f"{len(first_texts)} at the start."
    )


def check_epsilon(
    title: str,
    caption: str,
    panels: Sequence[Axes],
    states: States,
    drawn: Sequence[Drawn],
    texts: Sequence[str],
) -> None:
    """Refuse a figure that shows ε and does not state what is spent."""
    named = (part for axes in panels for part in (axes.x, axes.y, axes.title))
    labels = (mark.label for mark in drawn)
    written = (*named, *labels, *texts, title, caption)
    shown = "epsilon" in states.keys or any("ε" in text for text in written)
    if shown and not any(text.startswith(TOTAL) for text in texts):
        raise ValueError(
            "`experiment` must return a Spent(event, delta), because the figure shows "
            "ε. Every figure with ε on it states the total ε, δ and the relation."
        )
