"""The totals of a stream are exact: what a record moves is what is priced."""

from fractions import Fraction
from math import ceil, log2, sqrt

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms import (
    BufferedStream,
    Buffers,
    RestartedTree,
    StreamingTree,
    batched_ftrl,
    composite_dp_ftrl,
    dp_ftrl,
    least_squares_dp_ftrl,
    levels,
    matrix_ftrl,
    momentum_dp_ftrl,
    square_root_factorization,
    tree_factorization,
)
from dpteach.algorithms._running_total import RunningTotal
from dpteach.algorithms.streams.composite_ftrl import ElasticNet
from dpteach.auditing import Tape, exact_mu, noise_map
from dpteach.privacy import Relation

DTYPES = [np.float32, np.float64]
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.__name__)


def straddling(crossings, start):
    """A stream whose single-precision total drifts from its neighbor's.

    Neighbors differ in the first vector, 1 or 0. Before each power of two their totals
    lie on either side of it, so that steps of 1.2 units in the last place are rounded
    to one unit below and to two above: the distance doubles.
    """
    single = np.float32
    x, low, high, power = [1.0] * start, single(start - 1), single(start), start
    for _ in range(crossings):
        step = single(1.2 * np.spacing(np.nextafter(single(power), single(0))))
        while low < power:
            low, high = single(low + step), single(high + step)
            x.append(float(step))
        power *= 2
        while high + 1 <= power:
            low, high = single(low + 1), single(high + 1)
            x.append(1.0)
        if power > high:
            rest = single(power) - high
            low, high = single(low + rest), single(high + rest)
            x.append(float(rest))
    return np.array(x)


def node_shifts(totals):
    """How far each node of the tree moves: what its noise must hide."""
    s, t = np.concatenate([[0.0], totals]), np.arange(1, len(totals) + 1)
    return s[t] - s[t - (t & -t)]


def test_a_total_in_single_precision_drifts_apart():
    """Power: the straddling stream, added up as it comes, costs six times the price."""
    x = straddling(2, 4096).astype(np.float32)
    y = np.concatenate([[0], x[1:]]).astype(np.float32)
    apart = np.add.accumulate(x).astype(float) - np.add.accumulate(y)
    assert np.abs(apart).max() == 4
    assert np.linalg.norm(node_shifts(apart)) > 1.5 * sqrt(levels(len(x)))


def streams(T, estimator):
    """Each stream, and what its noise makes of the shifts of its sums."""
    kind = {"clip_norm": 1.0, "sigma": 4.0, "shape": (1,), "rng": Tape()}
    yield StreamingTree(T, estimator=estimator, **kind), levels(T)
    yield RestartedTree(T, restart_every=T, estimator=estimator, **kind), levels(T)
    if estimator == "plain":
        yield BufferedStream(T, Buffers((0.5,), (0.25,)), **kind), None


@every_dtype
@pytest.mark.parametrize("estimator", ["plain", "honaker"])
def test_no_stream_drifts_apart(dtype, estimator):
    """The published sums of two neighbors, without noise: 24,570 steps."""
    x = straddling(2, 4096).astype(dtype)[:, None]
    for (one, most), (two, _) in zip(
        streams(len(x), estimator),
        streams(len(x), estimator),
        strict=True,
    ):
        a = [one.add(v) for v in x]
        b = [two.add(v) for v in [0 * x[0], *x[1:]]]
        assert a[0].dtype == dtype
        # In single precision sums are rounded after the noise: compare before that.
        exact = [
            s._total if hasattr(s, "_total") else s._tree._total for s in (one, two)
        ]
        assert exact[0]._units * exact[0].grid - exact[1]._units * exact[1].grid == 1
        if dtype is np.float64 and most:
            shifts = node_shifts(np.ravel(a) - np.ravel(b))
            assert np.linalg.norm(shifts) <= sqrt(most)


@every_dtype
@pytest.mark.parametrize(
    ("crossings", "start"),
    [(2, 4096), pytest.param(4, 64, marks=pytest.mark.thorough)],
)
def test_the_straddling_stream_costs_what_is_said(dtype, crossings, start):
    """T to 1,049,570: the true μ was 4.70 where 1.15 was said."""
    x = straddling(crossings, start).astype(dtype)
    T = len(x)
    one, two = (RunningTotal(T, clip_norm=1.0) for _ in range(2))
    apart = [one.add(v)[()] - two.add(v if t else 0 * v)[()] for t, v in enumerate(x)]
    assert set(apart) == {1.0}
    mu = np.linalg.norm(node_shifts(np.array(apart))) / 4
    assert mu <= sqrt(levels(T)) / 4


@every_dtype
@pytest.mark.parametrize("L", [1e-100, 1e-20, 0.1, 1.0, 7.3, 1e30])
@pytest.mark.parametrize("T", [1, 2, 3, 1000, 2**20, 10**6, 10**8])
def test_totals_are_exact_on_the_grid(dtype, L, T):
    """In rational numbers; and T vectors of norm L stay below 2⁵³ steps of the grid."""
    total = RunningTotal(T, clip_norm=L)
    assert total.grid <= L * 2.0 ** (ceil(log2(T)) - 50)
    assert T * Fraction(L) / Fraction(total.grid) <= 2**52
    rng, expected = np.random.default_rng(T), np.zeros(3, object)
    for _ in range(min(T, 50)):
        v = (L * rng.uniform(-0.5, 0.5, 3)).astype(dtype)
        found = total.add(v)
        for j in range(3):
            steps = Fraction(float(v[j])) / Fraction(total.grid)
            cut = abs(steps) // 1 * (1 if steps > 0 else -1)  # toward zero
            assert abs(cut * Fraction(total.grid)) <= abs(Fraction(float(v[j])))
            expected[j] += cut * Fraction(total.grid)
            assert Fraction(float(found[j])) == expected[j]


@every_dtype
def test_an_order_of_additions_does_not_matter(dtype):
    v = np.random.default_rng(0).uniform(-1, 1, (1000, 2)).astype(dtype) / 2
    ends = []
    for order in (v, v[::-1], np.random.default_rng(1).permutation(v)):
        total = RunningTotal(1000, clip_norm=1.0)
        ends.append([total.add(x) for x in order][-1])
    np.testing.assert_array_equal(ends[0], ends[1])
    np.testing.assert_array_equal(ends[0], ends[2])


# ------------------------------------------------------------------ a caller's vectors


def callers(L, p, dtype):
    """Vectors that a caller clipped: a little short, a little long, odd ones."""
    rng = np.random.default_rng(p)
    for stretch in (-1e-7, -(2**-50), 0, 2**-53, 2**-52, 2**-50, 6e-8, 9.99e-7):
        for sizes in (1.0, 10.0 ** rng.uniform(-40, 0, p)):
            v = rng.standard_normal(p) * sizes
            yield (v / np.linalg.norm(v) * L * (1 + stretch)).astype(dtype)
    yield (L * np.eye(1, p)[0]).astype(dtype)
    yield (np.full(p, L / sqrt(p))).astype(dtype)
    yield np.full(p, np.finfo(dtype).smallest_subnormal)
    yield np.full(p, -0.0, dtype)


def whole(a):
    """A float as a multiple of the least one: no float is rounded."""
    top, below = float(a).as_integer_ratio()
    return top * 2**1074 // below


@every_dtype
@pytest.mark.parametrize("p", [1, 3, 300])
@pytest.mark.parametrize("L", [1e-100, 1e-30, 0.1, 1.0, 7.3, 1e30])
def test_a_callers_vector_moves_no_sum_by_more_than_l(dtype, p, L):
    """In whole numbers: L is what the event pays for, and not a last bit more."""
    vectors, added = list(callers(L, p, dtype)), 0
    kind = {"clip_norm": L, "sigma": L, "shape": (p,), "rng": Tape()}
    for stream in (
        StreamingTree(len(vectors), **kind),
        RestartedTree(len(vectors), restart_every=len(vectors), **kind),
        BufferedStream(len(vectors), Buffers((0.5,), (0.25,)), **kind),
    ):
        total = stream._total if hasattr(stream, "_total") else stream._tree._total
        g = whole(total.grid)
        for v in vectors:
            exact = [whole(a) for a in v]
            square = sum(a * a for a in exact)
            if square > whole(L * (1 + 1e-6)) ** 2:
                continue  # next to 1e-30 single precision is coarse
            added += 1
            before = np.zeros(p) + total._units
            assert stream.add(v).dtype == dtype
            moved = [int(a) for a in total._units - before]
            assert sum(a * a for a in moved) * g**2 <= whole(L) ** 2
            kept = [abs(a) // g * (1 if a > 0 else -1) for a in exact]
            if square <= whole(L) ** 2:
                assert moved == kept
            near = 2 + 2 * L * 1e-6 / total.grid
            assert all(abs(a - b) <= near for a, b in zip(moved, kept, strict=True))
    assert added >= 3 * 12 or dtype is np.float32


def test_rounded_vectors_do_exceed_l():
    """Power: of those that a plain clip leaves, a third to two thirds are too long."""
    rng, long = np.random.default_rng(0), {np.float32: 0, np.float64: 0}
    for dtype in DTYPES:
        for _ in range(200):
            v = rng.standard_normal(3).astype(dtype)
            v = v / np.sqrt(np.vdot(v, v))
            long[dtype] += sum(Fraction(float(a)) ** 2 for a in v) > 1
    assert all(40 < found < 160 for found in long.values())


@every_dtype
@pytest.mark.parametrize("size", [1.00001, 1e3, 1e7, 1e30])
@pytest.mark.parametrize("L", [1e-100, 1e-30, 1.0, 1e3])
@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
def test_a_vector_that_was_not_clipped_is_refused(dtype, size, L, shape):
    """Squares that vanish in single precision let 1e7 times L pass, for L = 1e-30."""
    v = np.full(shape, size * L).astype(dtype)
    kind = {"clip_norm": L, "sigma": L, "shape": shape, "rng": 0}
    for stream in (
        StreamingTree(4, **kind),
        BufferedStream(4, Buffers((0.5,), (0.25,)), **kind),
    ):
        if not np.isfinite(v).all():
            match = "`v` must be finite"
        elif not v.any():
            assert stream.add(v).shape == shape
            continue
        else:
            match = "`v` must have norm at most"
        with pytest.raises(ValueError, match=match):
            stream.add(v)


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, int, bool, object])
def test_a_vector_of_other_numbers_is_refused(dtype):
    tree = StreamingTree(4, clip_norm=1.0, sigma=1.0, shape=(2,), rng=0)
    with pytest.raises(TypeError, match="`v` must be of 32- or 64-bit floats"):
        tree.add(np.zeros(2, dtype))


# ------------------------------------------------------------- algorithms, from outside

N, P = 12, 2
SETTINGS = {"clip_norm": 0.7, "noise_multiplier": 3.0, "regularization": 5.0}
RUNS = {
    "dp_ftrl": lambda D, rng: dp_ftrl(D, **SETTINGS, rng=rng),
    "dp_ftrl, honaker": lambda D, rng: dp_ftrl(
        D, **SETTINGS, rng=rng, estimator="honaker"
    ),
    "momentum": lambda D, rng: momentum_dp_ftrl(D, **SETTINGS, momentum=0.5, rng=rng),
    "matrix, tree": lambda D, rng: matrix_ftrl(
        D, factorization=tree_factorization(N), **SETTINGS, rng=rng
    ),
    "matrix, root": lambda D, rng: matrix_ftrl(
        D, factorization=square_root_factorization(N), **SETTINGS, rng=rng
    ),
    "batches": lambda D, rng: batched_ftrl(
        D, factorization=square_root_factorization(4), epochs=2, **SETTINGS, rng=rng
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_the_noise_tape_costs_at_most_the_event(name):
    """With nothing to spare for rounding: the price is not a last bit too low."""
    X = np.cos(np.arange(1.0, N * P + 1)).reshape(N, P) * 100
    y = np.ones(N)

    def path(X):
        D = Problem(X, y, losses.linear, constraints.Everywhere())
        return lambda rng: RUNS[name](D, rng).path[1:]

    found = noise_map(path(X))
    event = RUNS[name](
        Problem(X, y, losses.linear, constraints.Everywhere()), Tape()
    ).event
    assert event.relation is Relation.ZERO_OUT
    mus = []
    for i in range(N):
        Z = X.copy()
        Z[i] = 0
        moved = found.mean - np.ravel(path(Z)(Tape()))
        mus.append(exact_mu(found.matrix, moved))
    # The matrix of the noise is itself recovered to 1e-12 only.
    assert max(mus) <= event.mu * (1 + 1e-12)
    if "honaker" not in name:
        assert max(mus) >= event.mu * (1 - 1e-6)


@every_dtype
def test_a_long_stream_of_hinges_costs_what_is_said(dtype):
    """`dp_ftrl` end to end, 24,570 records: node shifts of two neighbors, same noise.

    In single precision the models are rounded; the totals behind them are exact.
    """
    x = straddling(2, 4096).astype(dtype)[:, None]
    first = x.copy()
    first[0] = 0
    C = constraints.Box(-1e-9, 0.0)  # each hinge has the slope −1 all the way
    gradients = []
    for X in (x, first):
        D = Problem(X, -np.ones(len(X)), losses.hinge, C)
        gradients.append(
            [D.clipped_record_gradient(D.zeros(), t, 1.0) for t in range(len(X))]
        )
    totals = [RunningTotal(len(x), clip_norm=1.0) for _ in range(2)]
    apart = [
        totals[0].add(a)[0] - totals[1].add(b)[0]
        for a, b in zip(*gradients, strict=True)
    ]
    assert len(set(apart)) == 1
    assert np.linalg.norm(node_shifts(np.array(apart))) <= sqrt(levels(len(x)))


@every_dtype
@pytest.mark.parametrize("fill", [-3.4028235e38, 9.96921e36, 1e30, -9999.0, 1e-45])
@pytest.mark.parametrize("place", [0, 5])
def test_a_fill_value_in_a_stream_ends_in_no_error(dtype, fill, place):
    X = np.cos(np.arange(1.0, N * P + 1)).reshape(N, P).astype(dtype)
    X[place] = fill
    y = np.where(np.arange(N) % 2, 1.0, -1.0)
    for loss in (losses.squared, losses.hinge, losses.logistic, losses.absolute):
        D = Problem(X, y, loss, constraints.Everywhere())
        for run in RUNS.values():
            out = run(D, 1)
            assert np.isfinite(out.path).all()
            assert out.path.dtype == dtype
        out = composite_dp_ftrl(D, penalty=ElasticNet(0.1), **SETTINGS, rng=1)
        assert np.isfinite(out.path).all()
    ball = Problem(X, y, losses.squared, constraints.L2Ball(1.0))
    out = least_squares_dp_ftrl(
        ball, row_norm=1.0, noise_multiplier=2.0, regularization=5.0, rng=1
    )
    assert np.isfinite(out.path).all()
