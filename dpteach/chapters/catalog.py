"""Which exercises there are. They are found by their files, so there is no list."""

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

ROOMS = Path(__file__).parent


@cache
def rooms() -> dict[str, str]:
    """Say in which chapter's folder each exercise is.

    Every module of a chapter's ``exercises`` is an exercise, and has its name. A module
    whose name begins with an underscore is shared by several exercises.

    Returns
    -------
    dict
        From an exercise's name to a folder, such as ``"sensitivity"``.

    Examples
    --------
    >>> rooms()["clip"]
    'sensitivity'
    """
    folders = {}
    for folder in sorted(ROOMS.glob("*/exercises")):
        for path in sorted(folder.iterdir()):
            module = path.suffix == ".py" or (path / "__init__.py").exists()
            if module and not path.name.startswith("_"):
                folders[path.stem] = folder.parent.name
    return folders


def names() -> tuple[str, ...]:
    """List every exercise and question.

    Returns
    -------
    tuple of str
        In alphabetical order.

    Examples
    --------
    >>> "clip" in names()
    True
    """
    return tuple(sorted(rooms()))


def load(name: str) -> Any:
    """Find an exercise by its name.

    Parameters
    ----------
    name : str
        One of ``names()``.

    Returns
    -------
    Exercise, Number, Choice or Order
        The ``EXERCISE`` of its module.

    Examples
    --------
    >>> load("clip").parameters
    ('G', 'C')
    """
    return _module(name).EXERCISE


def explanation(name: str) -> str:
    """Find what explains an exercise to somebody who has tried it.

    Parameters
    ----------
    name : str
        One of ``names()``.

    Returns
    -------
    str
        The ``EXPLANATION`` of its module, in Markdown. It is empty if there is none.

    Examples
    --------
    >>> "np.maximum" in explanation("clip")
    True
    """
    return getattr(_module(name), "EXPLANATION", "")


def _module(name: str) -> ModuleType:
    return import_module(f".{rooms()[name]}.exercises.{name}", __package__)
