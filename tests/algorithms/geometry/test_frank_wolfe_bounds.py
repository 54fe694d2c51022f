"""How many steps private Frank-Wolfe takes, and what risk it is left with."""

from math import log, sqrt

import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    losses,
)
from dpteach.accounting import zcdp_rho
from dpteach.algorithms.geometry.frank_wolfe import (
    frank_wolfe,
)
from dpteach.algorithms.geometry.frank_wolfe_bounds import (
    private_frank_wolfe_risk_bound,
    private_frank_wolfe_steps,
)
from dpteach.algorithms.geometry.private_frank_wolfe import (
    private_frank_wolfe,
    private_frank_wolfe_noise,
)
from tests.algorithms.geometry.samples import BALL, curvature, lasso_problem
from tests.errata import erratum


@erratum("E-35")
def test_e35_the_bound_grows_with_the_number_of_records(actual):
    """E-35. nΓ/T as in (6.60): n copies of a record multiply the excess by n.

    As printed, (6.59) has Γ_ℓ/T, which 50 copies exceed at T = 20.
    """
    one = Problem(np.array([[1.0, 1.0]]), np.array([0.3]), losses.squared, BALL)
    many = Problem(np.tile(one.X, (50, 1)), np.tile(one.y, 50), losses.squared, BALL)
    T, gamma = 20, curvature(one)
    excess = [float(D.risk(frank_wolfe(D, steps=T)[-1])) for D in (one, many)]
    assert excess[1] == pytest.approx(actual * excess[0])
    assert gamma == pytest.approx(4)
    bound = private_frank_wolfe_risk_bound(
        n=50, steps=T, corners=4, curvature_constant=gamma, scale=1e-9
    )
    assert excess[1] <= bound
    # the constant: with T = 2, one step to a corner, 50 copies are above Γ/T
    first = float(many.risk(frank_wolfe(many, steps=2)[-1]))
    assert first > gamma / 2
    # the logarithm's argument is a count: in other units of loss it stays the same
    assert log(T * 4) < log(T * 2.0 * 1.0 * 4)


@erratum("E-36")
def test_e36_the_steps_and_their_logarithms(claimed, actual):
    """E-36. ln(np)√ln(1/δ) and ln(np/δ): 1000 and 200 when both logs are 100."""
    a = b = 100.0
    assert a * sqrt(b) == 1000
    assert a + b == 200
    assert a ** (2 / 3) * b ** (1 / 3) <= a + b  # with the logs inside T
    kind = {"n": 5000, "corners": 400, "curvature_constant": 4.0}
    kind |= {"lipschitz_l1": 2.0, "l1_radius": 1.0}
    assert private_frank_wolfe_steps(1.0, 1e-6, **kind) == actual
    printed = (4 * 5000 * 1.0 / 2) ** (2 / 3)
    assert printed == pytest.approx(claimed, rel=1e-4)

    def bound(T):
        small = {"lipschitz_l1": 2.0, "l1_radius": 1.0}
        b = private_frank_wolfe_noise(1.0, 1e-6, steps=T, **small)
        about = {"n": 5000, "corners": 400, "curvature_constant": 4.0}
        return private_frank_wolfe_risk_bound(**about, steps=T, scale=b)

    assert bound(128) == pytest.approx(922, abs=0.5)
    assert bound(round(printed)) > 1.25 * bound(128)  # the printed T is too large
    rho = zcdp_rho(1.0, 1e-6)
    best = (4 * sqrt(2) * 5000 * 4 * sqrt(rho) / (2 * log(400))) ** (2 / 3)
    assert best == pytest.approx(129.5, abs=0.05)


@pytest.mark.claim(
    "17-frank-wolfe",
    "The number of steps that we compute minimizes the bound over all whole numbers.",
    order=8,
)
def test_the_steps_minimize_the_bound():
    for n, corners, gamma, epsilon in (
        (5000, 400, 4.0, 1.0),
        (10, 4, 1.0, 0.1),
        (10**6, 10**5, 4.0, 8.0),
    ):
        kind = {"lipschitz_l1": 2.0, "l1_radius": 1.0}

        def bound(T, n=n, corners=corners, gamma=gamma, epsilon=epsilon, kind=kind):
            return private_frank_wolfe_risk_bound(
                n=n,
                steps=T,
                corners=corners,
                curvature_constant=gamma,
                scale=private_frank_wolfe_noise(epsilon, 1e-6, steps=T, **kind),
            )

        T = private_frank_wolfe_steps(
            epsilon, 1e-6, n=n, corners=corners, curvature_constant=gamma, **kind
        )
        assert bound(T) <= bound(T + 1)
        assert T == 2 or bound(T) <= bound(T - 1)
        if n == 5000:
            assert bound(T) == pytest.approx(921.93, abs=0.01)


@pytest.mark.claim(
    "17-frank-wolfe",
    "Measured excess risk stays below the bound.",
    order=6,
)
def test_theorem_6_22_measured_excess_is_below_the_bound():
    """Mean of 40 runs plus 5.2 standard errors; the bound is honest, and loose."""
    n, p, T = 2000, 60, 20
    D = lasso_problem(n, p)
    best = float(np.min(D.risk(frank_wolfe(D, steps=400))))
    out = private_frank_wolfe(
        D, lipschitz_l1=2.0, epsilon=1.0, delta=1e-6, steps=T, rng=0, runs=(40,)
    )
    excess = D.risk(out.theta) - best
    b = private_frank_wolfe_noise(1.0, 1e-6, steps=T, lipschitz_l1=2.0, l1_radius=1.0)
    bound = private_frank_wolfe_risk_bound(
        n=n, steps=T, corners=2 * p, curvature_constant=4.0, scale=b
    )
    assert excess.mean() + 5.2 * excess.std() / sqrt(40) <= bound
    assert excess.mean() < float(D.risk(np.zeros(p))) - best  # better than nothing
    # an expected gap of one choice is at most b ln|S|
    scores = np.array([0, 1, 1, 2, 3, 3, 4, 5.0])
    weight = np.exp(-0.7 * scores)
    assert np.sum(weight * scores) / weight.sum() <= log(8) / 0.7


BAD_INPUT = {
    private_frank_wolfe_risk_bound: {
        "n": 100,
        "steps": 4,
        "corners": 4,
        "curvature_constant": 4.0,
        "scale": 10.0,
        "noise": "laplace",
        "failure_probability": 0.1,
    },
    private_frank_wolfe_steps: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "lipschitz_l1": 2.0,
        "l1_radius": 1.0,
        "relation": Relation.REPLACE,
        "n": 100,
        "corners": 4,
        "curvature_constant": 4.0,
    },
}
