"""What check-ins cost: each bound against exact instances."""

from itertools import product
from math import e, exp, expm1, log, sqrt

import numpy as np
import pytest

from dpteach import Relation, checks
from dpteach.algorithms.local.check_in_privacy import (
    averaged_updates_epsilon,
    fixed_window_dummies,
    fixed_window_epsilon,
    pooled_epochs_epsilon,
    sliding_window_dummies,
    sliding_window_epsilon,
)
from dpteach.algorithms.local.response_instances import (
    fixed_window_instance,
)
from dpteach.numerics import log_binomial
from tests.algorithms.local.enumeration import enumerated, hockey_stick, least_epsilon

FIXED = [
    # ε₀, m, δ, p₀; published, refined, sum, exact instance
    (0.5, 100, 1e-6, 1.0, 0.4413241452, 0.4413241452, 0.4382775721, 0.2026839826),
    (
        0.5,
        100,
        1e-6,
        0.01,
        0.004378896042,
        0.003416957282,
        0.003416778873,
        0.001285275304,
    ),
    (1.0, 1000, 1e-6, 1.0, 0.4749252308, 0.4749252308, None, 0.126614481),
    (0.25, 10, 1e-4, 0.1, 0.04373322208, 0.03902352829, None, 0.01465286335643),
]


@pytest.mark.parametrize("row", FIXED)
def test_theorem_3_2_vectors(row):
    e0, m, delta, p0, published, refined, summed, exact = row
    same = {"slots": m, "check_in_probability": p0}

    def bound(method):
        return fixed_window_epsilon(e0, delta, method=method, clip=False, **same)

    assert bound("textbook") == pytest.approx(published, rel=1e-9)
    assert bound("refined") == pytest.approx(refined, rel=1e-9)
    if summed:
        assert bound("sum") == pytest.approx(summed, rel=1e-9)
    instance = fixed_window_instance(e0, delta, **same)
    assert instance == pytest.approx(exact, rel=1e-7)
    assert instance <= bound("sum") <= bound("refined") <= bound("textbook")
    for relation in Relation:  # a client who may be absent costs the same
        assert fixed_window_epsilon(e0, delta, relation=relation, **same) == min(
            e0, bound("sum")
        )


def test_theorem_3_2_seven_is_a_safe_constant():
    """ε ≤ 7 p₀ε₀√(ln(1/δ)/m) for ε₀ ≤ 1, δ ≤ 1/100; the least constant is 5.88."""
    worst = 0.0
    for e0, m, delta, p0 in product(
        np.linspace(0.01, 1, 50),
        (1, 10, 1000, 10**5),
        (1e-2, 1e-4, 1e-8),
        (0.01, 0.3, 1),
    ):
        bound = fixed_window_epsilon(
            e0, delta, slots=m, check_in_probability=p0, method="textbook", clip=False
        )
        worst = max(worst, bound / (p0 * e0 * sqrt(log(1 / delta) / m)))
    assert worst == pytest.approx(5.876373, rel=1e-6)


def test_published_bounds_need_the_clip_and_single_runs_may_have_it():
    for e0, m, delta, value in (
        (3.0, 10, 1e-4, 482), (2.0, 100, 1e-4, 8.96), (3.0, 10, 1e-6, 508),
        (2.0, 100, 1e-6, 10.6), (1.0, 10, 1e-4, 4.246),
    ):  # fmt: skip
        got = fixed_window_epsilon(e0, delta, slots=m, method="textbook", clip=False)
        assert got == pytest.approx(value, rel=4e-3)
        assert fixed_window_epsilon(e0, delta, slots=m, method="textbook") == e0


@pytest.mark.claim(
    "21-check-ins",
    "Pooled epochs that are cut at one report's ε₀ are caught by an exact instance.",
    order=4,
)
@pytest.mark.parametrize(
    ("e0", "delta", "value"),
    [(3.0, 1e-4, 4.329356179), (3.0, 1e-6, 5.937332916), (2.0, 1e-6, 2.877757054)],
)
def test_pooled_epochs_may_not_be_clipped_at_one_report(e0, delta, value):
    """20 runs of one slot, p₀ = 1/20: the exact ε of an instance is above ε₀.

    The broken variant, a clip at ε₀, is below it: it would sell privacy that is not
    there. The bound that we ship is above.
    """
    exact = fixed_window_instance(
        e0, delta, slots=1, check_in_probability=1 / 20, runs=20
    )
    assert exact == pytest.approx(value, rel=1e-9)
    ours = pooled_epochs_epsilon(e0, delta, n=20, slots=1)
    broken = min(pooled_epochs_epsilon(e0, delta, n=20, slots=1, clip=False), e0)
    assert broken < exact <= ours <= 20 * e0


def test_pooled_delta_at_the_local_epsilon():
    """δ(3) of that instance, by the convolution of its 20 runs."""
    q = 1 / (1 + exp(3))
    flipped = q + (1 - 2 * q) / 20
    ones = np.arange(21)
    rows = [
        np.exp(log_binomial(ones, 20, log((1 - each) / each))) for each in (flipped, q)
    ]
    assert hockey_stick(*rows, 3.0) == pytest.approx(0.002855306547, rel=2e-9)


def test_corollary_3_3_vectors():
    values = {10: 0.03413, 100: 0.0341867993, 1000: 0.03481, 10**4: 0.04382}
    got = [
        pooled_epochs_epsilon(0.5, 1e-6, n=10**4, slots=m, clip=False) for m in values
    ]
    assert got == pytest.approx(list(values.values()), rel=2e-4)
    assert got[1] == pytest.approx(0.0341867993, rel=1e-9)
    assert got == sorted(got)  # pooled, the price rises with m
    with pytest.raises(ValueError, match="`slots` must divide"):
        pooled_epochs_epsilon(0.5, 1e-6, n=10, slots=3)


def test_theorem_4_1_vectors():
    for n, m, value in (
        (10**4, 100, 1.305565333), (10**5, 10**5, 0.1508151598),
        (10**6, 10**4, 0.1279044716),
    ):  # fmt: skip
        settings = {"n": n, "slots": m, "delta_sizes": 1e-6}
        got = averaged_updates_epsilon(0.5, 1e-6, clip=False, **settings)
        assert got == pytest.approx(value, rel=1e-9)
        assert averaged_updates_epsilon(0.5, 1e-6, **settings) == min(got, 0.5)


def test_theorem_4_3_is_a_window_with_everyone_in_it():
    for method in ("sum", "refined", "textbook"):
        fixed = fixed_window_epsilon(0.5, 1e-6, slots=300, method=method)
        assert sliding_window_epsilon(0.5, 1e-6, window=300, method=method) == fixed
    assert sliding_window_epsilon(1.0, 1e-6, window=10**4) < 7 * sqrt(log(1e6) / 10**4)


def test_the_expensive_clause_for_approximate_randomizers_is_what_we_say():
    """8 ε₀ in place of ε₀ (recalled, so not an accountant here): the price of it."""
    for e0, m, p0, value in (
        (0.5, 10**4, 1.0, 28.66), (0.5, 10**4, 0.01, 0.2090), (0.1, 10**5, 1.0, 0.03041)
    ):  # fmt: skip
        got = fixed_window_epsilon(
            8 * e0,
            1e-6,
            slots=m,
            check_in_probability=p0,
            method="textbook",
            clip=False,
        )
        assert got == pytest.approx(value, rel=1e-3)


def test_two_runs_cost_at_most_two_reports():
    """Where composition is worse than that; the second run's report is counted too."""
    assert pooled_epochs_epsilon(2.0, 1e-6, n=4, slots=2) == 4.0
    assert pooled_epochs_epsilon(2.0, 1e-6, n=4, slots=2, clip=False) > 4.0


def test_what_is_no_budget_no_probability_and_no_window_is_refused():
    for e0 in (99.5, 100.0):
        assert fixed_window_epsilon(e0, 1e-6, slots=10) == e0
    with pytest.raises(ValueError, match="`local_epsilon` must be at most 100"):
        fixed_window_epsilon(100.5, 1e-6, slots=10)
    with pytest.raises(ValueError, match="`check_in_probability`"):
        fixed_window_epsilon(1.0, 1e-6, slots=10, check_in_probability=1.5)
    assert sliding_window_dummies(3, window=3) == pytest.approx((2 / 3) ** 3)
    with pytest.raises(ValueError, match="`window` must be at most n"):
        sliding_window_dummies(3, window=4)


@pytest.mark.parametrize("price", ["slots", "window"])
def test_the_sum_over_slots_must_fit_into_memory(price, monkeypatch):
    bound = {"slots": fixed_window_epsilon, "window": sliding_window_epsilon}[price]
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 20 * 50)
    assert bound(1.0, 1e-6, **{price: 50}) > 0
    with pytest.raises(ValueError, match=f"`{price}` must be small enough for memory"):
        bound(1.0, 1e-6, **{price: 51})


def test_bounds_are_monotone():
    def price(e0=0.5, delta=1e-6, m=100, p0=0.3):
        return fixed_window_epsilon(e0, delta, slots=m, check_in_probability=p0)

    assert price() < price(e0=0.6) < price(e0=0.6, p0=0.4)
    assert price(m=200) < price() < price(delta=1e-7)
    small, large = ({"n": n, "slots": 100, "delta_sizes": 1e-6} for n in (10**6, 10**7))
    assert averaged_updates_epsilon(0.1, 1e-6, **large) < averaged_updates_epsilon(
        0.1, 1e-6, **small
    )


@pytest.mark.claim(
    "21-check-ins",
    "A relation for which a theorem does not hold is refused by name.",
    order=5,
)
@pytest.mark.parametrize(
    "price",
    [
        lambda r: pooled_epochs_epsilon(0.5, 1e-6, n=100, slots=10, relation=r),
        lambda r: averaged_updates_epsilon(
            0.5, 1e-6, n=100, slots=10, delta_sizes=1e-6, relation=r
        ),
        lambda r: sliding_window_epsilon(0.5, 1e-6, window=10, relation=r),
    ],
)
def test_a_relation_that_is_not_covered_is_refused_by_name(price):
    assert price(Relation.ZERO_OUT) == price(Relation.REPLACE)
    with pytest.raises(ValueError, match="`relation` must keep the number of records"):
        price(Relation.ADD_REMOVE)


def test_lemma_a_1():
    """Pr[R(d_k)]/Pr[R(a random record)] ≤ e^ε₀/(1 + q(e^ε₀ − 1)), on 3000 instances."""
    assert e / (1 + 0.3 * (e - 1)) == pytest.approx(1.793671754, rel=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(3000):
        k = rng.integers(2, 6)
        p = rng.random() * np.exp(-rng.uniform(0.01, 3) * rng.random(k))
        q, w = rng.random(), rng.dirichlet(np.ones(k - 1))
        e0 = np.abs(np.log(p[:, None] / p)).max()
        ratio = p[0] / (q * p[0] + (1 - q) * w @ p[1:])
        assert ratio <= exp(e0) / (1 + q * expm1(e0)) + 1e-12


def test_lemma_a_2_closes_the_sum():
    for k, b, a in product((5, 50, 500), (0.1, 0.6, 0.95), (0.1, 1.0, 5.0)):
        total = np.sum((a / (k - b * np.arange(k))) ** 2)
        assert total <= a * a / (k * (1 - b)) + 1e-12
    for m, p0, e0 in product((5, 50, 500), (0.1, 0.6, 0.95), (0.1, 1.0, 3.0)):
        kind = {"slots": m, "check_in_probability": p0, "clip": False}
        bounds = [
            fixed_window_epsilon(e0, 1e-6, **kind, method=method)
            for method in ("sum", "refined", "textbook")
        ]
        assert bounds[0] < bounds[1] < bounds[2]


def three_ary(e0, m, p0, delta):
    """Randomized response on 3 symbols, d, d' and default all distinct; exact."""
    top = exp(e0) / (exp(e0) + 2)
    rows = np.full((3, 3), (1 - top) / 2)
    np.fill_diagonal(rows, top)
    first, second, default = rows
    k1, k2 = np.meshgrid(np.arange(m + 1), np.arange(m + 1), indexing="ij")
    ok = k1 + k2 <= m
    k1, k2 = k1[ok], k2[ok]
    from scipy.stats import multinomial

    counts = np.stack([k1, k2, m - k1 - k2], axis=-1)
    base = multinomial.pmf(counts, m, default)
    ratios = (1 - p0 + p0 / m * counts @ (each / default) for each in (first, second))
    p, q = (base * ratio for ratio in ratios)
    return least_epsilon(p, q, delta, e0)


@pytest.mark.claim(
    "21-check-ins",
    "The instance of two symbols is not the worst.",
    order=3,
)
@pytest.mark.parametrize(
    ("e0", "m", "p0", "value", "binary"),
    [(3.0, 300, 0.1, 0.07872701, 0.05973334), (2.0, 300, 1.0, 0.51219867, 0.46074736)],
)
def test_the_binary_instance_is_not_the_worst(e0, m, p0, value, binary):
    assert three_ary(e0, m, p0, 1e-4) == pytest.approx(value, rel=1e-6)
    instance = fixed_window_instance(e0, 1e-4, slots=m, check_in_probability=p0)
    assert instance == pytest.approx(binary, rel=1e-6)
    bound = fixed_window_epsilon(e0, 1e-4, slots=m, check_in_probability=p0)
    assert value < bound


@pytest.mark.claim(
    "21-check-ins",
    "For three and four slots all check-ins, ties and reports were listed: the "
    "exact ε agrees.",
    order=1,
)
@pytest.mark.parametrize(
    ("e0", "n", "m", "p0", "delta", "value"),
    [
        (1.0, 3, 4, 1.0, 0.05, 0.47555350),
        (1.0, 3, 4, 0.5, 0.01, 0.30631220),
        (1.0, 1, 4, 1.0, 0.05, 0.80756790),
        (0.5, 4, 3, 1.0, 0.01, 0.22790084),
    ],
)
def test_the_protocol_by_enumeration(e0, n, m, p0, delta, value):
    """Ties make her lose at times: exactly as if p₀ were p₀u, when the rest look alike.

    All of it is below Theorem 3.2.
    """
    got = enumerated(e0, n, m, p0, delta)
    assert got == pytest.approx(value, abs=1e-8)
    u = (1 - (1 - p0 / m) ** n) / (n * p0 / m)
    same = {"slots": m}
    thinned = fixed_window_instance(e0, delta, check_in_probability=p0 * u, **same)
    assert got == pytest.approx(thinned, abs=1e-8)
    assert got <= fixed_window_epsilon(e0, delta, check_in_probability=p0, **same)


@pytest.mark.claim(
    "21-check-ins",
    "No one of 300 random randomizers costs more than half of the bound.",
    order=2,
)
def test_no_random_randomizer_is_above_the_bound():
    """300 random 3-symbol randomizers: none, by a factor of 2 or more.

    With a record replaced, and with the client absent, in both directions.
    """
    rng = np.random.default_rng(0)
    from scipy.stats import multinomial

    for _ in range(300):
        e0, m = rng.choice([0.2, 0.5, 1, 2, 3]), int(rng.choice([1, 2, 3, 5, 10]))
        p0, delta = rng.choice([0.2, 0.7, 1.0]), rng.choice([1e-3, 1e-2, 1e-1])
        rows = rng.dirichlet(np.ones(3)) * np.exp(
            e0 * rng.choice([0, 1, 0.5, rng.random()], size=(3, 3))
        )
        rows /= rows.sum(axis=1, keepdims=True)
        first, second, default = rows
        actual = np.log(rows.max(axis=0) / rows.min(axis=0)).max()
        if actual < 1e-3:
            continue
        counts = np.array([c for c in product(range(m + 1), repeat=3) if sum(c) == m])
        base = multinomial.pmf(counts, m, default)
        p, q = (
            base * (1 - p0 + p0 / m * counts @ (each / default))
            for each in (first, second)
        )
        bound = fixed_window_epsilon(
            actual, delta, slots=m, check_in_probability=p0, clip=False
        )
        for other in (q, base):
            assert least_epsilon(p, other, delta, actual + 1e-9) <= bound / 2


def test_proposition_3_4_dummies():
    assert fixed_window_dummies(200, slots=20, check_in_probability=0.1) == (
        pytest.approx(7.339, abs=5e-4)
    )
    for n, m, p0 in ((50, 20, 1.0), (1000, 100, 0.2)):
        exact = fixed_window_dummies(n, slots=m, check_in_probability=p0)
        assert exact <= m * exp(-n * p0 / m)


def test_proposition_4_4_dummies():
    assert sliding_window_dummies(100, window=10) == pytest.approx(31.730, abs=5e-4)
    assert sliding_window_dummies(100, window=10) <= 91 / e
    with pytest.raises(ValueError, match="`window` must be at most n"):
        sliding_window_dummies(5, window=6)


@pytest.mark.parametrize("method", ["sum", "refined", "textbook"])
def test_remark_1_what_hides_better_means_more_dummies(method):
    """More slots, or rarer check-ins; and the page's 7 p₀ε₀√(ln(1/δ)/m) is above."""
    slots, chances = (1, 5, 50, 1000), (1.0, 0.5, 0.1, 0.01)
    for e0, delta in product((0.01, 0.5, 1.0), (1e-2, 1e-8)):
        price, dummies = np.zeros((4, 4)), np.zeros((4, 4))
        for (i, m), (j, p0) in product(enumerate(slots), enumerate(chances)):
            kind = {"slots": m, "check_in_probability": p0}
            price[i, j] = fixed_window_epsilon(
                e0, delta, **kind, method=method, clip=False
            )
            dummies[i, j] = fixed_window_dummies(1000, **kind)
            assert price[i, j] < 7 * p0 * e0 * sqrt(log(1 / delta) / m)
        for axis in (0, 1):
            assert np.all(np.diff(price, axis=axis) < 0)
            assert np.all(np.diff(dummies, axis=axis) > 0)


def test_remark_4_a_longer_sliding_window_hides_better_and_has_fewer_slots():
    """Of 1000 clients, 352 slots are dummies at m = 20, and 184 at m = 500: fewer."""
    prices = [sliding_window_epsilon(0.5, 1e-6, window=m) for m in (20, 100, 500)]
    assert np.all(np.diff(prices) < 0)
    dummies = [sliding_window_dummies(1000, window=m) for m in (20, 100, 500)]
    assert dummies == pytest.approx([351.7, 329.8, 184.1], abs=0.05)


PRICE = {"local_epsilon": 0.5, "delta": 1e-6}
BOUND = {**PRICE, "relation": Relation.REPLACE, "clip": True}
BAD_INPUT = {
    fixed_window_epsilon: {
        **BOUND,
        "slots": 5,
        "check_in_probability": 0.5,
        "method": "sum",
    },
    pooled_epochs_epsilon: {**BOUND, "n": 20, "slots": 5},
    averaged_updates_epsilon: {**BOUND, "n": 20, "slots": 5, "delta_sizes": 1e-6},
    sliding_window_epsilon: {**BOUND, "window": 5, "method": "refined"},
    fixed_window_dummies: {"n": 20, "slots": 5, "check_in_probability": 0.5},
    sliding_window_dummies: {"n": 20, "window": 5},
}
