"""One verdict: notebook, page and judge say the same of an answer, word for word."""

import json
import linecache
import re

import pytest

from dpteach.chapters import grader, page
from dpteach.chapters.catalog import load
from dpteach.grading.judge.remote import Remote
from dpteach.grading.judge.wire import Worker
from tests.chapters.banks import NAMES, bank, right, wrong
from tests.chapters.sources import own_source
from tests.grading.judge.classroom import answer as cell
from tests.grading.judge.classroom import bank_source

SEED = 7
UNSEEDED = re.compile(r"default_rng\(\)|\brandom\.(?!default_rng|seed)\w+\(")
# All answers of all banks. Three of each tenth exercise are in the usual tests.
ANSWERS = [
    pytest.param(
        name,
        answer,
        id=f"{name}-{answer.__name__}",
        marks=[] if number % 10 == 0 and answer in some else [pytest.mark.thorough],
    )
    for number, name in enumerate(NAMES)
    for answers in [[*right(name), *(each for each, _ in wrong(name))]]
    for some in [(right(name)[0], *[each for each, _ in wrong(name)][1:3])]
    for answer in answers
]
# What only one of two implementations of "the same" would get right.
SPAWNED = """\
import numpy as np

def private_step(w, X, y, C, sigma, lr, batch, rng):
    G = (X @ w - y)[:, None] * X
    G = G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1.0)
    noise = C * sigma * rng.spawn(1)[0].standard_normal(len(w))
    return w - lr / batch * (G.sum(axis=0) + noise)
"""
EDGES = {
    "children of a generator": ("private_step", SPAWNED),
    **{
        f"a draw {kind}": (
            "private_step",
            SPAWNED.replace("rng.spawn(1)[0].standard_normal(len(w))", draw),
        )
        for kind, draw in {
            "in single precision": "rng.standard_normal(len(w), dtype=np.float32)",
            "in a type of Python's": "rng.standard_normal(len(w), float)",
            "in an array": (
                "rng.standard_normal(out=np.empty(len(w), 'f4'), dtype=np.dtype('f4'))"
            ),
            "in a precision that there is not": (
                "rng.standard_normal(len(w), np.float16)"
            ),
            "in an array that is looked at later": (
                "(lambda z: z + 0 * rng.standard_normal(len(w), float, z))(0 * w)"
            ),
            "in an array of stated size": (
                "rng.standard_normal(len(w), out=np.empty(len(w)))"
            ),
            "around a range": (
                "(rng.normal(range(len(w)), 1.0) - np.arange(len(w)))"
            ),
            **{
                f"of deviation {kind}": f"rng.normal(0, {scale}, len(w))"
                for kind, scale in {
                    "Fraction": "__import__('fractions').Fraction(2, 2)",
                    "Decimal": "__import__('decimal').Decimal('1.0')",
                    "in an array without axes": "np.array(1.0)",
                    "in half precision": "np.float16(1)",
                    "in a list": "[__import__('fractions').Fraction(1)] * len(w)",
                    "in a list of all kinds": (
                        "([__import__('decimal').Decimal(1), True, np.float32(1)]"
                        " + len(w) * [1])[:len(w)]"
                    ),
                    "in a long list": "(w.tolist() * 9 + [1] * 65)[-1:] * len(w)",
                    "in a text": "'1'",
                    "in a list of texts": "['1'] * len(w)",
                    "in an array of objects": "np.array([1] * len(w), object)",
                    "in a set": "{1}",
                    "vast": "10**400",
                    "complex": "1 + 0j",
                    "negative": "-__import__('fractions').Fraction(1)",
                    "minus zero": "-0.0",
                    "none": "None",
                }.items()
            },
            **{
                f"of size {kind}": f"rng.normal(0, 1.0, {size})"
                for kind, size in {
                    "Fraction": "__import__('fractions').Fraction(len(w))",
                    "Decimal": "__import__('decimal').Decimal(len(w))",
                    "float": "float(len(w))",
                    "text": "str(len(w))",
                    "array": "np.array([len(w)])",
                    "with a Fraction": "(__import__('fractions').Fraction(len(w)),)",
                    "negative": "-1",
                    "empty": "() if len(w) == 1 else len(w)",
                }.items()
            },
            "of a covariance of Fractions": (
                "rng.multivariate_normal(0 * w, [[__import__('fractions').Fraction("
                "i == j) for i in range(len(w))] for j in range(len(w))])"
            ),
            "of a long list's covariance": (
                "rng.multivariate_normal([0.0] * len(w), np.eye(len(w)).tolist())"
            ),
            "of texts": "(2.0 * (rng.choice(['a', 'b'], len(w)) == 'a') - 1)",
            "of rows": "rng.choice(np.eye(len(w)))",
            "past a method": "np.random.Generator.normal(rng, size=len(w))",
            "from a copy": "__import__('copy').copy(rng).normal(size=len(w))",
        }.items()
    },
    **{
        f"Laplace noise of scale {kind}": (
            "laplace_mean",
            "import numpy as np\n"
            "def laplace_mean(x, low, high, n, eps, replace, rng):\n"
            "    width = max(high - low if replace else max(-low, high), 0)\n"
            f"    scale = {scale}\n"
            "    return np.clip(x, low, high).sum() / n + rng.laplace(0, scale)",
        )
        for kind, scale in {
            "Fraction": "__import__('fractions').Fraction(width / eps / n)",
            "Decimal": "__import__('decimal').Decimal(width / eps / n)",
            "array": "np.array(width / eps / n)",
            "list": "[__import__('decimal').Decimal(width / eps / n)]",
            "text": "str(width / eps / n)",
        }.items()
    },
    "a range": ("clip", "def clip(G, C):\n    return range(len(G))"),
    "many axes": (
        "clip", "import numpy as np\ndef clip(G, C):\n    return np.ones([1] * 9)",
    ),
    "a vast integer": ("clip", "def clip(G, C):\n    return [10**5000]"),
    "a vast integer alone": ("clip", "def clip(G, C):\n    return 10**5000"),
    "a table of many columns": (
        "clip",
        "import numpy as np\ndef clip(G, C):\n"
        "    return np.zeros(3, [(f'column {k}', float) for k in range(6)])",
    ),
    "a list of lists": ("clip", "def clip(G, C):\n    return G.tolist()"),
    "ragged rows": ("clip", "def clip(G, C):\n    return [[1], [1, 2]]"),
    "a dictionary": ("clip", "def clip(G, C):\n    return {}"),
    "texts": ("clip", "def clip(G, C):\n    return ['a'] * len(G)"),
    "complex numbers": ("clip", "def clip(G, C):\n    return G + 0j"),
    "one complex number": ("clip", "def clip(G, C):\n    return 1j"),
    "objects": ("clip", "def clip(G, C):\n    return G.astype(object)"),
    "a masked array": (
        "clip", "import numpy as np\ndef clip(G, C):\n    return np.ma.array(G)",
    ),
    "an error in a helper": (
        "clip",
        "def cut(G):\n    return G / None\n\ndef clip(G, C):\n    return cut(G)",
    ),
    "an error of one's own": (
        "clip", "class No(BaseException):\n    pass\ndef clip(G, C):\n    raise No(3)",
    ),
    "the end of Python": ("clip", "import sys\ndef clip(G, C):\n    sys.exit(4)"),
    "an argument changed": ("clip", "def clip(G, C):\n    G *= 0\n    return G"),
    "global randomness": (
        "clip",
        "import numpy as np\ndef clip(G, C):\n    np.random.seed(1)\n    return G",
    ),
    "a list changed": (
        "exact_delta", "def exact_delta(P, Q, eps):\n    P[:] = 0\n    return 0.5",
    ),
    "other parameters": ("clip", "def clip(G):\n    return G"),
    "prints": ("clip", "def clip(G, C):\n    print('norms', C)\n    return G"),
    "a swallowed refusal": (
        "private_step",
        SPAWNED.replace(
            "    noise =",
            "    try:\n        rng.permutation(3)\n    except ValueError: pass\n"
            "    noise =",
        ),
    ),
}  # fmt: skip


def in_notebook(name, text):
    """Run a cell as Jupyter does, which keeps its lines for errors."""
    namespace, place = {}, "<cell of a notebook>"
    linecache.cache[place] = (len(text), None, text.splitlines(True), place)
    exec(compile(text, place, "exec"), namespace)
    return load(name).grade(namespace[name], SEED)


def on_page(monkeypatch, name, text):
    monkeypatch.setattr(grader.secrets, "randbits", lambda _: SEED)
    return json.loads(page.run(text, name))


class Bank(Worker):
    """A worker with all answers of a bank; it calls ``chosen`` by the exercise's name.

    It is ``sound`` until an answer ends its process, or does not end.
    """

    chosen, sound = "", True

    def exchange(self, message, *rest):
        self.sound = False
        asked = {**message, "name": self.chosen} if self.chosen else message
        answer = super().exchange(asked, *rest)
        self.sound = True
        return answer


@pytest.fixture(scope="module")
def workers():
    """Return the worker of a bank: to start one for each answer would take longest.

    The answers share a process here as they do in the notebook.
    """
    kept = {}

    def close():
        for each in kept.values():
            each.close()
        kept.clear()

    def worker(name, answer):
        if not (name in kept and kept[name].sound):
            close()
            kept[name] = Bank([bank_source(name)], isolation="none")
        kept[name].chosen = answer.__name__
        return kept[name]

    yield worker
    close()


def judged(worker, name):
    exercise = load(name)
    return exercise.run(exercise.student(Remote(worker, name)), SEED)


def under_judge(name, text):
    with Worker([text], isolation="none") as worker:
        return judged(worker, name)


def uses_package(name, answer):
    """Tell whether an answer, or a helper of it, takes something from the package.

    The ``cut`` of some banks is not meant: ``cell`` writes it out.
    """
    taken = {
        key
        for key, value in vars(bank(name)).items()
        if key != "cut" and (getattr(value, "__module__", "") or "").startswith("dpt")
    }
    used = set(re.findall(r"\w+", own_source(name, answer)))
    return bool(used & (taken | {"dpteach"}))


def agree(monkeypatch, name, text, notebook, judge):
    shown = on_page(monkeypatch, name, text)
    assert shown["passed"] == judge.passed == notebook.passed
    assert judge.reached == notebook.reached
    if UNSEEDED.search(text) and not notebook.passed:
        return  # its own draws stand in the message of what failed
    assert str(judge) == str(notebook)
    assert shown["html"] == notebook._repr_html_()


@pytest.mark.parametrize(("name", "answer"), ANSWERS)
def test_an_answer_of_a_bank_gets_one_verdict(monkeypatch, workers, name, answer):
    text, notebook = cell(name, answer), load(name).grade(answer, SEED)
    judge = judged(workers(name, answer), name)
    if uses_package(name, answer):  # the page and the notebook have it, no worker has
        assert on_page(monkeypatch, name, text)["html"] == notebook._repr_html_()
        assert "dpteach" in str(judge.fault)
        return
    agree(monkeypatch, name, text, notebook, judge)


@pytest.mark.parametrize(("name", "text"), EDGES.values(), ids=EDGES)
def test_what_is_strange_gets_one_verdict(monkeypatch, name, text):
    agree(monkeypatch, name, text, in_notebook(name, text), under_judge(name, text))


def test_a_difference_would_be_seen(monkeypatch):
    """Power: a worker that forgets a generator's seed, as it once did."""
    from dpteach.grading.judge import frames

    real = frames.state_of
    monkeypatch.setattr(frames, "state_of", lambda rng: (real(rng)[0], {"entropy": 1}))
    notebook = in_notebook("private_step", SPAWNED)
    assert notebook.passed
    assert str(under_judge("private_step", SPAWNED)) != str(notebook)
