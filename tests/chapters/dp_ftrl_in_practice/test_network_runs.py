"""Runs of hours: the quick network is the package's, and finished runs are kept."""

import experiments
import numpy as np
import pytest

from dpteach import networks
from dpteach.chapters.dp_ftrl_in_practice import network_runs
from dpteach.chapters.dp_ftrl_in_practice.quick_network import QuickNetwork
from dpteach.figures import results

EXACT = networks.dp_ftrl_network(seed=1)
QUICK = QuickNetwork(EXACT.shape, EXACT.layers, seed=1)


def test_the_quick_network_computes_what_the_exact_one_does():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (130, 784)).astype(np.float32)
    X[:3, 200:] = -1.0  # much that is equal, where the largest is looked for
    y = rng.integers(0, 10, 130).astype(np.float32)
    theta = (0.05 * rng.standard_normal(26010)).astype(np.float32)
    assert np.allclose(QUICK.scores_at(theta, X), EXACT.scores_at(theta, X), atol=1e-5)
    for L in (None, 0.5):
        exact, quick = (
            net.gradient(theta, X, y)
            if L is None
            else net.clipped_sum(theta, L, slice(None), X, y)
            for net in (EXACT, QUICK)
        )
        assert np.linalg.norm(exact - quick) < 1e-5 * np.linalg.norm(exact)


CALLS = []


def square(x):
    """Compute it, and remember that it was computed."""
    CALLS.append(x)
    return {"square": x * x}


def test_a_finished_run_is_kept_until_its_code_or_arguments_change(tmp_path):
    CALLS.clear()
    run = results.Kept(square, (networks,))
    run.file = tmp_path / "square.jsonl"
    for x, known in ((3, 1), (3, 1), (4, 2), (3, 2)):
        assert experiments.keep(run, {"x": x}) == {"square": x * x}
        assert len(CALLS) == known
    text = run.file.read_text().replace('"square": 9', '"square": 8')
    run.file.write_text(text)  # a line that was edited is not believed
    assert experiments.keep(run, {"x": 3}) == {"square": 9}
    assert len(CALLS) == 3


def test_a_rate_is_sought_beyond_an_end_and_then_run_with_other_seeds(monkeypatch):
    runs = []

    def trained(rate, seed, **_):
        runs.append((rate, seed))
        score = -abs(np.log2(rate / 4))
        return {"noise": 1.0, "held_out": score, "test": 90.0 + seed}

    monkeypatch.setattr(network_runs, "trained_networks", trained)
    found = network_runs.chosen(network_runs.cells(epsilons=(8.0,))[0], seeds=3)
    assert found["rate"] == 4.0
    assert found["test"] == [90.0, 91.0, 92.0]
    assert [rate for rate, seed in runs if seed == 0] == [0.5, 0.25, 1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize("method", network_runs.METHODS)
def test_each_method_costs_what_is_stated(method):
    from dpteach.accounting import epsilon_of

    z = network_runs.noise_of(method, 8.0, steps=200, epochs=20)
    event = network_runs.event_of(method, z, steps=200, epochs=20)
    assert epsilon_of(event, network_runs.DELTA) == pytest.approx(8.0, rel=1e-3)
