"""The untrusted side: runs a student's code in a process of its own, and answers calls.

It stands alone, with the modules beside it: the standard library and NumPy, nothing
else of dpteach. It holds no check, no answer, no seed and no mark. Whatever a student's
code does to this process, all that it can send is a result, and a result is what the
judge looks at.
"""

import builtins
import json
import os
import sys

import numpy as np

try:
    from ..calling import call, described, misfit
    from .cells import load
    from .frames import HEAD, frame, packed, unpacked
    from .rights import drop
except ImportError:  # in the sandbox, where there is no dpteach
    from calling import call, described, misfit  # pyright: ignore[reportMissingImports]
    from cells import load  # pyright: ignore[reportMissingImports]
    from frames import (  # pyright: ignore[reportMissingImports]
        HEAD,
        frame,
        packed,
        unpacked,
    )
    from rights import drop  # pyright: ignore[reportMissingImports]

# Where the methods that fill an ``out`` have it.
_OUT_AT = {
    "random": 2,
    "standard_exponential": 3,
    "standard_gamma": 3,
    "standard_normal": 2,
}
# Longer lists are sent as arrays, and larger integers as floats: NumPy draws with both.
_LONG_LIST, _INTEGER_BITS = 64, 63


class Connection:
    """The worker's end of the pipes to and from the judge."""

    def __init__(self):
        self.source, self.sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):  # what is printed goes nowhere
            os.dup2(nothing, standard)

    def send(self, message, blob=b""):
        """Send a message."""
        self.sink.write(frame(message, blob))
        self.sink.flush()

    def receive(self):
        """Wait for a message; end when the judge is gone."""
        head = self.source.read(HEAD.size)
        if len(head) < HEAD.size:
            os._exit(0)
        text, blob = HEAD.unpack(head)
        return json.loads(self.source.read(text)), self.source.read(blob)


def ask(connection, name, arguments, keywords):
    """Ask the judge for a draw, and wait for it; an ``out`` is filled here, too.

    The judge may answer with an error, which is raised. So is NumPy's own, of an
    argument that is a number but cannot be sent, such as a ``Fraction``.
    """
    if not all(map(plain, [*arguments, *keywords.values()])):
        getattr(np.random.default_rng(0), name)(*arguments, **keywords)
    given, blob = packed(
        [
            [sendable(each) for each in arguments],
            list(keywords),
            [sendable(each) for each in keywords.values()],
        ]
    )
    connection.send({"draw": name, "given": given}, blob)
    answer, blob = connection.receive()
    if "error" in answer:
        kind, text = answer["error"]
        raise getattr(builtins, kind, RuntimeError)(text)
    drawn = unpacked(answer["drawn"], blob)
    out = keywords.get("out", next(iter(arguments[_OUT_AT.get(name, 99) :]), None))
    if out is None:
        return drawn
    out[...] = drawn
    return out


def plain(argument):
    """Tell what is sent as it is from what becomes an array of numbers first."""
    if isinstance(argument, list | tuple):
        return len(argument) <= _LONG_LIST and all(map(plain, argument))
    if isinstance(argument, np.ndarray | np.generic):
        return argument.dtype.kind in "fiubc"
    if isinstance(argument, int):
        return argument.bit_length() < _INTEGER_BITS
    kinds = type, np.dtype, range, float, str
    return argument is None or isinstance(argument, kinds)


def sendable(argument):
    """Write a ``dtype`` of a draw as text, and a range as a list: both can be sent."""
    if isinstance(argument, type | np.dtype):
        return np.dtype(argument).name
    if isinstance(argument, range):
        return list(argument)
    return argument if plain(argument) else np.asarray(argument, float)


def choose(connection, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    """Ask which of a list are chosen: the list itself, of texts perhaps, stays here."""
    how = {"size": size, "replace": replace, "p": p, "shuffle": shuffle}
    among = np.asarray(a)
    if among.ndim == 0:
        return ask(connection, "choice", (a,), how)
    return among.take(ask(connection, "choice", (among.shape[axis],), how), axis)


def asking(connection, name):
    """Make a generator's method of this name, which asks the judge."""

    def method(_, *arguments, **keywords):
        if name == "choice":
            return choose(connection, *arguments, **keywords)
        return ask(connection, name, arguments, keywords)

    method.__name__ = name
    return method


def replaying(connection):
    """Make the class of generators whose draws the judge answers, one by one."""

    class Generator(np.random.Generator):
        def __init__(self):
            super().__init__(np.random.PCG64(0))

        @property
        def bit_generator(self):
            return ask(connection, "bit_generator", (), {})

    for name in dir(np.random.Generator):
        if not name.startswith("_") and name != "bit_generator":
            setattr(Generator, name, asking(connection, name))
    Generator.__module__ = np.random.Generator.__module__
    Generator.__qualname__ = "Generator"
    return Generator


def answer(names, request, blob, replayed):
    """Answer one request of the judge."""
    if request["name"] not in names:
        return {"missing": True}, b""
    value = names[request["name"]]
    if request["kind"] == "value":
        if isinstance(value, np.generic | np.ndarray) and value.size == 1:
            value = value.item()  # what a formula gives is often NumPy's number
        plain = value is None or type(value) in (bool, int, float, str)
        return {"value": value if plain else None}, b""
    if not callable(value):
        return {"not_callable": type(value).__name__}, b""
    if request["kind"] == "signature":
        return {"misfit": misfit(value, request["parameters"])}, b""
    arguments = unpacked(request["arguments"], blob, replayed())  # new in each call
    outcome = vars(call(value, arguments, request["seeds"]))
    result, blob = packed(outcome.pop("result"))
    return {**outcome, "result": result}, blob


def main():
    """Serve the judge until it is gone."""
    connection = Connection()
    request, _ = connection.receive()
    replayed = replaying(connection)
    try:
        loaded = load(request["cells"], request["definitions_alone"])
        names, errors, more_than_definitions = loaded
    except BaseException as error:
        names, errors, more_than_definitions = {}, [described(error)], True
    connection.send({"errors": errors, "more_than_definitions": more_than_definitions})
    while True:
        request, blob = connection.receive()
        try:
            message, blob = answer(names, request, blob, replayed)
        except BaseException as error:
            message, blob = {"error": described(error)}, b""
        connection.send(message, blob)


if __name__ == "__main__":
    drop(json.loads(sys.argv.pop()))
    main()
