"""The wire to a worker: starts its process, and exchanges frames and values with it.

``Worked`` is a process with a student's cells loaded. What is sent is ``packed``, and
what comes back is ``unpacked``: written by an untrusted process, so every size and
every type is looked at before it is used.
"""

import json
import math
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from .isolation import Limits, worker
from .worker import HEAD

# What one frame of an untrusted process may hold, in bytes.
_LONGEST, _LARGEST = 1 << 20, 32 << 20


class Broken(RuntimeError):
    """A worker does not answer any more, or not as it should."""


class Worked:
    """A worker with a student's cells loaded: a context that ends it.

    Parameters
    ----------
    cells : sequence of str
        Python code, run in order. Statements that fail are skipped.
    way : str
        How the worker is kept apart.
    limits : Limits, optional
        What it may use.
    definitions_alone : bool, optional
        Leave out all that is neither an import nor a definition.
    """

    def __init__(
        self,
        cells: Sequence[str],
        *,
        way: str,
        limits: Limits | None = None,
        definitions_alone: bool = False,
    ) -> None:
        self.limits = limits or Limits()
        self.end = time.monotonic() + self.limits.wall
        self.why = ""
        self._start(way)
        try:
            request = {"cells": list(cells), "definitions_alone": definitions_alone}
            found, _ = self.exchange(request, b"", self.limits.load)
            self.trouble = [str(each)[:300] for each in _listed(found.get("trouble"))]
            self.beside = found.get("beside") is not False
        except Broken:
            self.close()
            raise

    def _start(self, way: str) -> None:
        started = worker(way, self.limits)
        self.noise = tempfile.TemporaryFile()  # noqa: SIM115  (close closes it)
        self.process = subprocess.Popen(
            started.command,
            env=started.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.noise,
            bufsize=0,
            start_new_session=True,
            cwd="/",
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.to, self.of = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.to, False)
        os.set_blocking(self.of, False)

    def __enter__(self) -> "Worked":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, and all that it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.noise):
            if pipe is not None:
                pipe.close()

    def exchange(
        self, message: dict, blob: bytes, seconds: float, on_draw: Any = None
    ) -> tuple[dict, bytes]:
        """Send a request, answer its draws, and wait for what comes of it."""
        deadline = min(time.monotonic() + seconds, self.end)
        self._send(message, blob, deadline)
        while True:
            found, blob = self._receive(deadline)
            if "draw" not in found or on_draw is None:
                return found, blob
            answer, told = on_draw(found, blob)
            self._send(answer, told, deadline)

    def value(self, name: str) -> Any:
        """Read a number or a text that the student's code gave a name to."""
        found, _ = self.exchange({"value": name}, b"", 5.0)
        value = found.get("value")
        return value if isinstance(value, bool | int | float | str) else None

    def _broken(self, why: str) -> Broken:
        self.why = why
        return Broken(why)

    def _send(self, message: dict, blob: bytes, deadline: float) -> None:
        text = json.dumps(message).encode()
        left = memoryview(HEAD.pack(len(text), len(blob)) + text + blob)
        while left:
            self._wait([], [self.to], deadline)
            try:
                left = left[os.write(self.to, left[: 1 << 16]) :]
            except OSError:
                raise self._broken(self._ended()) from None

    def _receive(self, deadline: float) -> tuple[dict, bytes]:
        text, blob = HEAD.unpack(self._read(HEAD.size, deadline))
        if text > _LONGEST or blob > _LARGEST:
            raise self._broken("a malformed answer")
        try:
            found = json.loads(self._read(text, deadline))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._broken("a malformed answer")
        return found, self._read(blob, deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        got = bytearray()
        while len(got) < size:
            self._wait([self.of], [], deadline)
            part = os.read(self.of, min(1 << 16, size - len(got)))
            if not part:
                raise self._broken(self._ended())
            got += part
        return bytes(got)

    def _wait(self, of: list[int], to: list[int], deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0 or not any(select.select(of, to, [], left)[:2]):
            raise self._broken("no result in time")

    def _ended(self) -> str:
        try:
            code = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "the end of the process"
        return f"the end of the process (status {code})"

    def said(self) -> str:
        """Return the end of what the process said to its standard error."""
        self.noise.seek(0, os.SEEK_END)
        self.noise.seek(max(0, self.noise.tell() - 2000))
        return self.noise.read().decode(errors="replace")


def _listed(value: Any) -> list:
    return value[:5] if isinstance(value, list) else []


def packed(values: list) -> tuple[list, bytes]:
    """Write values down as JSON, and the bytes of their arrays."""
    blob = bytearray()

    def spec(each: Any) -> dict:
        if isinstance(each, np.random.Generator):
            if is_special(each):
                return {"player": True}
            return {"generator": each.bit_generator.state}
        if isinstance(each, np.ndarray | np.generic):
            array = np.asarray(each, order="C")
            at = len(blob)
            # Arrays begin at multiples of 16 bytes, as NumPy likes them.
            blob.extend(array.tobytes() + bytes(-array.nbytes % 16))
            return {
                "array": array.dtype.str,
                "shape": array.shape,
                "at": at,
                "scalar": isinstance(each, np.generic),
            }
        if isinstance(each, tuple | list):
            kind = "tuple" if isinstance(each, tuple) else "list"
            return {kind: [spec(part) for part in each]}
        if each is None or isinstance(each, bool | int | float | str):
            return {"plain": each}
        raise TypeError(f"a {type(each).__name__} cannot be sent to a worker")

    return [spec(each) for each in values], bytes(blob)


def unpacked(spec: Any, blob: bytes, depth: int = 0) -> Any:
    """Read a value that an untrusted process wrote down; raise if it is malformed."""
    if not isinstance(spec, dict) or depth > 5:
        raise ValueError("malformed")
    if "plain" in spec:
        value = spec["plain"]
        if value is not None and not isinstance(value, bool | int | float | str):
            raise ValueError("malformed")
        return value
    if "array" in spec:
        return _array(spec, blob)
    for kind, make in (("tuple", tuple), ("list", list)):
        if kind in spec:
            return make(unpacked(each, blob, depth + 1) for each in spec[kind])
    if "dtype" in spec:
        return np.dtype({"float32": "float32"}.get(spec["dtype"], "float64"))
    if spec.get("odd") == "ndarray":
        return np.array([None])
    return type(str(spec["odd"])[:80], (), {})()


def _array(spec: dict, blob: bytes) -> Any:
    kind = np.dtype(str(spec["array"])[:10])
    shape = tuple(int(k) for k in spec["shape"])
    if kind.kind not in "fiubc" or len(shape) > 8 or any(k < 0 for k in shape):
        raise ValueError("malformed")
    count, at = math.prod(shape), int(spec["at"])
    if at < 0 or at + count * kind.itemsize > len(blob):
        raise ValueError("malformed")
    array = np.frombuffer(blob, kind, count, at).reshape(shape).copy()
    return array[()] if spec.get("scalar") and not shape else array


def is_special(value: Any) -> bool:
    """Tell a generator that replays something from an ordinary one."""
    return isinstance(value, np.random.Generator) and (
        type(value) is not np.random.Generator
        or not isinstance(value.bit_generator, np.random.PCG64)
    )
