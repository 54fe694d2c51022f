"""Laplace, discrete, fixed-size and allocated releases, from their definitions."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dpteach.accounting import (
    calibrate,
    delta_of,
    epsilon_of,
    for_group,
    price_of,
    restate,
    zcdp_epsilon,
)
from dpteach.accounting.pairs.allocation import OneOfSteps
from dpteach.accounting.pairs.fixed_size import gaussian_cells
from dpteach.accounting.pairs.sampled_laplace import LaplaceOnSample
from dpteach.privacy import (
    AllocatedGaussian,
    Composed,
    DiscreteGaussian,
    FixedSizeGaussian,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    SampledLaplace,
)
from tests.samples import sampled

ADD, REPLACE, ZERO = Relation.ADD_REMOVE, Relation.REPLACE, Relation.ZERO_OUT


def laplace(scale, rate=1.0, steps=1):
    return SampledLaplace(scale, rate=rate, releases=steps, relation=ADD)


def discrete(sigma, shift=1, steps=1):
    return DiscreteGaussian(sigma, sensitivity=shift, releases=steps, relation=ADD)


def batches(noise, m, n, steps=1, relation=REPLACE):
    return FixedSizeGaussian(
        noise, batch_size=m, n=n, releases=steps, relation=relation
    )


def encloses(price, truth, sharp):
    """Whether a proved interval for δ holds the truth, and is no wider than said."""
    assert price.lower <= truth <= price.delta * (1 + 1e-13)
    assert price.delta <= truth * (1 + sharp)


# Sampled Laplace


def laplace_delta(scale, rate, epsilon, removed):
    """∫ (p − e^ε q)₊ to thirty digits, cut where the densities have kinks."""
    mp.mp.dps = 30
    b, q, grow = mp.mpf(scale), mp.mpf(rate), mp.exp(mp.mpf(epsilon))

    def gap(x):
        without = mp.exp(-abs(x) / b) / (2 * b)
        with_it = (1 - q) * without + q * mp.exp(-abs(x - 1) / b) / (2 * b)
        p, other = (with_it, without) if removed else (without, with_it)
        return p - grow * other

    # the gap has one sign on each side of its only zero in (0, 1), if it has one
    ends = [mp.mpf(0), mp.mpf(1)]
    if gap(ends[0]) * gap(ends[1]) < 0:
        ends.insert(1, mp.findroot(gap, (0, 1), solver="anderson", tol=1e-40))
    pieces = [-mp.inf, *ends, mp.inf]
    total = mp.mpf(0)
    for low, high in itertools.pairwise(pieces):
        total += max(mp.quad(gap, [low, high]), 0)
    return float(total)


@pytest.mark.parametrize("scale", [0.2, 1.0, 4.0])
@pytest.mark.parametrize("rate", [1e-7, 0.01, 0.6, 1.0])
def test_one_laplace_release_agrees_with_the_integral_of_its_densities(scale, rate):
    most = math.log1p(rate * math.expm1(1 / scale))
    for share in (0.0, 0.3, 0.9):
        exact = max(laplace_delta(scale, rate, share * most, r) for r in (True, False))
        price = price_of(laplace(scale, rate), epsilon=share * most)
        assert price.kind == "exact"
        assert price.delta == pytest.approx(exact, rel=1e-9)
        # with a hundredth more noise the figure would be too low
        assert delta_of(laplace(1.01 * scale, rate), share * most) < exact * (1 - 1e-3)


@pytest.mark.parametrize(("scale", "rate"), [(1.0, 0.3), (0.3, 0.01), (2.0, 1.0)])
def test_two_laplace_releases_agree_with_quadrature(scale, rate):
    """δ of two is the mean of δ of one over the first loss, in each direction."""
    for epsilon in (0.2, 0.6):
        worst = 0.0
        for removed in (True, False):
            # losses are constant outside of [0, 1]
            node, weight = np.polynomial.legendre.leggauss(4)
            start, half = np.arange(4000) / 4000, 0.5 / 4000
            x = (start[:, None] + half * (node + 1)).ravel()
            mass = np.tile(half * weight, 4000) * np.exp(-x / scale) / (2 * scale)
            x, mass = np.append(x, [0, 1]), np.append(mass, [0.5, 0])
            mass[-1] = math.exp(-1 / scale) / 2
            ratio = 1 - rate + rate * np.exp((2 * x - 1) / scale)
            total = 0.0
            for loss, p in zip(
                np.log(ratio) * (1 if removed else -1),
                mass * ratio if removed else mass,
                strict=True,
            ):
                left = epsilon - loss
                if left >= 0:
                    total += p * laplace_direction(scale, rate, left, removed)
                else:  # of the mirrored direction
                    kept = 1 - laplace_direction(scale, rate, -left, not removed)
                    total += p * (1 - math.exp(left) * kept)
            worst = max(worst, total)
        encloses(price_of(laplace(scale, rate, 2), epsilon=epsilon), worst, 3e-6)


def laplace_direction(scale, rate, epsilon, removed):
    """The same δ as ``laplace_delta``, from the formula that it confirms."""

    def unsampled(e):
        return max(0.0, -math.expm1((e - 1 / scale) / 2))

    if removed:
        return rate * unsampled(math.log1p(math.expm1(epsilon) / rate))
    left = 1 - math.exp(epsilon) * (1 - rate)
    if left <= 0:
        return 0.0
    return left * unsampled(epsilon + math.log(rate / left))


def test_the_direction_formula_is_the_integral():
    for removed in (True, False):
        for epsilon in (0.0, 0.05, 0.2):
            assert laplace_direction(0.7, 0.2, epsilon, removed) == pytest.approx(
                laplace_delta(0.7, 0.2, epsilon, removed), rel=1e-9, abs=1e-15
            )


@pytest.mark.parametrize(
    ("scale", "rate", "steps", "delta"),
    [(1.0, 0.1, 100, 1e-6), (3.0, 0.01, 1000, 1e-5), (0.5, 1.0, 20, 1e-8)],
)
def test_laplace_prices_lie_between_those_of_dp_accounting(scale, rate, steps, delta):
    from dp_accounting.pld import privacy_loss_distribution as pld

    price = price_of(laplace(scale, rate, steps), delta=delta)
    assert price.epsilon * (1 - 1e-5) < price.lower < price.epsilon
    theirs = [
        pld.from_laplace_mechanism(
            scale,
            sampling_prob=rate,
            pessimistic_estimate=pessimistic,
            use_connect_dots=pessimistic,
            value_discretization_interval=1e-4,
        )
        .self_compose(steps)
        .get_epsilon_for_delta(delta)
        for pessimistic in (False, True)
    ]
    assert theirs[0] <= price.epsilon
    assert price.lower <= theirs[1] * (1 + 1e-9)
    assert price.epsilon == pytest.approx(theirs[1], rel=1e-3)
    grid = price_of(
        laplace(scale, rate, steps), delta=delta, accountant="loss_distribution"
    )
    renyi = price_of(laplace(scale, rate, steps), delta=delta, accountant="renyi")
    assert price.lower <= grid.epsilon <= price.epsilon * (1 + 2e-5)
    assert price.lower <= renyi.epsilon


def test_merged_cells_are_no_worse_than_the_pair_and_divided_ones_no_better():
    kind = LaplaceOnSample(0.8, 0.2)
    for removed in (True, False):
        for epsilon in (0.0, 0.1, 0.17):
            exact = laplace_direction(0.8, 0.2, epsilon, removed)
            found = []
            for pair in (kind.reached(removed), kind.worst(removed)):
                seen = pair.loss > epsilon
                gain = -np.expm1(epsilon - pair.loss[seen])
                found.append(float(np.exp(pair.log_mass[seen]) @ gain))
            assert found[0] <= exact * (1 + 1e-12) + 1e-15
            assert exact <= found[1] * (1 + 1e-12) + 1e-15
            assert found[1] - found[0] <= 1e-6 * exact + 1e-15
            # with the roles of the two lists exchanged, the check would fail
            assert found[0] < found[1] or exact == 0


def test_a_pure_price_needs_no_delta():
    most = math.log1p(0.25 * math.expm1(0.5))
    event = Composed((laplace(2.0, 0.25, 10), Pure(0.1, relation=ADD)))
    price = price_of(event, delta=0)
    assert price.epsilon == pytest.approx(10 * most + 0.1, rel=1e-12)
    assert price.epsilon >= 10 * most + 0.1
    assert delta_of(event, price.epsilon) == 0
    assert epsilon_of(event, 1e-300) <= price.epsilon
    with pytest.raises(ValueError, match="pure"):
        price_of(Composed((laplace(2.0), Gaussian(1.0, relation=ADD))), delta=0)


# Discrete Gaussian


def discrete_masses(sigma, reach):
    x = np.arange(-reach, reach + 1)
    log_mass = [-(mp.mpf(int(i)) ** 2) / (2 * mp.mpf(sigma) ** 2) for i in x]
    total = mp.fsum(mp.exp(each) for each in log_mass)
    return [mp.exp(each) / total for each in log_mass]


def discrete_delta(sigma, shift, steps, epsilon):
    """Convolve the losses of all integers, which lie on a lattice, to forty digits."""
    mp.mp.dps = 40
    reach = int(16 * sigma) + 3 * shift
    mass = discrete_masses(sigma, reach)
    sums = {0: mp.mpf(1)}  # of x less the shift, under P
    for _ in range(steps):
        grown = {}
        for at, weight in sums.items():
            for i, each in enumerate(mass):
                place = at + i - reach
                grown[place] = grown.get(place, 0) + weight * each
        sums = grown
    scale = mp.mpf(shift) / mp.mpf(sigma) ** 2
    total = mp.mpf(0)
    for at, weight in sums.items():
        loss = scale * (at + mp.mpf(steps * shift) / 2)
        if loss > epsilon:
            total += weight * -mp.expm1(epsilon - loss)
    return float(total)


@pytest.mark.parametrize(
    ("sigma", "shift", "steps"), [(0.4, 1, 1), (1.3, 2, 1), (5, 1, 1), (20, 7, 1)]
)
def test_one_discrete_release_is_a_sum_over_integers(sigma, shift, steps):
    for epsilon in (0.0, 0.4, 3.0):
        exact = discrete_delta(sigma, shift, steps, epsilon)
        price = price_of(discrete(sigma, shift), epsilon=epsilon)
        assert price.kind == "exact"
        assert price.delta == pytest.approx(exact, rel=1e-10)
        assert delta_of(discrete(1.01 * sigma, shift), epsilon) < exact * (1 - 1e-3)


@pytest.mark.parametrize(
    ("sigma", "shift", "steps"),
    sampled([(1.0, 1, 3), (2.3, 2, 3), (3.0, 1, 4), (0.6, 1, 4)], [(1.0, 1, 3)]),
)
def test_several_discrete_releases_agree_with_their_convolution(sigma, shift, steps):
    for epsilon in (0.3, 2.0):
        exact = discrete_delta(sigma, shift, steps, epsilon)
        encloses(price_of(discrete(sigma, shift, steps), epsilon=epsilon), exact, 1e-3)


def test_discrete_noise_costs_what_normal_noise_costs_where_it_is_fine():
    for sigma, steps, delta in (
        (1e5, 10**6, 1e-6),
        (300.0, 1000, 1e-9),
        (5e7, 1, 1e-9),
    ):
        normal = epsilon_of(Gaussian(sigma, releases=steps, relation=ADD), delta)
        price = price_of(discrete(sigma, 1, steps), delta=delta)
        assert price.epsilon == pytest.approx(normal, rel=2e-5, abs=1e-9)
        # twice the shift is half the noise
        double = epsilon_of(discrete(2 * sigma, 2, steps), delta)
        assert double == pytest.approx(price.epsilon, rel=2e-5, abs=1e-9)
    # and not where it is coarse
    coarse = epsilon_of(discrete(0.5, 1, 4), 1e-6)
    assert coarse > 1.01 * epsilon_of(Gaussian(0.5, releases=4, relation=ADD), 1e-6)


def test_discrete_noise_is_no_worse_than_its_concentrated_privacy():
    for sigma, steps in ((0.5, 10), (0.3, 100), (2.0, 9), (40.0, 10_000)):
        price = price_of(discrete(sigma, 1, steps), delta=1e-6)
        assert price.epsilon < zcdp_epsilon(steps / (2 * sigma**2), 1e-6)
        named = price_of(
            discrete(sigma, 1, steps), delta=1e-6, accountant="concentrated"
        )
        assert price.epsilon < named.epsilon


def test_the_lattice_of_discrete_losses_agrees_with_dp_accounting():
    from dp_accounting.pld import privacy_loss_distribution as pld

    theirs = pld.from_discrete_gaussian_mechanism(
        3.0, value_discretization_interval=1e-4
    ).self_compose(20)
    price = price_of(discrete(3.0, 1, 20), delta=1e-6)
    wanted = theirs.get_epsilon_for_delta(1e-6)
    assert price.lower <= wanted
    assert price.epsilon == pytest.approx(wanted, rel=2e-3)


# Batches of a fixed size


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("relation", [REPLACE, ZERO])
def test_two_steps_cover_every_small_data_set_that_was_tried(m, relation):
    """All batches of four records, twice, with gradients drawn from [−1, 1]."""
    rng, noise, n, epsilon = np.random.default_rng(5), 1.1, 4, 0.7
    x = np.linspace(-9, 9, 401)
    step = x[1] - x[0]
    price = price_of(batches(noise, m, n, 2, relation), epsilon=epsilon)
    alone = delta_of(
        SampledGaussian(noise, rate=m / n, releases=2, relation=ADD), epsilon
    )

    def output(values):
        sums = [sum(b) for b in itertools.combinations(values, m)]
        one = np.mean([norm.pdf(x, loc=s, scale=noise) for s in sums], axis=0)
        return np.multiply.outer(one, one)

    most = 0.0
    for case in range(30):
        data = rng.uniform(-1, 1, n) if case > 1 else -np.ones(n)
        other = data.copy()
        other[0] = 0.0 if relation is ZERO else (1.0 if case < 2 else rng.choice(x) / 9)
        pair = (output(other), output(data))
        p, q = pair if case % 2 else pair[::-1]
        found = np.maximum(p - math.exp(epsilon) * q, 0).sum() * step**2
        assert found <= price.delta * (1 + 1e-6)
        most = max(most, found)
    if relation is REPLACE:  # the lower bound is what the first two data sets reach
        assert most == pytest.approx(price.lower, rel=1e-4)
        # power: with the noise of coins the price would be too low
        assert alone < 0.5 * most


def test_one_fixed_batch_has_the_price_of_coins_with_half_the_noise():
    for noise, m, n, epsilon in ((1.4, 1, 1000, 0.1), (3.0, 30, 100, 0.5)):
        coins = SampledGaussian(noise / 2, rate=m / n, relation=ADD)
        price = price_of(batches(noise, m, n), epsilon=epsilon)
        assert price.kind == "exact"
        assert price.delta == pytest.approx(delta_of(coins, epsilon), rel=1e-9)
        zero = price_of(batches(noise, m, n, 1, ZERO), epsilon=epsilon)
        assert zero.lower < price.delta
        assert zero.delta == pytest.approx(price.delta, rel=1e-5)


@pytest.mark.parametrize(
    ("noise", "m", "n", "steps", "delta"),
    sampled(
        [
            (1.4, 1, 1000, 1000, 1e-6),
            (6.0, 50, 1000, 200, 1e-9),
            (0.2, 1, 10**7, 10**6, 1e-5),
            (1000.0, 1, 2, 1000, 1e-12),
        ],
        [(6.0, 50, 1000, 200, 1e-9)],
    ),
)
def test_many_fixed_batches_cost_at_least_either_direction(noise, m, n, steps, delta):
    coins = SampledGaussian(noise / 2, rate=m / n, releases=steps, relation=ADD)
    either = price_of(coins, delta=delta)
    price = price_of(batches(noise, m, n, steps), delta=delta)
    # the lower bound is that of data sets which are neighbors, and the upper one is
    # within what the two directions can add up to
    assert price.lower == pytest.approx(either.lower, rel=1e-4)
    assert either.epsilon * (1 - 1e-6) <= price.epsilon <= 1.2 * either.epsilon


def test_the_two_halves_of_a_displacing_pair_hold_all_probability():
    for noise, rate in ((0.7, 1e-7), (3.0, 0.3), (200.0, 0.999)):
        pair = gaussian_cells(2 / noise).displacing(rate)
        p = np.exp(pair.log_mass)
        q = np.exp(pair.log_mass - pair.loss)
        assert p.sum() == pytest.approx(1, abs=1e-12)
        assert q.sum() == pytest.approx(1, abs=1e-12)
        assert np.all(np.diff(pair.loss) > 0)


# Random allocation


def allocated(noise, steps, rounds=1):
    return AllocatedGaussian(noise, steps=steps, releases=rounds, relation=ADD)


def two_steps_delta(noise, epsilon, removed):
    """Integrate over the first output; over the second there is a closed form."""
    spread, grow = 1 / noise, math.exp(epsilon)

    def call(strike):  # E[(Y − strike)₊] for a lognormal Y of mean 1
        if strike <= 0:
            return 1 - strike
        d = -math.log(strike) / spread + spread / 2
        return norm.cdf(d) - strike * norm.cdf(d - spread)

    def inner(z):
        first = math.exp(z / noise - 0.5 / noise**2)
        if removed:  # E[((first + Y)/2 − e^ε)₊]
            return norm.pdf(z) * call(2 * grow - first) / 2
        strike = 2 / grow - first  # E[(1 − e^ε (first + Y)/2)₊], by parity
        put = call(strike) - 1 + strike
        return norm.pdf(z) * put * grow / 2

    points = [noise * math.log(2 / grow) + 0.5 / noise, 0.0]
    return quad(inner, -14, 16, limit=800, epsabs=1e-15, points=points)[0]


@pytest.mark.parametrize(
    ("noise", "sharp"),
    sampled([(0.3, 1e-3), (3.0, 1e-4), (0.6, 1e-4), (1.0, 1e-4)], [(3.0, 1e-4)]),
)
@pytest.mark.parametrize("epsilon", sampled([0.1, 0.5], [0.5]))
def test_one_of_two_steps_agrees_with_quadrature(noise, sharp, epsilon):
    exact = {each: two_steps_delta(noise, epsilon, each) for each in (True, False)}
    for removed, truth in exact.items():
        pair = OneOfSteps(noise, 2).worst(removed)
        seen = pair.loss > epsilon
        gain = -np.expm1(epsilon - pair.loss[seen])
        found = float(np.exp(pair.log_mass[seen]) @ gain) + math.exp(pair.log_lost)
        assert truth <= found <= truth * (1 + sharp) + 1e-10
    below = OneOfSteps(noise, 2).reached(True)
    seen = below.loss > epsilon
    gain = -np.expm1(epsilon - below.loss[seen])
    found = float(np.exp(below.log_mass[seen]) @ gain)
    assert exact[True] * (1 - sharp) - 1e-10 <= found <= exact[True]
    encloses(price_of(allocated(noise, 2), epsilon=epsilon), max(exact.values()), sharp)
    # with more noise the price would be too low
    more = noise * (1.01 + sharp)
    assert delta_of(allocated(more, 2), epsilon) < max(exact.values())


def test_one_of_many_steps_agrees_with_a_simulation():
    """100 steps, at a δ that 200,000 runs can see; wrong with probability 1e-7."""
    noise, steps, runs, delta = 0.8, 100, 200_000, 0.02
    ours = epsilon_of(allocated(noise, steps), delta)
    rng = np.random.default_rng(9)
    ratio = np.zeros(runs)
    for t in range(steps):
        z = rng.standard_normal(runs) + (1 / noise if t == 0 else 0)  # under P
        ratio += np.exp(z / noise - 0.5 / noise**2) / steps
    gain = np.maximum(1 - math.exp(ours) / ratio, 0)  # in [0, 1]
    level = math.log(4 / 1e-7)  # empirical Bernstein, by Maurer and Pontil
    room = math.sqrt(2 * gain.var() * level / runs) + 7 * level / (3 * (runs - 1))
    assert abs(gain.mean() - delta) < room
    assert room < 0.15 * delta  # power: a δ that is off by a sixth is seen


@pytest.mark.parametrize(
    ("noise", "steps", "rounds", "delta"),
    sampled(
        [(1.0, 100, 20, 1e-6), (1.0, 10**6, 1, 1e-6), (3.0, 10, 1, 1e-9)],
        [(3.0, 10, 1, 1e-9)],
    ),
)
def test_a_random_step_costs_less_than_coins_and_than_a_known_one(
    noise, steps, rounds, delta
):
    price = price_of(allocated(noise, steps, rounds), delta=delta)
    mean = Gaussian(noise, releases=rounds, relation=ADD)  # with a known step
    assert 0 < price.lower < price.epsilon < epsilon_of(mean, delta)
    coins = SampledGaussian(
        noise, rate=1 / steps, releases=steps * rounds, relation=ADD
    )
    assert 0.7 * epsilon_of(coins, delta) < price.epsilon < epsilon_of(coins, delta)


@pytest.mark.parametrize(
    ("noise", "steps", "rounds", "delta", "gap"),
    sampled(
        [
            (0.3, 1000, 1, 1e-6, 1e-5),
            (0.5, 100, 1, 1e-6, 1e-5),
            (1.0, 1000, 1, 1e-6, 6e-3),
            (0.7, 7, 3, 1e-10, 1e-3),
            (2.0, 10, 20, 1e-6, 1e-3),
        ],
        [(0.5, 100, 1, 1e-6, 1e-5), (2.0, 10, 20, 1e-6, 1e-3)],
    ),
)
def test_a_random_step_is_priced_from_both_sides(noise, steps, rounds, delta, gap):
    price = price_of(allocated(noise, steps, rounds), delta=delta)
    assert price.epsilon * (1 - gap) <= price.lower <= price.epsilon


def test_where_its_own_price_is_coarse_a_random_step_costs_what_a_known_one_does():
    for event, delta in ((allocated(0.1, 10), 1e-6), (allocated(1.0, 1000), 1e-40)):
        known = epsilon_of(Gaussian(event.noise_multiplier, relation=ADD), delta)
        price = price_of(event, delta=delta)
        assert price.kind == "upper bound"
        assert price.lower <= price.epsilon <= known
    assert epsilon_of(allocated(2.0, 1, 7), 1e-6) == epsilon_of(
        Gaussian(2.0, releases=7, relation=ADD), 1e-6
    )


# All of them


EVERY = [
    laplace(1.0, 0.1, 10),
    discrete(2.0, 1, 3),
    allocated(2.0, 10, 3),
    Gaussian(5.0, releases=4, relation=ADD),
    SampledGaussian(1.0, rate=0.01, releases=100, relation=ADD),
    Pure(0.05, relation=ADD),
]


@pytest.mark.thorough
def test_events_of_different_kinds_are_priced_in_one_run():
    run = price_of(Composed(tuple(EVERY)), delta=1e-6)
    assert 0 < run.lower < run.epsilon
    grid = price_of(Composed(tuple(EVERY)), delta=1e-6, accountant="loss_distribution")
    assert run.lower <= grid.epsilon <= run.epsilon * (1 + 1e-4)
    for left_out in range(len(EVERY)):  # each of them counts
        rest = tuple(e for i, e in enumerate(EVERY) if i != left_out)
        assert epsilon_of(Composed(rest), 1e-6) < run.epsilon * (1 - 1e-4)
    # and it costs less than the events one by one, with the δ shared equally
    assert run.epsilon < sum(epsilon_of(event, 1e-6 / len(EVERY)) for event in EVERY)
    mixed = Composed((batches(2.0, 5, 100, 50), Gaussian(4.0, relation=REPLACE)))
    price = price_of(mixed, delta=1e-6)
    alone = price_of(batches(2.0, 5, 100, 50), delta=1e-6)
    assert 0 < price.lower < price.epsilon
    assert alone.epsilon < price.epsilon


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int32, np.uint64])
def test_integers_of_all_widths_are_counts(kind):
    assert laplace(1.0, 0.5, kind(100)) == laplace(1.0, 0.5, 100)
    assert discrete(3.0, kind(2), kind(100)) == discrete(3.0, 2, 100)
    event = batches(2.0, kind(20), kind(120), kind(100))
    assert event == batches(2.0, 20, 120, 100)
    assert type(event.batch_size) is int
    assert epsilon_of(event, 1e-6) == epsilon_of(batches(2.0, 20, 120, 100), 1e-6)


@pytest.mark.parametrize("delta", sampled([1e-280, 1e-30, 0.3], [1e-30]))
def test_tiny_and_large_deltas(delta):
    for event in (
        laplace(1.0, 1e-7, 10**6),
        laplace(10.0, 1.0, 10**6),
        discrete(1000.0, 1, 10**6),
        batches(5.0, 1, 100, 1000),
    ):
        price = price_of(event, delta=delta)
        assert 0 <= price.lower <= price.epsilon < math.inf
        assert delta_of(event, price.epsilon * (1 + 2e-6) + 1e-12) <= delta * 1.5


@pytest.mark.parametrize(
    "event_of",
    [
        lambda z: laplace(z, 0.1, 100),
        lambda z: discrete(z, 1, 100),
        pytest.param(lambda z: batches(z, 10, 1000, 100), marks=pytest.mark.thorough),
    ],
)
def test_a_budget_is_met_from_the_private_side(event_of):
    z = calibrate(event_of, 1.0, 1e-6)
    assert epsilon_of(event_of(z), 1e-6) <= 1.0
    assert epsilon_of(event_of(0.99 * z), 1e-6) > 1.0


def test_restating_for_groups_and_replacement():
    assert restate(discrete(3.0), REPLACE) == DiscreteGaussian(
        3.0, sensitivity=2, relation=REPLACE
    )
    assert for_group(discrete(3.0), 4).sensitivity == 4
    assert restate(laplace(3.0), REPLACE) == SampledLaplace(1.5, relation=REPLACE)
    assert for_group(laplace(3.0), 3).noise_multiplier == 1.0
    zero = batches(2.0, 1, 10, 1, ZERO)
    assert restate(zero, REPLACE) == batches(2.0, 1, 10)
    for event in (laplace(3.0, 0.5), batches(2.0, 1, 10)):
        with pytest.raises(ValueError, match="subsampled"):
            for_group(event, 2)
    with pytest.raises(ValueError, match="subsampled"):
        restate(laplace(3.0, 0.5), REPLACE)


def test_a_batch_of_all_records_is_no_sampling():
    assert epsilon_of(batches(3.0, 9, 9, 4), 1e-6) == epsilon_of(
        Gaussian(3.0, releases=4, relation=REPLACE), 1e-6
    )


def test_what_is_not_proved_is_refused():
    with pytest.raises(ValueError, match=r"REPLACE, or draw a Poisson sample"):
        batches(1.0, 1, 10, 1, ADD)
    with pytest.raises(ValueError, match=r"`relation` must not be Relation\.REPLACE"):
        AllocatedGaussian(1.0, steps=10, relation=REPLACE)
    with pytest.raises(ValueError, match="`batch_size` must be at most n=10"):
        batches(1.0, 11, 10)
    with pytest.raises(ValueError, match="must not replace a record that is sampled"):
        epsilon_of(SampledLaplace(1.0, rate=0.5, relation=REPLACE), 1e-6)
    with pytest.raises(ValueError, match=r"between 0\.1 and 1e8"):
        epsilon_of(discrete(0.01), 1e-6)


def test_noise_beyond_the_accountants_range_is_priced_without_the_sampling():
    sampled, whole = (price_of(laplace(0.01, rate), delta=1e-6) for rate in (0.5, 1.0))
    assert sampled.method.endswith("without the sampling")
    assert sampled.epsilon == whole.epsilon == pytest.approx(100, rel=1e-6)
    assert sampled.kind == "upper bound"
    assert sampled.lower < whole.epsilon


def test_a_total_variation_below_delta_costs_nothing():
    price = price_of(batches(1e9, 1, 10), delta=1e-6)
    assert (price.epsilon, price.kind) == (0.0, "exact")
    assert price_of(batches(1e5, 9, 10), delta=1e-12).epsilon > 0
