"""Valid arguments of what dpteach hands out of auditing, figures and grading."""

from dpteach import (
    Relation,
    Slider,
    dp_sgd,
    explore,
    show,
)
from dpteach.auditing import adaptive_audit
from dpteach.figures import Axes, Line


def lines(*, steps):
    """The least that a figure can show."""
    return [Line([1, 2], [1, steps], "noise", "private")]


def published(D, rng):
    """All that DP-SGD publishes in three steps."""
    return dp_sgd(
        D,
        clip_norm=1.0,
        steps=3,
        noise_multiplier=2.0,
        learning_rate=0.1,
        rng=rng,
    ).path


WORDS = {"another word", "capitals"}
ACCEPTS = {(explore, name): WORDS for name in ("title", "alt", "caption", "identity")}
CASES = {
    adaptive_audit: {
        "release": published, "steps": 3, "relation": Relation.REPLACE, "scale": 2.0,
    },
    show: {"algorithm": dp_sgd},
    explore: {
        "experiment": lines,
        "axes": Axes("steps T", "noise", xlim=(1, 2), ylim=(0, 9)),
        "title": "Noise grows",
        "alt": "A rising line.",
        "caption": "One line.",
        "identity": "noise-grows",
        "linked": None,
        "plays": "steps",
        "picks": "steps",
        "steps": Slider([4, 9], start=4),
    },
}  # fmt: skip
