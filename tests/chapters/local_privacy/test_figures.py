"""The experiments of the chapter on local privacy: what they must show."""

import numpy as np
import pytest

from dpteach.algorithms.local.local_sgd import local_noise_variance
from dpteach.chapters.local_privacy import locality as local
from dpteach.chapters.local_privacy import randomizers as reports
from dpteach.figures import Sentence


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 4.0])
def test_measured_errors_lie_on_the_lines(epsilon):
    """Root mean squares of at least 32 numbers: 45 % is over 3.5 deviations.

    The seed is fixed; noise that forgets its dimension, or n, is off by far more.
    """
    here, central = local.locality(epsilon, 1.0, 2000)[3:5]
    n = np.array([*local.TRIED], float)
    assert (here.x == n).all()
    sigma = np.sqrt(local_noise_variance(epsilon, p=10, clip_norm=1.0))
    assert here.y == pytest.approx(sigma / np.sqrt(n), rel=0.45)
    assert central.y == pytest.approx(sigma / n, rel=0.45)


def test_the_three_sliders_are_tied_as_the_variance_says():
    states = local.locality.explorer.states.values
    assert len(states) == 9 * 7
    for state in states:
        variance = local_noise_variance(state["epsilon"], p=10, clip_norm=1.0)
        assert state["mean_noise"] == pytest.approx((variance / state["n"]) ** 0.5)


def test_the_chapters_number_of_users():
    sentence = next(
        m for m in local.locality(1.0, 0.47, 2000) if isinstance(m, Sentence)
    )
    assert "44,000 local reports" in sentence.text
    assert "210 users with" in sentence.text


@pytest.mark.claim(
    "19-local-privacy",
    "In the figure of the valley the measurement lies below its bound everywhere.",
    order=7,
)
def test_the_measured_valley_lies_below_its_bound_everywhere():
    for epsilon in local.BUDGETS:
        for far in local.DISTANCES:
            bound, measured, *_ = local.learning_rates(epsilon, far)
            assert (measured.y <= bound.y * (1 + 1e-9)).all()
    bound, measured, *_ = local.learning_rates(4.0, 1.0)
    assert bound.y[0] < 1.1 * measured.y[0]  # nearly met where steps are short


def test_most_blind_choices_cost_a_factor_of_four():
    """From ε = 1 on: below, the best rate is hardly better than the others."""
    for epsilon in local.BUDGETS[1:]:
        good, bad, _, sentence, _ = local.blind_choice(epsilon)
        assert ((good.width > 0) ^ (bad.width > 0)).all()  # each cell is of one kind
        assert (bad.width > 0).sum() > 25
        assert "blind choices" in sentence.text


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`epsilon` must be one of"):
        local.blind_choice(3.0)
    with pytest.raises(ValueError, match="`distance` must be one of"):
        local.learning_rates(4.0, 2.0)
    with pytest.raises(ValueError, match="`n` must be one of"):
        local.locality(1.0, 0.5, 1000)


@pytest.mark.claim(
    "19-local-privacy",
    "In the figure of the randomizers no line goes below the bound, and the best cap "
    "is never longer than the hemisphere.",
    order=10,
)
def test_no_randomizer_is_below_the_bound():
    for epsilon in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0):
        spherical, half, cap, least, *_ = reports.randomizers(epsilon, 100)
        assert (cap.y <= half.y * (1 + 1e-9)).all()
        assert (cap.y < spherical.y).all()
        if epsilon <= 2:
            assert (half.y < spherical.y).all()
        bound = reports.LEAST * np.sqrt(reports.DIMENSIONS) / np.expm1(epsilon)
        assert (bound <= cap.y).all()
        assert (least.y >= bound * (1 - 1e-9)).all()


def test_a_caps_report_has_the_right_mean_and_price():
    """By quadrature over the height of a direction, in 7 dimensions."""
    p, epsilon = 7, 3.0
    height = np.linspace(-1, 1, 400_001)
    density = (1 - height**2) ** ((p - 3) / 2)
    density /= density.sum()
    best = 0.0
    for h in np.linspace(0, 0.95, 400):
        cap = height >= h
        weight = np.where(cap, np.e**epsilon, 1.0)
        weight /= (weight * density).sum()
        best = max(best, float((weight * density * height).sum()))
    assert reports.cap_length(epsilon, p) == pytest.approx(1 / best, rel=1e-3)
