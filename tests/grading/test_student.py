"""Whatever a student's function does, the notebook goes on and the report says what."""

# What a student writes need not use its arguments.
# ruff: noqa: ARG001, ARG005

import dataclasses
import gc
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from dpteach import check
from dpteach.chapters.catalog import load
from dpteach.grading.calling import Outcome
from dpteach.grading.clock import TimeUp, how_limited, limited
from dpteach.grading.report import Fault
from dpteach.grading.student import Here, Student
from tests.chapters.banks import right

CLIP, STEP = (right(name)[0] for name in ("clip", "private_step"))


def _clip(result):
    """Grade a ``clip`` that gives this result, or does this."""
    act = result if callable(result) else lambda G, C: result
    exercise = dataclasses.replace(load("clip"), seconds=1.0)
    return exercise.grade(act, 1)


class Shy:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("not an array")


@pytest.mark.parametrize(
    ("result", "seen"),
    [
        (None, "None"),
        ("text", "a str"),
        (3.0, r"shape ()"),
        (np.zeros((5, 8)), "shape (5, 8)"),
        (np.zeros(40), "shape (40,)"),
        (np.full((8, 5), np.nan), "nan at index (0, 0)"),
        (np.full((8, 5), np.inf), "inf at index (0, 0)"),
        (np.zeros((8, 5), dtype=complex), "ndarray of complex128"),
        (np.zeros((8, 5), dtype=bool), "ndarray of bool"),
        (np.zeros((8, 5), dtype=object), "ndarray of object"),
        ([[1.0, 2.0], [3.0]], "a list"),
        ((each for each in "ab"), "a generator"),
        ({"rows": 1}, "a dict"),
        (Shy(), "a Shy"),
        (type, "a type"),
    ],
)
def test_a_result_of_the_wrong_kind_is_named(result, seen):
    report = _clip(lambda G, C: result)
    assert not report.passed
    assert report.fault.seen == seen
    assert "shape (8, 5)" in report.fault.wanted


def test_true_and_false_are_named_and_are_no_numbers():
    report = _clip(lambda G, C: G > C)
    assert "True and False are none" in report.fault.hint
    student = Student(Here(lambda x, replace: None), "mean", ("x", "replace"), 1.0)
    assert student.case((np.zeros(3), False)).endswith("replace = False")
    assert student.case((np.zeros(3), 0.0)).endswith("replace = 0")


def test_lists_and_single_precision_are_welcome():
    assert _clip(lambda G, C: CLIP(G, C).tolist() or np.zeros((0, 3))).passed
    assert _clip(lambda G, C: CLIP(G, C).astype(np.float32)).passed
    assert check("calibrate_sigma", right_scalar).passed


def right_scalar(eps, delta, T):
    return np.float64(right("calibrate_sigma")[0](eps, delta, T))


def _recurse(G, C):
    return _recurse(G, C)


@pytest.mark.parametrize(
    ("act", "seen"),
    [
        (lambda G, C: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda G, C: sys.exit("bye"), "SystemExit: bye"),
        (lambda G, C: exit(), "SystemExit"),
        (_recurse, "RecursionError"),
        (lambda G, C: undefined, "NameError: name 'undefined'"),  # noqa: F821  (so is it)
        (lambda G, C: np.zeros(10**15), "MemoryError"),
        (lambda G, C: G.nothing, "AttributeError"),
        (lambda G, C: (_ for _ in ()).throw(BaseExceptionGroup("x", [ValueError()])),
         "ExceptionGroup"),
    ],
)  # fmt: skip
def test_an_error_is_told_with_its_line(act, seen):
    report = _clip(act)
    assert not report.passed
    assert seen in report.fault.seen
    assert "in the line “" in report.fault.seen


def test_an_interruption_by_the_student_is_not_swallowed():
    def act(G, C):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _clip(act)


def test_what_is_printed_is_kept_short_and_shown(capsys):
    def act(G, C):
        for _ in range(3000):
            print("norms", G.shape, file=sys.stderr)
        print("x" * 10**6)
        return CLIP(G, C)

    report = _clip(act)
    assert report.passed
    assert capsys.readouterr() == ("", "")
    assert report.notes[0].startswith("your function prints “norms (8, 5)")
    assert len(report.notes[0]) < 150


def test_warnings_do_not_disturb():
    def act(G, C):
        norms = np.linalg.norm(G, axis=1, keepdims=True)
        return G * np.where(norms > C, C / norms, 1.0)  # divides by zero, harmlessly

    assert _clip(act).passed


@pytest.mark.parametrize(
    "act",
    [
        lambda: np.random.normal(),  # noqa: NPY002  (as students do)
        lambda: np.random.seed(0),  # noqa: NPY002  (as students do)
        lambda: np.random.rand(3),  # noqa: NPY002  (as students do)
        lambda: random.random(),
        lambda: random.seed(1),
    ],
)
def test_global_randomness_is_seen_and_put_back(act):
    def step(*arguments):
        act()
        return STEP(*arguments)

    def state():
        kind, key, *rest = np.random.get_state()  # noqa: NPY002  (as students do)
        return kind, key.tolist(), rest, random.getstate()

    before = state()
    report = load("private_step").grade(step, 1)
    assert "random" in report.fault.seen
    assert report.fault.wanted == "draws from the argument rng alone"
    assert state() == before


def test_the_second_normal_of_a_pair_is_seen_too():
    """Legacy normals come in pairs; the second one leaves the bits as they were."""
    np.random.seed(3)  # noqa: NPY002  (as students do)
    np.random.normal()  # noqa: NPY002  (as students do)

    def act(G, C):
        np.random.normal()  # noqa: NPY002  (as students do)
        return CLIP(G, C)

    assert "numpy.random" in _clip(act).fault.seen


def test_a_function_of_other_parameters_is_told_them():
    report = load("clip").grade(lambda G: G, 1)
    assert report.fault.seen == "clip(G)"
    assert report.fault.wanted == "clip(G, C)"
    assert load("clip").grade(lambda *rows, **_: CLIP(*rows), 1).passed
    assert load("clip").grade(lambda rows, most=1.0: CLIP(rows, most), 1).passed


def test_what_is_no_function_is_refused_with_the_remedy():
    with pytest.raises(TypeError, match=r"`answer` must be your function itself.*clip"):
        check("clip", np.zeros(3))


def test_a_class_that_can_be_called_will_do():
    class Clip:
        def __call__(self, G, C):
            return CLIP(G, C)

    assert check("clip", Clip()).passed


# An endless loop ---------------------------------------------------------------------


def _sleep(G, C):
    time.sleep(60)


def _spin(G, C):
    while True:
        pass


def _stubborn(G, C):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def _wait_for_input(G, C):
    threading.Event().wait()


@pytest.mark.parametrize("act", [_sleep, _spin, _stubborn, _wait_for_input])
def test_an_endless_call_is_interrupted(act):
    start = time.monotonic()
    report = _clip(act)
    assert "no result after 1 s" in report.fault.seen
    assert time.monotonic() - start < 30


def test_no_alarm_is_left_behind_and_anothers_goes_on():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 60.0)
        assert limited(lambda: 5, 30.0) == 5
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        assert 40 < left <= 60
        with pytest.raises(TimeUp):
            limited(lambda: time.sleep(5), 0.01)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert not rung
    finally:
        signal.signal(signal.SIGALRM, before)


def _spin_for(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


@pytest.fixture
def no_collection():
    """Keep the garbage collector away: its callbacks drop an alarm that rings there."""
    gc.disable()
    yield
    gc.enable()


# An alarm that the system gave to another thread may come when ours is off already:
# CPython says that it was ignored, which is what is wanted.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("no_collection")
def test_an_alarm_rings_in_the_function_only(monkeypatch):
    """Rings that come at every step of the way out are not heard there."""
    monkeypatch.setattr("dpteach.grading.clock._AGAIN", 1e-4)
    for _ in range(300):
        with pytest.raises(TimeUp):
            limited(lambda: _spin_for(10), 1e-3)
        _spin_for(1e-3)  # here a late ring would be heard
    assert limited(lambda: "fine", 10) == "fine"


def test_in_another_thread_a_watcher_interrupts(monkeypatch):
    monkeypatch.setattr("dpteach.grading.clock._AGAIN", 1e-3)
    found = []

    def work():
        found.append(how_limited())
        for _ in range(20):
            try:
                limited(lambda: _spin_for(100), 0.01)
            except TimeUp:
                found.append("interrupted")
            _spin_for(2e-3)
        found.append(limited(lambda: "went on", 60))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(120)
    assert found == ["thread", *20 * ["interrupted"], "went on"]


def test_where_there_is_no_clock_there_is_no_limit(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.setattr(threading.Thread, "start", _no_threads)
    assert how_limited() == "nothing"
    assert limited(lambda: time.sleep(0.01) or "late", 0.001) == "late"


def _no_threads(self):
    raise RuntimeError("can't start new thread")


def test_the_grader_imports_no_more_than_it_says():
    """The standard library, NumPy and dpteach: fit for a browser, and quick."""
    code = (
        "import sys; before = set(sys.modules); import dpteach.grading; "
        "import dpteach.chapters.catalog as e; [e.load(n) for n in e.names()]; "
        "new = {m.partition('.')[0] for m in set(sys.modules) - before}; "
        "print(*sorted(new - sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    found = {each for each in done.stdout.split() if "cython" not in each}
    assert found <= {"dpteach", "numpy", "_distutils_hack"}  # no scipy


def test_an_argument_that_holds_nan_is_still_the_same_array():
    """And power: one that was changed is seen beside it."""
    G = np.array([[np.nan, 1.0]])
    exercise = load("clip")
    exercise.student(Here(lambda G, C: 0.0)).call(G, 1.0)

    def changes(G, C):
        G[0, 1] = C
        return 0.0

    with pytest.raises(Exception, match="the argument G after the call"):
        exercise.student(Here(changes)).call(G, 2.0)


@pytest.mark.parametrize("taken", [59.5, 60.0, 61.0])
def test_all_calls_together_have_their_time_and_then_no_more(taken):
    """A limit of 0 s would be none, and a negative one is an error of the clock."""

    class Slow:
        def call(self, _, seconds, __):
            assert seconds > 0
            if before.pop():
                return Outcome(result=1.0, seconds=taken)
            return limited(lambda: time.sleep(3), seconds)

    before = [False, True]
    student = Student(Slow(), "clip", (), 5.0)
    assert student.call() == 1.0
    with pytest.raises(Fault, match="all calls of clip together"):
        student.call()
