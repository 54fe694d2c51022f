"""Stands where figures import matplotlib: the Python of a page draws none.

Chapters' modules hold figures beside what their cells compute, so they must import. Any
name of these modules is a class; whoever makes one of it learns why that cannot work.
"""

import sys
from types import ModuleType

_MODULES = (
    "axes", "backends", "backends.backend_agg", "figure", "font_manager", "lines",
    "patches", "path", "patheffects", "textpath", "ticker",
)  # fmt: skip


class _Absent:
    def __init__(self, *_, **__):
        raise RuntimeError(
            "This page's Python draws no figures. The notebook runs where matplotlib "
            "is installed"
        )


class _Module(ModuleType):
    __path__ = ()

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (_Absent,), {})


for _name in ("", *_MODULES):
    _full = f"{__name__}.{_name}" if _name else __name__
    sys.modules[_full] = _Module(_full)
