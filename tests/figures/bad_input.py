"""Valid arguments of what declares figures, for the bad-input matrix."""

import numpy as np

from dpteach.figures import (
    Axes,
    Band,
    Bars,
    Cells,
    Line,
    Points,
    Sentence,
    Spent,
)
from dpteach.figures.explore import Linked, Slider
from dpteach.figures.predict import Choose, Draw, Place
from dpteach.figures.quiz import Choice, Question
from dpteach.privacy import Gaussian, Relation

X = np.array([1.0, 2.0, 3.0])
LOOK = {"label": "risk", "role": "bound", "panel": 0}
CHOICES = [Choice("twice", True, "It is."), Choice("once", False, "It is not.")]

BAD_INPUT = {
    Line: {"x": X, "y": X, **LOOK},
    Band: {"x": X, "low": X, "high": X + 1, **LOOK},
    Points: {"x": X, "y": X, **LOOK, "moves": ""},
    Bars: {"x": X, "height": X, **LOOK, "base": 0.0, "width": 0.8},
    Cells: {"x": X, "y": X, "level": X / 3, **LOOK, "width": X, "height": X},
    Sentence: {"text": "Said.", "numbers": {}},
    Spent: {"event": Gaussian(5.0, relation=Relation.ADD_REMOVE), "delta": 1e-6},
    Axes: {
        "x": "steps", "y": "risk", "xlim": (1.0, 2.0), "ylim": (1.0, 2.0),
        "xscale": "log", "yscale": "linear", "xticks": (1, 2), "yticks": (1, 2),
        "title": "Left",
    },
    Slider: {"values": (1, 2, 3), "start": 2},
    Linked: {"order": ("noise_multiplier", "steps"), "solve": lambda steps: steps},
    Choice: {"text": "twice", "right": True, "why": "It is."},
    Question: {"identity": "a", "text": "How?", "choices": CHOICES, "reveal": "So."},
    Choose: {
        "question": Question("a", "How?", CHOICES), "hides": ["risk"],
        "ghosts": [[(1, 1), (2, 1)], [(1, 1), (2, 2)]], "panel": 0,
    },
    Draw: {
        "identity": "a", "text": "How?", "hides": ["risk"], "why": "So.", "panel": 0,
        "near": 0.05,
    },
    Place: {
        "identity": "a", "text": "How?", "hides": ["risk"], "truth": 2.0,
        "why": "So.", "panel": 0, "near": 0.05,
    },
}  # fmt: skip
# Words in a figure are any words; a number may stand for each cell's size.
ANY_WORDS = {"another word", "capitals"}
ALSO_ACCEPTED = {
    (kind, name): ANY_WORDS
    for kind, names in {
        Line: ["label"], Band: ["label"], Points: ["label", "moves"], Bars: ["label"],
        Cells: ["label"], Sentence: ["text"], Axes: ["x", "y", "title"],
        Choice: ["text", "why"], Question: ["identity", "text", "reveal"],
        Draw: ["identity", "text", "why"], Place: ["identity", "text", "why"],
    }.items()
    for name in names
} | {(Sentence, "numbers"): {"{}"}}  # fmt: skip
# They are drawn, whatever else they would mean to an algorithm.
ALSO_ACCEPTED |= {
    (kind, name): {"masked"}
    for kind in (Line, Band, Points, Bars, Cells)
    for name in ("x", "y", "low", "high", "height", "level", "width")
}
# A label is any word; that the figure has such a mark is checked where it is declared.
ALSO_ACCEPTED |= {(each, "hides"): {"words"} for each in (Choose, Draw, Place)}
