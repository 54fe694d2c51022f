"""Limits count a student's own time: what the neighbors take does not count."""

import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import pytest

from dpteach.grading import clock
from dpteach.grading.clock import Elapsed, TimeUp, Usage, limited, of_this_thread


def spin(seconds):
    """Use a processor for so long."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.fixture
def busy_neighbors():
    """Four processes that never rest, on the processor that this one is tied to."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("nobody can be tied to a processor here")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    code = "while True: pass"
    neighbors = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    time.sleep(0.2)
    yield
    for each in neighbors:
        each.kill()
        each.wait()
    os.sched_setaffinity(0, before)


@pytest.mark.skipif(
    clock.scheduling("/proc/self/task/" + str(threading.get_native_id())) is None,
    reason="this kernel does not say how long a thread waited",
)
def test_what_is_right_passes_beside_busy_neighbors(busy_neighbors):
    """And power: on the wall it takes more than the limit."""
    del busy_neighbors
    begin = time.monotonic()
    assert limited(lambda: spin(0.5) or "right", 1.0) == "right"
    assert time.monotonic() - begin > 1.0


def test_what_sleeps_uses_its_time():
    with pytest.raises(TimeUp):
        limited(lambda: time.sleep(30), 0.1)


@pytest.mark.parametrize(
    ("ran", "waited", "expected"),
    [
        (0.5, 3.0, 1.0),  # 4 seconds on the wall, of which 3 in a queue
        (0.5, 0.0, 4.0),  # the rest was sleep
        (3.0, 9.0, 3.0),  # many threads waited, while others ran
        (9.0, 0.0, 4.0),  # two threads ran at once
        (0.5, None, 0.5),  # no figure: the time on a processor
        (9.0, None, 4.0),
        (0.0, None, 0.4),  # whatever sleeps ends as well
    ],
)
def test_what_counts(monkeypatch, ran, waited, expected):
    usage = Usage(0.0, None if waited is None else 0.0)
    elapsed = Elapsed(lambda: usage)
    monkeypatch.setattr(Elapsed, "passed", lambda _: 4.0)
    usage = Usage(ran, waited)
    assert elapsed.seconds() == pytest.approx(expected)


def test_in_a_browser_the_wall_counts(monkeypatch):
    elapsed = Elapsed(lambda: Usage(0.0, None))
    monkeypatch.setattr(Elapsed, "passed", lambda _: 4.0)
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert elapsed.seconds() == 4.0


def test_a_kernel_that_keeps_no_figure_is_not_believed(tmp_path):
    (tmp_path / "schedstat").write_text("0 0 0\n")
    assert clock.scheduling(str(tmp_path)) is None
    (tmp_path / "schedstat").write_text("2000000000 500000000 7\n")
    assert clock.scheduling(str(tmp_path)) == (2.0, 0.5)
    assert clock.scheduling(str(tmp_path / "nowhere")) is None


def test_a_thread_asks_for_its_own_time():
    elapsed = of_this_thread()
    other = threading.Thread(target=spin, args=(0.2,))
    other.start()
    other.join()
    assert 0 < elapsed.seconds() <= elapsed.passed() + 1e-3


class Slow:
    """Takes long to be deleted."""

    def __del__(self):
        spin(0.2)


def _collect(phase, _):
    if phase == "start":
        spin(0.2)


def _delete():
    Slow()


def _call_back():
    target = type("Target", (), {})()
    weakref.finalize(target, spin, 0.2)
    del target


def _garbage():
    gc.callbacks.append(_collect)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(_collect)


@pytest.mark.parametrize("act", [_delete, _call_back, _garbage])
def test_no_alarm_rings_where_python_would_drop_it(act, monkeypatch):
    # The garbage of a large process takes long: only what never ends is ended.
    monkeypatch.setattr(clock, "_GRACE", 60.0)
    dropped = []  # of these, ours alone: garbage of other tests may raise as well
    monkeypatch.setattr(sys, "unraisablehook", lambda it: dropped.append(it.exc_type))

    def work():
        spin(0.05)
        act()
        while True:
            pass

    with pytest.raises(TimeUp):
        limited(work, 0.1)
    assert TimeUp not in dropped


class Endless:
    """Is never deleted."""

    def __del__(self):
        while True:
            pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_never_deleted_is_ended_too(monkeypatch):
    monkeypatch.setattr(clock, "_GRACE", 0.2)

    def work():
        Endless()
        while True:
            pass

    with pytest.raises(TimeUp):
        limited(work, 0.05)
