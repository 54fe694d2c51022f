"""Amplification by shuffling: each bound, and the exact instance below all."""

from math import comb, exp, inf

import pytest

from dpteach import Relation
from dpteach.algorithms.local.response_instances import shuffling_instance
from dpteach.algorithms.local.shuffling import (
    SHUFFLE_BOUNDS,
    _clone_curve,
    shuffling_epsilon,
)

# ε₀, n: numerical, closed, Theorem 5.1, swap; and the exact instance (δ = 1e-6)
VECTORS = [
    (
        0.5,
        10**4,
        0.02040145514,
        0.09386816185,
        0.0722843742,
        0.1866318325,
        0.01618114396,
    ),
    (
        1.0,
        10**4,
        0.05300531639,
        0.2140256519,
        0.4077596053,
        1.399348744,
        0.0356588152981,
    ),
    (2.0, 10**6, 0.01295836991, 0.06261672225, 0.682790929, 4.15417284, None),
]


@pytest.mark.parametrize("row", VECTORS)
def test_vectors(row):
    e0, n, *values, exact = row
    for method, value in zip(SHUFFLE_BOUNDS, values, strict=True):
        got = shuffling_epsilon(e0, 1e-6, n=n, method=method, clip=False)
        assert got == pytest.approx(value, rel=1e-6 if method == "numerical" else 1e-9)
        assert shuffling_epsilon(e0, 1e-6, n=n, method=method) == min(got, e0)
    if exact:
        got = shuffling_instance(e0, 1e-6, n=n)
        assert got == pytest.approx(exact, rel=1e-8)
        assert got <= values[0]


@pytest.mark.parametrize(
    ("e0", "n", "exact", "numerical", "closed", "ours"),
    [
        (0.1, 10**4, 0.00272, 0.00287, 0.0163, 0.0064),
        (2.0, 10**4, 0.0870, 0.155, 0.501, 7.57),
        (4.0, 10**5, 0.0847, 0.170, 0.535, 2697),
    ],
)
def test_the_table(e0, n, exact, numerical, closed, ours):
    got = [
        shuffling_epsilon(e0, 1e-6, n=n, method=method, clip=False)
        for method in ("numerical", "closed", "textbook")
    ]
    assert got == pytest.approx([numerical, closed, ours], rel=6e-3)
    assert shuffling_instance(e0, 1e-6, n=n) == pytest.approx(exact, rel=4e-3)


@pytest.mark.claim(
    "21-check-ins",
    "The clones' curve agrees with a list of all outcomes.",
    order=10,
)
def test_the_clones_pair_by_enumeration():
    """δ(ε) for n ≤ 6 from the definition, all outcomes listed."""
    for e0, n in ((0.7, 2), (1.5, 4), (0.3, 6)):
        clone, own = exp(-e0), exp(e0) / (1 + exp(e0))
        p, q = {}, {}
        for c in range(n):
            weight = comb(n - 1, c) * clone**c * (1 - clone) ** (n - 1 - c)
            for a in range(c + 1):
                w = weight * comb(c, a) / 2**c
                for d, side in ((1, own), (0, 1 - own)):
                    key, mirror = (a + d, c - a + 1 - d), (c - a + 1 - d, a + d)
                    p[key] = p.get(key, 0) + w * side
                    q[mirror] = q.get(mirror, 0) + w * side
        for epsilon in (0.0, 0.05, 0.2, 0.6 * e0):
            delta = sum(max(p[k] - exp(epsilon) * q.get(k, 0), 0) for k in p)
            assert _clone_curve(e0, n)(epsilon) == pytest.approx(delta, abs=1e-13)


@pytest.mark.claim(
    "21-check-ins",
    "Every bound on shuffling is above every exact instance.",
    order=11,
)
def test_every_bound_is_above_every_instance():
    for e0 in (0.2, 0.5, 1.0):
        for n in (5, 20, 100, 1000):
            exact = max(
                shuffling_instance(e0, 1e-3, n=n, others_with_one=k)
                for k in {0, n // 4, n // 2, n - 1}
            )
            for method in SHUFFLE_BOUNDS:
                assert exact <= shuffling_epsilon(e0, 1e-3, n=n, method=method) + 1e-12


def test_the_closed_form_loses_to_theorem_5_1_below_a_crossing():
    for n, crossing in ((10**3, 0.59), (10**4, 0.65), (10**5, 0.67), (10**6, 0.68)):
        for e0, better in ((crossing - 0.02, "textbook"), (crossing + 0.02, "closed")):
            other = "closed" if better == "textbook" else "textbook"
            a, b = (
                shuffling_epsilon(e0, 1e-6, n=n, method=m, clip=False)
                for m in (better, other)
            )
            assert a < b
            if n < 10**5:
                assert shuffling_epsilon(e0, 1e-6, n=n) < a


def test_a_budget_that_rounding_hides_is_refused():
    assert shuffling_epsilon(1e-12, 1e-6, n=100, method="textbook") > 0
    with pytest.raises(ValueError, match="`local_epsilon` must be at least 1e-12"):
        shuffling_epsilon(9e-13, 1e-6, n=100)


def test_limits_and_refusals():
    assert shuffling_epsilon(5.0, 1e-6, n=10**4, method="closed") == 5.0
    assert shuffling_epsilon(1.0, 1e-6, n=1) == pytest.approx(1.0, abs=2e-6)
    assert shuffling_epsilon(1.0, 1e-18, n=2) == pytest.approx(1.0)
    assert shuffling_epsilon(1e-9, 1e-2, n=10**4) == 0.0
    assert shuffling_epsilon(90.0, 1e-6, n=2, method="swap", clip=False) == inf
    with pytest.raises(ValueError, match="`relation` must keep the number of records"):
        shuffling_epsilon(1.0, 1e-6, n=100, relation=Relation.ADD_REMOVE)
    with pytest.raises(ValueError, match="`others_with_one` must be at most"):
        shuffling_instance(1.0, 1e-6, n=3, others_with_one=3)


BAD_INPUT = {
    shuffling_epsilon: {
        "local_epsilon": 0.5,
        "delta": 1e-6,
        "relation": Relation.REPLACE,
        "clip": True,
        "n": 100,
        "method": "numerical",
    },
}
