"""Stored results: experiments too slow for a page, with all that made them.

``make experiments`` computes anew what is stale. A result is fresh as long as the code
and the arguments that made it are what they were; a test fails when one is not.
"""

import inspect
import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

STORED: dict[str, "Stored"] = {}
# Data that no wheel holds, by name; what computes results fills it with functions.
DOWNLOADS: dict[str, Callable[[], Any]] = {}


class Stored:
    """An experiment whose values are read from disk.

    Parameters
    ----------
    compute : callable
        Takes the arguments by name, one of them ``seed``, and returns a mapping that
        JSON can hold. Its name is that of the file, in ``results`` beside its module.
    uses : tuple of module
        Modules that decide its values, such as the algorithm's: when a function in them
        changes that the experiment reaches, the result is stale. What lies below them
        is held by a test, which computes a part of the result again.
    arguments : mapping
        What it was, and will be, called with.
    """

    def __init__(
        self,
        compute: Callable[..., dict],
        uses: tuple[ModuleType, ...],
        arguments: dict[str, Any],
    ) -> None:
        self.compute, self.uses, self.arguments = compute, uses, arguments
        self.name = compute.__name__
        home = Path(inspect.getfile(compute)).parent
        self.file = home / "results" / f"{self.name}.json"

    def __call__(self) -> dict[str, Any]:
        """Return the stored values."""
        return self.record["values"]

    @cached_property
    def record(self) -> dict[str, Any]:
        """Everything in the file: values, command, versions, seed, date, inputs."""
        if not self.file.exists():
            raise FileNotFoundError(
                f"{self.file} is missing: the result was never computed. "
                "Run: make experiments"
            )
        return json.loads(self.file.read_text(encoding="utf-8"))


def stored(
    *, uses: tuple[ModuleType, ...], **arguments: Any
) -> Callable[[Callable[..., dict]], Stored]:
    """Mark an experiment as one whose values are stored.

    Parameters
    ----------
    uses : tuple of module
        Modules that decide its values.
    **arguments : JSON values
        What it is called with; ``seed`` must be among them.

    Returns
    -------
    callable
        A decorator. The function so marked returns what is stored, at once.

    Raises
    ------
    ValueError
        If there is no seed, or no module: nothing would ever make the result stale.

    Examples
    --------
    >>> from dpteach.chapters.ch08_dp_sgd.risk import risk_of_dp_sgd
    >>> risk_of_dp_sgd.record["seed"], risk_of_dp_sgd.record["arguments"]["runs"]
    (0, 50)
    """
    if "seed" not in arguments:
        raise ValueError(
            "`seed` must be among the arguments, got none. "
            "A stored result can be computed again, to the last digit."
        )
    if not uses:
        raise ValueError(
            "`uses` must name the modules that decide the values, got none. "
            "Without one, no change of theirs would make the result stale."
        )

    def mark(compute: Callable[..., dict]) -> Stored:
        STORED[compute.__name__] = result = Stored(compute, uses, arguments)
        return result

    return mark


def downloaded(name: str) -> Any:
    """Return data that only the machine that computes results has fetched.

    Parameters
    ----------
    name : str
        Which data, such as ``"mnist"``.

    Returns
    -------
    object
        What the function returns that ``DOWNLOADS`` has under this name.

    Raises
    ------
    ValueError
        Outside ``make experiments``.

    Examples
    --------
    >>> downloaded("mnist")
    Traceback (most recent call last):
    ...
    ValueError: `name` must be data that is at hand, got 'mnist'. Run the experiment \
by `make experiments`, which fetches it.
    """
    if name not in DOWNLOADS:
        raise ValueError(
            f"`name` must be data that is at hand, got {name!r}. "
            "Run the experiment by `make experiments`, which fetches it."
        )
    return DOWNLOADS[name]()
