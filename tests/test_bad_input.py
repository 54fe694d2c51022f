"""The bad-input matrix: each argument of each public function through what goes wrong.

A function joins by a row at the end of its own test module: ``BAD_INPUT`` maps it to
arguments with which it works, or to several sets of them. Each argument in turn is
replaced by what readers pass by accident. The answer must be a sound result (no NaN, no
warning), or a ``ValueError`` or ``TypeError`` that names the argument in backticks and
says what was got.
"""

import dataclasses
import inspect
import re
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from itertools import chain
from numbers import Integral, Real
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpteach import Problem, losses
from tests.public import functions, parameters
from tests.registered import registered

NAN, INF = float("nan"), float("inf")
INTS = (np.int8, np.int16, np.int32, np.int64)
# What these return is drawn from the system's own entropy: no two answers are the same.
SYSTEM_ENTROPY = "dpteach.secure"
# It needs PyTorch or JAX: tests/backends/test_differentiable.py.
ELSEWHERE = (losses.differentiable,)


def tables():
    """Read every row: functions with one or more sets of valid arguments.

    ``ALSO_ACCEPTED`` beside them lists what an argument may mean besides, by the labels
    below: ``{(function, argument): {"a list"}}``. The result must still be sound.
    """
    cases, accepts = {}, {}
    for module in registered("BAD_INPUT"):
        accepts.update(getattr(module, "ALSO_ACCEPTED", {}))
        for function, valid in module.BAD_INPUT.items():
            sets = valid if isinstance(valid, list) else [valid]
            cases.setdefault(function, []).extend(sets)
    return cases, accepts


CASES, ACCEPTS = tables()


class Refused:
    """A replacement that can mean nothing: it must be refused, by its name or any."""

    def __init__(self, value, by_name=True):
        self.value, self.by_name = value, by_name


class Doubtful:
    """A replacement that may have a documented result."""

    def __init__(self, value):
        self.value = value


class Same:
    """A replacement that must do what the Python number of its value does.

    Where ``times`` is not 1, each other float is multiplied by it.
    """

    def __init__(self, value, plain, times=1):
        self.value, self.plain, self.times = value, plain, times


def of_any(_, valid):
    """What no argument can mean."""
    for value in (object(), 1j, {}):
        yield f"{value!r:.12}", Refused(value)
    if not isinstance(valid, str | Enum):
        yield "a word", Refused("one")
    if not isinstance(valid, Real | np.ndarray | list | tuple):
        yield "0.5", Refused(0.5)


def of_number(name, valid):
    yield "NaN", Refused(NAN)
    yield "None", Doubtful(None)
    yield "a list", Refused([valid, valid])
    yield "two numbers", Refused(np.array([1.0, 2.0]))
    yield "True", Refused(True)
    for value in (INF, -INF):
        yield f"{value}", Doubtful(value)
    # Nothing is private without noise, or below a budget of zero.
    private = name in ("noise_multiplier", "scale", "clip_norm", "radius")
    for value in (0, -1, -1.5):
        kind = Refused if private or (name == "epsilon" and value) else Doubtful
        yield f"{value}", kind(value)
    for value in (1, 1.5, 2, 1e-9):
        refused = name == "delta" and value >= 1
        yield f"{value}", (Refused if refused else Doubtful)(value)
    for value in (1e-160, 1e160, 5e-324, 1.7e308, 10**400):
        yield f"{value!r:.7}", Doubtful(value)
    yield "a NumPy number", Same(np.float64(valid), float(valid))
    for times in (1, 1.1):  # of round numbers 16 bits hold the products, too
        half = np.float16(times * valid)
        if np.isfinite(half):
            yield f"{times} times in 16 bits", Same(half, float(half), times)
    yield "a Fraction", Same(Fraction(valid), float(valid))
    yield "a Decimal", Refused(Decimal("0.5"))
    yield "an array of one", Refused(np.array(valid))
    yield "no sign", Same(np.uint8(3), 3)


def of_count(name, valid):
    yield "NaN", Refused(NAN)
    yield "None", Doubtful(None)
    yield "True", Refused(True)
    yield "a list", Refused([valid])
    yield "a fraction", Refused(1.5)
    yield "an array", Refused(np.array([1, 2]))
    yield "inf", Refused(INF)
    yield "-1", Refused(-1)
    yield "0", Refused(0) if name in ("steps", "n", "p", "releases") else Doubtful(0)
    yield "1", Doubtful(1)
    if name != "rng":  # a seed may be as long as it likes
        yield "too many", Refused(2**53 + 1)
        yield "far too many", Refused(10**400)
    narrow = [kind for kind in INTS if np.iinfo(kind).max >= valid]
    for kind in (narrow[0], np.int64, np.uint64):
        yield f"a NumPy {kind.__name__}", Same(kind(valid), int(valid))
    # What a sum or a product of it leaves: 8 bits end at 127, and 255 without a sign.
    yield "120 in 8 bits", Same(np.int8(120), 120)
    yield "200 without a sign", Same(np.uint8(200), 200)
    yield "an array of one", Refused(np.array(valid))


def of_array(_, valid):
    def put(value):
        changed = valid.astype(float)
        changed[(0,) * valid.ndim] = value
        return changed

    if valid.size:
        for value in (NAN, INF, -INF):
            yield f"one {value}", Refused(put(value))
        yield "one huge", Doubtful(put(1e150))
        yield "one near the end", Doubtful(put(1e300))
        yield "one huge negative", Doubtful(put(-1e150))
        yield "one 0.5", Doubtful(put(0.5))
    yield "empty", Doubtful(valid[:0])
    yield "one more", Doubtful(np.concatenate([valid, valid[:1]]))
    yield "one record", Doubtful(valid[:1])
    yield "one axis more", Refused(valid[None])
    yield "one axis less", Doubtful(valid[0])
    yield "zeros", Doubtful(np.zeros_like(valid))
    yield "negative", Doubtful(~valid if valid.dtype == bool else -valid)
    yield "ints", Doubtful(valid.astype(int))
    if valid.dtype != bool:
        yield "bools", Refused(valid.astype(bool))
    yield "float32", Doubtful(valid.astype(np.float32))
    yield "complex", Refused(valid.astype(complex))
    yield "words", Refused(valid.astype(str))
    yield "objects", Refused(valid.astype(object))
    yield "16 bits", Doubtful(valid.astype(np.float16))
    yield "masked", Refused(np.ma.array(valid.astype(float), mask=False))
    yield "masked as it is", Refused(np.ma.array(valid, mask=np.ones(valid.shape)))
    yield (
        "a matrix",
        Refused(valid.astype(float).reshape(len(valid), -1).view(np.matrix)),
    )
    yield "a list", Doubtful(valid.tolist())
    yield "None", Doubtful(None)
    yield "not contiguous", Doubtful(np.repeat(valid, 2, axis=0)[::2])
    frozen = valid.copy()
    frozen.setflags(write=False)
    yield "read-only", Doubtful(frozen)


def of_problem(_, valid):
    def with_data(X, y):
        return Doubtful(Problem(X, y, valid.loss, valid.constraint))

    X, y = valid.X, valid.y
    yield "None", Refused(None)
    yield "its features", Refused(X)
    yield "no records", with_data(X[:0], y[:0])
    yield "one record", with_data(X[:1], y[:1])
    yield "one column", with_data(X[:, :1], y)
    yield "zero rows", with_data(np.zeros_like(X), y)
    yield "tiny rows", with_data(1e-200 * X, y)
    yield "long rows", with_data(1e100 * X, y)
    yield "float32", with_data(X.astype(np.float32), y)
    frozen = X.copy()
    frozen.setflags(write=False)
    yield "read-only", with_data(frozen, y)


def of_tuple(name, valid):
    yield "None", Doubtful(None)
    yield "an int", Doubtful(3)
    yield "a list", Doubtful(list(valid))
    yield "nothing", Doubtful(())
    yield "words", Refused(("a",))
    if name in ("runs", "shape"):
        yield "too many", Refused((2**40, 2**40))
        yield "8 bits", Same((np.int8(12), np.int8(12)), (12, 12))
        yield "zero", Doubtful((0,))
        yield "negative", Refused((-1,))
        yield "a fraction", Refused((1.5,))
        yield "a bool", Refused((True,))


def of_word(_, valid):
    yield "None", Doubtful(None)
    yield "another word", Refused("exactly")
    yield "capitals", Refused(valid.upper())
    yield "a number", Refused(1)


def of_object(_, valid):
    yield "None", Doubtful(None)
    yield "a word", Refused("one")
    if type(valid).__module__.startswith("dpteach"):
        yield "the class", Refused(type(valid))


def of_function(_, __):
    yield "None", Doubtful(None)


KINDS = (
    (bool, lambda _, __: iter([("None", Doubtful(None)), ("1", Refused(1))])),
    (Integral, of_count),
    (Real, of_number),
    (np.ndarray, of_array),
    (Problem, of_problem),
    ((tuple, list), of_tuple),
    (str, of_word),
)


def replacements(name, valid):
    """List what an argument is replaced by: its kind decides."""
    for kind, some in KINDS:
        if isinstance(valid, kind):
            return chain(of_any(name, valid), some(name, valid))
    inspected = of_function if inspect.isroutine(valid) else of_object
    return chain(of_any(name, valid), inspected(name, valid))


def is_refused(replacement):
    """Say whether a replacement is refused alone, or is no argument of a pair."""
    return isinstance(replacement, Refused) or replacement.value is None


def sound(result, seen=()):
    """Tell whether a result holds no NaN anywhere that a reader can look."""
    if any(result is each for each in seen):
        return True
    seen = (*seen, result)
    if isinstance(result, np.ndarray):
        return result.dtype.kind not in "fc" or not np.isnan(result).any()
    if isinstance(result, Real):
        return result == result  # also for an int that no float can hold
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        values = [getattr(result, each.name) for each in dataclasses.fields(result)]
        return all(sound(value, seen) for value in values)
    if isinstance(result, tuple | list):
        return all(sound(value, seen) for value in result)
    return True


def equal(one, other):
    """Compare two results to the last bit, as far as a reader can look."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=True)
    if dataclasses.is_dataclass(one) and not isinstance(one, type):
        fields = [each.name for each in dataclasses.fields(one)]
        return all(equal(getattr(one, each), getattr(other, each)) for each in fields)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, Real):  # NumPy's float64 is a Python float, too
        return isinstance(other, float if isinstance(one, float) else Real) and (
            one == other or (one != one and other != other)
        )
    return one == other if isinstance(one, str | Enum) else True


def unequal(function, arguments, name, replacement, result_of_valid):
    """Say where a NumPy number or a fraction does not do what Python's number does."""
    if function.__module__ == SYSTEM_ENTROPY:
        return ""
    times = replacement.times
    others = (
        arguments
        if times == 1
        else {
            key: times * value if isinstance(value, float) else value
            for key, value in arguments.items()
        }
    )
    valid = arguments[name]
    try:
        same = replacement.plain == valid and type(replacement.plain) is type(valid)
        if times == 1 and same:
            plain = result_of_valid
        else:
            plain = function(**{**others, name: replacement.plain})
    except (ValueError, TypeError):
        if times != 1:
            return ""
        refused = Refused(replacement.value, by_name=False)
        return fault(function, arguments, name, refused)
    try:
        result = function(**{**others, name: replacement.value})
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    return "" if equal(plain, result) else f"gives {result!r:.80}, not {plain!r:.80}"


def fault(function, arguments, name, replacement):
    """Say what is wrong with the answer to one replaced argument; '' if nothing."""
    try:
        result = function(**{**arguments, name: replacement.value})
    except (ValueError, TypeError) as error:
        said = str(error)
        # Of two arguments that do not fit each other, either may be named.
        alone = isinstance(replacement, Refused) and replacement.by_name
        named = [name] if alone else [name, *arguments]
        if not any(f"`{each}`" in said for each in named):
            return f"does not name `{name}`: {said}"
        if not re.search(r"\bgot\b|\bis\b", said):
            return f"does not say what was got: {said}"
        return ""
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    may_be_none = inspect.signature(function).parameters.get(name)
    if replacement.value is None and (may_be_none is None or accepts_none(may_be_none)):
        return ""
    if isinstance(replacement, Refused) or replacement.value is None:
        return f"is accepted, and gives {result!r:.80}"
    return "" if sound(result) else f"gives a NaN: {result!r:.80}"


def accepts_none(parameter):
    return (
        parameter.default is None
        or parameter.annotation is Any
        or "None" in str(parameter.annotation)
        or "Rng" in str(parameter.annotation)
    )


def faults(function, arguments, result):
    """List what is wrong with the answers to each argument replaced in each way."""
    for name, valid in arguments.items():
        for label, replacement in replacements(name, valid):
            if label in ACCEPTS.get((function, name), ()):
                replacement = Doubtful(replacement.value)
            if isinstance(replacement, Same):
                wrong = unequal(function, arguments, name, replacement, result)
            else:
                wrong = fault(function, arguments, name, replacement)
            if wrong:
                yield f"{name} = {label} {wrong}"


# They search for noise or for a plan anew for each replacement.
SEARCHES = (
    "multi_participation_factorization",
    "optimal_buffers",
    "plan_fleet",
    "sampled_mechanisms",
    "separated_certificate",
)


def by_name(found):
    """Mark those that take long."""
    for each in found:
        long = each.__name__ in SEARCHES
        yield pytest.param(each, marks=[pytest.mark.thorough] if long else [])


@pytest.mark.parametrize(
    "function", list(by_name(CASES)), ids=lambda each: each.__name__
)
def test_bad_input_is_refused_in_words_or_has_a_sound_result(function):
    for arguments in CASES[function]:
        result = function(**arguments)
        assert sound(result), arguments
        found = list(faults(function, arguments, result))
        assert not found, "\n" + "\n".join(found)


@settings(
    max_examples=500,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_two_bad_arguments_at_once(data):
    """What is well alone may not be beside another: both near the end of the floats."""
    function = data.draw(st.sampled_from(list(CASES)))
    valid = data.draw(st.sampled_from(CASES[function]))
    # What is refused alone would hide what the other does.
    kinds = {
        name: [each for _, each in replacements(name, value) if not is_refused(each)]
        for name, value in valid.items()
    }
    names = sorted(name for name, some in kinds.items() if some)
    assume(len(names) > 1)
    pair = data.draw(st.lists(st.sampled_from(names), max_size=2, min_size=2))
    chosen = {name: data.draw(st.sampled_from(kinds[name])).value for name in pair}
    wrong = fault(function, {**valid, **chosen}, pair[0], Doubtful(chosen[pair[0]]))
    assert not wrong, f"{function.__name__}: {chosen} {wrong}"


def test_every_public_function_is_listed():
    """A new function joins the matrix; nothing is public and unlisted."""
    listed = {*CASES, *ELSEWHERE}
    unlisted = [name for name, each in functions().items() if each not in listed]
    assert not unlisted, f"give these a row BAD_INPUT in their tests: {unlisted}"


def test_every_argument_is_listed():
    unlisted = {
        name: missing
        for name, function in functions().items()
        if function in CASES
        and (missing := set(parameters(function)) - set().union(*CASES[function]))
    }
    assert not unlisted


def test_the_matrix_sees_each_way_of_going_wrong():
    """Power: five answers that a reader should never get."""

    def silent(*, epsilon):
        return epsilon

    def wordless(*, epsilon):
        raise ValueError(f"bad value {epsilon}")

    def crash(*, epsilon):
        raise RuntimeError(f"no {epsilon}")

    def of(function, value):
        return fault(function, {"epsilon": 1.0}, "epsilon", value)

    assert "is accepted" in of(silent, Refused("one"))
    assert "is accepted" in of(silent, Doubtful(None))
    assert "gives a NaN" in of(silent, Doubtful(NAN))
    assert "does not name `epsilon`" in of(wordless, Doubtful(0.0))
    assert "raises RuntimeError" in of(crash, Doubtful(0.0))
    assert not sound((1.0, [np.array([1.0, NAN])]))
