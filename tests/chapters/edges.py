"""One table of edges for all exercises: what their graders hand to an answer.

Nothing is declared: a right answer is graded, and its arguments are looked at. An edge
counts if it comes at two seeds, so that no verdict on it hangs on the cases drawn.
"""

import functools

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
# Demanded where the statement speaks of whole numbers.
WHOLE = {"whole numbers": lambda a: a.dtype.kind in "iu"}


def _rows_of_zeros(a):
    return sum(not row.any() for row in a if row.size)


def arrays_of(name):
    """Return the arrays and the whole numbers in the calls of two gradings.

    They are two mappings from parameters to what came at each seed.
    """
    exercise, answer = load(name), right(name)[0]
    arrays, counts = [], []
    for seed in SEEDS:
        calls = []

        @functools.wraps(answer)
        def recorded(*arguments, calls=calls):
            calls.append([np.array(each) for each in arguments if _is_data(each)])
            named = dict(zip(exercise.parameters, arguments, strict=True))
            calls[-1].append({k: v for k, v in named.items() if _is_count(v)})
            return answer(*arguments)

        assert exercise.grade(recorded, seed).passed, name
        arrays.append([each for call in calls for each in call[:-1]])
        counts.append([call[-1] for call in calls])
    return arrays, counts


def _is_data(value):
    return isinstance(value, np.ndarray | list) and np.ndim(value) > 0


def _is_count(value):
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def demanded(name, arrays, counts):
    """List the edges that the arguments of an exercise have."""
    edges = {}
    if arrays[0]:
        edges |= ROWS
    if any(each.ndim == 1 for each in arrays[0]):
        edges |= VECTORS
    if any(each.ndim > 1 for each in arrays[0]):
        edges |= TABLES
    if arrays[0] and "whole number" in load(name).statement:
        edges |= WHOLE
    least = sorted({key for call in counts[0] for key in call})
    return edges, [f"least {key}" for key in least]


@functools.cache
def missing(name):
    """List the edges that a grader does not walk."""
    arrays, counts = arrays_of(name)
    edges, least = demanded(name, arrays, counts)
    lacking = [
        edge
        for edge, holds in edges.items()
        if not all(any(map(holds, one)) for one in arrays)
    ]
    for edge in least:
        key = edge.removeprefix("least ")
        if not all(any(call.get(key) in (0, 1) for call in one) for one in counts):
            lacking.append(edge)
    return lacking
