"""The figure of the passes: its noise is that of the running code."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms import batched_ftrl, square_root_factorization
from dpteach.auditing import noise_map
from dpteach.chapters.dp_ftrl_in_practice import restarts
from dpteach.chapters.shared.tied_noise import EPSILONS


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "The noise over several passes is that of the code, as it runs.",
    order=20,
)
def test_the_noise_of_the_passes_is_that_of_the_code(monkeypatch):
    T, E = 5, 3
    monkeypatch.setattr(restarts, "STEPS", T)
    restarts.with_restarts.cache_clear()
    root = square_root_factorization(T, normalized=True)
    D = Problem(np.zeros((T, 1)), np.zeros(T), losses.linear, constraints.Everywhere())

    def models(rng):
        known = {"clip_norm": 1.0, "noise_multiplier": 1.0, "regularization": 1.0}
        return batched_ftrl(D, factorization=root, epochs=E, rng=rng, **known).path[1:]

    found = np.sqrt(np.diag(noise_map(models).covariance))
    wanted = restarts.with_restarts(E)
    restarts.with_restarts.cache_clear()
    assert found == pytest.approx(wanted, rel=1e-9)


def test_the_example_of_two_passes():
    root = square_root_factorization(2)
    own = root.sensitivity**2 * np.sum(root.decoder**2, axis=1)
    assert own == pytest.approx([1.25, 1.5625])
    assert own + own[-1] == pytest.approx([2.8125, 3.125])


def test_the_numbers_of_the_text():
    for epsilon, ours, theirs in ((EPSILONS[7], 12.5, 15.3), (1.0, 35.4, 23.6)):
        ftrl, _, sampled, *_ = restarts.restarts(epsilon, 1.0, 4)
        assert float(ftrl.y[-1]) == pytest.approx(ours, abs=0.06)
        assert float(sampled.y[-1]) == pytest.approx(theirs, abs=0.06)


def test_some_entries_are_stored_as_computed():
    stored = restarts.noise_of_sampled_passes
    few = stored.compute(**stored.arguments | {"epsilons": (1.0,), "epochs": (1, 16)})
    row = stored()["noise"][EPSILONS.index(1.0)]
    assert few["noise"][0] == pytest.approx([row[0], row[-1]], rel=1e-5)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`epochs` must be one of"):
        restarts.restarts(1.0, 1.0, 5)
    with pytest.raises(ValueError, match="`epsilon` must be one of"):
        restarts.restarts(1.5, 1.0, 4)
