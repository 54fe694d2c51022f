"""A sensitivity is an upper bound in floats too: beside exact rational arithmetic."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import sqrt

import numpy as np
import pytest

from dpteach.algorithms.matrices._matrices import decoder_of, toeplitz_matrix
from dpteach.algorithms.matrices.buffered_toeplitz import Buffers
from dpteach.algorithms.matrices.factorization import Factorization
from dpteach.algorithms.matrices.sensitivity import (
    epochs_sensitivity,
    participation_sensitivity,
    toeplitz_sensitivity,
)
from dpteach.algorithms.matrices.toeplitz_encoder import InverseBands


def squared(columns):
    """The squared norm of the sum of columns of fractions, without rounding."""
    return sum(sum(row) ** 2 for row in zip(*columns, strict=True))


def shifted(c, j):
    return [Fraction(0)] * j + c[: len(c) - j]


def first_pattern(c, k, d):
    return squared([shifted(c, j) for j in range(0, len(c), d)[:k]])


def patterns(T, k, d):
    return (
        J
        for size in range(1, k + 1)
        for J in combinations(range(T), size)
        if all(b - a >= d for a, b in pairwise(J))
    )


def test_no_negative_entries():
    """Of any matrix: all patterns, in fractions. Floats without a margin fall below."""
    rng, below = np.random.default_rng(0), 0
    for _ in range(20):
        C = np.tril(rng.random((6, 6))) + np.eye(6)
        exact = [[Fraction(x) for x in column] for column in C.T.tolist()]
        worst = max(squared([exact[j] for j in J]) for J in patterns(6, 3, 2))
        f = Factorization(decoder_of(C), C)
        found = participation_sensitivity(f, participations=3, separation=2)
        assert Fraction(found.value) ** 2 >= worst
        apart = max(squared(exact[o::3]) for o in range(3))
        found = epochs_sensitivity(f, epochs=2)
        assert Fraction(found.lower) ** 2 <= apart <= Fraction(found.value) ** 2
        assert found.exact
        plain = max(np.linalg.norm(C[:, o::3].sum(axis=1)) for o in range(3))
        below += Fraction(float(plain)) ** 2 < apart
    assert below > 2


def test_toeplitz_coefficients():
    rng, below = np.random.default_rng(1), 0
    for T, k, d in ((1, 1, 1), (12, 3, 4), (40, 7, 5), (60, 60, 1)) * 5:
        c = np.sort(rng.random(T))[::-1].copy()
        worst = first_pattern([Fraction(x) for x in c.tolist()], k, d)
        found = toeplitz_sensitivity(c, participations=k, separation=d)
        assert Fraction(found.lower) ** 2 <= worst <= Fraction(found.value) ** 2
        assert found.exact
        columns = toeplitz_matrix(c)[:, ::d][:, :k].sum(axis=1)
        below += Fraction(float(np.linalg.norm(columns))) ** 2 < worst
    assert below > 2


@pytest.mark.parametrize(
    ("T", "k", "d"), [(2, 1, 1), (20, 2, 10), (21, 6, 4), (12, 12, 1)]
)
def test_buffers_in_closed_form(T, k, d):
    rng = np.random.default_rng(2)
    for m in (1, 2, 3) * 3:
        theta = (1 - 10 ** -rng.uniform(0.01, 9, m)).tolist()
        omega = (10 ** rng.uniform(-6, 3, m)).tolist()
        pairs = [(Fraction(w), Fraction(h)) for w, h in zip(omega, theta, strict=True)]
        c = [Fraction(1)]
        c += [sum(w * h**s for w, h in pairs) for s in range(T - 1)]
        found = Buffers(tuple(theta), tuple(omega)).sensitivity(
            T, participations=k, separation=d
        )
        worst = first_pattern(c, k, d)
        assert Fraction(found.lower) ** 2 <= worst <= Fraction(found.value) ** 2
        assert found.value <= found.lower * (1 + 1e-13)


@pytest.mark.parametrize(
    ("T", "k", "d"), [(1, 1, 1), (24, 1, 1), (24, 3, 8), (16, 16, 1)]
)
def test_inverse_bands(T, k, d):
    rng = np.random.default_rng(3)
    for b in (1, 2, 4) * 4:
        r = np.append(rng.uniform(0.5, 2), -rng.dirichlet(np.ones(b))[: b - 1] / 2)
        exact, c = [Fraction(x) for x in r.tolist()], []
        for n in range(T):
            rest = sum(exact[j] * c[n - j] for j in range(1, min(b, n + 1)))
            c.append(((n == 0) - rest) / exact[0])
        found = InverseBands(tuple(r.tolist())).sensitivity(
            T, participations=k, separation=d
        )
        worst = first_pattern(c, k, d)
        assert Fraction(found.lower) ** 2 <= worst <= Fraction(found.value) ** 2
        assert found.exact or k > 1  # c may rise before it falls


def test_an_inverse_that_floats_cannot_hold_is_refused():
    growing = InverseBands((1.0, -1.5))
    assert growing.sensitivity(20).value == pytest.approx(
        sqrt((1.5**40 - 1) / 1.25), rel=1e-9
    )
    with pytest.raises(ValueError, match="inverse that floats can hold for 100 steps"):
        growing.sensitivity(100)


def test_the_margin_stays_small_for_ten_million_steps():
    c = np.full(10**7, 1.0)
    found = toeplitz_sensitivity(c, participations=1, separation=10**7)
    assert found.lower <= sqrt(10**7) <= found.value <= found.lower * (1 + 3e-12)
