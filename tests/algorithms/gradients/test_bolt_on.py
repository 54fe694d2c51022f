"""Noise on the last model of SGD: how far a record moves it, and its price."""

import numpy as np
import pytest
from scipy import stats

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.accounting import noise_multiplier
from dpteach.algorithms.gradients.bolt_on import bolt_on_sensitivity, bolt_on_sgd
from dpteach.auditing import Tape
from dpteach.privacy import Gaussian, Pure
from tests import problems
from tests.algorithms.case import Case


class Order(Tape):
    """A tape of zeros that gives one fixed order of the records."""

    def permutation(self, x, **_):
        return np.arange(x)


def visit(X, y, passes, eta, constraint):
    D = Problem(X, y, losses.logistic, constraint)
    return bolt_on_sgd(
        D,
        lipschitz=1.0,
        smoothness=0.25,
        learning_rate=eta,
        passes=passes,
        noise_multiplier=1.0,
        rng=Order([]),
    ).theta


def test_no_record_moves_the_last_iterate_farther_than_the_sensitivity():
    """A zeroed record is a row of zeros: its gradient is 0 wherever θ is."""
    rng, zeroed, replaced = np.random.default_rng(7), 0.0, 0.0
    for constraint in (constraints.Everywhere(), constraints.L2Ball(1.0)):
        for _ in range(80):
            n, passes, eta = (
                rng.integers(1, 12),
                rng.integers(1, 4),
                rng.uniform(0.1, 8),
            )
            X = rng.normal(size=(n, 2))
            X /= np.linalg.norm(X, axis=1, keepdims=True)
            y, i = rng.choice([-1.0, 1.0], n), rng.integers(n)
            gone, other = X.copy(), X.copy()
            gone[i] = 0
            v = rng.normal(size=2)
            other[i] = v / np.linalg.norm(v)
            at = visit(X, y, passes, eta, constraint)
            reach = bolt_on_sensitivity(lipschitz=1.0, learning_rate=eta, passes=passes)
            moved = np.linalg.norm(at - visit(gone, y, passes, eta, constraint))
            swapped = np.linalg.norm(at - visit(other, y, passes, eta, constraint))
            zeroed = max(zeroed, moved / reach)
            replaced = max(replaced, swapped / (2 * reach))
    assert 0.8 < zeroed <= 1
    assert 0.4 < replaced <= 1


def last(x, *, lipschitz=3.0, rate=0.5, passes=2, loss=losses.linear, **more):
    record = Problem(np.array([[x]]), np.ones(1), loss, constraints.Everywhere())
    return bolt_on_sgd(
        record,
        lipschitz=lipschitz,
        smoothness=2.25,  # of the logistic loss at x = 3
        learning_rate=rate,
        passes=passes,
        noise_multiplier=1.0,
        rng=Order([]),
        **more,
    ).theta[0]


def test_a_linear_record_moves_the_last_iterate_by_the_whole_sensitivity():
    """Each of two visits adds ηx to θ, so a record of slope 3 moves it by 2 · 3η."""
    kind = {"lipschitz": 3.0, "learning_rate": 0.5, "passes": 2}
    reach = bolt_on_sensitivity(**kind)
    assert abs(last(3.0) - last(0.0)) == pytest.approx(reach, rel=1e-12)
    reach = bolt_on_sensitivity(**kind, relation=Relation.REPLACE)
    assert abs(last(3.0) - last(-3.0)) == pytest.approx(reach, rel=1e-12)


def test_a_record_steeper_than_the_noise_hides_is_refused():
    with pytest.raises(ValueError, match="`lipschitz` and `smoothness` must bound"):
        last(3.0, lipschitz=2.9, loss=losses.logistic, out_of_bounds="refuse")
    last(3.0, lipschitz=3.0, loss=losses.logistic, out_of_bounds="refuse")


def test_the_longest_step_that_contracts_is_allowed():
    assert np.isfinite(last(3.0, rate=2 / 2.25, loss=losses.logistic))
    with pytest.raises(ValueError, match="`learning_rate` must be at most"):
        last(3.0, rate=2 / 2.25 * (1 + 1e-9), loss=losses.logistic)


def test_more_visits_than_fit_are_refused_before_the_first():
    with pytest.raises(ValueError, match="`passes` must be small enough for memory"):
        last(3.0, passes=10**15)


def test_too_long_a_step_is_refused():
    """η > 2/β expands: from 0.1 apart, a quadratic's iterates are 0.2 apart at 3/β."""
    assert abs((1 - 3.0) * 0.1) == pytest.approx(0.2)
    D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    kind = {"lipschitz": 1.0, "passes": 1, "noise_multiplier": 1.0, "rng": 0}
    with pytest.raises(
        ValueError, match="`learning_rate` must be at most 2/smoothness"
    ):
        bolt_on_sgd(D, smoothness=0.25, learning_rate=8.1, **kind)
    with pytest.raises(ValueError, match="`relation`"):
        bolt_on_sgd(
            D,
            smoothness=0.25,
            learning_rate=1.0,
            relation=Relation.ADD_REMOVE,
            **kind,
        )


@pytest.mark.parametrize("noise", ["gamma", "gaussian"])
def test_bolt_on_noise_and_event(noise):
    """KS at 1e-6 with 20,000 draws; half the scale is refused."""
    D = Problem(np.ones((3, 1)), np.ones(3), losses.logistic, constraints.Everywhere())
    kind = {"lipschitz": 1.0, "smoothness": 0.25, "learning_rate": 0.5, "passes": 2}
    for relation, k in ((Relation.ZERO_OUT, 1), (Relation.REPLACE, 2)):
        out = bolt_on_sgd(
            D,
            **kind,
            noise_multiplier=3.0,
            noise=noise,
            relation=relation,
            rng=0,
            runs=(20_000,),
        )
        added = (out.theta - visit(D.X, D.y, 2, 0.5, D.constraint))[:, 0]
        family = stats.norm if noise == "gaussian" else stats.laplace
        assert stats.kstest(added, family(scale=3.0).cdf).pvalue > 1e-6
        assert stats.kstest(added, family(scale=1.5).cdf).pvalue < 1e-6
        reach = bolt_on_sensitivity(
            lipschitz=1.0, learning_rate=0.5, passes=2, relation=relation
        )
        if noise == "gaussian":
            assert out.event == Gaussian(3.0, relation=relation)
            assert out.event.mu == pytest.approx(reach / 3.0)
        else:
            assert out.event == Pure(k / 3.0, relation=relation)
            assert out.event.epsilon == pytest.approx(reach / 3.0)


BAD_INPUT = {
    bolt_on_sensitivity: {
        "lipschitz": 1.0,
        "learning_rate": 0.5,
        "passes": 2,
        "relation": Relation.REPLACE,
    },
    bolt_on_sgd: {
        "problem": problems.SIGNS,
        "lipschitz": 1.0,
        "smoothness": 0.25,
        "learning_rate": 0.5,
        "passes": 2,
        "noise_multiplier": 1.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "noise": "gamma",
        "out_of_bounds": "clip",
        "runs": (2,),
    },
}

COMMON = {
    "bolt_on_sgd": Case(
        bolt_on_sgd,
        losses.logistic,
        constraints.L2Ball(1.0),
        {
            "lipschitz": 1.0,
            "smoothness": 0.25,
            "learning_rate": 0.5,
            "passes": 2,
            "noise_multiplier": noise_multiplier(0.7, 1e-9, relation=Relation.ZERO_OUT),
        },
        path=1,
        epsilon=0.7,
        delta=1e-9,
        inside=False,
        normal=False,  # the order of the records is drawn too
        rtol=1e-7,
    ),
}
