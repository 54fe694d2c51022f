"""Experiments on factorization: what they must show."""

import pytest

from dpteach.algorithms.toeplitz import square_root_factorization
from dpteach.figures import Sentence, Spent, factorization

STATES = {
    factorization.error_against_steps: [(4,), (16,), (512,)],
    factorization.bands_and_error: [(1,), (16,), (256,)],
}
OF = {
    factorization.error_against_steps: factorization.ERROR_AGAINST_STEPS,
    factorization.bands_and_error: factorization.BANDS_AND_ERROR,
}


@pytest.mark.parametrize("experiment", STATES, ids=lambda each: each.__name__)
def test_states_have_the_same_skeleton_and_fit_their_axes(experiment):
    skeletons = set()
    for state in STATES[experiment]:
        marks = experiment(*state)
        again = experiment(*state)
        drawn = [m for m in marks if not isinstance(m, Sentence | Spent)]
        skeletons.add(tuple((m.label, m.role, m.panel, len(m.outline)) for m in drawn))
        assert any(isinstance(m, Sentence) for m in marks)
        assert [m.text for m in marks if isinstance(m, Sentence)] == [
            m.text for m in again if isinstance(m, Sentence)
        ]
        for mark in drawn:
            axes = OF[experiment]["axes"][mark.panel]
            x, y = mark.outline.T
            assert axes.xlim[0] - 1e-9 <= x.min() <= x.max() <= axes.xlim[1] + 1e-9
            assert axes.ylim[0] - 1e-9 <= y.min() <= y.max() <= axes.ylim[1] + 1e-9
    assert len(skeletons) == 1


def test_the_numbers_are_the_packages():
    root = factorization.error_against_steps(64)[2]
    want = square_root_factorization(64, normalized=True).mean_error
    assert root.y[factorization.LENGTHS.index(64)] == want


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`steps` must be one of"):
        factorization.error_against_steps(5)
    with pytest.raises(ValueError, match="`bands` must be one of"):
        factorization.bands_and_error(3)
