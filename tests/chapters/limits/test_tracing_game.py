"""The tracing game: its best score is Python's, and the page deals what it says."""

import numpy as np
import pytest

from dpteach.chapters.limits.tracing_game import (
    NOISE,
    SIGNS,
    START,
    TracingGame,
    best_share,
)
from tests.javascript import FORMS, Script
from tests.public import ROOT

# Numbers from 0 to 1 that are no accident (Park and Miller).
DICE = (
    "let seed = {}; const dice = () => (seed = seed * 48271 % 2147483647) / 2147483647;"
)


@pytest.fixture(scope="module")
def game():
    return Script(FORMS, ROOT / "book" / "_theme" / "static" / "game.js")


def rounds(game, p, count):
    deal = f"dpteachGames.tracing.deal({p}, dice)"
    return game(
        f"() => {{ {DICE.format(p)}"
        f" return Array.from({{ length: {count} }}, () => {deal}) }}"
    )


def test_the_page_computes_what_python_does(game):
    for p in SIGNS:
        score = game("dpteachGames.tracing.best", p)
        assert score == pytest.approx(best_share(p), abs=1e-12)
    assert START in SIGNS


@pytest.mark.parametrize("p", [4, 40])
def test_two_records_that_differ_in_half_of_their_signs(game, p):
    """And what is left is one of them, with noise of deviation 4.

    Of 2,000 rounds: means off by more than 5 deviations one time in a million (fixed).
    """
    dealt = rounds(game, p, 2000)
    noise = []
    for each in dealt:
        ann, bob = np.array(each["ann"]), np.array(each["bob"])
        assert set(np.abs([*ann, *bob])) == {1}
        assert (ann != bob).sum() == p // 2
        noise.append(np.array(each["left"]) - np.array(each[each["truth"]]))
    noise = np.concatenate(noise)
    assert abs(noise.mean()) < 5 * NOISE / np.sqrt(len(noise))
    assert abs((noise**2).mean() / NOISE**2 - 1) < 5 * np.sqrt(2 / len(noise))
    coins = np.mean([each["truth"] == "ann" for each in dealt])
    assert abs(coins - 0.5) < 5 * 0.5 / np.sqrt(2000)


@pytest.mark.parametrize("p", [4, 40, 100])
def test_the_best_guesser_scores_what_is_said_and_others_score_less(game, p):
    """The likelihood ratio by hand; and the nearer record in one sign alone."""
    dealt = rounds(game, p, 4000)
    right = dull = 0
    for each in dealt:
        ann, bob, left = (np.array(each[name]) for name in ("ann", "bob", "left"))
        closer = np.sum((left - ann) ** 2) < np.sum((left - bob) ** 2)
        right += ("bob", "ann")[int(closer)] == each["truth"]
        k = np.flatnonzero(ann != bob)[0]
        dull += ("bob", "ann")[int(left[k] * ann[k] > 0)] == each["truth"]
    share = best_share(p)
    assert abs(right / 4000 - share) < 5 * np.sqrt(share * (1 - share) / 4000)
    said = game(
        f"() => {{ {DICE.format(7)} return dpteachGames.tracing.thousand({p}, dice) }}"
    )
    assert abs(said / 1000 - share) < 5 * np.sqrt(share * (1 - share) / 1000)
    assert p == 4 or dull < right - 400


def test_outside_the_book_it_says_where_it_is(monkeypatch):
    monkeypatch.delenv("DPTEACH_BOOK", raising=False)
    assert "on the page" in TracingGame()._repr_mimebundle_()["text/plain"]
    monkeypatch.setenv("DPTEACH_BOOK", "x")
    assert "data-game" in TracingGame()._repr_mimebundle_()["text/html"]


def test_an_odd_number_of_signs_is_refused():
    with pytest.raises(ValueError, match="`p` must be even, got 5"):
        best_share(5)
