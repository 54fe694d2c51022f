"""A figure as the book's page shows it: a <figure> that is complete without scripts."""

import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ._notation import row
from ._pens import pen_of
from ._states import States
from .marks import TOTAL, Drawn
from .style import escaped, write

STATIC = Path(__file__).parent / "static"
CODE = "<!-- code -->"  # where the book puts the cell that made the figure
STEPS = "<!-- steps -->"  # where it puts the steps of a walk
MOST_TICKS = 40  # more stops than this are not told apart
LONGEST_END = 9  # characters beside a track
LONGEST_CAPTION = 90  # characters that a phone shows in two lines


def legend(
    marks: Sequence[Drawn],
    hides: Sequence[str] = (),
    named: Mapping[str, Sequence[str]] = {},
) -> str:
    """Write the legend: one entry for each label, with a sample of its mark.

    Of the labels that are hidden, the first is what a question asks for, and stands
    there with a question mark. ``named`` says which labels stand beside their curves,
    in each layout: there, a screen reader alone needs them here.
    """
    chips: dict[str, str] = {}
    drawn: dict[str, list[str]] = {}
    for k, mark in enumerate(marks):
        chip, before = pen_of(mark).chip(), chips.get(mark.label, "")
        chips[mark.label] = before if chip in before else before + chip
        drawn.setdefault(mark.label, []).append(str(k))
    entries = "".join(
        f'<li data-marks="{" ".join(drawn[label])}"{_hidden(label, hides)}'
        f"{_beside(label, named)}>"
        '<svg class="dpt-chip" viewBox="0 0 30 14" aria-hidden="true">'
        f"{chip}</svg>{html.escape(label)}</li>"
        for label, chip in chips.items()
    )
    return f'<ul class="dpt-legend">{entries}</ul>'


def _hidden(label: str, hides: Sequence[str]) -> str:
    if label not in hides:
        return ""
    return ' data-hides="asked"' if label == hides[0] else ' data-hides="quiet"'


def _beside(label: str, named: Mapping[str, Sequence[str]]) -> str:
    layouts = " ".join(layout for layout, labels in named.items() if label in labels)
    return f' data-beside="{layouts}"' if layouts else ""


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


def controls(identity: str, states: States, plays: str = "") -> str:
    """Write what a hand moves: native inputs, disabled until the table is loaded."""
    rows, tracks = [], []
    for k, key in enumerate(states.keys):
        stops = written(states.stops[key])
        if isinstance(states.stops[key][0], str):
            rows.append(segments(identity, states, k, stops))
        else:
            rows.append(slider(identity, states, k, stops))
            tracks.append(stops)
    # The tracks of a figure begin and end below one another: the value that is longest
    # decides for all.
    room = max((len(stop) for stops in tracks for stop in stops), default=0)
    beside = max((len(end) for stops in tracks for end in shown_ends(stops)), default=0)
    return (
        f'<fieldset class="dpt-controls" disabled'
        f' style="--dpt-room:{room}ch;--dpt-beside:{beside}ch">'
        f'<legend class="dpt-hidden">Sliders of this figure</legend>{"".join(rows)}'
        f"{clock(identity, plays) if plays else ''}</fieldset>"
    )


def slider(identity: str, states: States, k: int, stops: Sequence[str]) -> str:
    """Write the k-th slider: its name, its value, and its track between two ends."""
    key = states.keys[k]
    name, last = f"{identity}-{key}", len(stops) - 1
    at, value = states.positions[states.start, k], states.text(states.start, key)
    low, high = shown_ends(stops) or ("", "")
    marks = f' style="--dpt-gaps:{last}"' if last <= MOST_TICKS else ""
    return (
        f'<div class="dpt-slider" data-key="{key}"{marks}{_follows(states, key)}>'
        f'<label class="dpt-name" for="{name}"{_named(key)}</label>'
        f'<output for="{name}">{value}</output>'
        f'<span class="dpt-end" aria-hidden="true">{low}</span>'
        f'<input type="range" id="{name}" min="0" max="{last}"'
        f' step="1" value="{at}" autocomplete="off" aria-valuetext="{value}">'
        f'<span class="dpt-end" aria-hidden="true">{high}</span></div>'
    )


def segments(identity: str, states: States, k: int, stops: Sequence[str]) -> str:
    """Write the k-th parameter, whose values are words: one button beside another."""
    key, at = states.keys[k], states.positions[states.start, k]
    name = f"{identity}-{key}"
    buttons = "".join(
        f'<label><input type="radio" name="{name}" id="{name}-{to}" value="{to}"'
        f'{" checked" if to == at else ""} autocomplete="off">'
        f"<span>{html.escape(stop)}</span></label>"
        for to, stop in enumerate(stops)
    )
    return (
        f'<div class="dpt-slider dpt-segments" data-key="{key}" role="radiogroup"'
        f' aria-labelledby="{name}"{_follows(states, key)}>'
        f'<span class="dpt-name" id="{name}"{_named(key)}</span>'
        f'<span class="dpt-buttons">{buttons}</span></div>'
    )


def _named(key: str) -> str:
    # The rest of an element that names a parameter, and says whether it follows.
    entry = row(key)
    return (
        f' title="{html.escape(str(entry.get("unit", "")))}">'
        f"{html.escape(entry['name'])} <i>{html.escape(entry['symbol'] or '')}</i>"
        '<span class="dpt-follows"> follows</span>'
    )


def _follows(states: States, key: str) -> str:
    return " data-follows" if key in states.order[:1] else ""


def written(stops: Sequence[Any]) -> list[str]:
    """Write each stop of a slider."""
    return [write(stop) for stop in stops]


def shown_ends(stops: Sequence[str]) -> tuple[str, ...]:
    """Return what stands at the ends of a track; nothing beside long words."""
    first, last = stops[0], stops[-1]
    return (first, last) if max(len(first), len(last)) <= LONGEST_END else ()


def clock(identity: str, key: str) -> str:
    """Write the buttons that let a slider run by itself, a step at a time."""
    name = html.escape(row(key)["name"])
    speeds = "".join(
        f'<option value="{value}"{" selected" if value == "1" else ""}>{text}</option>'
        for value, text in (("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"))
    )
    return (
        f'<div class="dpt-clock" role="group" aria-label="Let {name} run">'
        '<button type="button" class="dpt-play" aria-pressed="false">Play</button>'
        '<button type="button" data-step="-1" aria-label="−1: one step back">−1'
        '</button><button type="button" data-step="1" aria-label="+1: one step on">+1'
        "</button>"
        f'<label for="{identity}-speed">Speed</label> '
        f'<select id="{identity}-speed">{speeds}</select></div>'
    )


def said(
    texts: Sequence[str], states: States, state: int, longest: Sequence[str] = ()
) -> str:
    """Write the sentences as a live region.

    A figure that plays keeps room for the ``longest`` that each will be, so that
    nothing below it moves.
    """
    lines = "".join(
        _with_room(
            f'<p data-text="{k}">{sentence(text, states, state)}</p>',
            longest[k : k + 1],
        )
        for k, text in enumerate(texts)
        if not text.startswith(TOTAL)
    )
    return f'<div class="dpt-said" aria-live="polite">{lines}</div>'


def _with_room(line: str, longest: Sequence[str]) -> str:
    if not longest:
        return line
    return f'<div class="dpt-room" data-longest="{escaped(longest[0])}">{line}</div>'


def cost(texts: Sequence[str], states: States, state: int, *, unfolded: bool) -> str:
    """Write what is spent: ε and δ, which open to the whole statement."""
    return "".join(
        f'<details class="dpt-cost"{" open" if unfolded else ""}>'
        '<summary><span class="dpt-long">Privacy cost: </span>'
        f'<span aria-live="polite">{escaped(badge(text))}</span>'
        f'</summary><p data-text="{k}">{sentence(text, states, state)}</p></details>'
        for k, text in enumerate(texts)
        if text.startswith(TOTAL)
    )


def badge(statement: str) -> str:
    """Return ε and δ of a statement, without the relation."""
    return statement.removeprefix(TOTAL).strip().partition(", when")[0]


def about(caption: str) -> str:
    """Write a caption; a long one as a fold, which is open but on a phone."""
    if len(caption) <= LONGEST_CAPTION:
        return escaped(caption)
    return (
        '<details class="dpt-about"><summary>About this figure</summary>'
        f"{escaped(caption)}</details>"
    )


def figure(
    identity: str, *, title: str, caption: str, legend: str, pictures: str, said: str,
    cost: str = "", controls: str = "", table: str = "", digest: str = "",
    plays: str = "", picks: str = "", places: Sequence[Sequence[int]] = (),
    quiz: str = "", question: str = "", ask: str = "",
) -> str:  # fmt: skip
    """Put the parts of a figure together."""
    player = f' data-table="{table}" data-hash="{digest}"' if table else ""
    player += f' data-plays="{plays}"' if plays else ""
    player += f' data-picks="{picks}" data-places="{list(places)}"' if picks else ""
    player += f' data-quiz="{quiz}"' if quiz else ""
    asked = f'<p class="dpt-question">{escaped(question)}</p>' if question else ""
    reset = '<button type="button" class="dpt-reset" disabled>Reset</button>'
    foot = f'<div class="dpt-foot">{cost}{reset if table else ""}{CODE}</div>'
    note = f"<figcaption>{about(caption)}</figcaption>" if caption else ""
    return (
        f'<figure class="dpt" id="{identity}"{player}>'
        f'<div class="dpt-title">{html.escape(title)}</div>{asked}{legend}'
        f'<div class="dpt-picture">{pictures}</div>{ask}{STEPS}{controls}'
        f"{said}{foot}{note}</figure>"
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
        f'<link rel="stylesheet" href="{static}/predict.css">'
        f'<script src="{static}/closed-forms.js" defer></script>'
        f'<script src="{static}/labels.js" defer></script>'
        f'<script src="{static}/explore.js" defer></script>'
        f'<script src="{static}/predict.js" defer></script>'
        f'</head><body class="dpt-page"><main>{body}</main></body></html>'
    )
