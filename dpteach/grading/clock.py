"""A time limit on code that may never end, wherever Python lets one be set."""

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

# A loop that swallows one interruption gets another one this many seconds later.
_AGAIN = 0.1


class TimeUp(BaseException):
    """The time limit is over. No ``except Exception`` catches this."""


def how_limited() -> str:
    """Name what can set a time limit here: a signal, a thread, or nothing."""
    if sys.platform == "emscripten":  # Python in a browser
        return "nothing"
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
    except RuntimeError:
        return False
    thread.join()
    return True


def limited(function: Callable[[], Any], seconds: float) -> Any:
    """Call the function, and raise TimeUp in it once ``seconds`` are over.

    In the main thread of Linux and macOS, hence in Jupyter and Colab, an alarm does it,
    which interrupts waiting too. On Windows and in other threads a watching thread does
    it between two lines of Python, so that one long call into compiled code is waited
    for. A browser has neither; a page of the book lends its Python an alarm (``page``).
    """
    way = {"signal": _Alarm, "thread": _Watcher}.get(how_limited())
    if way is None:
        return function()
    clock = way(sys._getframe())
    clock.start(seconds)
    try:
        try:
            return function()
        finally:
            clock.stop()
    finally:  # once more: what came late may have interrupted the line above
        clock.stop()


def _inside(frame: FrameType | None, caller: FrameType) -> bool:
    """Tell whether the function is running: only there may TimeUp be raised."""
    if frame is None or frame.f_code.co_filename == __file__:
        return False
    while frame is not None and frame is not caller:
        frame = frame.f_back
    return frame is caller


class _Alarm:
    def __init__(self, caller: FrameType) -> None:
        self.caller, self.going = caller, False

    def start(self, seconds: float) -> None:
        self.going, self.begin = True, time.monotonic()
        self.before = signal.signal(signal.SIGALRM, self._ring)
        self.left = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)

    def _ring(self, _: int, frame: FrameType | None) -> None:
        if _inside(frame, self.caller):
            raise TimeUp

    def stop(self) -> None:
        if not self.going:
            return
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)
        left, interval = self.left
        if left:  # someone else's alarm goes on, as if we had not been there
            left = max(left - (time.monotonic() - self.begin), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, interval)
        self.going = False


class _Watcher:
    def __init__(self, caller: FrameType) -> None:
        self.caller, self.target = caller, threading.get_ident()
        self.over = threading.Event()

    def start(self, seconds: float) -> None:
        threading.Thread(target=self._watch, args=(seconds,), daemon=True).start()

    def _watch(self, seconds: float) -> None:
        while not self.over.wait(seconds):
            frame = sys._current_frames().get(self.target)
            if _inside(frame, self.caller):
                self._send(ctypes.py_object(TimeUp))
            del frame  # or the student's variables would live on here
            seconds = _AGAIN

    def _send(self, error: Any) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.target), error)

    def stop(self) -> None:
        self.over.set()
        self._send(None)  # take back what is on its way
