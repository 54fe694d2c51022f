"""Private quantiles: their exact density, its range between neighbors, their draws."""

import numpy as np
import pytest
from scipy import stats

from dpteach.mechanisms import private_quantile
from dpteach.privacy import Relation, Selection

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE
LOW, HIGH = 0.0, 8.0
POINTS = np.linspace(LOW, HIGH, 801)[:-1] + 0.005  # the middle of cells of 0.01


def density(values, alpha, epsilon, Delta):
    """The definition, on a grid on which all values lie between cells."""
    below = (values < POINTS[:, None]).sum(axis=1)
    weight = np.exp(-epsilon * np.abs(below - alpha * len(values)) / (2 * Delta))
    return weight / weight.sum()


def log_ratios(alpha, relation, Delta, rng):
    n = int(rng.integers(1, 9))
    values = rng.integers(0, 801, n) / 100
    if relation is ADD:
        other = values[1:]
    else:
        other = np.concatenate([[rng.integers(0, 801) / 100], values[1:]])
    p, q = (density(each, alpha, 1.0, Delta) for each in (values, other))
    return np.log(p / q)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
def test_the_density_has_range_epsilon_between_neighbors(alpha):
    """In 500 pairs each; with Δ halved some exceed it (power)."""
    rng = np.random.default_rng(3)
    for relation, Delta in ((ADD, max(alpha, 1 - alpha)), (REPLACE, 1.0)):
        right, halved = (
            max(np.ptp(log_ratios(alpha, relation, D, rng)) for _ in range(500))
            for D in (Delta, Delta / 2)
        )
        assert right <= 1 + 1e-9
        assert halved > 1.05


@pytest.mark.parametrize(("relation", "Delta"), [(ADD, 0.8), (REPLACE, 1.0)])
def test_draws_have_the_density(relation, Delta):
    """KS at 1e-6 over 40,000 draws; the distribution of another ε is refused."""
    values = np.array([1.0, 1.0, 2.5, 2.75, 4.0, 7.5, 9.0, -3.0])
    run = {"quantile": 0.2, "low": LOW, "high": HIGH, "relation": relation, "rng": 1}
    out = private_quantile(values, **run, epsilon=0.7, runs=(40_000,))
    for epsilon, right in ((0.7, True), (1.0, False)):
        p = density(values.clip(LOW, HIGH), 0.2, epsilon, Delta)
        ends = np.concatenate([[0], np.cumsum(p)])
        grid = np.linspace(LOW, HIGH, 801)
        test = stats.kstest(out.theta, lambda x, g=grid, e=ends: np.interp(x, g, e))
        assert (test.pvalue > 1e-6) == right
    assert out.event == Selection(0.7, relation=relation)


def test_no_records_give_a_uniform_draw_and_equal_ones_stay_inside():
    run = {"quantile": 0.5, "low": -1.0, "high": 1.0, "epsilon": 1.0, "rng": 0}
    none = private_quantile(np.zeros(0), **run, relation=ADD, runs=(5000,)).theta
    assert stats.kstest(none, stats.uniform(-1, 2).cdf).pvalue > 1e-6
    same = private_quantile(np.full(50, 9.0), **run, relation=ADD, runs=(50,)).theta
    assert (np.abs(same) <= 1).all()
    with pytest.raises(ValueError, match="`low` must be below `high`"):
        private_quantile(np.zeros(3), **run | {"low": 1.0}, relation=ADD)


BAD_INPUT = {
    private_quantile: {
        "values": np.array([0.5, 2.0, 3.0]),
        "quantile": 0.5,
        "low": 0.0,
        "high": 4.0,
        "epsilon": 1.0,
        "rng": 0,
        "relation": ADD,
        "runs": (2,),
    }
}
