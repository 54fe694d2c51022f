"""How far a record moves Cx in several steps, beside all patterns and directions."""

from itertools import combinations, pairwise, product
from math import sqrt

import numpy as np
import pytest

from dpteach.algorithms.matrices._matrices import decoder_of, toeplitz_matrix
from dpteach.algorithms.matrices.buffered_toeplitz import Buffers
from dpteach.algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
    tree_factorization,
)
from dpteach.algorithms.matrices.sensitivity import (
    epochs_sensitivity,
    participation_sensitivity,
    toeplitz_sensitivity,
)
from dpteach.algorithms.matrices.toeplitz import (
    banded_factorization,
    square_root_factorization,
)


def patterns(T, k, d):
    return [
        pattern
        for size in range(1, k + 1)
        for pattern in combinations(range(T), size)
        if all(b - a >= d for a, b in pairwise(pattern))
    ]


def by_signs(G):
    """The largest Σ G_ij s_i s_j over signs."""
    s = np.array(list(product((1.0, -1.0), repeat=len(G))))
    return float(np.einsum("ni,ij,nj->n", s, G, s).max())


def by_directions(G, rng):
    """A Σ G_ij ⟨v_i, v_j⟩ that unit vectors attain, from three random starts."""
    best = 0.0
    for v in rng.standard_normal((3, len(G), len(G))):
        for _ in range(60):
            for i in range(len(G)):
                v[i] = 0
                pull = G[i] @ v
                v[i] = pull / max(np.linalg.norm(pull), 1e-300)
                v[i, 0] += np.linalg.norm(v[i]) == 0
        best = max(best, float(np.sum(G * (v @ v.T))))
    return best


def with_encoder(C):
    """A square C, lower triangular, with a diagonal that lets B be computed."""
    return Factorization(decoder_of(C), C)


def any_signs(T, _, rng):
    return np.tril(rng.standard_normal((T, T)), -1) + np.eye(T)


def no_negative(T, _, rng):
    return np.tril(rng.random((T, T)), -1) + np.eye(T)


def falling_from_d(T, d, rng):
    c = np.append(1.0, rng.random(T - 1))
    c[d:] = np.sort(c[d:])[::-1]
    return toeplitz_matrix(c)


def banded(T, d, rng):
    return np.tril(np.triu(any_signs(T, d, rng), 1 - d))


def any_toeplitz(T, _, rng):
    return toeplitz_matrix(np.append(1.0, rng.uniform(-0.7, 0.7, T - 1)))


@pytest.mark.claim(
    "15-matrix-factorization",
    "No pattern of participations, no signs and no directions of the gradients move a "
    "stream further than its stated sensitivity, by enumeration.",
    order=6,
)
@pytest.mark.parametrize(
    "kind", [any_signs, no_negative, falling_from_d, banded, any_toeplitz]
)
def test_no_pattern_moves_further(kind):
    rng = np.random.default_rng(0)
    for _ in range(25):
        T, d, k = (
            int(rng.integers(low, high)) for low, high in ((3, 10), (1, 5), (1, 6))
        )
        C = kind(T, d, rng)
        G = C.T @ C
        parts = [G[np.ix_(J, J)] for J in patterns(T, k, d)]
        signs = max(map(by_signs, parts))
        sizes = max(np.abs(part).sum() for part in parts)
        attained = max(signs, *(by_directions(part, rng) for part in parts))
        found = participation_sensitivity(
            with_encoder(C), participations=k, separation=d
        )
        assert attained <= found.value**2 * (1 + 1e-9)
        assert found.lower**2 <= sizes * (1 + 1e-9)
        steps = np.array(found.participations) - 1
        own = G[np.ix_(steps, steps)]
        assert len(steps) <= k
        assert (np.diff(steps) >= d).all()
        assert by_signs(own) <= found.lower**2 * (1 + 1e-6)
        assert found.lower**2 <= np.abs(own).sum() * (1 + 1e-9)
        if kind in (falling_from_d, banded):
            assert found.exact
            assert found.value**2 == pytest.approx(signs, rel=1e-9)


@pytest.mark.parametrize("kind", [any_signs, no_negative, banded])
def test_equal_spacing_is_exact_or_nearly_so(kind):
    rng = np.random.default_rng(1)
    for epochs, d in ((1, 6), (2, 3), (3, 3), (4, 2), (5, 1)):
        T = epochs * d
        C = kind(T, d, rng)
        parts = [(C.T @ C)[o::d, o::d] for o in range(d)]
        attained = max(max(by_signs(p), by_directions(p, rng)) for p in parts)
        found = epochs_sensitivity(with_encoder(C), epochs=epochs)
        assert attained <= found.value**2 * (1 + 1e-9)
        assert found.lower <= found.value <= found.lower * (1 + 1e-5)
        assert found.lower**2 == pytest.approx(attained, rel=1e-6)
        assert set(np.diff(found.participations)) <= {d}
        apart = participation_sensitivity(
            with_encoder(C), participations=epochs, separation=d
        )
        assert found.lower <= apart.value * (1 + 1e-9)


def test_signs_alone_are_no_bound_for_vectors():
    """Power: three columns at 120 degrees. Signs reach 4, vectors 4.5, sizes 6."""
    turn = 2 * np.pi / 3
    V = np.array([[np.cos(i * turn), np.sin(i * turn)] for i in range(3)])
    G = V @ V.T
    assert by_signs(G) == pytest.approx(4, rel=1e-12)
    lower = np.linalg.cholesky((G + 1e-9 * np.eye(3))[::-1, ::-1]).T[::-1, ::-1]
    f = object.__new__(Factorization)  # its decoder would have entries of 1e5
    object.__setattr__(f, "encoder", lower)
    object.__setattr__(f, "decoder", np.eye(3))
    found = epochs_sensitivity(f, epochs=3)
    assert found.value**2 == pytest.approx(4.5, rel=1e-6)
    assert found.lower**2 == pytest.approx(4.5, rel=1e-6)
    assert not found.exact or found.value > 2.1


def test_the_numbers_of_a_peer():
    """jax_privacy's tests: banded, and Toeplitz beyond non-increasing coefficients."""
    C = np.array([[1.0, 0, 0, 0], [2, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, -6]])
    for k, d, squared in ((1, 2, 36), (2, 2, 41), (2, 3, 41)):
        found = participation_sensitivity(
            with_encoder(C), participations=k, separation=d
        )
        assert found.value**2 == pytest.approx(squared, rel=1e-12)
        assert found.exact
    for head, squares in (
        ((1, 2, 1), (36, 22, 18)),
        ((1, -0.5, 0.3), (7.22, 5.22, 4.02)),
    ):
        c = np.append(np.array(head, float), np.zeros(7))
        for d, squared in zip((1, 2, 3), squares, strict=True):
            rules = {"participations": 3, "separation": d}
            dense = participation_sensitivity(with_encoder(toeplitz_matrix(c)), **rules)
            column = toeplitz_sensitivity(c, **rules)
            for found in (dense, column):
                assert found.value**2 == pytest.approx(squared, rel=1e-9)
                assert found.exact
    eye = independent_factorization(16)
    for epochs in (1, 2, 4, 8, 16):
        assert epochs_sensitivity(eye, epochs=epochs).value == pytest.approx(
            sqrt(epochs), rel=1e-12
        )


@pytest.mark.parametrize(
    ("T", "k", "d"), [(9, 3, 2), (10, 2, 4), (12, 4, 3), (8, 3, 1)]
)
def test_the_first_pattern_is_the_worst_where_coefficients_fall(T, k, d):
    for f in (
        square_root_factorization(T),
        banded_factorization(T, bands=3),
        Buffers((0.9, 0.3), (0.2, 0.2)).factorization(T),
        Buffers((0.9, 0.3), (1.2, 0.4)).factorization(T),  # c_1 > c_0
    ):
        worst = max(
            np.linalg.norm(f.encoder[:, list(pattern)].sum(axis=1))
            for pattern in patterns(T, k, d)
        )
        found = participation_sensitivity(f, participations=k, separation=d)
        assert found.value == pytest.approx(worst, rel=1e-12)
        assert found.exact
        assert found.participations == tuple(range(1, T + 1, d)[:k])


def test_an_encoder_whose_worst_pattern_is_not_the_first():
    """A column in the middle that is the largest; the nodes of a tree."""
    C = np.diag([1.0, 2.0, 1.0])
    found = participation_sensitivity(with_encoder(C), participations=1, separation=2)
    assert (round(found.value, 12), found.participations) == (2.0, (2,))
    f = tree_factorization(8)
    found = participation_sensitivity(f, participations=2, separation=4)
    worst = max(
        np.linalg.norm(f.encoder[:, list(J)].sum(axis=1)) for J in patterns(8, 2, 4)
    )
    assert found.lower == pytest.approx(worst, rel=1e-12)
    assert found.lower <= found.value <= 1.1 * found.lower


def test_participations_under_a_band_cost_the_root():
    f = banded_factorization(100, bands=10)
    got = participation_sensitivity(f, participations=7, separation=10)
    assert got.value == pytest.approx(sqrt(7) * f.sensitivity, rel=1e-12)
    closer = participation_sensitivity(f, participations=7, separation=9)
    assert closer.value > got.value
    with pytest.raises(ValueError, match="`epochs` must divide the 100 steps"):
        epochs_sensitivity(f, epochs=7)


def test_columns_that_overlap_a_little_are_paid_for():
    """Power: the sum of squared columns alone would be below what is attained."""
    C = toeplitz_matrix(np.array([1.0, 0, 1e-4, 0, 1e-4, 0]))
    C[5, 5] = 1.5  # no Toeplitz matrix
    found = participation_sensitivity(with_encoder(C), participations=3, separation=2)
    worst = max(np.abs((C.T @ C)[np.ix_(J, J)]).sum() for J in patterns(6, 3, 2))
    assert found.value**2 >= worst * (1 - 1e-12)
    squares = np.sum(C * C, axis=0)
    assert max(squares[list(J)].sum() for J in patterns(6, 3, 2)) < worst


def test_a_million_steps_of_signed_coefficients():
    """The majorant is a bound, and the first pattern's best directions are attained."""
    rng = np.random.default_rng(3)
    c = np.append(1.0, rng.uniform(-1, 1, 10**6 - 1) / np.arange(1, 10**6))
    found = toeplitz_sensitivity(c, participations=3, separation=1000)
    assert found.lower <= found.value <= 1.1 * found.lower
    assert found.value >= sqrt(3 * (1 - 1e-6))


BAD_INPUT = {
    participation_sensitivity: {
        "factorization": square_root_factorization(3),
        "participations": 2,
        "separation": 2,
    },
    epochs_sensitivity: {"factorization": square_root_factorization(4), "epochs": 2},
    toeplitz_sensitivity: {
        "coefficients": np.array([1.0, 0.5, 0.2]),
        "participations": 2,
        "separation": 1,
    },
}
