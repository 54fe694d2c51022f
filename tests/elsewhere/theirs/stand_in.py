"""Modules that stand in for those of a package that is not installed."""

import sys
from types import ModuleType


def module(name: str, **names: object) -> ModuleType:
    """Put a module of these names where an import finds it."""
    made = ModuleType(name)
    made.__dict__.update(names)
    sys.modules[name] = made
    return made
