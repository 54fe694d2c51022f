"""The judge's side of the wire to a worker: starts its process, and exchanges messages.

What comes back was written by an untrusted process; ``frames`` reads it with care.
"""

import json
import os
import select
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..clock import Elapsed, TimeUp, Usage, scheduling
from .frames import HEAD, clean, frame
from .isolation import Limits, command

# What one message of an untrusted process may hold, in bytes.
_LONGEST, _LARGEST = 1 << 20, 32 << 20
_AGAIN = 0.1  # seconds between two looks at a worker whose time may be over
# Beside so many others that a worker gets less than this share of a processor, the
# judge gives up: the machine is to blame, and no answer.
_LEAST_SHARE = 0.1
# How a process ends that is killed, and a sandbox in which one was: as for want of
# memory. An answer can do this to itself, and no other way tells the two apart.
_KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

# What answers a worker that asks for a draw.
Draw = Callable[[dict, bytes], tuple[dict, bytes]]


class WorkerEnded(RuntimeError):
    """A worker's process has ended."""


class Malformed(RuntimeError):
    """A worker sent what no worker of ours sends."""


class NotLoaded(RuntimeError):
    """A worker did not come so far as to have run all cells.

    Parameters
    ----------
    reason : str
        What happened instead.
    last_words : str
        The end of what the process wrote to its standard error.
    """

    def __init__(self, reason: str, last_words: str) -> None:
        super().__init__(reason)
        self.last_words = last_words


class TooBusy(RuntimeError):
    """The machine is so busy that nothing can be said about an answer."""


class Worker:
    """A process with a student's cells loaded: a context that ends it.

    Parameters
    ----------
    cells : sequence of str
        Python code, run in order. Statements that fail are skipped.
    isolation : str
        How the process is kept apart.
    limits : Limits, optional
        What it may use.
    definitions_alone : bool, optional
        Leave out all that is neither an import nor a definition.
    """

    def __init__(
        self,
        cells: Sequence[str],
        *,
        isolation: str,
        limits: Limits | None = None,
        definitions_alone: bool = False,
    ) -> None:
        self.limits, self.seconds = limits or Limits(), 0.0  # of the last exchange
        self.killed = False
        self._start(isolation)
        try:
            request = {"cells": list(cells), "definitions_alone": definitions_alone}
            answer, _ = self.exchange(request, b"", self.limits.load)
        except TimeUp:
            reason = f"it did not end within {self.limits.load:g} s"
            raise NotLoaded(reason, self._close()) from None
        except (WorkerEnded, Malformed) as error:
            raise NotLoaded(str(error), self._close()) from None
        except BaseException:
            self.close()
            raise
        errors = answer.get("errors")
        self.errors = [clean(each, 300) for each in errors[:5]] if errors else []
        self.more_than_definitions = answer.get("more_than_definitions") is not False

    def _start(self, isolation: str) -> None:
        started = command(isolation, self.limits)
        self.standard_error = tempfile.TemporaryFile()  # noqa: SIM115  (see close)
        self.process = subprocess.Popen(
            started.arguments,
            env=started.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.standard_error,
            bufsize=0,
            start_new_session=True,
            umask=0o022,
            cwd="/",
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.sink, self.source = (
            self.process.stdin.fileno(),
            self.process.stdout.fileno(),
        )
        os.set_blocking(self.sink, False)
        os.set_blocking(self.source, False)

    def __enter__(self) -> "Worker":
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
        for file in (self.process.stdin, self.process.stdout, self.standard_error):
            if file is not None:
                file.close()

    def _close(self) -> str:
        """End the worker; return the end of what it wrote to its standard error."""
        self.process.kill()
        self.process.wait()
        self.standard_error.seek(
            max(0, self.standard_error.seek(0, os.SEEK_END) - 2000)
        )
        last_words = self.standard_error.read().decode(errors="replace").strip()
        self.close()
        return last_words

    def exchange(
        self, message: dict, blob: bytes, seconds: float, draw: Draw | None = None
    ) -> tuple[dict, bytes]:
        """Send a request, answer the draws that it asks for, and wait for the result.

        Parameters
        ----------
        message : dict
            The request.
        blob : bytes
            What the request refers to.
        seconds : float
            How long the worker may take; what it waits for a processor does not count.
        draw : callable, optional
            Answers draws.

        Returns
        -------
        tuple of dict and bytes
            What the worker answers.

        Raises
        ------
        TimeUp, WorkerEnded, Malformed, TooBusy
            If no answer comes.
        """
        limit = _Limit(self.process.pid, seconds)
        self._send(message, blob, limit)
        while True:
            answer, blob = self._receive(limit)
            if "draw" not in answer or draw is None:
                self.seconds = limit.elapsed.seconds()
                return answer, blob
            self._send(*draw(answer, blob), limit)

    def value(self, name: str) -> Any:
        """Read a number or a text that the student's code gave a name to."""
        answer, _ = self.exchange({"kind": "value", "name": name}, b"", 5.0)
        value = answer.get("value")
        return value if isinstance(value, bool | int | float | str) else None

    def _send(self, message: dict, blob: bytes, limit: "_Limit") -> None:
        left = memoryview(frame(message, blob))
        while left:
            limit.wait([], [self.sink])
            try:
                left = left[os.write(self.sink, left[: 1 << 16]) :]
            except OSError:
                raise self._ended() from None

    def _receive(self, limit: "_Limit") -> tuple[dict, bytes]:
        text, blob = HEAD.unpack(self._read(HEAD.size, limit))
        if text > _LONGEST or blob > _LARGEST:
            raise Malformed("a malformed answer, or one of many megabytes")
        try:
            message = json.loads(self._read(text, limit))
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise Malformed("a malformed answer")
        return message, self._read(blob, limit)

    def _read(self, size: int, limit: "_Limit") -> bytes:
        received = bytearray()
        while len(received) < size:
            limit.wait([self.source], [])
            part = os.read(self.source, min(1 << 16, size - len(received)))
            if not part:
                raise self._ended()
            received += part
        return bytes(received)

    def _ended(self) -> WorkerEnded:
        try:
            status = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return WorkerEnded("the end of the process")
        self.killed = status in _KILLED
        return WorkerEnded(f"the end of the process (status {status})")


class _Limit:
    """How long a worker may take for one answer."""

    def __init__(self, process: int, seconds: float) -> None:
        self.seconds, self.elapsed = seconds, Elapsed(lambda: usage_of(process))
        self.pause = seconds

    def wait(self, sources: list[int], sinks: list[int]) -> None:
        """Wait until there is something to read or to write, or the time is over."""
        while not any(select.select(sources, sinks, [], self.pause)[:2]):
            remaining = self.seconds - self.elapsed.seconds()
            if remaining <= 0:
                raise TimeUp
            if self.elapsed.passed() * _LEAST_SHARE > self.seconds:
                raise TooBusy(
                    f"in {self.elapsed.passed():.0f} s the answer had a processor for "
                    f"less than {self.seconds:g} s: too much else runs here"
                )
            self.pause = max(remaining, _AGAIN)


def usage_of(process: int) -> Usage:
    """Say what a process and all that it started have used so far.

    It is measured from outside, so that no answer can claim what it did not have.
    """
    ran, waited, processes = 0, None, [process]
    for number in processes:  # it grows
        for task in Path(f"/proc/{number}/task").glob("*"):
            with suppress(OSError, ValueError):  # it may have just ended
                processes += map(int, (task / "children").read_text().split())
            figures = scheduling(str(task))
            if figures is not None:
                waited = (waited or 0.0) + figures[1]
        with suppress(OSError, ValueError):
            text = Path(f"/proc/{number}/stat").read_text(errors="replace")
            # Behind the name, which stands in brackets and may hold anything.
            fields = text.rpartition(")")[2].split()
            ran += sum(map(int, fields[11:15]))  # its own, and its ended children's
    return Usage(ran / _TICK, waited)
