"""A figure as the book's page shows it: a <figure> that is complete without scripts."""

import html
import re
from collections.abc import Sequence
from pathlib import Path

from ._notation import row
from ._pens import pen_of
from ._states import States
from .marks import Drawn
from .style import escaped, write

STATIC = Path(__file__).parent / "static"


def legend(marks: Sequence[Drawn]) -> str:
    """Write the legend: one entry for each label, with a sample of its mark."""
    chips: dict[str, str] = {}
    for mark in marks:
        chip, before = pen_of(mark).chip(), chips.get(mark.label, "")
        chips[mark.label] = before if chip in before else before + chip
    entries = "".join(
        '<li><svg class="dpt-chip" viewBox="0 0 30 14" aria-hidden="true">'
        f"{chip}</svg>{html.escape(label)}</li>"
        for label, chip in chips.items()
    )
    return f'<ul class="dpt-legend">{entries}</ul>'


def sentence(text: str, states: States, state: int) -> str:
    """Write a sentence; a number that can be moved is marked for the player."""
    parts = re.split(r"\{(\w+)\}", text)
    for k in range(1, len(parts), 2):
        key = parts[k]
        if key not in states.keys:
            raise ValueError(
                f"`text` must name sliders in braces, got {{{key}}}. "
                f"The sliders are {', '.join(states.keys)}."
            )
    return "".join(
        escaped(part)
        if k % 2 == 0
        else f'<b class="dpt-number" data-key="{part}">{states.text(state, part)}</b>'
        for k, part in enumerate(parts)
    )


def controls(identity: str, states: States) -> str:
    """Write the sliders: native range inputs, disabled until the table is loaded."""
    rows = []
    for k, key in enumerate(states.keys):
        entry, name = row(key), f"{identity}-{key}"
        at, value = states.positions[states.start, k], states.text(states.start, key)
        follows, last = key in states.order[:1], len(states.stops[key]) - 1
        # Words need more room than numbers, and all words get the same room.
        longest = max(len(write(stop)) for stop in states.stops[key])
        room = f' style="--dpt-room:{longest}ch"' if longest > 9 else ""
        rows.append(
            f'<div class="dpt-slider" data-key="{key}"{room}'
            f"{' data-follows' if follows else ''}>"
            f'<label for="{name}" title="{html.escape(str(entry.get("unit", "")))}">'
            f"{html.escape(entry['name'])} <i>{html.escape(entry['symbol'] or '')}</i>"
            '<span class="dpt-follows"> follows</span></label>'
            f'<output for="{name}">{value}</output>'
            f'<input type="range" id="{name}" min="0" max="{last}"'
            f' step="1" value="{at}" autocomplete="off" aria-valuetext="{value}"></div>'
        )
    return (
        f'<fieldset class="dpt-controls" disabled>'
        f'<legend class="dpt-hidden">Sliders of this figure</legend>{"".join(rows)}'
        "</fieldset>"
    )


def said(texts: Sequence[str], states: States, state: int) -> str:
    """Write the sentences, and the statement of what is spent, as a live region."""
    lines = "".join(
        f'<p data-text="{k}">{sentence(text, states, state)}</p>'
        for k, text in enumerate(texts)
    )
    return f'<div class="dpt-said" aria-live="polite">{lines}</div>'


def figure(
    identity: str, *, title: str, caption: str, legend: str, pictures: str, said: str,
    controls: str = "", table: str = "", digest: str = "", plays: str = "",
    picks: str = "", places: Sequence[Sequence[int]] = (),
) -> str:  # fmt: skip
    """Put the parts of a figure together."""
    player = f' data-table="{table}" data-hash="{digest}"' if table else ""
    player += f' data-plays="{plays}"' if plays else ""
    player += f' data-picks="{picks}" data-places="{list(places)}"' if picks else ""
    reset = '<button type="button" class="dpt-reset" disabled>Reset</button>'
    foot = f'<div class="dpt-foot">{said}{reset if table else ""}</div>'
    note = f"<figcaption>{escaped(caption)}</figcaption>" if caption else ""
    return (
        f'<figure class="dpt" id="{identity}"{player}>'
        f'<div class="dpt-title">{html.escape(title)}</div>{legend}'
        f'<div class="dpt-picture">{pictures}</div>{controls}{foot}{note}</figure>'
    )


def standalone(body: str, *, title: str = "", static: str = "static") -> str:
    """Write a whole page around figures, with the content policy of the book's pages.

    Parameters
    ----------
    body : str
        What the page shows.
    title : str, optional
        Its title.
    static : str, optional
        Where explore.js and explore.css are, relative to the page.

    Returns
    -------
    str
        A page that requests nothing from any other host.
    """
    policy = (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'"
    )
    return (
        '<!doctype html><html lang="en" data-theme="auto"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title) or 'Figure'}</title>"
        '<link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="{static}/explore.css">'
        f'<script src="{static}/explore.js" defer></script>'
        f'</head><body class="dpt-page"><main>{body}</main></body></html>'
    )
