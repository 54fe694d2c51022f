"""A time limit on code that may never end, wherever Python lets one be set.

Only the time counts in which the code ran or slept. While it waits for a processor that
other programs use, its time stands still: a verdict must not depend on the neighbors.
"""

import _weakrefset
import ctypes
import gc
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

# A loop that swallows one interruption gets another one this many seconds later.
_AGAIN = 0.1
# So many seconds an alarm waits for the end of what drops exceptions.
_GRACE = 1.0
# The files of callbacks in which Python drops what is raised.
_CALLBACKS = (weakref.__file__, _weakrefset.__file__)
# Without the kernel's figure, whatever sleeps ends after this many times its limit.
_GUARD = 10.0


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


@dataclass(frozen=True)
class Usage:
    """How long a thread, or several processes, used the processor and waited for it.

    Parameters
    ----------
    ran : float
        Seconds on a processor.
    waited : float or None
        Seconds of waiting for one that others used; None where the kernel keeps none.
    """

    ran: float
    waited: float | None


def scheduling(folder: str) -> tuple[float, float] | None:
    """Read from a thread's folder in ``/proc`` how long it ran, and waited to run.

    Only Linux has this, and not in every container.
    """
    try:
        with open(f"{folder}/schedstat", "rb") as file:
            ran, waited = (int(number) / 1e9 for number in file.read().split()[:2])
    except (OSError, ValueError):
        return None
    return (ran, waited) if ran or waited else None  # zeros: the kernel keeps no figure


def thread_usage(thread: int) -> Usage:
    """Say what a thread of this process has used, by the system's number of it."""
    figures = scheduling(f"/proc/self/task/{thread}")
    return Usage(time.process_time(), None if figures is None else figures[1])


class Elapsed:
    """The seconds since now that count against a limit.

    Where the kernel says how long a thread waited for a processor, it is the time on
    the wall less that. Elsewhere it is the time on a processor, at least a tenth of
    that on the wall and never more. In a browser, which has neither, it is that on the
    wall.

    Parameters
    ----------
    usage : callable
        Says what has been used so far.
    """

    def __init__(self, usage: Callable[[], Usage]) -> None:
        self.usage, self.begin, self.before = usage, time.monotonic(), usage()

    def passed(self) -> float:
        """Count all seconds, on the wall."""
        return time.monotonic() - self.begin

    def seconds(self) -> float:
        """Count those that are held against the limit."""
        now, passed = self.usage(), self.passed()
        ran = min(now.ran - self.before.ran, passed)
        if now.waited is not None and self.before.waited is not None:
            # Several threads may have waited at once, while another one ran.
            return max(passed - (now.waited - self.before.waited), ran)
        if sys.platform == "emscripten":
            return passed
        return max(ran, passed / _GUARD)


def of_this_thread() -> Elapsed:
    """Start to count the seconds of the thread that calls."""
    thread = getattr(threading, "get_native_id", int)()  # a browser has no number
    return Elapsed(lambda: thread_usage(thread))


def limited(
    function: Callable[[], Any], seconds: float, elapsed: Elapsed | None = None
) -> Any:
    """Call the function, and raise TimeUp in it once ``seconds`` of its own are over.

    They are counted from now, or from the begin of ``elapsed``.

    In the main thread of Linux and macOS, hence in Jupyter and Colab, an alarm does it,
    which interrupts waiting too. On Windows and in other threads a watching thread does
    it between two lines of Python, so that one long call into compiled code is waited
    for. A browser has neither; a page of the book lends its Python an alarm (``page``).
    """
    way = {"signal": _Alarm, "thread": _Watcher}.get(how_limited())
    if way is None:
        return function()
    clock = way(sys._getframe(), elapsed or of_this_thread())
    clock.start(seconds)
    try:
        try:
            return function()
        finally:
            clock.stop()
    finally:  # once more: what came late may have interrupted the line above
        clock.stop()


def _inside(frame: FrameType | None, caller: FrameType, late: float) -> bool:
    """Tell whether the function is running: only there may TimeUp be raised.

    While Python collects garbage or deletes an object, what is raised is dropped with a
    warning. So the alarm rings again until that is over, unless it never ends.
    """
    if frame is None or frame.f_code.co_filename == __file__:
        return False
    callbacks = [getattr(each, "__func__", each) for each in gc.callbacks]
    dropping = {getattr(each, "__code__", None) for each in callbacks}
    while frame is not None and frame is not caller:
        code = frame.f_code
        drops = code in dropping or code.co_name == "__del__"
        if (drops or code.co_filename in _CALLBACKS) and late < _GRACE:
            return False
        frame = frame.f_back
    return frame is caller


class _Alarm:
    def __init__(self, caller: FrameType, elapsed: Elapsed) -> None:
        self.caller, self.elapsed, self.going = caller, elapsed, False

    def start(self, seconds: float) -> None:
        self.going, self.seconds = True, seconds
        self.before = signal.signal(signal.SIGALRM, self._ring)
        self.left = signal.setitimer(signal.ITIMER_REAL, seconds)

    def _ring(self, _: int, frame: FrameType | None) -> None:
        remaining = self.seconds - self.elapsed.seconds()
        inside = _inside(frame, self.caller, late=-remaining)
        # Set anew each time, or a ring could come while another one is being heard.
        signal.setitimer(signal.ITIMER_REAL, max(remaining, _AGAIN))
        if remaining <= 0 and inside:
            raise TimeUp

    def stop(self) -> None:
        if not self.going:
            return
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)
        left, interval = self.left
        if left:  # someone else's alarm goes on, as if we had not been there
            left = max(left - self.elapsed.passed(), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, interval)
        self.going = False


class _Watcher:
    def __init__(self, caller: FrameType, elapsed: Elapsed) -> None:
        self.caller, self.elapsed = caller, elapsed
        self.target = threading.get_ident()
        self.over = threading.Event()

    def start(self, seconds: float) -> None:
        threading.Thread(target=self._watch, args=(seconds,), daemon=True).start()

    def _watch(self, seconds: float) -> None:
        pause = seconds
        while not self.over.wait(pause):
            pause = _AGAIN
            late = self.elapsed.seconds() - seconds
            if late < 0:
                continue
            frame = sys._current_frames().get(self.target)
            if _inside(frame, self.caller, late):
                self._send(ctypes.py_object(TimeUp))
            del frame  # or the student's variables would live on here

    def _send(self, error: Any) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.target), error)

    def stop(self) -> None:
        self.over.set()
        self._send(None)  # take back what is on its way
