"""A training in view: it is the same run, and what it shows is what it costs."""

import numpy as np
import pytest

from dpteach import Problem, constraints, dp_sgd, losses, networks
from dpteach.accounting import epsilon_of
from dpteach.chapters import cells
from dpteach.chapters.training_a_network import live
from dpteach.privacy import Gaussian, Relation

X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = np.array([0, 1, 1, 0])
LAYERS = [networks.Dense(8), networks.Tanh(), networks.Dense(2)]
LOSS = networks.Network((2,), LAYERS, seed=1)
D = Problem(X, Y, LOSS, constraints.Everywhere())
HOW = {"clip_norm": 1.0, "steps": 9, "noise_multiplier": 2.0, "learning_rate": 0.5}


@pytest.fixture
def views():
    shown = []
    cells.lend_view(shown.append)
    yield shown
    cells._views.clear()


def test_each_step_is_shown_and_the_last_is_the_one_that_a_run_ends_with(views):
    last = live.train_in_view(D, **HOW, rng=3)
    assert [f"Step {t} of 9" in html for t, html in enumerate(views, 1)] == [True] * 9
    assert views[-1] == last._repr_html_()
    theta = dp_sgd(D, **HOW, rng=3).path[-1]
    right = (LOSS.scores_at(theta, X).argmax(axis=1) == Y).mean()
    assert last.recognized == 100 * right


def test_the_price_is_that_of_the_event():
    last = live.train_in_view(D, **HOW, rng=3)
    event = Gaussian(2.0, releases=9, relation=Relation.ADD_REMOVE)
    assert last.epsilon == pytest.approx(epsilon_of(event, live.DELTA), rel=1e-6)
    assert last.guesses == pytest.approx(100 * 0.7733726, rel=1e-6)  # Φ(0.75)
    assert "ε = " in repr(last)


def test_a_loss_without_layers_is_refused():
    linear = Problem(X, Y, losses.softmax(2), constraints.Everywhere())
    with pytest.raises(TypeError, match="`loss` must"):
        live.train_in_view(linear, **HOW, rng=0)
