"""A training in view: it is the same run, and what it shows is what it costs."""

import numpy as np
import pytest

from dpteach import Problem, constraints, data, dp_sgd, losses, networks
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


@pytest.mark.parametrize(
    ("steps", "lam", "images", "guesses"),
    [(20, 10.0, 84, 59), (60, 10.0, 92, 65), (60, 40.0, 84, 54)],
)
def test_what_the_chapter_says_of_its_run(steps, lam, images, guesses):
    """Each number of the paragraph below the cell, from the cell's own arguments."""
    digits = data.digits()
    layers = [networks.Dense(32), networks.Tanh(), networks.Dense(10)]
    loss = networks.Network((65,), layers, seed=1)
    whole = Problem(digits.X, digits.y, loss, constraints.Everywhere())
    last = live.train_in_view(
        whole, clip_norm=1.0, steps=steps, noise_multiplier=lam,
        learning_rate=4 / 1797, rng=1,
    )  # fmt: skip
    assert (round(last.recognized), round(last.guesses)) == (images, guesses)


def test_a_loss_without_layers_is_refused():
    linear = Problem(X, Y, losses.softmax(2), constraints.Everywhere())
    with pytest.raises(TypeError, match="`loss` must"):
        live.train_in_view(linear, **HOW, rng=0)
