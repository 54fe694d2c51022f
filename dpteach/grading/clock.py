"""A time limit on code that may never end, wherever Python lets one be set."""

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

# A loop that swallows one interruption gets another one this many seconds later.
_AGAIN = 0.1


class TimeUp(BaseException):
    """The time limit is over. No ``except Exception`` catches this."""


def how_limited() -> str:
    """Name what can set a time limit here: a signal, a thread, or nothing."""
    if hasattr(signal, "setitimer") and (
        threading.current_thread() is threading.main_thread()
    ):
        return "signal"
    if hasattr(ctypes, "pythonapi") and _threads_start():
        return "thread"
    return "nothing"


def _threads_start() -> bool:
    try:
        thread = threading.Thread(target=int)
        thread.start()
    except RuntimeError:  # Python in a browser has no threads
        return False
    thread.join()
    return True


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the body once ``seconds`` are over.

    In the main thread of Linux and macOS, hence in Jupyter and Colab, an alarm does it,
    which interrupts waiting too. On Windows and in other threads a watching thread does
    it between two lines of Python, so that one long call into compiled code is waited
    for. Where neither exists, such as in a browser, there is no limit.
    """
    limit = {"signal": _by_signal, "thread": _by_thread}.get(how_limited())
    if limit is None:
        yield
    else:
        with limit(seconds):
            yield


@contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    running, start = [True], time.monotonic()

    def ring(*_: object) -> None:
        if running:
            raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        try:
            yield
        finally:
            running.clear()
    finally:  # reached even if the alarm rang in the line above
        running.clear()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:  # someone else's alarm goes on, as if we had not been there
            left = max(left - (time.monotonic() - start), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, interval)


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    target, lock, over = threading.get_ident(), threading.Lock(), threading.Event()
    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch() -> None:
        wait = seconds
        while not over.wait(wait):
            with lock:
                if not over.is_set():
                    interrupt(ctypes.c_ulong(target), ctypes.py_object(TimeUp))
            wait = _AGAIN

    threading.Thread(target=watch, daemon=True).start()
    try:
        try:
            yield
        finally:
            over.set()
    finally:
        with lock:
            over.set()
            interrupt(ctypes.c_ulong(target), None)  # take back what is on its way
