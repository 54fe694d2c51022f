"""One call of a student's function, the same in a notebook, on a page and in the judge.

It stands alone: the standard library and NumPy, nothing else of dpteach. The judge's
worker, which runs where there is no dpteach, has this file beside it.
"""

import inspect
import io
import linecache
import random
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import numpy as np

_MOST_PRINTED, _MOST_SAID = 200, 300
# Lists of more numbers than this become arrays. Longer ones of anything else, and what
# is nested more deeply, are not looked at.
_LONG_LIST, _LONGEST_LIST, _DEEPEST = 64, 10_000, 4


class Unknown:
    """Stands for a result that is neither numbers nor a text, or a list of them.

    Parameters
    ----------
    kind : str
        What it is instead, such as ``a dict``.
    """

    def __init__(self, kind):
        self.kind = kind

    def __repr__(self):
        """Say what it is instead."""
        return self.kind


@dataclass
class Outcome:
    """What came of a call.

    Parameters
    ----------
    result : object, optional
        Numbers, texts, arrays, and lists of them; ``Unknown`` for anything else.
    error : str, optional
        The type of an exception and what it says; empty if there was none.
    line : str, optional
        The last line of the function's file that the exception passed.
    printed : str, optional
        The beginning of what was printed.
    global_source : str, optional
        The global source of randomness that was used or seeded.
    changed : tuple of bool, optional
        Which of the arguments have other values than before.
    seconds : float, optional
        How long it took; whoever limits the time fills it in.
    hint : str, optional
        What may have caused an error, if that is known.
    """

    result: Any = None
    error: str = ""
    line: str = ""
    printed: str = ""
    global_source: str = ""
    changed: tuple[bool, ...] = ()
    seconds: float = 0.0
    hint: str = ""


def call(function, arguments, seeds=None, uncaught=()):
    """Call a function on copies of its arguments, and say what came of it.

    Parameters
    ----------
    function : callable
        What a student wrote.
    arguments : sequence
        In order.
    seeds : sequence of int, optional
        One call for each, with a generator of this seed as last argument. The result is
        then a list, or an array with a row for each call.
    uncaught : tuple of exception types, optional
        What goes on to the caller; every other exception becomes part of the outcome.

    Returns
    -------
    Outcome
        What came of it.
    """
    copies = [copied(value) for value in arguments]
    printed, before = _Printed(), _global_state()
    try:
        with (
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
            redirect_stdout(printed),
            redirect_stderr(printed),
        ):
            warnings.simplefilter("ignore")
            result = _results(function, copies, seeds)
    except uncaught:
        raise
    except BaseException as error:
        return Outcome(
            error=described(error), line=_line_of(error, function), printed=printed.text
        )
    return Outcome(
        result=result,
        printed=printed.text,
        global_source=_global_source_since(before),
        changed=tuple(map(_differs, arguments, copies)),
    )


def _results(function, arguments, seeds):
    if seeds is None:
        return portable(function(*arguments))
    generators = map(np.random.default_rng, seeds)
    return stacked([portable(function(*arguments, rng)) for rng in generators])


def copied(value):
    """Copy an argument, so that a function can do with it what it wants.

    A generator that replays chosen draws is handed on as it is.
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple | list):
        kind = tuple if isinstance(value, tuple) else list
        return kind(copied(part) for part in value)
    if isinstance(value, np.random.Generator) and not replays(value):
        return generator(*state_of(value))
    return value


def replays(value):
    """Tell a generator that replays chosen draws from an ordinary one."""
    return isinstance(value, np.random.Generator) and (
        type(value) is not np.random.Generator
        or not isinstance(value.bit_generator, np.random.PCG64)
    )


def state_of(rng):
    """Return the state of a generator and of its seed, which makes its children."""
    bits: Any = rng.bit_generator
    seed = bits.seed_seq
    entropy = seed.entropy
    return bits.state, {
        "entropy": entropy if isinstance(entropy, int) else [int(k) for k in entropy],
        "spawn_key": list(seed.spawn_key),
        "pool_size": seed.pool_size,
        "n_children_spawned": seed.n_children_spawned,
    }


def generator(state, seed):
    """Make a generator of these states."""
    bits = np.random.PCG64(np.random.SeedSequence(**seed))
    bits.state = state
    return np.random.Generator(bits)


def portable(value, depth=0):
    """Reduce a result to numbers, texts, arrays, and lists and tuples of them."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, list | tuple):
        array = _as_numbers(value) if len(value) > _LONG_LIST else None
        if array is not None:
            return array
        if depth < _DEEPEST and len(value) <= _LONGEST_LIST:
            kind = tuple if isinstance(value, tuple) else list
            return kind(portable(part, depth + 1) for part in value)
        return Unknown(f"a {type(value).__name__}")
    lone = isinstance(value, complex) and not isinstance(value, np.generic)
    array = None if lone else _as_numbers(value)
    if array is None:
        kind = type(value).__name__
        if isinstance(value, np.ndarray):
            return Unknown(f"{kind} of {value.dtype}")
        return Unknown(f"a {kind}")
    return array[()] if isinstance(value, np.generic) else array


def _as_numbers(value):
    """Return an array of numbers, or None if the value is nothing of this kind."""
    try:
        array = np.asarray(value)
        return array if array.dtype.kind in "fiubc" else None
    except Exception:  # rows of different lengths, or something stranger
        return None


def stacked(results):
    """Make an array of many results, a row each, if they are alike."""
    arrays: list[Any] = [_as_numbers(result) for result in results]
    if any(array is None for array in arrays):
        return results
    first = arrays[0]
    same = all(a.shape == first.shape and a.dtype == first.dtype for a in arrays)
    return np.stack(arrays) if same else arrays


def described(error):
    """Say what an exception is, in a few hundred characters."""
    kind = type(error).__name__
    try:
        text = f"{kind}: {error}".rstrip(": ")
    except BaseException:
        text = kind
    return text[:_MOST_SAID]


def misfit(function, parameters):
    """Return a function's signature if it does not take these arguments, else None."""
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):  # a built-in that does not tell
        return None
    try:
        signature.bind(*parameters)
    except TypeError:
        return str(signature)[:_MOST_SAID]
    return None


def _line_of(error, function):
    """Return the last line of a function's own file that an exception passed."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return ""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == code.co_filename and frame.lineno
    ]
    if not lines:
        return ""
    return linecache.getline(code.co_filename, lines[-1]).strip()[:_MOST_SAID]


class _Printed(io.TextIOBase):
    """Keeps the beginning of what is printed, and forgets the rest."""

    def __init__(self):
        self.text = ""

    def writable(self):
        return True

    def write(self, text):
        self.text += text[: max(0, _MOST_PRINTED - len(self.text))]
        return len(text)


def _global_state() -> Any:
    return np.random.get_state(), random.getstate()  # noqa: NPY002  (to watch it)


def _global_source_since(before):
    """Name the global source of randomness that was touched, and put both back."""
    now = _global_state()
    numpy_same = np.array_equal(now[0][1], before[0][1]) and now[0][2:] == before[0][2:]
    if numpy_same and now[1] == before[1]:
        return ""
    np.random.set_state(before[0])  # noqa: NPY002  (as if it had not been touched)
    random.setstate(before[1])
    return (
        "Python's random module" if numpy_same else "the global state of numpy.random"
    )


def _differs(before, after):
    """Tell whether an array has other values now; nan is nan."""
    return isinstance(before, np.ndarray) and not np.array_equal(
        before, after, equal_nan=before.dtype.kind in "fc"
    )
