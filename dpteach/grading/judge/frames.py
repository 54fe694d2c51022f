"""What the judge and a worker send each other: JSON, and the bytes of arrays after it.

No pickles: what is received is never executed. It may come from an untrusted process,
so every size and every type is looked at before it is used. Like the worker, this file
stands alone: the standard library and NumPy.
"""

import json
import math
import struct
from typing import Any

import numpy as np

try:
    from ..calling import Unknown, generator, replays, state_of
except ImportError:  # in the sandbox, where there is no dpteach
    from calling import (  # pyright: ignore[reportMissingImports]
        Unknown,
        generator,
        replays,
        state_of,
    )

HEAD = struct.Struct("<II")
_ALIGNED = 16  # bytes: NumPy likes its arrays to begin there
_DEEPEST = 5
_MOST_BITS = 4096  # of an integer: Python reads and writes no more than some 14,000


def frame(message, blob=b""):
    """Write a message as bytes: two lengths, JSON, and what the JSON refers to."""
    text = json.dumps(message).encode()
    return HEAD.pack(len(text), len(blob)) + text + blob


def packed(value):
    """Write a value down as JSON, and the bytes of its arrays."""
    blob = bytearray()
    return _packed(value, blob), bytes(blob)


def _packed(value, blob):
    if isinstance(value, np.random.Generator):
        return {"replayed": True} if replays(value) else {"generator": state_of(value)}
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value, order="C")
        start = len(blob)
        blob.extend(array.tobytes() + bytes(-array.nbytes % _ALIGNED))
        return {
            "array": array.dtype.str,
            "shape": array.shape,
            "start": start,
            "scalar": isinstance(value, np.generic),
        }
    if isinstance(value, tuple | list):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [_packed(part, blob) for part in value]}
    if isinstance(value, Unknown):
        return {"unknown": value.kind}
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return {"unknown": "a int"}  # as every one is called that no array holds
    if value is None or isinstance(value, bool | int | float | str):
        return {"plain": value}
    raise TypeError(f"a {type(value).__name__} cannot be sent")


def unpacked(spec: Any, blob: bytes, replayed: Any = None, depth: int = 0) -> Any:
    """Read a value back; raise an error if it is malformed.

    Parameters
    ----------
    spec : JSON value
        What ``packed`` gave.
    blob : bytes
        The bytes of the arrays.
    replayed : Generator, optional
        What stands for a generator that the other side replays. Without it no
        generator is read at all: a worker has none to send.
    """
    if not isinstance(spec, dict) or depth > _DEEPEST:
        raise ValueError("malformed")
    if "plain" in spec:
        value = spec["plain"]
        if value is not None and not isinstance(value, bool | int | float | str):
            raise ValueError("malformed")
        return value
    if "array" in spec:
        return _array(spec, blob)
    for name, kind in (("tuple", tuple), ("list", list)):
        if name in spec:
            return kind(
                unpacked(part, blob, replayed, depth + 1) for part in spec[name]
            )
    if replayed is not None and "replayed" in spec:
        return replayed
    if replayed is not None and "generator" in spec:
        return generator(*spec["generator"])
    return Unknown(clean(spec["unknown"], 300))


def _array(spec, blob):
    dtype = np.dtype(str(spec["array"])[:10])
    shape = tuple(int(k) for k in spec["shape"])
    if dtype.kind not in "fiubc" or any(k < 0 for k in shape):
        raise ValueError("malformed")
    count, start = math.prod(shape), int(spec["start"])
    if start < 0 or start + count * dtype.itemsize > len(blob):
        raise ValueError("malformed")
    array = np.frombuffer(blob, dtype, count, start).reshape(shape).copy()
    return array[()] if spec.get("scalar") and not shape else array


def clean(text, most):
    """Return a text that can be written anywhere, and is not longer than this."""
    return str(text)[:most].encode(errors="replace").decode()
