"""`figure`: a figure of the book, declared once, above its experiment."""

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property, update_wrapper
from typing import Any

from .explore import explore
from .marks import Mark


class Figure:
    """An experiment, together with its figure.

    Calling it runs the experiment, and displaying it shows the figure. Importing the
    module that declares it computes nothing.

    Parameters
    ----------
    experiment : callable
        Takes the sliders' values by name and returns marks.
    declaration : dict
        The other arguments of ``explore``.
    """

    def __init__(
        self, experiment: Callable[..., Sequence[Mark]], declaration: dict[str, Any]
    ) -> None:
        inspect.signature(explore).bind(experiment, **declaration)
        self.experiment, self.declaration = experiment, declaration
        update_wrapper(self, experiment)

    def __call__(self, *args: Any, **values: Any) -> Sequence[Mark]:
        """Run the experiment."""
        return self.experiment(*args, **values)

    @cached_property
    def explorer(self) -> explore:
        """The figure, ready to be drawn and moved."""
        return explore(self.experiment, **self.declaration)

    def __repr__(self) -> str:
        """Say what the figure shows, and what it says at the start."""
        return repr(self.explorer)

    def _repr_mimebundle_(self, **keywords: Any) -> dict[str, Any]:
        """Show the page's figure while the book is built, else live sliders."""
        return self.explorer._repr_mimebundle_(**keywords)


def figure(**declaration: Any) -> Callable[[Callable[..., Sequence[Mark]]], Figure]:
    """Declare a figure of the book above its experiment.

    Parameters
    ----------
    **declaration
        The arguments of ``explore`` other than the experiment: ``axes``, ``title``,
        ``alt``, optional ones, and a ``Slider`` for each parameter.

    Returns
    -------
    callable
        A decorator. A decorated function, as the last line of a cell, is displayed as
        its figure.

    Raises
    ------
    TypeError
        If ``axes``, ``title`` or ``alt`` is missing.

    Examples
    --------
    >>> from dpteach.figures import Axes, Line, Slider
    >>> @figure(
    ...     title="Noise grows with steps",
    ...     axes=Axes("steps T", "noise", xlim=(1, 9), ylim=(0, 3)),
    ...     alt="A rising line.",
    ...     steps=Slider([4, 9]),
    ... )
    ... def noise(steps):
    ...     return [Line([1, steps], [1, steps**0.5], "noise", "private")]
    >>> noise(4)[0].y
    array([1., 2.])
    >>> noise
    Noise grows with steps. A rising line.
    """

    def declare(experiment: Callable[..., Sequence[Mark]]) -> Figure:
        return Figure(experiment, declaration)

    return declare
