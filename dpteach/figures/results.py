"""Stored results: experiments too slow for a page, and how they were made.

A result is fresh as long as the code and the arguments that made it are unchanged:
``make records`` lists what is stale, and ``make experiments`` computes it anew. A seal
over all that a record says shows when a file was cut or edited by hand.
"""

import inspect
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

STORED: dict[str, "Stored"] = {}
# Data that no wheel contains, by name; the tool that computes results fills this.
DOWNLOADS: dict[str, Callable[[], Any]] = {}
# Where a finished run is looked up, or computed and kept; filled by the same tool.
KEEPERS: list[Callable[["Kept", dict[str, Any]], dict]] = []


class Stored:
    """An experiment whose values are read from disk.

    Parameters
    ----------
    compute : callable
        Takes the arguments by name, one of them ``seed``, and returns a mapping that
        JSON can hold. The file in ``results`` beside its module has the same name.
    uses : tuple of module
        Modules that decide its values, such as the algorithm's: the result is stale
        when a function in them, in ``dpteach.arrays`` or in ``dpteach.problem`` that
        the experiment reaches has changed. Other modules are covered by a test, which
        computes a part of the result again.
    arguments : mapping
        The arguments of every call.
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
        """The content of the file: values, command, versions, seed, date, inputs."""
        if not self.file.exists():
            raise FileNotFoundError(
                f"{self.file} is missing: the result was never computed. "
                "Run: make experiments"
            )
        return read(self.file)


def seal(contents: Mapping[str, Any]) -> str:
    """Hash all that a record says, but for the seal itself.

    Parameters
    ----------
    contents : mapping
        As JSON has it: texts, finite numbers, lists and mappings.

    Returns
    -------
    str
        The SHA-256 of its JSON with sorted keys, in hexadecimal digits.

    Raises
    ------
    ValueError
        If a number is not finite, which JSON cannot hold.

    Examples
    --------
    >>> sealed = {"values": [0.5], "seed": 0}
    >>> seal(sealed) == seal({"seed": 0, "values": [0.5], "sha256": "any"})
    True
    >>> seal(sealed) == seal({"seed": 0, "values": [0.75]})
    False
    """
    import hashlib  # imported here: a page that shows no stored result needs none

    said = {key: value for key, value in contents.items() if key != "sha256"}
    text = json.dumps(said, sort_keys=True, allow_nan=False, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def read(file: Path) -> dict[str, Any]:
    """Read a record, and compare it with its seal.

    Parameters
    ----------
    file : Path
        A file of JSON whose ``sha256`` is the seal over the rest.

    Returns
    -------
    dict
        The record.

    Raises
    ------
    ValueError
        If the file was cut, or edited after it was written.

    Examples
    --------
    >>> from dpteach.chapters.dp_sgd.risk import risk_of_dp_sgd
    >>> read(risk_of_dp_sgd.file)["seed"]
    0
    """
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        intact = record.get("sha256") == seal(record)
    except ValueError as error:
        raise ValueError(
            f"{file} was cut or edited: {error}. `make records` says how to renew it."
        ) from None
    if not intact:
        raise ValueError(
            f"{file} was edited after it was written: its seal does not fit. "
            "`make records` says how to renew it."
        )
    return record


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
        A decorator. A decorated function returns the stored values at once.

    Raises
    ------
    ValueError
        If there is no seed, or no module: then nothing would make the result stale.

    Examples
    --------
    >>> from dpteach.chapters.dp_sgd.risk import risk_of_dp_sgd
    >>> risk_of_dp_sgd.record["seed"], risk_of_dp_sgd.record["arguments"]["runs"]
    (0, 50)
    """
    if "seed" not in arguments:
        raise ValueError(
            "`seed` must be among the arguments, got none. "
            "With it a stored result can be computed again, to the last digit."
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


class Kept:
    """A run of an experiment that takes hours: what is finished need not run again.

    Parameters
    ----------
    compute : callable
        Takes JSON values by name, and returns a mapping that JSON can hold.
    uses : tuple of module
        As for ``Stored``.
    """

    def __init__(
        self, compute: Callable[..., dict], uses: tuple[ModuleType, ...]
    ) -> None:
        self.compute, self.uses, self.name = compute, uses, compute.__name__
        home = Path(inspect.getfile(compute)).parent
        self.file = home / "results" / f"{self.name}.jsonl"

    def __call__(self, **arguments: Any) -> dict:
        """Compute a run; where results are computed, only if it is not kept."""
        if KEEPERS:
            return KEEPERS[0](self, arguments)
        return self.compute(**arguments)


def kept(*, uses: tuple[ModuleType, ...]) -> Callable[[Callable[..., dict]], Kept]:
    """Mark a run of an experiment as one that is kept when it is finished.

    Parameters
    ----------
    uses : tuple of module
        Modules that decide its values.

    Returns
    -------
    callable
        A decorator. The decorated function takes its arguments by name.

    Examples
    --------
    >>> from dpteach import arrays
    >>> kept(uses=(arrays,))(lambda x: {"square": x * x})(x=3)
    {'square': 9}
    """
    return lambda compute: Kept(compute, uses)


def downloaded(name: str) -> Any:
    """Return data that were fetched only where results are computed.

    Parameters
    ----------
    name : str
        The name of the data, such as ``"mnist"``.

    Returns
    -------
    object
        What the function of this name in ``DOWNLOADS`` returns.

    Raises
    ------
    ValueError
        Outside ``make experiments``.

    Examples
    --------
    >>> downloaded("mnist")
    Traceback (most recent call last):
    ...
    ValueError: `name` must be data that are available, got 'mnist'. Run the \
experiment by `make experiments`, which fetches it.
    """
    if name not in DOWNLOADS:
        raise ValueError(
            f"`name` must be data that are available, got {name!r}. "
            "Run the experiment by `make experiments`, which fetches it."
        )
    return DOWNLOADS[name]()
