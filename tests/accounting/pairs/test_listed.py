"""Pairs given as a list: each quantity from its definition, in 60 digits."""

import math

import mpmath
import numpy as np
import pytest

from dpteach.accounting.pairs.listed import Cells, ListedPair, divided

rng = np.random.default_rng(7)
LOSS = np.sort(rng.normal(0.3, 1.2, 12))
MASS = rng.dirichlet(np.ones(13))  # the last one is lost


def lossy():
    return ListedPair(LOSS, np.log(MASS[:-1]), math.log(MASS[-1]))


def whole():
    return ListedPair(LOSS, np.log(MASS[:-1] / MASS[:-1].sum()))


def far():
    return ListedPair(np.array([-700.0, 649.0, 650.0]), np.log([0.2, 0.5, 0.3]))


def rare():
    log_mass = np.array([-800.0, math.log(0.25), math.log(0.125)])
    return ListedPair(np.array([-900.0, 0.5, 0.75]), log_mass, -0.1)


def hardly_there():
    """Return a pair whose largest loss has e^720 times its probability, or e^−180."""
    return ListedPair(np.array([0.5, 720.0]), np.array([-1e-300, -900.0]))


def moment(pair, s):
    return mpmath.fsum(
        mpmath.exp(mpmath.mpf(lm) + mpmath.mpf(s) * mpmath.mpf(lo))
        for lm, lo in zip(pair.log_mass, pair.loss, strict=True)
    )


@pytest.mark.parametrize("make", [lossy, whole, far, rare, hardly_there])
def test_moments_and_two_derivatives(make):
    pair = make()
    with mpmath.workdps(60):
        for s in (1e-3, 0.4, 1.0, 3.0, 900.0):
            exact = moment(pair, s)
            found = pair.log_moments(np.array([0.1, s]))
            assert found.shape == (2,)
            log = float(mpmath.log(exact))
            assert found[1] == pytest.approx(log, rel=1e-13, abs=1e-15)
            value, mean, spread = pair.cumulants(np.array([s]))[:, 0]
            log_of = lambda x: mpmath.log(moment(pair, x))  # noqa: E731
            assert value == pytest.approx(log, rel=1e-13, abs=1e-15)
            assert mean == pytest.approx(float(mpmath.diff(log_of, s)), rel=1e-9)
            second = float(mpmath.diff(log_of, s, 2))
            assert spread == pytest.approx(second, rel=1e-7, abs=1e-6)


def test_small_losses_keep_their_digits():
    """ln(1 + tiny): the plain logarithm of a sum would lose all of them."""
    pair = ListedPair(np.array([-1e-13, 2e-13]), np.log([0.6, 0.4]))
    (found,) = pair.log_moments(np.array([2.0]))
    assert found == pytest.approx(2.0 * (0.4 * 2e-13 - 0.6 * 1e-13), rel=1e-3)


@pytest.mark.parametrize("make", [lossy, whole])
def test_tails_count_a_loss_below_itself(make):
    pair = make()
    mass, other = np.exp(pair.log_mass), np.exp(pair.log_mass - pair.loss)
    asked = np.concatenate([pair.loss, pair.loss + 1e-9, [-9.0, 9.0]])
    for at, *found in zip(asked, *pair.tails(asked), strict=True):
        above = pair.loss > at
        exact = [m[k].sum() for m in (mass, other) for k in (above, ~above)]
        assert found == pytest.approx(exact, rel=1e-13, abs=1e-16)


def test_a_list_ends_at_its_largest_loss_unless_something_is_lost():
    assert whole().greatest == LOSS[-1]
    assert lossy().greatest == math.inf
    assert whole().log_lost == -math.inf


def test_what_is_cut_off_is_lost_and_no_more_than_that():
    above = np.cumsum(np.exp(whole().log_mass)[::-1])[::-1]
    for count in (1, 3, 7):
        budget = float(np.log(above[-count])) + 1e-9
        cut = whole().cut_off(budget)
        assert len(cut.loss) == len(LOSS) - count
        assert cut.log_lost == pytest.approx(math.log(above[-count]), rel=1e-12)
        assert np.array_equal(cut.loss, LOSS[:-count])
    again = lossy().cut_off(-1.0)
    total = np.logaddexp(np.logaddexp.reduce(again.log_mass), again.log_lost)
    assert total == pytest.approx(0, abs=1e-13)
    assert len(whole().cut_off(1.0).loss) == 1  # something is kept: the smallest loss
    assert whole().cut_off(1.0).loss[0] == LOSS[0]
    pair = whole()
    assert pair.cut_off(-800.0) is pair


def test_jumps_are_what_lies_beyond():
    pair, at = whole(), float(LOSS[8])
    cut = pair.without_jumps(at)
    assert np.array_equal(cut.loss, LOSS[:8])
    assert cut.cut == at
    assert cut.jump == math.inf
    told = pair.with_jumps(cut)
    assert told.jump == at
    assert np.array_equal(told.before_jump().loss, LOSS[:8])
    assert np.array_equal(pair.without_jumps(-99.0).loss, LOSS[:1])
    weight = np.exp(pair.log_mass + 0.7 * LOSS)
    share = math.log(weight[8:].sum() / weight.sum())
    assert told.log_jumps(0.7, np.zeros(3)) == pytest.approx([share] * 3, rel=1e-12)
    assert np.array_equal(told.log_decay(0.7, np.ones(2)), np.zeros(2))
    assert told.softened(0.7) is told


@pytest.mark.parametrize("removed", [True, False])
@pytest.mark.parametrize("rate", [0.2, 1e-7, 1.0])
def test_sampled_losses_are_those_of_the_mixture(rate, removed):
    """(1 − q)B + qA against B, or the other way round; ratios of e^600, too."""
    ratio = np.array([-700.0, -2.0, 0.0, 3.0, 499.0, 501.0, 600.0])
    cells = Cells(ratio, np.log(np.full(7, 1 / 7)), -50.0)
    pair = cells.sampled(rate, removed)
    with mpmath.workdps(60):
        q = mpmath.mpf(rate)
        mixed = [mpmath.log(1 - q + q * mpmath.exp(mpmath.mpf(r))) for r in ratio]
        losses = [float(each if removed else -each) for each in mixed]
    order = slice(None) if removed else slice(None, None, -1)
    assert pair.loss == pytest.approx(losses[order], rel=1e-13, abs=1e-15)
    masses = cells.log_mass + (np.array(losses) if removed else 0.0)
    assert pair.log_mass == pytest.approx(masses[order], rel=1e-12)
    assert pair.log_lost == -50.0


def test_a_divided_cell_keeps_probability_and_mean():
    edges = np.array([-2.0, -0.5, 0.25, 4.0])
    inside, mass = np.array([-1.0, 0.0, 3.0]), np.array([0.2, 0.5, 0.1])
    low, width = edges[:-1], np.diff(edges)
    right = mass * np.expm1(inside - low) / np.expm1(width)
    ratio, log_mass = divided(edges, np.log(mass), np.log(right))
    found = np.exp(log_mass)
    assert np.array_equal(ratio, edges)
    assert found.sum() == pytest.approx(0.8, rel=1e-14)
    assert found @ np.exp(ratio) == pytest.approx(mass @ np.exp(inside), rel=1e-13)
    by_hand = [mass[0] - right[0], right[0] + mass[1] - right[1]]
    assert found[:2] == pytest.approx(by_hand, rel=1e-12)


def test_a_part_that_rounding_makes_the_whole_leaves_something_to_the_left():
    log_mass = np.array([-1.0])
    _, found = divided(np.array([0.0, 0.1]), log_mass, log_mass + 1e-15)
    assert found == pytest.approx([-1 - 16 * math.log(10), -1], rel=1e-12)


def test_displaced_records_lose_nothing_of_the_probability():
    """What is neither above nor below 0 nor lost lies at 0."""
    cells = Cells(np.array([-1.0, 0.5, 2.0]), np.log([0.6, 0.3, 0.05]), math.log(0.02))
    pair = cells.displacing(0.3)
    assert np.all(np.diff(pair.loss) > 0)
    total = math.fsum(np.exp(pair.log_mass)) + 0.02
    assert total == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("removed", [True, False])
@pytest.mark.parametrize("size", [0.5, 6.0])
def test_a_list_with_growing_gaps_dies_out_down_to_its_ends(size, removed):
    """Kuzmin and Landau: beside sums of all terms, and beside a lattice of losses."""
    ratio = np.linspace(-size, size, 400)
    mass = np.exp(-np.abs(ratio - size) / 2)
    mass[[0, -1]] += 40  # atoms
    pair = Cells(ratio, np.log(mass / mass.sum())).sampled(0.3, removed)
    t = np.geomspace(1.0, 1e5, 300)
    weight = np.exp(pair.log_mass + 2.0 * pair.loss)
    weight /= weight.sum()
    sizes = np.log(np.abs(np.exp(1j * np.multiply.outer(t, pair.loss)) @ weight))
    bound = pair.log_decay(2.0, t)
    assert np.all(sizes[1:] <= bound[:-1])  # a bound holds up to the next t
    assert np.all(sizes <= bound)
    ends = math.log(weight[0] + weight[-1])
    assert ends <= np.min(bound) < ends / 2  # and it says something
    assert bound[-1] == 0
    even = ListedPair(np.arange(201) / 256, np.log(np.full(201, 1 / 201)))
    back = 2 * math.pi * 256  # where all losses of a lattice turn together
    near, at, far = even.log_decay(1.0, np.array([10.0, back - 1, 3 * back]))
    assert (near, at, far) == (0, 0, 0)
    apart = even.log_decay(1.0, np.linspace(0.3, 0.4, 9) * back)
    assert np.all(apart[:-1] < -3)


@pytest.mark.parametrize("after", [1.0, 1e-3])
def test_the_bound_of_growing_gaps_is_met(after):
    """So its constant can be no smaller, and no weight may be left out of it.

    Steps of nearly 4π/3, and then of 2π/3: all terms cancel but 1, e^{-2πi/3} and 1,
    which add up to √3 = cot(π/6). The two ends point the same way.
    """
    small = 2 * math.pi / 3 + 1e-6
    steps = np.repeat([2 * math.pi - small, small], 301) - 1e-9 * np.arange(602)
    inner = 10 + np.append(0, np.cumsum(steps))
    weight = np.append(np.ones(303), np.full(300, after))
    sum_of_inner = np.exp(1j * inner) @ weight
    toward = np.angle(sum_of_inner) % (2 * math.pi)
    last = inner[-1] + (toward - inner[-1]) % (2 * math.pi)
    loss = np.concatenate([[toward], inner, [last]])
    pair = ListedPair(loss, np.log(np.concatenate([[1], weight, [1]])))
    total = 2 + weight.sum()
    size = math.log((abs(sum_of_inner) + 2) / total)
    direct = np.exp(1j * loss) @ np.exp(pair.log_mass)
    assert abs(direct) / total == pytest.approx(math.exp(size), rel=1e-9)
    bound = pair.log_decay(0.0, np.array([1.0, 1.0 + 1e-12]))[0]
    assert size <= bound <= size + 1e-3


def test_gaps_that_grow_and_shrink_bound_nothing():
    loss = np.sort(np.random.default_rng(1).normal(size=300))
    pair = ListedPair(loss, np.log(np.full(300, 1 / 300)))
    assert not np.any(pair.log_decay(1.0, np.geomspace(1, 1e5, 20)))
