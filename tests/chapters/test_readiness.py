"""The self-test passes where all works, and names what does not."""

import importlib

import pytest

from dpteach import self_test
from dpteach.chapters import readiness


def test_all_is_ready_here():
    report = self_test()
    assert report.passed
    assert report.reached == len(report.checks) == 4
    assert "NumPy" in report.notes[0]


def broken(*_, **__):
    raise ImportError("not installed")


@pytest.mark.parametrize(
    ("name", "value", "reached", "said"),
    [
        ("_MODEL", (0.2477, 0.2559), 0, "seed 0"),
        ("_EPSILON", 0.9999, 1, "price of that run"),
        ("clip", lambda G, C: 0 * C * G, 2, "right one was misjudged"),
        ("import_module", broken, 3, "matplotlib is missing"),
    ],
)
def test_what_does_not_work_is_named(name, value, reached, said, monkeypatch):
    monkeypatch.setattr(readiness, name, value)
    report = self_test()
    assert not report.passed
    assert report.reached == reached
    assert said in f"{report.fault}"
    assert "seed=" not in repr(report)  # no cases were drawn


def test_the_name_is_that_of_the_function():
    assert callable(importlib.import_module("dpteach").self_test)
