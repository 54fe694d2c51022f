"""To the last bit: what a record adds is finite and at most L, as it is computed.

Norms and shifts are compared in rational numbers, so that no test rounds.
"""

import warnings
from fractions import Fraction
from itertools import product
from math import inf, log

import numpy as np
import pytest

from dpteach import Problem, constraints, dp_sgd, losses
from dpteach.algorithms import hemisphere_randomizer, local_randomizer
from dpteach.arrays import (
    ROWS,
    block_sum,
    clip,
    l2_norm,
    lowered_for_sum,
    row_norms,
    row_products,
)

DTYPES = [np.float32, np.float64]
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.__name__)
LOSSES = [
    losses.logistic, losses.squared, losses.hinge, losses.absolute, losses.linear,
    losses.huber(0.4), losses.softmax(2), losses.softmax(5),
]  # fmt: skip
every_loss = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)


def square(v):
    """‖v‖², exactly."""
    return sum((Fraction(float(a)) ** 2 for a in np.ravel(v)), Fraction(0))


def shift(one, two):
    """‖one − two‖², exactly."""
    pairs = zip(np.ravel(one), np.ravel(two), strict=True)
    return sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in pairs)


def extremes(dtype):
    """Entries that break guards: limits, nodata fills, the tiniest numbers, zeros."""
    limits = np.finfo(dtype)
    largest = min(float(limits.max), 1e150)
    return [
        0.0, -0.0, 1.0, largest, -largest, 9.96921e36, -3.4e38, -9999.0, 1e30, -1e30,
        1e-30, float(limits.tiny), -float(limits.smallest_subnormal), 1e19, 1e-23,
    ]  # fmt: skip


# ------------------------------------------------------------------- the one rule


@every_dtype
def test_a_clipped_vector_is_at_most_l_in_real_numbers(dtype):
    """600 vectors of all sizes, up to the dtype's limits; short ones keep every bit."""
    rng, limits = np.random.default_rng(0), np.finfo(dtype)
    reach = np.log10([float(limits.smallest_subnormal), float(limits.max)])
    sizes = (1e-100, 1e-30, 1e-3, 0.1, 1.0, 7.0, 1e30, 1e100)
    for L, p in product(sizes, (1, 2, 7, 50)):
        for k in range(10):
            e = np.minimum(rng.uniform(*reach, p if k % 2 else 1), reach[1] - 1e-9)
            v = (10.0**e * rng.uniform(-1, 1, p)).astype(dtype)
            c = clip(v, L)
            assert c.dtype == dtype
            assert np.isfinite(c).all()
            assert square(c) <= Fraction(L) ** 2
            if square(v) <= Fraction(L) ** 2 * (1 - Fraction(1, 10**5)):
                small = (L < 2**-100) & (np.abs(v) < limits.tiny)
                np.testing.assert_array_equal(c, np.where(small, 0, v))
            elif square(v) >= Fraction(L) ** 2 and L > 1e-36:
                assert square(c) >= Fraction(L) ** 2 * (1 - Fraction(1, 10**5))


def test_a_plain_clip_would_not_pass():
    """Power: the formula as printed loses both vectors, and a fill value besides."""

    def plain(v, L):
        return v / np.maximum(np.sqrt(np.vecdot(v, v))[..., None] / L, v.dtype.type(1))

    with np.errstate(all="ignore"):
        assert square(plain(np.array([1e-24, 0.0], "f4"), 1e-30)) > Fraction(1e-30) ** 2
        assert not plain(np.array([1e20, 1e20], "f4"), 1.0).any()
        assert np.isnan(plain(np.array([np.inf, 1.0]), 1.0)).any()


@every_dtype
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_counts_as_zero(dtype, bad):
    v = np.array([[1.0, bad], [3.0, 4.0]], dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(clip(v, 1.0), [[0, 0], [0.6, 0.8]], rtol=1e-6)


def test_norms_are_scaled():
    huge, tiny = np.array([[3e200, 4e200]]), np.array([[3e-200, 4e-200]])
    np.testing.assert_allclose(l2_norm(huge), [[5e200]])
    np.testing.assert_allclose(l2_norm(tiny), [[5e-200]])
    single = np.array([[3e38, 3e38], [0, 1e-45], [3e-30, 4e-30]], np.float32)
    np.testing.assert_allclose(row_norms(single), [4.2426407e38, 1.4012985e-45, 5e-30])


SLOPES = [0.0, -0.0, 1.0, -1.0, 1e30, 1e-30, 6e-29, 9e-27, inf, -inf, np.nan]


@every_dtype
@pytest.mark.parametrize("K", [None, 3])
def test_the_weight_of_a_record_keeps_it_within_l(dtype, K):
    """Slopes and rows from the tiniest to the largest number: 11,000 cases."""
    loss = losses.softmax(K) if K else losses.logistic
    limits = np.finfo(dtype)
    slopes = [*SLOPES, float(limits.max), float(limits.tiny)]
    for a, b, c in product(slopes, extremes(dtype), (0.0, 1.0, -3.4e38)):
        X = np.array([[b, c]], dtype)
        slope = np.full((1, K) if K else (1,), a, dtype)
        for L in (1.0, 1e-6, 1e-20, 1e10):
            with np.errstate(all="ignore"):
                w = loss.weights(slope, row_norms(X), L)
            assert np.isfinite(w).all()
            # A product and the norms round by less than 16 · 2⁻⁵³.
            room = (1 + Fraction(16, 2**53)) ** 2
            assert square(w) * square(X) <= Fraction(L) ** 2 * room
            assert np.isfinite(a) or not w.any()


def make(loss, n, p, dtype):
    rng = np.random.default_rng(3)
    y = rng.integers(0, loss.classes, n) if loss.classes else rng.choice([-1.0, 1.0], n)
    X = rng.standard_normal((n, p)).astype(dtype)
    return X, y, rng.standard_normal(p * (loss.classes or 1)).astype(dtype)


@every_loss
@every_dtype
def test_one_record_moves_a_sum_by_at_most_l_whatever_it_holds(loss, dtype):
    """Every extreme entry beside ordinary records: no warning, no NaN, no excess."""
    X, y, theta = make(loss, 13, 3, dtype)
    rest = Problem(X[1:], y[1:], loss, constraints.Everywhere())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for first, second in product(extremes(dtype), repeat=2):
            X[0] = first, second, first
            D = Problem(X, y, loss, constraints.Everywhere())
            for scale, L in ((0.0, 1.0), (1.0, 0.3), (1e30, 1e-6)):
                at = (scale * theta).astype(dtype)
                with_it = D.clipped_gradient(at, L)
                assert np.isfinite(with_it).all()
                without = rest.clipped_gradient(at, L)
                assert shift(with_it, without) <= Fraction(L) ** 2
                alone = D.clipped_record_gradient(at, 0, L)
                assert alone.dtype == dtype
                assert square(alone) <= Fraction(L) ** 2


@every_loss
@pytest.mark.parametrize("label", [1e150, -1e300, 1e308])
def test_labels_may_be_as_large_as_floats_go(loss, label):
    if loss.labels is not losses.NUMBERS:
        pytest.skip("its labels are bounded")
    X, y, theta = make(loss, 5, 3, np.float64)
    y[2] = label
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for row in (1.0, 1e150, 1e-300):
            X[2] = row
            D = Problem(X, y, loss, constraints.Everywhere())
            for scale in (0.0, 1.0, 1e150):
                g = D.clipped_record_gradient(scale * theta, 2, 0.7)
                assert square(g) <= Fraction(0.7) ** 2


def test_the_record_whose_gradient_was_8756_long():
    X = np.array([[1e30, 0]], np.float32)
    D = Problem(X, np.array([0]), losses.softmax(2), constraints.Everywhere())
    theta = np.array([6e-29, 0, 0, 0], np.float32)
    assert square(D.clipped_gradient(theta, 1.0)) <= 1


@pytest.mark.parametrize("fill", [-3.4028235e38, 9.96921e36, 3e38, 1e37])
def test_a_row_of_fill_values_turns_no_model_into_nan(fill):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 20)).astype(np.float32)
    X[-1] = fill
    y = rng.choice([-1.0, 1.0], 100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for loss in (losses.logistic, losses.hinge, losses.squared, losses.absolute):
            D = Problem(X, y, loss, constraints.L2Ball(5.0))
            out = dp_sgd(
                D, clip_norm=1.0, noise_multiplier=20.0, steps=20, learning_rate=1.0,
                rng=1,
            )  # fmt: skip
            assert np.isfinite(out.path).all()


@every_dtype
def test_a_report_knows_the_direction_of_a_long_vector(dtype):
    v = np.array([1e20, 1e20], dtype)
    sent = hemisphere_randomizer(
        np.tile(v, (200, 1)), epsilon=50.0, clip_norm=1.0, rng=0
    )
    assert (sent.sum(axis=1) > 0).all()
    noisy = local_randomizer(v, epsilon=1e6, clip_norm=1.0, rng=0)
    np.testing.assert_allclose(noisy, [0.5**0.5] * 2, atol=1e-4)


# -------------------------------------------------------------------------- places


@every_dtype
@pytest.mark.parametrize("p", [1, 2, 3, 7, 20, 50, 100, 784])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 8, 10, 12, 17, 50])
def test_a_row_has_the_same_products_wherever_it_stands(dtype, p, k):
    rng = np.random.default_rng(p)
    X = np.repeat(rng.standard_normal((1, p)).astype(dtype), 1031, axis=0)
    z = row_products(X, rng.standard_normal((k, p)).astype(dtype))
    assert (z == z[0]).all()
    for n in (1, 7, 512, 1024):
        few = row_products(X[:n], rng.standard_normal((k, p)).astype(dtype))
        assert (few == few[0]).all()


@every_loss
@every_dtype
def test_a_row_has_the_same_weight_wherever_it_stands(loss, dtype):
    X, y, theta = make(loss, 1, 20, dtype)
    X, y = np.repeat(X, 1031, axis=0), np.repeat(y, 1031)
    for runs in ((), (3,)):
        at = np.broadcast_to(theta, (*runs, len(theta)))
        slope = loss.slope(loss.scores(at, X), np.asarray(y, dtype))
        w = loss.weights(slope, row_norms(X), 0.1)
        axis = -1 if loss.classes is None else -2
        assert (w == np.take(w, [0], axis=axis)).all()


# A model at the kink of a hinge, and the row of which all records consist. With 111
# records in single precision, 99 in double, BLAS computed the last rows' scores
# otherwise, so that one record more, of gradient 0, moved the sum by 7 L and by 3 L.
EDGE = {
    np.float32: (111, [-0.17791394889354706, 0.6681134104728699, -0.2998531460762024],
                 [1.4302054643630981, 0.9730278253555298, -2.015521764755249]),
}  # fmt: skip


def at_the_kink(dtype, p, trial):
    """A model and a row with ⟨θ, x⟩ = 1 but for rounding."""
    rng = np.random.default_rng(trial)
    theta, x = rng.standard_normal((2, p)).astype(dtype)
    return theta, (x / dtype(np.dot(x.astype(float), theta.astype(float)))).astype(
        dtype
    )


@every_dtype
def test_a_record_without_a_gradient_moves_no_other(dtype):
    n, theta, x = EDGE.get(dtype, (99, None, None))
    cases = [at_the_kink(dtype, 20, trial) for trial in range(40)]
    if theta:
        cases.append((np.array(theta, dtype), np.array(x, dtype)))
    for theta, x in cases:
        X = np.repeat(x[None], n, axis=0)
        added = (10 * theta / np.dot(theta, theta)).astype(dtype)
        for size in (n, n + 1, n + 2, n + 3):
            D, E = (
                Problem(A, np.ones(len(A)), losses.hinge, constraints.Everywhere())
                for A in (X[:size], np.vstack([added, X[:size]]))
            )
            L = 1.0
            moved = shift(D.clipped_gradient(theta, L), E.clipped_gradient(theta, L))
            assert moved <= Fraction(1, 10**18)  # rounding, and a little lower L


# ---------------------------------------------------------------------------- sums


def test_the_lowered_clip_norm_pays_for_rounding_and_for_itself():
    """n ℓ_n − (n−1) ℓ_{n−1} plus the errors of both sums is at most L: to 2³⁶ records.

    Power: a clip norm lowered by the rounding alone would not pay for its own change.
    """
    u, few = Fraction(1, 2**53), list(range(1, 300))
    for n in [*few, *(k * 2**j for j in range(9, 35) for k in (1, 3)), 2**36]:
        here, before = (Fraction(lowered_for_sum(1.0, k)) for k in (n, n - 1))
        errors = (2 * (ROWS + 2) + 8) * u * n
        assert 0 < here < 1
        assert n * here - (n - 1) * before + errors <= 1
        assert 2 * here + errors <= 2
    c = (2 * ROWS + 24) * u
    n = 10**6
    assert n * (1 - 2 * c * n) - (n - 1) * (1 - 2 * c * (n - 1)) + c * n > 1 - 4 * c * n
    assert n * (1 - c * n) - (n - 1) * (1 - c * (n - 1)) + c * n <= 1
    assert lowered_for_sum(1.0, 10**6) > 1 - 4e-6 * log(2)


def test_a_sum_errs_by_less_than_is_paid_for():
    """3,000 products of one sign, the worst case, against rational numbers."""
    rng = np.random.default_rng(1)
    w, X = rng.random(3000), rng.random((3000, 2)).astype(np.float32)
    found = block_sum(lambda at: w[at] @ X[at].astype(float), 3000)
    for j in range(2):
        terms = [
            Fraction(a) * Fraction(float(x)) for a, x in zip(w, X[:, j], strict=True)
        ]
        error = abs(Fraction(float(found[j])) - sum(terms))
        assert error <= Fraction(ROWS + 2, 2**53) * sum(terms)


@every_dtype
@pytest.mark.parametrize("n", [1, 2, 511, 512, 513, 1024, 1025, 3000])
def test_a_record_more_moves_a_sum_by_at_most_l(dtype, n):
    """Clipped records, all in one direction: a lower clip norm costs most."""
    rng = np.random.default_rng(n)
    X = (rng.random((n, 2)) + 1).astype(dtype)
    theta = np.zeros(2, dtype)
    for L in (0.1, 1.0, 3.0):
        whole = Problem(X, np.ones(n), losses.linear, constraints.Everywhere())
        g = whole.clipped_gradient(theta, L)
        for i in {0, n // 2, n - 1}:
            keep = np.arange(n) != i
            E = Problem(X[keep], np.ones(n - 1), losses.linear, whole.constraint)
            assert shift(g, E.clipped_gradient(theta, L)) <= Fraction(L) ** 2


@pytest.mark.parametrize("n", [10**6, 10**7])
def test_ten_million_records_in_single_precision(n):
    """Their plain sum was 7,009,202 instead of 7,000,000."""
    X = np.full((n, 1), 0.7, np.float32)
    zero = np.zeros(1, np.float32)
    y = np.broadcast_to(np.float32(1), (n,))
    D = Problem(X, y, losses.linear, constraints.Everywhere())
    E = Problem(X[1:], y[1:], losses.linear, constraints.Everywhere())
    g = D.clipped_gradient(zero, 1.0)
    assert g[0] == pytest.approx(-0.7 * n, rel=1e-7)
    assert shift(g, E.clipped_gradient(zero, 1.0)) <= 1
    # All clipped: the lower clip norm of the longer sum is paid for.
    assert shift(D.clipped_gradient(zero, 0.5), E.clipped_gradient(zero, 0.5)) <= 0.25
