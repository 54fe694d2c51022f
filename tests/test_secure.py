"""Exact samplers: in rational arithmetic without chance, and runs by chi-square."""

import math
import random
from fractions import Fraction
from math import exp

import numpy as np
import pytest
from scipy.stats import chi2

from dpteach import Relation, secure
from dpteach.secure import (
    bernoulli_exp,
    discrete_gaussian,
    discrete_laplace,
    exponential_choice,
    release_histogram,
    release_number,
)

FALSE_ALARM = 1e-6


@pytest.fixture
def seeded(monkeypatch):
    """Replace the system's entropy by a seeded source, so that a test repeats."""
    monkeypatch.setattr(secure, "randbelow", random.Random(7).randrange)


class Unfinished(Exception):
    """A path of coins that is not yet decided."""


def exact_probabilities(monkeypatch, draw, least, primitive):
    """All paths of coins of mass ``least`` or more: a lower bound on each probability.

    What is missing to 1 is the mass of the longer paths, so that each bound is below
    the truth by no more than that. ``primitive`` is the coin that is taken as given.
    """
    probabilities, missing = {}, 0
    waiting = [((), Fraction(1))]
    script = []

    def choose(options):
        options = [(value, q) for value, q in options if q]
        if len(options) == 1:
            return options[0][0]
        if script:
            return script.pop(0)
        raise Unfinished(options)

    def coin(p):
        p = p if primitive == "_bernoulli" else exp(-p)
        return choose([(True, p), (False, 1 - p)])

    monkeypatch.setattr(secure, primitive, coin)
    monkeypatch.setattr(
        secure, "randbelow", lambda n: choose([(i, Fraction(1, n)) for i in range(n)])
    )
    while waiting:
        path, mass = waiting.pop()
        script[:] = path
        try:
            value = draw()
            probabilities[value] = probabilities.get(value, 0) + mass
        except Unfinished as undecided:
            if mass < least:
                missing += mass
            else:
                waiting += [((*path, v), mass * q) for v, q in undecided.args[0]]
    return probabilities, missing


@pytest.mark.parametrize("gamma", [Fraction(1, 3), Fraction(1), Fraction(7, 5), 0])
def test_the_exponential_coin_has_its_probability(monkeypatch, gamma):
    """Without chance: all paths of coins, in fractions, bracket e^{−γ} to 1e-8."""
    probabilities, missing = exact_probabilities(
        monkeypatch, lambda: bernoulli_exp(gamma), Fraction(1, 10**10), "_bernoulli"
    )
    assert missing < 1e-8
    assert sum(probabilities.values()) + missing == 1
    assert float(probabilities.get(True, 0)) <= exp(-gamma) + 1e-15
    assert exp(-gamma) <= float(probabilities.get(True, 0) + missing) + 1e-15


@pytest.mark.parametrize(
    ("draw", "probabilities", "most"),
    [
        (lambda: discrete_laplace(1), lambda x: laplace_probabilities(1.0)[x], 0.01),
        (
            lambda: discrete_laplace(Fraction(3, 2)),
            lambda x: laplace_probabilities(1.5)[x],
            0.07,
        ),
        (
            lambda: discrete_gaussian(Fraction(1, 3)),
            lambda x: gaussian_probabilities(1 / 3)[x],
            0.15,
        ),
    ],
)
def test_integers_have_their_probabilities(monkeypatch, draw, probabilities, most):
    """Without chance, given the exponential coin: all paths, each probability between
    what is found and that plus what is missing, 1 % at most."""
    found, missing = exact_probabilities(monkeypatch, draw, 1e-4, "_bernoulli_exp")
    assert missing < most
    for x in range(-3, 4):
        assert float(found.get(x, 0)) <= probabilities(x) + 1e-12
        assert probabilities(x) <= float(found.get(x, 0) + missing) + 1e-12


def chi_square_p_value(draws, probabilities):
    """Cells from expected counts of 10 up; the two tails are a cell each."""
    values, counts = np.unique(draws, return_counts=True)
    seen = dict(zip(values.tolist(), counts.tolist(), strict=True))
    n, statistic, cells, left, rest = len(draws), 0.0, 0, 1.0, len(draws)
    for x, p in probabilities.items():
        if n * p >= 10:
            statistic += (seen.get(x, 0) - n * p) ** 2 / (n * p)
            cells, left, rest = cells + 1, left - p, rest - seen.get(x, 0)
    if n * left >= 10:
        statistic, cells = statistic + (rest - n * left) ** 2 / (n * left), cells + 1
    return chi2(cells - 1).sf(statistic)


def laplace_probabilities(scale, reach=400):
    norm = (1 - exp(-1 / scale)) / (1 + exp(-1 / scale))
    return {x: norm * exp(-abs(x) / scale) for x in range(-reach, reach + 1)}


def gaussian_probabilities(variance, reach=400):
    weights = {x: exp(-x * x / (2 * variance)) for x in range(-reach, reach + 1)}
    total = sum(weights.values())
    return {x: w / total for x, w in weights.items()}


@pytest.mark.parametrize(
    ("draw", "probabilities", "near"),
    [
        (
            lambda: discrete_laplace(10),
            laplace_probabilities(10),
            laplace_probabilities(12.5),
        ),
        (
            lambda: discrete_laplace(Fraction(7, 3)),
            laplace_probabilities(7 / 3),
            laplace_probabilities(2.9),
        ),
        (
            lambda: discrete_laplace(0.5),
            laplace_probabilities(0.5),
            laplace_probabilities(0.6),
        ),
        (
            lambda: discrete_gaussian(100),
            gaussian_probabilities(100),
            gaussian_probabilities(140),
        ),
        (
            lambda: discrete_gaussian(Fraction(1, 2)),
            gaussian_probabilities(0.5),
            gaussian_probabilities(0.65),
        ),
    ],
)
@pytest.mark.usefixtures("seeded")
def test_draws_by_chi_square(draw, probabilities, near):
    """8000 draws; false alarm 1e-6 each. A scale that is 14 to 25 % off is caught."""
    draws = [draw() for _ in range(8_000)]
    assert chi_square_p_value(draws, probabilities) > FALSE_ALARM
    assert chi_square_p_value(draws, near) < FALSE_ALARM


@pytest.mark.usefixtures("seeded")
def test_the_choice_by_chi_square():
    """10 000 choices; false alarm 1e-6. The broken variant, ε for ε/2, is caught."""
    scores, epsilon = [0, Fraction(1, 2), 1.0, -2], 1.5
    draws = [
        exponential_choice(scores, sensitivity=2, epsilon=epsilon)
        for _ in range(20_000)
    ]

    def probabilities(rate):
        weights = np.exp(rate * np.array([float(s) for s in scores]))
        return dict(enumerate(weights / weights.sum()))

    assert chi_square_p_value(draws, probabilities(epsilon / 4)) > FALSE_ALARM
    assert chi_square_p_value(draws, probabilities(epsilon / 2)) < FALSE_ALARM


def privacy_loss(probabilities, shift):
    return max(
        abs(np.log(probabilities[x] / probabilities[x - shift]))
        for x in probabilities
        if x - shift in probabilities
    )


def test_exact_privacy_on_the_grid(monkeypatch):
    """Δ = 0.3 on a grid of 0.25 is two steps, not one or 1.2: ε = 1 needs scale 2.

    Worst neighbors, 0.74 and 1.04, lie two grid points apart; noise sized by Δ/grid =
    1.2 would spend 2/1.2 = 1.67.
    """
    scales = []
    monkeypatch.setattr(secure, "_discrete_laplace", lambda s: scales.append(s) or 0)
    settings = {"sensitivity": 0.3, "epsilon": 1, "grid": 0.25}
    low, high = (
        release_number(v, relation=Relation.ADD_REMOVE, **settings).theta[0]
        for v in (0.74, 1.04)
    )
    assert scales == [2, 2]
    steps = (high - low) / 0.25
    assert steps == 2
    assert privacy_loss(laplace_probabilities(2.0, 60), 2) == pytest.approx(
        1.0, rel=1e-9
    )
    assert privacy_loss(laplace_probabilities(1.2, 60), 2) == pytest.approx(
        2 / 1.2, rel=1e-9
    )


@pytest.mark.parametrize("epsilon", [Fraction(1, 3), 0.5, 1, 4])
@pytest.mark.parametrize(
    ("value", "sensitivity", "grid"), [(7, 1, 1), (0.74, 0.3, 0.25), (-2.5, 5, 2)]
)
def test_noise_is_scaled_to_the_steps_of_one_record(
    monkeypatch, epsilon, value, sensitivity, grid
):
    """Exactly: ⌈Δ/grid⌉/ε for the noise, added to ⌊value/grid⌋; a grid of 1 if none."""
    scales = []
    monkeypatch.setattr(secure, "_discrete_laplace", lambda s: scales.append(s) or 3)
    settings = {"sensitivity": sensitivity, "epsilon": epsilon}
    if grid != 1:
        settings["grid"] = grid
    out = release_number(value, relation=Relation.ADD_REMOVE, **settings)
    assert out.theta[0] == (math.floor(value / grid) + 3) * grid
    assert scales == [Fraction(math.ceil(sensitivity / grid)) / Fraction(epsilon)]
    out = release_histogram(
        [4, 0], sensitivity=2, epsilon=epsilon, relation=Relation.REPLACE
    )
    assert out.theta.tolist() == [7, 3]
    assert scales[1:] == [2 / Fraction(epsilon)] * 2
    assert 0 <= Fraction(out.event.epsilon) - Fraction(epsilon) < Fraction(1, 10**15)


def test_a_refusal_comes_before_any_noise(monkeypatch):
    """Whoever calls again with what is right learns nothing from the refusal."""
    drawn = []
    monkeypatch.setattr(secure, "_discrete_laplace", lambda s: drawn.append(s) or 0)
    wrong = {"epsilon": 1, "relation": "add"}
    with pytest.raises(TypeError, match="`relation` must be a Relation"):
        release_number(1, sensitivity=1, **wrong)
    with pytest.raises(TypeError, match="`relation` must be a Relation"):
        release_histogram([1], **wrong)
    with pytest.raises(ValueError, match="`counts` must be an int, at least 0"):
        release_histogram([3, -1], epsilon=1, relation=Relation.ADD_REMOVE)
    with pytest.raises(TypeError, match="`counts` must be a list of ints, got '31'"):
        release_histogram("31", epsilon=1, relation=Relation.ADD_REMOVE)
    assert drawn == []


@pytest.mark.usefixtures("seeded")
def test_outputs_lie_on_the_grid_whatever_the_data():
    """The least-bits attack finds nothing: outputs of both neighbors are multiples of
    the grid. Floating-point Laplace noise fails at once."""
    for value in (0.0, 1.0, 1 / 3):
        for _ in range(50):
            out = release_number(
                value, sensitivity=1, epsilon=1, grid=2.0**-10,
                relation=Relation.ADD_REMOVE,
            ).theta[0]  # fmt: skip
            assert (out * 2**10).is_integer()
    float_noise = 1.0 + np.random.default_rng(0).laplace(size=100)
    assert not (float_noise * 2**10 == np.floor(float_noise * 2**10)).any()


@pytest.mark.usefixtures("seeded")
def test_histograms():
    out = release_histogram([5, 0, 100], epsilon=0.5, relation=Relation.ZERO_OUT)
    assert out.theta.shape == (3,)
    assert out.event.epsilon == 0.5
    assert out.event.relation is Relation.ZERO_OUT
    settings = {"sensitivity": 2, "epsilon": 1, "relation": Relation.REPLACE}
    noise = [release_histogram([7], **settings).theta[0] - 7 for _ in range(8_000)]
    assert chi_square_p_value(noise, laplace_probabilities(2.0)) > FALSE_ALARM
    assert chi_square_p_value(noise, laplace_probabilities(1.0)) < FALSE_ALARM
    with pytest.raises(ValueError, match="`sensitivity` must be at least 2 under"):
        release_histogram([1], epsilon=1, relation=Relation.REPLACE)
    with pytest.raises(ValueError, match="`counts` must have at least one bin"):
        release_histogram([], epsilon=1, relation=Relation.ZERO_OUT)
    with pytest.raises(TypeError, match="`counts` must be a list"):
        release_histogram(3, epsilon=1, relation=Relation.ZERO_OUT)


def test_the_entropy_is_the_systems():
    """No seed: two runs of one program differ, and the source is ``secrets``."""
    import secrets

    assert secure.randbelow is secrets.randbelow
    assert len({discrete_laplace(10**9) for _ in range(5)}) == 5


def test_refusals():
    for bad in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="`scale` must be"):
            discrete_laplace(bad)
        with pytest.raises(ValueError, match="`variance` must be"):
            discrete_gaussian(bad)
    with pytest.raises(ValueError, match="`scores` must have at least one"):
        exponential_choice([], sensitivity=1, epsilon=1)
    with pytest.raises(TypeError, match="`scores` must be a list"):
        exponential_choice("abc", sensitivity=1, epsilon=1)


BAD_INPUT = {
    bernoulli_exp: {"exponent": 0.5},
    discrete_laplace: {"scale": 2.0},
    discrete_gaussian: {"variance": 2.0},
    release_number: {
        "value": 3.5,
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "grid": 0.5,
        "relation": Relation.ADD_REMOVE,
    },
    release_histogram: {
        "counts": [3, 0, 5],
        "sensitivity": 2,
        "epsilon": 1.0,
        "relation": Relation.REPLACE,
    },
    exponential_choice: {"scores": [1.0, 0.5], "sensitivity": 1.0, "epsilon": 1.0},
}
