"""The untrusted side: runs a student's code in a process of its own, and answers calls.

It stands alone, with the module beside it: the standard library and NumPy, nothing else
of dpteach. It holds no check,
no answer, no seed and no mark. It speaks in frames of JSON and of the bytes of arrays,
never in pickles. Whatever a student's code does to this process, all that it can send
is a result, and a result is what the judge looks at.
"""

import ctypes
import io
import json
import linecache
import os
import random
import struct
import sys
import traceback
import warnings
from contextlib import suppress
from typing import Any

import numpy as np

try:
    from .cells import load, told
except ImportError:  # in the sandbox, where there is no dpteach
    from cells import load, told  # pyright: ignore[reportMissingImports]

HEAD = struct.Struct("<II")
_NO_NEW_PRIVILEGES, _DIE_WITH_PARENT, _KILL = 38, 1, 9


def drop(settings):
    """Give up every right that is not needed, for good."""
    import resource  # Windows has none

    for name, most in settings["limits"].items():
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
        except ValueError:
            if sys.platform == "linux":  # macOS, which has no sandbox, lacks some
                raise
    if os.getuid() == 0 and settings["user"] is not None:
        user = settings["user"]
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    with suppress(OSError, AttributeError):  # Linux alone has it
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        libc.prctl(_DIE_WITH_PARENT, _KILL, 0, 0, 0)


class Wire:
    """Frames to and from the judge: JSON, and the bytes of arrays after it."""

    def __init__(self):
        self.source, self.sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):  # what is printed goes nowhere
            os.dup2(nothing, standard)

    def send(self, message, blob=b""):
        """Send one frame."""
        text = json.dumps(message).encode()
        self.sink.write(HEAD.pack(len(text), len(blob)) + text + blob)
        self.sink.flush()

    def receive(self):
        """Wait for one frame; end when the judge is gone."""
        head = self.source.read(HEAD.size)
        if len(head) < HEAD.size:
            os._exit(0)
        text, blob = HEAD.unpack(head)
        return json.loads(self.source.read(text)), self.source.read(blob)


def pack(value):
    """Turn a value into what JSON holds, and the bytes of its arrays."""
    blob = bytearray()

    def spec(each, depth=0):
        simple = each is None or isinstance(each, (bool, int, float, str))
        if simple and not isinstance(each, np.generic):
            return {"plain": each}
        if isinstance(each, (np.ndarray, np.generic)) and each.dtype.kind in "fiubc":
            array = np.asarray(each, order="C")
            at = len(blob)
            blob.extend(array.tobytes())
            return {
                "array": array.dtype.str,
                "shape": list(array.shape),
                "at": at,
                "scalar": isinstance(each, np.generic),
            }
        if isinstance(each, (tuple, list)) and depth < 3 and len(each) <= 10_000:
            kind = "tuple" if isinstance(each, tuple) else "list"
            return {kind: [spec(part, depth + 1) for part in each]}
        if isinstance(each, (np.dtype, type)):
            with suppress(TypeError):
                return {"dtype": np.dtype(each).name}
        if isinstance(each, np.ndarray):
            return {"odd": "ndarray", "of": str(each.dtype)}
        return {"odd": type(each).__name__[:80]}

    return spec(value), bytes(blob)


def unpack(spec, blob, player):
    """Turn what the judge sent back into values."""
    ((kind, value),) = [(k, v) for k, v in spec.items() if k not in _EXTRA]
    if kind == "plain":
        return value
    if kind == "array":
        count = int(np.prod(spec["shape"], dtype=int))
        array = np.frombuffer(blob, value, count, spec["at"]).reshape(spec["shape"])
        return array[()] if spec["scalar"] else array.copy()
    if kind == "generator":
        bits = np.random.PCG64()
        bits.state = value
        return np.random.Generator(bits)
    if kind == "player":
        return player
    sequence = [unpack(each, blob, player) for each in value]
    return tuple(sequence) if kind == "tuple" else sequence


_EXTRA = ("shape", "at", "scalar")


def ask(wire, name, args, keywords):
    """Ask the judge for a draw, and wait for it; an ``out`` stays here, and is filled.

    The judge may answer with an error, which is raised.
    """
    out = keywords.pop("out", None)
    if out is not None:
        keywords["size"] = out.shape
    message, blob = pack([list(args), list(keywords), list(keywords.values())])
    wire.send({"draw": name, "given": message}, blob)
    answer, blob = wire.receive()
    if "error" in answer:
        kind = getattr(__builtins__, answer["error"][0], RuntimeError)
        raise kind(answer["error"][1])
    drawn = unpack(answer["drawn"], blob, None)
    if out is None:
        return drawn
    out[...] = drawn
    return out


def asking(wire, name):
    """Make a generator's method of this name, which asks the judge."""

    def method(_, *args, **keywords):
        return ask(wire, name, args, keywords)

    method.__name__ = name
    return method


def make_player(wire):
    """Make a generator whose draws the judge answers, one by one."""

    class Generator(np.random.Generator):
        def __init__(self):
            super().__init__(np.random.PCG64(0))

        @property
        def bit_generator(self):
            return ask(wire, "bit_generator", (), {})

    for name in dir(np.random.Generator):
        if not name.startswith("_") and name != "bit_generator":
            setattr(Generator, name, asking(wire, name))
    Generator.__module__ = np.random.Generator.__module__
    Generator.__qualname__ = "Generator"
    return Generator()


def line_of(error):
    """Return the last line of the student's code that an error went through."""
    with suppress(BaseException):
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if frame.filename.startswith("<cell ") and frame.lineno:
                line = linecache.getline(frame.filename, frame.lineno)
                return line.strip()[:200]
    return ""


class Printed(io.TextIOBase):
    """Keeps the beginning of what is printed, and forgets the rest."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        """Take a text."""
        self.text += text[: 200 - len(self.text)] if len(self.text) < 200 else ""
        return len(text)


def global_state():
    """Return the state of the two global sources of randomness."""
    state: Any = np.random.get_state()  # noqa: NPY002  (to watch it)
    return (state[1].tolist(), *state[2:]), random.getstate()


def call(names, request, blob, player: Any):
    """Call the function once for each seed, or once; say what came of it."""
    function = names[request["call"]]
    given: Any = [unpack(each, blob, player) for each in request["given"]]
    kept = [each.copy() if isinstance(each, np.ndarray) else each for each in given]
    before = global_state()
    if "seeds" in request:
        result = [
            function(*given, np.random.default_rng(seed)) for seed in request["seeds"]
        ]
        rows = [np.asarray(each) for each in result]
        first = rows[0]
        if all(r.shape == first.shape and r.dtype == first.dtype for r in rows):
            result = np.stack(rows)
    else:
        result = function(*given)
    answer, blob = pack(numeric(result))
    now = global_state()
    return {
        "result": answer,
        "global": [now[k] != before[k] for k in (0, 1)],
        "changed": [
            isinstance(was, np.ndarray) and not np.array_equal(was, each)
            for was, each in zip(kept, given, strict=True)
        ],
    }, blob


def numeric(result):
    """Turn a long list of numbers into an array; leave all else."""
    if isinstance(result, (list, tuple)) and not any(
        isinstance(each, np.ndarray) for each in result
    ):
        with suppress(Exception):
            array = np.asarray(result)
            if array.dtype.kind in "fiub" and len(result) > 64:
                return array
    if not isinstance(result, (np.ndarray, np.generic)) and hasattr(
        type(result), "__array__"
    ):
        with suppress(Exception):
            return np.asarray(result)
    return result


def fits(function, parameters):
    """Say whether a function takes these arguments, and what it takes."""
    import inspect

    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):  # a built-in that does not tell
        return True, ""
    try:
        signature.bind(*parameters)
    except TypeError:
        return False, str(signature)[:200]
    return True, str(signature)[:200]


def answer(names, request, blob, player):
    """Answer one request of the judge."""
    name = request.get("call") or request.get("find") or request.get("value")
    if name not in names:
        return {"missing": True}, b""
    if "value" in request:
        value = names[name]
        if isinstance(value, (np.generic, np.ndarray)) and value.size == 1:
            value = value.item()  # what a formula gives is often NumPy's number
        value, _ = pack(value)
        return {"value": value.get("plain") if "plain" in value else None}, b""
    if "find" in request:
        if not callable(names[name]):
            return {"odd": type(names[name]).__name__[:80]}, b""
        fit, signature = fits(names[name], request["parameters"])
        return {"fits": fit, "signature": signature}, b""
    printed = Printed()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            sys.stdout = sys.stderr = printed
            found, blob = call(names, request, blob, player)
            return {**found, "printed": printed.text[:200]}, blob
    except BaseException as error:
        return {"error": told(error), "line": line_of(error)}, b""
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def main():
    """Serve the judge until it is gone."""
    wire = Wire()
    request, _ = wire.receive()
    player = make_player(wire)
    try:
        loaded = load(request["cells"], request["definitions_alone"])
        names, trouble, beside = loaded
    except BaseException as error:
        names, trouble, beside = {}, [told(error)], True
    wire.send({"trouble": trouble, "beside": beside})
    while True:
        request, blob = wire.receive()
        try:
            message, blob = answer(names, request, blob, player)
        except BaseException as error:
            message, blob = {"error": told(error), "line": ""}, b""
        wire.send(message, blob)


if __name__ == "__main__":
    drop(json.loads(sys.argv.pop()))
    main()
