"""Floor 0. Packages whose names load when they are first used."""

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def lazy(
    package: str, homes: Mapping[str, str], modules: Iterable[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the ``__getattr__`` and the ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        The package's full name.
    homes : mapping
        For each public name, the module inside the package that defines it.
    modules : iterable of str
        The modules and packages inside that ``dir`` lists as well.
    """
    offered = sorted({*homes, *modules})

    def __getattr__(name: str) -> Any:
        if name in homes:
            return getattr(_imported(f"{package}.{homes[name]}"), name)
        if not name.startswith("_"):
            try:
                return _imported(f"{package}.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"{package}.{name}":  # what it needs is not installed
                    raise
        # `from package import name` hides the message of an AttributeError, so such a
        # line gets an ImportError, which shows the hint.
        if sys._getframe(1).f_code.co_name == "_handle_fromlist":
            message = f"cannot import name {name!r} from {package!r}"
            raise ImportError(message + _hint(name, offered), name=name)
        message = f"module {package!r} has no attribute {name!r}"
        raise AttributeError(message + _hint(name, offered), name=name)

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[package]), *offered})

    return __getattr__, __dir__


# What an installation without extras lacks, and which extra of dpteach brings it.
EXTRAS = {
    "IPython": "figures", "ipywidgets": "figures", "matplotlib": "figures",
    "pygments": "figures", "joblib": "scale", "tqdm": "scale",
}  # fmt: skip


def missing(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Add to an error which extra brings the library that is not installed."""
    extra = EXTRAS.get((error.name or "").partition(".")[0])
    if extra is None:
        return error
    told = f"{error}. It comes with dpteach's extra `{extra}`."
    return ModuleNotFoundError(told, name=error.name)


def _imported(module: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing(error) from None


def _hint(name: str, offered: list[str]) -> str:
    from difflib import get_close_matches  # imported here: few names are misspelled

    near = [] if name.startswith("__") else get_close_matches(name, offered, n=1)
    return f". Did you mean {near[0]!r}?" if near else ""
