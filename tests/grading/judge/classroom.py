"""A made-up class: what thirty and more students hand in, and what each should get."""

import json

from tests.chapters.banks import FOLDERS, right, wrong
from tests.grading.judge.attacks import ATTACKS

NAMES = ("clip", "exact_delta", "private_step")
QUESTION = "best_T"
# The bank of private_step takes one function from the package; no worker has that.
_CUT = (
    "def cut(v, C=1.0):\n"
    "    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True) / C, 1.0)\n"
)


def bank_source(name):
    """Return a bank's source, without what the package would have to give."""
    text = (FOLDERS[name] / "bank.py").read_text(encoding="utf-8")
    return text.replace("from dpteach.arrays import clip as cut\n", _CUT)


def answer(name, function):
    """Write a cell that answers ``name`` as a function of its bank does."""
    return f"{bank_source(name)}\n\n{name} = {function.__name__}\n"


def notebook(cells):
    """Write a notebook of code cells, as Jupyter does."""
    return json.dumps({
        "cells": [
            {"cell_type": "code", "source": cell.splitlines(True), "metadata": {}}
            for cell in cells
        ],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
    })  # fmt: skip


def students():
    """List (file, text, passed) triples; ``passed`` maps an exercise to a verdict.

    None is that of what cannot be graded.
    """
    yield from _right()
    yield from _wrong()
    yield from _hostile()
    yield from _unreadable()


def _everything(verdict, question):
    return {**dict.fromkeys(NAMES, verdict), QUESTION: question}


def _right():
    for k in range(5):
        chosen = {name: right(name)[k % len(right(name))] for name in NAMES}
        cells = [answer(name, each) for name, each in chosen.items()]
        T = 3375.0 if k % 2 else 5000.0
        yield (
            f"right-{k}.ipynb",
            notebook([*cells, f"{QUESTION} = {T}"]),
            _everything(True, bool(k % 2)),
        )


def _wrong():
    """One student for each wrong answer of the longest bank."""
    for k in range(max(len(wrong(name)) for name in NAMES)):
        chosen = {name: wrong(name)[k % len(wrong(name))][0] for name in NAMES}
        cells = [answer(name, each) for name, each in chosen.items()]
        yield f"wrong-{k}.ipynb", notebook(cells), _everything(False, False)


def _hostile():
    """Harm in one exercise, and a right answer in another."""
    for name in ("leave by os._exit", "loop", "many processes", "a forged result",
                 "patch what compares", "tell the tape by its draws"):  # fmt: skip
        exercise, code, _ = ATTACKS[name]
        passed = {**_everything(False, False), "exact_delta": True}
        good = answer("exact_delta", right("exact_delta")[0])
        file = f"hostile {name}.py".replace(" ", "-")
        # Code that patches NumPy would spoil the other answer in one namespace, as it
        # would in the student's own notebook; so each file is of its own.
        yield file, {f"{exercise}.py": code, "exact_delta.py": good}, passed


def _unreadable():
    yield "no-notebook.ipynb", "this is no notebook", _everything(None, None)
    yield "nothing.ipynb", "", _everything(None, None)
    yield "no-cells.ipynb", notebook([]), _everything(False, False)
    yield "nested.ipynb", "[" * 200_000, _everything(None, None)
    yield f"{'long-' * 50}.py", "x = 1", _everything(False, False)
    yield "starters.ipynb", notebook([_starters()]), _everything(False, False)
    yield "=1+1.py", "x = 1", _everything(False, False)
    yield "empty-folder", {}, _everything(None, None)


def _starters():
    from dpteach.chapters.catalog import load

    return "\n\n".join(load(name).starter for name in NAMES)


def hand_in(folder):
    """Write what all hand in; return what each should get."""
    expected = {}
    for name, text, passed in students():
        if isinstance(text, dict):
            student = name.removesuffix(".py")
            (folder / student).mkdir(parents=True)
            for file, code in text.items():
                (folder / student / file).write_text(code, encoding="utf-8")
        else:
            student = name.rsplit(".", 1)[0]
            (folder / name).write_text(text, encoding="utf-8")
        assert student not in expected
        expected[student] = passed
    return expected
