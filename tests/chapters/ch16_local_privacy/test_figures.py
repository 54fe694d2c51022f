"""The experiments of the chapter on local privacy: what they must show."""

import numpy as np
import pytest

from dpteach.algorithms.local.local_sgd import local_noise_variance
from dpteach.chapters.ch16_local_privacy import locality as local
from dpteach.figures import Sentence


@pytest.mark.parametrize("p", [2, 10, 50])
def test_measured_errors_lie_on_the_lines(p):
    """Root mean squares of at least 32 numbers: 45 % is over 3.5 deviations.

    The seed is fixed; noise that forgets its dimension, or n, is off by far more.
    """
    here, central = local.locality(1.0, p)[3:5]
    n = np.array([*local.TRIED], float)
    assert (here.x == n).all()
    sigma = np.sqrt(local_noise_variance(1.0, p=p, clip_norm=1.0))
    assert here.y == pytest.approx(sigma / np.sqrt(n), rel=0.45)
    assert central.y == pytest.approx(sigma / n, rel=0.45)


def test_the_chapters_number_of_users():
    sentence = next(m for m in local.locality(1.0, 10) if isinstance(m, Sentence))
    assert "44,000 users" in sentence.text
    assert "210 if" in sentence.text


@pytest.mark.claim(
    "16-local-privacy",
    "In the figure of the valley the measurement lies below its bound everywhere.",
    order=7,
)
def test_the_measured_valley_lies_below_its_bound_everywhere():
    for epsilon in local.EPSILONS:
        for far in local.DISTANCES:
            bound, measured, *_ = local.learning_rates(epsilon, far)
            assert (measured.y <= bound.y * (1 + 1e-9)).all()
    bound, measured, *_ = local.learning_rates(4.0, 1.0)
    assert bound.y[0] < 1.1 * measured.y[0]  # nearly met where steps are short


def test_most_blind_choices_cost_a_factor_of_four():
    for epsilon in local.EPSILONS:
        bars, sentence, _ = local.blind_choice(epsilon)
        assert bars.height.sum() == 49
        assert bars.height[2:].sum() > 25
        assert "blind choices" in sentence.text


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`epsilon` must be one of"):
        local.blind_choice(2.0)
    with pytest.raises(ValueError, match="`distance` must be one of"):
        local.learning_rates(4.0, 2.0)
    with pytest.raises(ValueError, match="`p` must be"):
        local.locality(1.0, 0)
