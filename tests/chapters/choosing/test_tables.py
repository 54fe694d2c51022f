"""The tables of the chapter on choosing say what the algorithms state."""

import re

import numpy as np
import pytest

from dpteach import Problem, Relation, constraints, losses
from dpteach.algorithms import (
    approximate_minima_perturbation,
    dp_sgd,
    gaussian_objective_perturbation,
    objective_perturbation,
)
from dpteach.privacy import Approximate, Composed, Gaussian, Pure
from tests.public import ROOT

PAGE = (ROOT / "chapters/24-choosing.ipynb").read_text(encoding="utf-8")
KIND = {"lipschitz": 1.0, "smoothness": 0.25, "regularization": 10.0, "rng": 0}
TILT = {**KIND, "noise_multiplier": 2.0}


def promise_of(event):
    """Name the promise as the table does."""
    if isinstance(event, Composed):
        (found,) = {promise_of(one) for one in event.events}
        return found
    names = {Pure: "ε", Approximate: "(ε,δ)", Gaussian: "μ-GDP"}
    return names[type(event)]


@pytest.mark.parametrize(
    ("label", "algorithm", "given"),
    [
        ("alg-objective", objective_perturbation, TILT),
        (
            "thm-objective-normal",
            gaussian_objective_perturbation,
            {**KIND, "epsilon": 1.0, "delta": 1e-6},
        ),
        (
            "thm-objective-approximate",
            approximate_minima_perturbation,
            {**TILT, "tolerance": 1e-6, "cover_multiplier": 100.0},
        ),
        (
            "alg-dp-sgd",
            dp_sgd,
            {"clip_norm": 1.0, "steps": 2, "noise_multiplier": 2.0, "rng": 0}
            | {"learning_rate": 0.1},
        ),
    ],
)
def test_the_table_promises_what_the_event_states(label, algorithm, given):
    """A promise without δ is stated without one, for each relation."""
    (row,) = re.findall(rf"\| {{prf:ref}}`{label}`[^|]*\| ([^|]*) \|", PAGE)
    told = re.sub(r"[$\\]", "", row)
    for word, sign in (("varepsilon", "ε"), ("delta", "δ"), ("mu", "μ")):
        told = told.replace(word, sign)
    D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    for relation in (Relation.ADD_REMOVE, Relation.ZERO_OUT, Relation.REPLACE):
        assert told == promise_of(algorithm(D, **given, relation=relation).event)
