"""The front page's game: its best score is Python's, and no rule does better."""

import json

import numpy as np
import pytest

from dpteach.accounting import guess_probability
from dpteach.chapters.guessing_game import thresholds
from dpteach.chapters.guessing_game.ten_guesses import EPSILONS, START, best_share
from dpteach.privacy import Pure, Relation
from tests.javascript import FORMS, Script
from tests.public import ROOT


@pytest.fixture(scope="module")
def game():
    return Script(FORMS, ROOT / "book" / "_theme" / "static" / "game.js")


def test_the_page_computes_what_python_does(game):
    for epsilon in EPSILONS:
        score = game("dpteachGames.count.best", epsilon)
        assert score == pytest.approx(best_share(epsilon), abs=1e-12)
    assert START in EPSILONS


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.02])
def test_the_best_score_is_that_of_the_chapters_test(epsilon):
    """The point of the figure ``threshold_test``; other thresholds are worse."""
    scores = []
    for threshold in np.linspace(-3, 4, 29):
        marks = thresholds.threshold_test(epsilon, "Laplace", threshold)
        point = next(m for m in marks if getattr(m, "moves", "") and m.panel == 1)
        scores.append(1 - (point.x[0] + point.y[0]) / 2)
    assert max(scores) == pytest.approx(best_share(epsilon), abs=1e-12)
    promise = Pure(epsilon, relation=Relation.ADD_REMOVE)
    assert best_share(epsilon) < guess_probability(promise, 0.5)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 10.0])
def test_the_noise_of_the_page_is_laplace_noise(game, epsilon):
    """Exactly: the share of noise above x, by the inverse at equally spaced numbers."""
    u = ((np.arange(20_000) + 0.5) / 20_000).tolist()
    noise = np.array(
        game(f"(u) => u.map((v) => dpteachGames.count.noise(v, {epsilon}))", u)
    )
    assert (np.diff(noise) > 0).all()
    for x in (-2.0, -0.5, 0.0, 0.5, 3.0):
        wanted = game("dpteachForms.laplaceAbove", x, epsilon)
        assert (noise > x).mean() == pytest.approx(wanted, abs=1e-4)


def test_a_round_is_dealt_by_a_coin_and_noise(game):
    """Both sides of the coin; each combination of 400 equally spaced numbers, once."""
    u = ((np.arange(400) + 0.5) / 400).tolist()
    right = game(
        "(u) => [0, 0.7].map((coin) => u.filter((v) => {"
        "  const dice = [coin, v];"
        "  const dealt = dpteachGames.count.deal(1, () => dice.shift());"
        "  return dpteachGames.count.guess(dealt) === dealt.truth;"
        "}).length)",
        u,
    )
    assert sum(right) / 800 == pytest.approx(best_share(1.0), abs=2e-3)
    first = "() => dpteachGames.count.deal(1, () => 0)"  # no number is lost
    assert json.dumps(game(first)).find("null") < 0
