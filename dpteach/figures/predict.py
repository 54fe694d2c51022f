"""Predict in the figure: what answers the question is masked until a reader answered.

``asks=Choose(...)``, ``Draw(...)`` or ``Place(...)`` of a figure puts the question into
its card. On the book's page the player (``static/predict.js``) masks the marks that
``hides`` names and what the figure says, takes the guess, and keeps it in the reader's
browser beside the truth. In a notebook, in print and without scripts all is shown.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np

from .. import checks
from ._sketches import shares, smooth
from .axes import Axes
from .marks import Drawn, Line
from .quiz import Question, demand_identity
from .style import escaped, write

HANDLES = 9  # through which a line is drawn
PLACES = 400  # stops of a line that is placed, less one
SAMPLES = 33  # points at which a drawn line is compared with the truth
APART = 0.06  # ends of ghosts, as shares of a panel
CLOSE = 0.06  # a guess is close within this share of the panel, on average
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Choose:
    """Ask for one of a few answers, which may be sketched as curves in the figure.

    Parameters
    ----------
    question : Question
        Its choices stand below the picture. A wrong one may be followed by another.
    hides : sequence of str
        The labels of the marks that stay masked until the answer.
    ghosts : sequence of sequence of tuple, optional
        A curve for each choice, in its order: points (x, y) in the units of the axes.
        They are sketches: a ghost that were the truth would give it away.
    panel : int, optional
        The panel in which they are drawn.

    Raises
    ------
    ValueError, TypeError
        If nothing is hidden, or there is not one ghost for each choice.

    Examples
    --------
    >>> from dpteach.figures.quiz import Choice
    >>> Choose(Question("noise", "What does the noise do?", [
    ...     Choice("it grows", True, "As √T."), Choice("none", False, "It adds up."),
    ... ]), hides=["noise"], ghosts=[[(1, 1), (9, 3)]])
    Traceback (most recent call last):
    ...
    ValueError: `ghosts` must be one for each of the 2 choices, or none, got 1.
    """

    question: Question
    _: KW_ONLY
    hides: Sequence[str]
    ghosts: Sequence[Sequence[Point]] = ()
    panel: int = 0

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.instance(Question, question=self.question)
        _check_hidden(self)
        checks.instance((list, tuple), ghosts=self.ghosts)
        choices = len(self.question.choices)
        if self.ghosts and len(self.ghosts) != choices:
            raise ValueError(
                f"`ghosts` must be one for each of the {choices} choices, or none, got "
                f"{len(self.ghosts)}."
            )
        for ghost in self.ghosts:
            points = np.asarray(ghost, dtype=float)
            if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
                raise ValueError(
                    f"`ghosts` must hold curves of two or more points (x, y), got "
                    f"{ghost!r:.60}."
                )

    @property
    def identity(self) -> str:
        """The name under which the answer is kept."""
        return self.question.identity

    @property
    def text(self) -> str:
        """What is asked."""
        return self.question.text

    def __str__(self) -> str:
        """Write the question and its answer as text."""
        return str(self.question)

    def check_figure(self, panels: Sequence[Axes], marks: Sequence[Drawn]) -> None:
        """Refuse hidden marks that are not there, and ghosts that cannot be chosen."""
        _check_labels(self, panels, marks)
        for ghost in self.ghosts:
            for place in shares(panels[self.panel], ghost):
                if not (place.min() >= -0.01 and place.max() <= 1.01):
                    raise ValueError(
                        f"`ghosts` must stay within the axes, got {ghost!r:.60}."
                    )
        ends = [
            np.array([place[-1] for place in shares(panels[self.panel], ghost)])
            for ghost in self.ghosts
        ]
        for one, other in combinations(ends, 2):
            if np.abs(one - other).max() < APART:
                raise ValueError(
                    f"`ghosts` must end apart, where their letters are, got ends at "
                    f"{one.round(2)} and {other.round(2)} of the axes. Reverse one."
                )

    def form(self) -> str:
        """Write the choices."""
        name = f"ask-{self.identity}"
        rows = "".join(
            f'<label class="dpt-option"><input type="radio" name="{name}" '
            f'value="{letter}" data-why="{escaped(choice.why)}"'
            f"{' data-right' if choice.right else ''} disabled>"
            f"<b>{letter.upper()}</b><span>{escaped(choice.text)}</span></label>"
            for letter, choice in self.question.lettered
        )
        return f'<fieldset aria-label="{escaped(self.text)}">{rows}</fieldset>'

    def data(self, _panels: Sequence[Axes], _marks: Sequence[Drawn]) -> dict[str, str]:
        """Return what the player must know."""
        return {"why": self.question.reveal}

    def drawn(self, panels: Sequence[Axes], box: Sequence[float]) -> str:
        """Draw the ghosts into a layout, each with its letter at its end."""
        letters = (letter for letter, _ in self.question.lettered)
        return "".join(
            self._ghost(letter, shares(panels[self.panel], ghost), box)
            for letter, ghost in zip(letters, self.ghosts, strict=False)
        )

    def covers(self, panels: Sequence[Axes], box: Sequence[float]) -> list[np.ndarray]:
        """List where the ghosts run, in pixels of their panel."""
        return [
            np.c_[box[2] * x, box[3] * (1 - y)]
            for x, y in (shares(panels[self.panel], ghost) for ghost in self.ghosts)
        ]

    def _ghost(
        self, letter: str, place: tuple[np.ndarray, np.ndarray], box: Sequence[float]
    ) -> str:
        left, top, width, height = box
        ends = list(
            zip(left + width * place[0], top + height * (1 - place[1]), strict=True)
        )
        x, y = ends[-1]
        path = smooth(ends)
        return (
            f'<g class="dpt-ghost" data-choice="{letter}" aria-hidden="true">'
            f'<path class="dpt-hit" d="{path}"/><path d="{path}"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8.5"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}">{letter.upper()}</text></g>'
        )


@dataclass(frozen=True)
class Draw:
    """Ask for a curve, which a reader draws by hand or by keys.

    Parameters
    ----------
    identity : str
        The name under which the browser keeps the answer.
    text : str
        What to draw, in plain text.
    hides : sequence of str
        The labels of the marks that stay masked; the first is the line that is drawn.
    why : str
        Why the truth is what it is.
    panel : int, optional
        The panel in which the line is.
    near : float, optional
        How far off a close drawing may be on average, as a share of the panel's height.

    Raises
    ------
    ValueError, TypeError
        If a text is empty, nothing is hidden, or ``near`` is no share.

    Examples
    --------
    >>> ask = Draw("noise-grows", "Draw the noise.", hides=["noise"], why="As √T.")
    >>> print(ask)
    Draw the noise.
    Answer: As √T.
    """

    identity: str
    text: str
    _: KW_ONLY
    hides: Sequence[str]
    why: str
    panel: int = 0
    near: float = CLOSE

    def __post_init__(self) -> None:
        """Check the arguments."""
        _check_words(self)

    def __str__(self) -> str:
        """Write the question and its answer as text."""
        return f"{self.text}\nAnswer: {self.why}"

    def check_figure(self, panels: Sequence[Axes], marks: Sequence[Drawn]) -> None:
        """Refuse hidden marks that are not there, and what is no line."""
        _check_labels(self, panels, marks)
        self._line(marks)

    def _line(self, marks: Sequence[Drawn]) -> Line:
        for mark in marks:
            named = mark.label == self.hides[0] and mark.panel == self.panel
            if named and isinstance(mark, Line):
                return mark
        raise ValueError(
            f"`hides` must begin with the label of a Line in panel {self.panel}, got "
            f"{self.hides[0]!r}. That line is what the reader draws."
        )

    def form(self) -> str:
        """Write nothing: the line is drawn in the picture."""
        return ""

    def data(self, panels: Sequence[Axes], marks: Sequence[Drawn]) -> dict[str, str]:
        """Return what the player must know: the truth, at places of equal distance."""
        line = self._line(marks)
        across, up = shares(panels[self.panel], np.c_[line.x, line.y])
        order = np.argsort(across, kind="stable")
        at = np.linspace(0, 1, SAMPLES)
        truth = np.interp(at, across[order], up[order], left=np.nan, right=np.nan)
        return {
            "truth": ",".join("" if np.isnan(y) else f"{y:.3f}" for y in truth),
            "handles": str(HANDLES),
            "near": f"{self.near:g}",
            "why": self.why,
            "label": self.hides[0],
        }

    def drawn(self, _panels: Sequence[Axes], _box: Sequence[float]) -> str:
        """Draw nothing: the player does."""
        return ""

    def covers(self, *_: object) -> list[np.ndarray]:
        """List nothing."""
        return []


@dataclass(frozen=True)
class Place:
    """Ask for a number, where a reader puts an upright line on the x axis.

    Parameters
    ----------
    identity : str
        The name under which the browser keeps the answer.
    text : str
        What is asked, in plain text.
    hides : sequence of str
        The labels of the marks that stay masked until the answer.
    truth : float
        The number, in the units of the x axis.
    why : str
        Why it is that.
    panel : int, optional
        The panel whose axis it is.
    near : float, optional
        How far off a close guess may be, as a share of the panel's width.

    Raises
    ------
    ValueError, TypeError
        If a text is empty, nothing is hidden, or a number is out of its range.

    Examples
    --------
    >>> ask = Place("users", "How many users?", hides=["noise"], truth=100, why="10².")
    >>> print(ask)
    How many users?
    Answer: 100. 10².
    """

    identity: str
    text: str
    _: KW_ONLY
    hides: Sequence[str]
    truth: float
    why: str
    panel: int = 0
    near: float = CLOSE

    def __post_init__(self) -> None:
        """Check the arguments."""
        _check_words(self)
        checks.fields(self, checks.finite, "truth")

    def __str__(self) -> str:
        """Write the question and its answer as text."""
        return f"{self.text}\nAnswer: {write(float(self.truth))}. {self.why}"

    def check_figure(self, panels: Sequence[Axes], marks: Sequence[Drawn]) -> None:
        """Refuse hidden marks that are not there, and a truth beyond the axis."""
        _check_labels(self, panels, marks)
        low, high = panels[self.panel].xlim
        if not low <= self.truth <= high:
            raise ValueError(
                f"`truth` must be on the x axis, from {low} to {high}, got "
                f"{self.truth!r}."
            )

    def form(self) -> str:
        """Write the slider that moves the line, too."""
        name = f"ask-{self.identity}"
        return (
            '<fieldset><div class="dpt-slider">'
            f'<label class="dpt-name" for="{name}">your guess</label>'
            f'<output for="{name}"></output><span class="dpt-end"></span>'
            f'<input type="range" id="{name}" min="0" max="{PLACES}" step="1" '
            f'value="{PLACES // 2}" autocomplete="off" disabled>'
            '<span class="dpt-end"></span></div></fieldset>'
        )

    def data(self, panels: Sequence[Axes], _marks: Sequence[Drawn]) -> dict[str, str]:
        """Return what the player must know."""
        across, _ = shares(
            panels[self.panel], [(self.truth, panels[self.panel].ylim[0])]
        )
        return {
            "truth": f"{across[0]:.4f}",
            "number": write(float(self.truth)),
            "near": f"{self.near:g}",
            "why": self.why,
        }

    def drawn(self, _panels: Sequence[Axes], _box: Sequence[float]) -> str:
        """Draw nothing: the player does."""
        return ""

    def covers(self, *_: object) -> list[np.ndarray]:
        """List nothing."""
        return []


Ask: TypeAlias = Choose | Draw | Place


def block(
    ask: Ask, panels: Sequence[Axes], marks: Sequence[Drawn], boxes: dict, title: str
) -> str:
    """Write what stands between a figure's picture and its sliders.

    Parameters
    ----------
    ask : Choose, Draw or Place
        What is asked.
    panels : sequence of Axes
        Of the figure.
    marks : sequence of marks
        Of its start state.
    boxes : dict
        Where each panel lies, in each layout.
    title : str
        The figure's title.

    Returns
    -------
    str
        The form of the answer, whose buttons are disabled until the player comes.
    """
    axes = panels[ask.panel]
    data = {
        "kind": type(ask).__name__.lower(),
        "x": _axis(axes.xlim, axes.xscale),
        "y": _axis(axes.ylim, axes.yscale),
        "boxes": ";".join(
            f"{name}:" + ",".join(f"{side:g}" for side in places[ask.panel])
            for name, places in boxes.items()
        ),
        "covered": f"{title}. Masked until you answer: {', '.join(ask.hides)}.",
        **ask.data(panels, marks),
    }
    written = "".join(
        f' data-{name}="{escaped(value)}"' for name, value in data.items() if value
    )
    check = "Check" if isinstance(ask, Choose) else "Show the truth"
    return (
        f'<div class="dpt-ask"{written}>{ask.form()}'
        '<div class="dpt-verdict" role="status"></div><div class="dpt-ask-foot">'
        f'<button type="button" class="dpt-check" disabled>{check}</button>'
        '<button type="button" class="dpt-skip" disabled>Skip, and show it</button>'
        '<button type="button" class="dpt-again" disabled>Ask me again</button>'
        "</div></div>"
    )


def answer(ask: Ask) -> str:
    """Write the answer as a fold, for a notebook.

    Parameters
    ----------
    ask : Choose, Draw or Place
        What is asked.

    Returns
    -------
    str
        A fold that needs no script.
    """
    lines = escaped(str(ask)).split("\n")[1:]
    body = "<br>".join(lines)
    return (
        '<details class="dpt-answers"><summary>The answer</summary>'
        f"<p>{body}</p></details>"
    )


def masked(svg: str, stem: str, ask: Ask, marks: Sequence[Drawn], ghosts: str) -> str:
    """Mark the paths of a picture that are hidden, and add what the reader may choose.

    Parameters
    ----------
    svg : str
        The picture in one layout.
    stem : str
        What the ids of its paths begin with.
    ask : Choose, Draw or Place
        What is asked.
    marks : sequence of marks
        Of its start state.
    ghosts : str
        What is drawn on top.

    Returns
    -------
    str
        The picture.
    """
    for k, mark in enumerate(marks):
        if mark.label in ask.hides:
            start = f'<path id="{stem}-{k}-'
            svg = svg.replace(start, start.replace("id=", "data-hides id="))
    return svg.removesuffix("</svg>") + ghosts + "</svg>"


def _axis(limits: tuple[float, float], scale: str) -> str:
    return f"{limits[0]:.6g},{limits[1]:.6g},{scale}"


def _check_hidden(ask: Ask) -> None:
    checks.instance((list, tuple), hides=ask.hides)
    for label in ask.hides:
        checks.instance(str, hides=label)
    if not ask.hides:
        raise ValueError(
            "`hides` must name what answers the question, got (). Give the labels of "
            "marks."
        )
    object.__setattr__(ask, "hides", tuple(ask.hides))
    checks.count(0, panel=ask.panel)


def _check_words(ask: "Draw | Place") -> None:
    checks.instance(str, identity=ask.identity, text=ask.text, why=ask.why)
    demand_identity(ask.identity)
    for name, value in (("text", ask.text), ("why", ask.why)):
        if not value.strip():
            raise ValueError(f"`{name}` must say something, got {value!r}.")
    _check_hidden(ask)
    checks.fields(ask, checks.probability, "near")


def _check_labels(ask: Ask, panels: Sequence[Axes], marks: Sequence[Drawn]) -> None:
    if ask.panel >= len(panels):
        raise ValueError(f"`panel` must be below {len(panels)}, got {ask.panel}.")
    labels = list(dict.fromkeys(mark.label for mark in marks))
    for label in ask.hides:
        if label not in labels:
            raise ValueError(
                f"`hides` must name marks of the figure, got {label!r}. Its marks are "
                f"{', '.join(labels)}."
            )
