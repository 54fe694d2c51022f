"""The banks of answers, found beside their chapters' tests and loaded by path."""

import dataclasses
import importlib.util
import sys
from functools import cache

from dpteach.chapters.catalog import load, names
from tests.public import ROOT

FOLDERS = {
    path.parent.name: path.parent
    for path in sorted((ROOT / "tests" / "chapters").glob("*/*/bank.py"))
}
NAMES = tuple(sorted(FOLDERS))
QUESTIONS = tuple(name for name in names() if name not in NAMES)
# A call takes a millisecond; this is for those that never end.
SECONDS = 1.0


@cache
def bank(name):
    """Import the ``bank.py`` of an exercise."""
    path = FOLDERS[name] / "bank.py"
    spec = importlib.util.spec_from_file_location(f"bank_of_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # so that its source can be found
    spec.loader.exec_module(module)
    return module


@cache
def quick(name, seconds=SECONDS):
    """Load the exercise, with less patience."""
    return dataclasses.replace(load(name), seconds=seconds)


@cache
def verdict(name, answer, seed):
    """Grade once; several tests look at the report."""
    return quick(name).grade(answer, seed)


def right(name):
    """List the answers that must pass."""
    return bank(name).RIGHT


def wrong(name):
    """List pairs of an answer that must not pass and its message's pattern."""
    return tuple(bank(name).WRONG.items())
