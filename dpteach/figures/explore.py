"""`explore`: one declaration of a figure with sliders, for page, kernel and print."""

import os
import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from .. import checks
from . import _beside as beside
from . import _page as page
from . import predict
from ._alike import check_alike, check_epsilon
from ._declared import (
    address,
    check_parameters,
    form,
    panels,
    words,
)
from ._notation import row
from ._states import (
    MOST_IN_HAND,
    MOST_STATES,
    Linked,
    Slider,
    States,
    even,
    geometric,
)
from .axes import Axes
from .marks import (
    Drawn,
    Mark,
    Points,
    Sentence,
    Spent,
)

__all__ = ["Linked", "Slider", "even", "explore", "geometric"]


class explore:
    """A figure that readers move with sliders; the last line of a cell displays it.

    In a notebook its sliders call the experiment. On the book's page, every state was
    computed while the book was built. In print, and without scripts, it is the start
    state.

    Parameters
    ----------
    experiment : callable
        Takes the sliders' values by name and returns marks. It is pure: the same values
        give the same marks, so it fixes its own seed.
    axes : Axes or sequence of Axes
        One for each panel.
    title : str
        What the figure shows, in a few words.
    alt : str
        What the figure looks like, for readers who do not see it.
    caption : str, optional
        Where the numbers come from.
    identity : str, optional
        The figure's id, which also occurs in addresses; if left out, the experiment's
        name.
    linked : Linked, optional
        Which sliders are tied.
    plays : str, optional
        The slider of a process's time: on the page it has buttons that let it run,
        stop it, and take single steps.
    picks : str, optional
        A slider of numbers that the x axis of every panel shows: on the page, a click
        in the picture moves it to the nearest one.
    in_hand : str, optional
        The name of a file beside the experiment's module, without its ``.js``, whose
        function computes the same marks on the page. The sliders of such a figure may
        have hundreds of stops; of tied ones, the function also returns the value of the
        one that follows.
    given : callable, optional
        Returns what that function needs to know besides the sliders' values, by name.
    asks : Choose, Draw or Place, optional
        A question that the figure answers: on the page, what answers it is masked until
        the reader answered.
    **sliders : Slider
        One for each parameter; the keyword is a row of ``book/notation.yml``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range; if marks change in kind, label or number
        from state to state; if ε is shown and no ``Spent`` says what the total is.

    Examples
    --------
    >>> from dpteach.figures import Axes, Line
    >>> def noise(steps):
    ...     return [Line([1, steps], [1, steps**0.5], "noise for ε = 1", "private")]
    >>> noise_axes = Axes("steps T", "noise", xlim=(1, 9), ylim=(0, 3))
    >>> figure = explore(noise, axes=noise_axes, title="Noise grows with steps",
    ...                  alt="A rising line.", steps=Slider([4, 9]))
    Traceback (most recent call last):
    ...
    ValueError: `experiment` must return a Spent(event, delta), because the figure \
shows ε. Every figure with ε on it states the total ε, δ and the relation.
    """

    def __init__(
        self,
        experiment: Callable[..., Sequence[Mark]],
        *,
        axes: Axes | Sequence[Axes],
        title: str,
        alt: str,
        caption: str = "",
        identity: str = "",
        linked: Linked | None = None,
        plays: str = "",
        picks: str = "",
        in_hand: str = "",
        given: Callable[[], dict[str, Any]] = dict,
        asks: predict.Ask | None = None,
        **sliders: Slider,
    ) -> None:
        if not callable(experiment):
            raise TypeError(
                f"`experiment` must be a function, got {experiment!r}. "
                "It takes the sliders' values and returns marks."
            )
        checks.instance((Linked, type(None)), linked=linked)
        self.experiment, self.linked = experiment, linked
        self.panels = panels(axes)
        self.title, self.alt = words(title=title), words(alt=alt)
        checks.instance(str, caption=caption)
        kinds = predict.Choose, predict.Draw, predict.Place, type(None)
        checks.instance(kinds, asks=asks)
        self.caption = caption
        self.identity = address(identity, experiment)
        for key in sliders:
            row(key)
        check_parameters(experiment, sliders)
        checks.one_of(("", *sliders), plays=plays)
        checks.one_of(("", *sliders), picks=picks)
        self.plays, self.picks = plays, picks
        self.form, self.given = form(in_hand, given, experiment), given
        most = MOST_IN_HAND if self.form else MOST_STATES
        self.states = States(sliders, linked, most)
        self.places = self._places()
        self.at, self.asks = cache(self._at), asks
        self._check_start()

    def marks(self, state: int) -> tuple[Drawn, ...]:
        """Compute what is drawn in a state."""
        return self.at(state)[0]

    def texts(self, state: int) -> tuple[str, ...]:
        """Compute what is said in a state: its sentences, then what it spends."""
        return self.at(state)[1]

    def _at(self, state: int) -> tuple[tuple[Drawn, ...], tuple[str, ...]]:
        values = self.states.values[state]
        marks = self.experiment(**values)
        try:
            marks = tuple(marks)
        except TypeError:
            raise TypeError(
                f"`experiment` must return a list of marks, got {marks!r}."
            ) from None
        for mark in marks:
            if not isinstance(mark, Mark):
                raise TypeError(
                    f"`experiment` must return marks such as Line(...), got {mark!r}."
                )
        spent = [mark.statement for mark in marks if isinstance(mark, Spent)]
        said = [mark.written for mark in marks if isinstance(mark, Sentence)]
        drawn = tuple(mark for mark in marks if isinstance(mark, Drawn))
        for mark in drawn:
            self._check_place(mark)
        if state != self.states.start:
            check_alike(
                values, drawn, len(said) + len(spent), *self.at(self.states.start)
            )
        return drawn, (*said, *spent)

    def _check_start(self) -> None:
        start = self.at(self.states.start)
        check_epsilon(self.title, self.caption, self.panels, self.states, *start)
        if self.asks:
            self.asks.check_figure(self.panels, start[0])

    def _check_place(self, mark: Drawn) -> None:
        if mark.panel >= len(self.panels):
            raise ValueError(
                f"`panel` must be below {len(self.panels)}, got {mark.panel} of "
                f"the mark {mark.label!r}. Give one Axes for each panel."
            )
        if isinstance(mark, Points):
            checks.one_of(("", *self.states.keys), moves=mark.moves)

    def _check_pure(self) -> None:
        start = self.states.start
        one, other = self.marks(start), self._at(start)[0]
        if not all(
            np.array_equal(a.outline, b.outline)
            for a, b in zip(one, other, strict=True)
        ):
            raise ValueError(
                "`experiment` must give the same marks for the same values, got two "
                "different answers. Fix its seed, and let it change nothing outside "
                "itself."
            )

    @cached_property
    def pictures(self) -> dict[str, Any]:
        """The drawings, one for each layout."""
        from ._paint import NARROW, WIDE
        from ._render import Picture

        start = self.marks(self.states.start)
        return {
            layout.name: Picture(self.identity, self.panels, start, layout, self.alt)
            for layout in (WIDE, NARROW)
        }

    def table(self) -> tuple[str, str]:
        """Compute all states and write the player's table, and its hash."""
        from ._table import write_table

        self._check_pure()
        if self.form:
            return self._in_hand()
        everything = [self.at(state) for state in range(len(self.states.values))]
        return write_table(
            self.identity,
            self.states,
            self.panels,
            {name: picture.boxes for name, picture in self.pictures.items()},
            [marks for marks, _ in everything],
            [texts for _, texts in everything],
        )

    def _in_hand(self) -> tuple[str, str]:
        from ._in_hand import write_form

        marks = self.experiment(**self.states.values[self.states.start])
        texts = [mark.text for mark in marks if isinstance(mark, Sentence)]
        texts += [mark.template for mark in marks if isinstance(mark, Spent)]
        return write_form(
            self.identity,
            self.states,
            self.panels,
            {name: picture.boxes for name, picture in self.pictures.items()},
            [mark for mark in marks if isinstance(mark, Drawn)],
            texts,
            self.form,
            self.given(),
        )

    def page(self, folder: Path) -> str:
        """Write the table into ``folder``, and return the figure's HTML."""
        script, digest = self.table()
        file = Path(folder) / f"{self.identity}.js"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script, encoding="utf-8")
        return self.html(
            self.states.start,
            asks=True,
            controls=page.controls(self.identity, self.states, self.plays),
            table=file.name,
            digest=digest,
            plays=self.plays,
            picks=self.picks,
            places=self.places,
        )

    def _places(self) -> list[list[int]]:
        if not self.picks:
            return []
        stops = np.array(self.states.stops[self.picks])
        if stops.dtype.kind not in "fiu":
            raise TypeError(
                f"`picks` must name a slider of numbers, got {self.picks!r} with "
                f"{self.states.stops[self.picks]}."
            )
        return [axes.across(stops.astype(float)).tolist() for axes in self.panels]

    def html(
        self,
        state: int,
        *,
        layouts: Sequence[str] = (),
        asks: bool = False,
        **more: Any,
    ) -> str:
        """Write the figure in one state; ``more`` goes to ``page.figure``.

        A question of the figure is put into it if it ``asks``.
        """
        marks, ask = self.marks(state), self.asks if asks else None
        drawn = {name: self.pictures[name] for name in layouts or self.pictures}
        pictures, legend = beside.drawn(drawn, marks, ask, names="table" in more)
        if ask:
            more |= self._asked(ask, pictures)
        elif self.asks:
            more |= {"question": self.asks.text, "ask": predict.answer(self.asks)}
        return page.figure(
            self.identity,
            title=self.title,
            caption=self.caption,
            legend=legend,
            pictures="".join(pictures.values()),
            said=page.said(
                self.texts(state),
                self.states,
                state,
                self._longest() if more.get("plays") else (),
            ),
            cost=page.cost(
                self.texts(state), self.states, state, unfolded="table" not in more
            ),
            **more,
        )

    def _asked(self, ask: predict.Ask, pictures: dict[str, str]) -> dict[str, str]:
        # Masks the pictures, and returns what page.figure adds.
        start = self.marks(self.states.start)
        boxes = {name: self.pictures[name].boxes for name in pictures}
        for name, svg in pictures.items():
            ghosts = ask.drawn(self.panels, boxes[name][ask.panel])
            stem = f"{self.identity}-{name}"
            pictures[name] = predict.masked(svg, stem, ask, start, ghosts)
        return {
            "quiz": ask.identity,
            "question": ask.text,
            "ask": predict.block(ask, self.panels, start, boxes, self.title),
        }

    def _longest(self) -> list[str]:
        # The longest that each sentence is in any state, with the sliders' values; of
        # one that a formula moves, in any that it plays through.
        every = range(len(self.states.values))
        if self.form:
            start = {**self.states.values[self.states.start], self.plays: None}
            every = [
                k for k in every if {**self.states.values[k], self.plays: None} == start
            ]
        said = zip(
            *([self._plain(text, s) for text in self.texts(s)] for s in every),
            strict=True,
        )
        return [max(texts, key=len) for texts in said]

    def png(self) -> bytes:
        """Draw the start state for paper: legend and statement are in the picture."""
        start = self.states.start
        note = "\n".join(self._plain(text) for text in self.texts(start))
        return self.pictures["wide"].png(self.marks(start), note)

    def _plain(self, text: str, state: int | None = None) -> str:
        at = self.states.start if state is None else state
        return re.sub(r"\{(\w+)\}", lambda m: self.states.text(at, m[1]), text)

    def __repr__(self) -> str:
        """Say what the figure shows, and what it says at the start."""
        said = (self._plain(text) for text in self.texts(self.states.start))
        asked = [f"{self.asks}\n"] if self.asks else []
        return " ".join((*asked, f"{self.title}. {self.alt}", *said))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Show the page's figure while the book is built, else live sliders."""
        folder = os.environ.get("DPTEACH_BOOK")
        if folder:
            return {
                "text/html": self.page(Path(folder)),
                "image/png": self.png(),
                "text/plain": repr(self),
            }
        from ._live import bundle

        draw = partial(self.html, layouts=("wide",))
        return {**bundle(self.states, draw), "text/plain": repr(self)}
