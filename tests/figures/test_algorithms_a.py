"""Figures on exponential, objective and polytope algorithms."""

import numpy as np
import pytest

from dpteach import Slider, explore
from dpteach.figures import exponential, objective, polytope

EPSILON = Slider((0.1, 1.0, 10.0), start=1.0)
FIGURES = {
    "density": (
        exponential.density_and_ratio,
        exponential.DENSITY,
        {
            "epsilon": Slider((0.1, 1.0, 3.0), start=1.0),
            "n": Slider((1, 10, 1000), start=10),
            "method": Slider(("exact", "textbook"), start="textbook"),
        },
    ),
    "regularization": (
        objective.epsilon_against_regularization,
        objective.REGULARIZATION,
        {"epsilon": EPSILON},
    ),
    "rules": (
        polytope.step_rules,
        polytope.RULES,
        {"steps": Slider((2, 100, 1000), start=100)},
    ),
    "excess": (
        polytope.excess_against_steps,
        polytope.EXCESS,
        {"epsilon": Slider((1.0, 10.0), start=1.0)},
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_state_is_drawn(name):
    """The table holds every state: equal marks, finite numbers, a price where ε is."""
    experiment, about, sliders = FIGURES[name]
    table, _ = explore(experiment, **about, **sliders).table()
    assert len(table) > 1000


def test_the_textbooks_exponent_stops_at_half_of_epsilon():
    for n, wanted in ((1, 0.260395), (10, 0.399050), (1000, 0.498999)):
        *_, ratio, _, spent = exponential.density_and_ratio(1.0, n, "textbook")
        assert np.abs(ratio.y).max() == pytest.approx(wanted, abs=1e-6)
        assert spent.event.epsilon == 0.5


def test_little_regularization_is_seen_to_break_privacy():
    exact, claim, nominal, *_ = objective.epsilon_against_regularization(1.0)
    assert exact.y[0] == pytest.approx(5.29, abs=0.01)
    assert np.all(exact.y <= claim.y)
    assert exact.y[0] > 5 * nominal.y[0]
