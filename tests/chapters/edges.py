"""One table of edges for all exercises: what their graders hand to an answer.

Nothing is declared: a right answer is graded, and its arguments are looked at. An edge
counts if it comes at two seeds, so that no verdict on it hangs on the cases drawn.
Ranges and sizes are read from the statement, and their ends must be tried.
"""

import functools
import re

import numpy as np

from dpteach.chapters.catalog import load
from tests.chapters.banks import right

SEEDS = (1, 2026)
ROWS = {
    "no rows": lambda a: len(a) == 0,
    "one row": lambda a: len(a) == 1,
    "many rows": lambda a: len(a) > 16 and len(a) & (len(a) - 1) != 0,
}
VECTORS = {"ties": lambda a: a.ndim == 1 and len(np.unique(a)) < len(a)}
TABLES = {
    "one column": lambda a: a.ndim > 1 and a.shape[-1] == 1,
    "three columns": lambda a: a.ndim > 1 and a.shape[-1] == 3,
    "a row of zeros": lambda a: a.ndim > 1 and bool(_rows_of_zeros(a)),
}
# Demanded where the statement leaves the number p of dimensions open.
_OPEN = re.compile(r"p[,)]+\$|\(p,\)|R\^p")
MANY = {"400 dimensions": lambda a: a.ndim > 0 and a.shape[-1] >= 400}
# Demanded where the statement has these words.
ANNOUNCED = {
    "whole number": ("whole numbers", lambda a: a.dtype.kind in "iu"),
    "may be a few hundred": ("hundreds of entries", lambda a: a.shape[0] >= 200),
    "at most 300 coordinates": ("300 columns", lambda a: a.shape[-1] == 300),
    "many dimensions": ("400 columns", lambda a: a.shape[-1] >= 400),
    "may be large.": ("entries beyond exp", lambda a: _largest(a) > 710),
    "may be very large": ("entries beyond exp", lambda a: _largest(a) > 710),
    "not finite": ("nan and inf", lambda a: np.isnan(a).any() or np.isinf(a).any()),
}
# Ranges as statements write them, without $ and `: "delta from 10^{-12} to 10^{-6}".
_NUMBER = r"(10\^\{?-?\d+\}?|\\frac12|1/2|a million|a few hundred|\d[\d,]*(?:\.\d+)?)"
_WORDS = {
    "\\frac12": 0.5, "1/2": 0.5, "a million": 1e6, "a few hundred": 200,
}  # fmt: skip
_NAMES = {
    "\\varepsilon": "eps", "\\varepsilon_0": "eps0", "\\delta": "delta",
    "\\lambda": "lam", "\\mathtt{eps}": "eps", "\\mathtt{delta}": "delta",
}  # fmt: skip
_NAME = r"(\\mathtt\{\w+\}|\\?\w+)"


def _largest(a):
    finite = a[np.isfinite(a)] if a.dtype.kind in "fiu" else np.zeros(0)
    return np.abs(finite).max(initial=0.0)


def _value(text):
    if text in _WORDS:
        return _WORDS[text]
    power = re.fullmatch(r"10\^\{?(-?\d+)\}?", text)
    return 10.0 ** int(power[1]) if power else float(text.replace(",", ""))


def ends(name):
    """Read the ends of the ranges that a statement announces: (parameter, end)."""
    exercise = load(name)
    text = " ".join(re.sub(r"[$`]", "", exercise.statement).split())
    found = []
    for pattern in (
        rf"{_NAME} (?:from|lies between) {_NUMBER} (?:to|and) {_NUMBER}",
        rf"{_NAME} up to {_NUMBER}",
    ):
        found += [
            (each[0], end) for each in re.findall(pattern, text) for end in each[1:]
        ]
    for low, symbol, high in re.findall(
        rf"{_NUMBER} \\le {_NAME} \\le {_NUMBER}", text
    ):
        found += [(symbol, low), (symbol, high)]
    named = [(_NAMES.get(symbol, symbol), _value(end)) for symbol, end in found]
    return [each for each in named if each[0] in exercise.parameters]


def _rows_of_zeros(a):
    return sum(not row.any() for row in a if row.size)


def arrays_of(name):
    """Return the arrays and the numbers in the calls of two gradings.

    They are two lists, of what came at each seed. Numbers have their parameters' names.
    """
    exercise, answer = load(name), right(name)[0]
    arrays, numbers = [], []
    for seed in SEEDS:
        calls = []

        @functools.wraps(answer)
        def recorded(*arguments, calls=calls):
            calls.append([np.array(each) for each in arguments if _is_data(each)])
            named = dict(zip(exercise.parameters, arguments, strict=True))
            calls[-1].append({k: v for k, v in named.items() if _is_number(v)})
            return answer(*arguments)

        assert exercise.grade(recorded, seed).passed, name
        arrays.append([each for call in calls for each in call[:-1]])
        numbers.append([call[-1] for call in calls])
    return arrays, numbers


def _is_data(value):
    return isinstance(value, np.ndarray | list) and np.ndim(value) > 0


def _is_number(value):
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole or isinstance(value, float | np.floating)


def demanded(name, arrays, numbers):
    """List the edges that arguments have, and the parameters that are whole numbers."""
    edges = {}
    if arrays[0]:
        edges |= ROWS
    if any(each.ndim == 1 for each in arrays[0]):
        edges |= VECTORS
    if any(each.ndim > 1 for each in arrays[0]):
        edges |= TABLES
    if arrays[0]:
        statement = " ".join(load(name).statement.split())
        edges |= MANY if _OPEN.search(statement) else {}
        edges |= dict(edge for words, edge in ANNOUNCED.items() if words in statement)
    whole = {
        key
        for call in numbers[0]
        for key, value in call.items()
        if isinstance(value, int | np.integer)
    }
    return edges, sorted(whole)


@functools.cache
def missing(name):
    """List the edges that a grader does not walk."""
    arrays, numbers = arrays_of(name)
    edges, whole = demanded(name, arrays, numbers)
    lacking = [
        edge
        for edge, holds in edges.items()
        if not all(any(map(holds, one)) for one in arrays)
    ]
    for key in whole:
        if not all(any(call.get(key) in (0, 1) for call in one) for one in numbers):
            lacking.append(f"least {key}")
    for key, end in ends(name):
        values = [[call[key] for call in one if key in call] for one in numbers]
        if not all(np.isclose(one, end, rtol=1e-6, atol=0).any() for one in values):
            lacking.append(f"{key} = {end:g}")
    return lacking
