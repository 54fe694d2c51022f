"""What a page is told when a reader's text is run, whatever the text does."""

import json
import signal

import numpy as np
import pytest

from dpteach.chapters import page
from dpteach.chapters.catalog import load
from dpteach.grading import clock

RIGHT = """\
import numpy as np

def clip(G, C):
    return G / np.maximum(1.0, np.linalg.norm(G, axis=1, keepdims=True) / C)
"""


def told(text, name="clip"):
    return json.loads(page.run(text, name))


def test_the_report_is_that_of_the_notebook():
    found = told(RIGHT)
    assert found["passed"] is True
    assert "clip: passed, 7 of 7 checks" in found["html"]
    wrong = told("def clip(G, C):\n    return G\n")
    names = {}
    exec("def clip(G, C):\n    return G\n", names)
    seed = int(wrong["html"].split("seed=")[1].split(".")[0])
    assert wrong["html"] == load("clip").grade(names["clip"], seed)._repr_html_()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x = 1\ny = (\n", 2, "SyntaxError"),
        ("x = 1\n1 / 0\n", 2, "ZeroDivisionError"),
        ("def f():\n    return 1 / 0\nf()\n", 2, "ZeroDivisionError"),
        ("import torch\n", 1, "no torch: it has NumPy and a few functions of SciPy"),
        (
            "raise ModuleNotFoundError(\"The module 'joblib' is included in …\")\n",
            1,
            "no joblib: it has NumPy and a few functions of SciPy",
        ),
        ("raise SystemExit\n", 1, "SystemExit"),
        ("x = 1\n", None, "no function with the name clip"),
        ("clip = 3\n", None, "your function itself"),
        ("def clip(G, C):\n    return G @ G\n", 2, "in the line “return G @ G”"),
        (
            "def clip(G, C):\n    x = 1\n    x = 1\n    return G.T @ 1\n",
            4,
            "ValueError",
        ),
    ],
)
def test_where_a_text_stumbles_is_told(text, line, said):
    found = told(text)
    assert found["passed"] is False
    assert found["line"] == line
    assert said in found["html"].replace("&#x27;", "'")


def test_a_line_that_stands_twice_is_not_marked():
    twice = "def clip(G, C):\n    if G is None:\n        G @ G\n    G @ G\n"
    assert "in the line" in told(twice)["html"]
    assert told(twice)["line"] is None


def test_what_is_printed_is_shown_and_a_flood_is_cut():
    assert told("print('seen')\n" + RIGHT)["printed"] == "seen\n"
    flood = told("for _ in range(10**4):\n    print('x' * 100)\n" + RIGHT)
    assert len(flood["printed"]) < 11_000
    assert "not shown" in flood["printed"]
    assert flood["passed"]


def test_a_text_may_show_its_last_value_and_check_itself():
    assert told("1 + 1", None)["html"] == "<pre>2</pre>"
    assert told("'<b>'", None)["html"] == "<pre>&#x27;&lt;b&gt;&#x27;</pre>"
    assert told("x = 1", None)["html"] == ""
    question = 'from dpteach import check\n\ncheck("what_costs", "a")'
    assert "what_costs: not yet" in told(question, None)["html"]
    assert told(f'{RIGHT}\nfrom dpteach import check\ncheck("clip", clip)')["passed"]


def test_each_run_begins_anew():
    told("left = 1\n", None)
    assert "NameError" in told("left\n", None)["html"]


def test_a_loop_outside_the_function_is_ended(monkeypatch):
    monkeypatch.setattr(page, "SECONDS", 0.3)
    assert "did not finish within 0.3" in told("while True:\n    pass\n")["html"]


def test_an_alarm_is_lent_where_there_is_none(monkeypatch):
    """As in a browser: the clock asks the page's timer, which here is Python's own."""
    asked = []

    def setitimer(_, *seconds):
        asked.append(seconds)
        return real(signal.ITIMER_REAL, *seconds)

    real = signal.setitimer
    monkeypatch.setattr(clock, "how_limited", lambda: "nothing")
    monkeypatch.setattr(signal, "setitimer", None)
    monkeypatch.setattr(signal, "ITIMER_REAL", signal.ITIMER_REAL)
    page.lend_alarm(setitimer)
    with pytest.raises(clock.TimeUp):
        clock.limited(lambda: [None for _ in iter(int, 1)], 0.2)
    assert asked[0][0] == 0.2


def test_integers_of_64_bits_are_counted_where_32_are_usual(monkeypatch):
    """Here narrow ones have 32 bits by decree; there NumPy itself refuses others."""
    narrow, seen = np.int32, []

    def bincount(x, minlength=0):
        seen.append(x.dtype)
        return real(x, minlength=minlength)

    real = np.bincount
    monkeypatch.setattr(np, "bincount", bincount)
    monkeypatch.setattr(np, "repeat", np.repeat)
    monkeypatch.setattr(np, "intp", narrow)
    page.count_wide_integers()
    x = np.random.default_rng(0).integers(5, size=20)
    assert (np.bincount(x, minlength=7) == real(x, minlength=7)).all()
    assert seen == [narrow]
    assert np.repeat([1, 2], np.array([2, 0])).tolist() == [1, 1]
    assert np.repeat(3, 2).tolist() == [3, 3]
