"""Networks in NumPy: gradients, the clip of each record, a run's price by tape."""

import warnings
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from dpteach import Problem, constraints, dp_sgd, losses, networks
from dpteach.algorithms import (
    batched_ftrl,
    dp_ftrl,
    sampled_dp_sgd,
    square_root_factorization,
)
from dpteach.auditing import exact_mu, noise_map, replayed_mu
from dpteach.networks import Convolution, Dense, MaxPool, Network, ReLU, Tanh
from tests.algorithms.case import cases

FREE = constraints.Everywhere()
PICTURE = (2, 6, 5)
NETWORKS = {
    "dense": Network((3,), [Dense(4), Tanh(), Dense(3)], seed=1),
    "no hidden layer": Network((3,), [Dense(2)], seed=1),
    "two signs": Network((3,), [Dense(4), ReLU(), Dense(1)], loss=losses.logistic),
    "regression": Network((3,), [Dense(4), Tanh(), Dense(1)], loss=losses.squared),
    "convolution": Network(
        PICTURE,
        [
            Convolution(3, 3, stride=2, margin=1), ReLU(), MaxPool(2),
            Convolution(2, 1), Tanh(), Dense(3),
        ],
        seed=2, memory_bytes=20_000,
    ),
}  # fmt: skip
every_network = pytest.mark.parametrize("net", NETWORKS.values(), ids=NETWORKS)


def make(net, n=9, dtype=float, scale=1.0):
    rng = np.random.default_rng(4)
    X = scale * rng.standard_normal((n, int(np.prod(net.shape))))
    y = rng.integers(0, net.loss.classes or 2, n)
    y = y if net.loss.classes else 2 * y - 1
    D = Problem(X.astype(dtype), y, net, FREE)
    return D, (0.3 * rng.standard_normal(D.p)).astype(dtype)


def literal(D, theta, L, rows):
    """Add up the clipped gradients, each formed and clipped by itself."""
    total = np.zeros(D.p)
    for i in rows:
        v = D.record_gradient(theta, i).astype(float)
        total += v * min(1.0, L / np.linalg.norm(v)) if v.any() else 0.0
    return total


def square(v):
    return sum((Fraction(float(a)) ** 2 for a in np.ravel(v)), Fraction(0))


# ------------------------------------------------------------------------ gradients


@every_network
def test_the_gradient_is_the_derivative(net):
    D, theta = make(net)
    h = 1e-6
    numeric = [
        (D.risk(theta + h * e) - D.risk(theta - h * e)) / (2 * h) for e in np.eye(D.p)
    ]
    np.testing.assert_allclose(D.gradient(theta), numeric, rtol=1e-5, atol=1e-6)


@every_network
@pytest.mark.parametrize("L", [1e-3, 0.5, 1e4])
def test_the_clipped_sum_is_the_literal_loop(net, L):
    """Also over some rows, for several runs, and where a batch is cut into parts."""
    D, theta = make(net, n=30)
    rows = np.array([3, 0, 8, 29, 11])
    for over, chosen in ((rows, rows), (slice(None), range(30))):
        sums = D.clipped_gradient(np.stack([theta, 0 * theta]), L, rows=over)
        for at, total in zip((theta, 0 * theta), sums, strict=True):
            expected = literal(D, at, L, chosen)
            np.testing.assert_allclose(total, expected, rtol=1e-8, atol=1e-9 * L)


def test_a_batch_is_cut_where_the_memory_says():
    net = NETWORKS["convolution"]
    assert 1 < net.microbatch < 30
    assert NETWORKS["dense"].microbatch == 512


def test_single_precision_is_near_double():
    for net in NETWORKS.values():
        (D, theta), (single, low) = make(net), make(net, dtype="f4")
        found = single.clipped_gradient(low, 0.5)
        assert found.dtype == float  # noise is added before it is rounded
        np.testing.assert_allclose(found, D.clipped_gradient(theta, 0.5), atol=2e-5)
        assert single.clipped_record_gradient(low, 2, 0.5).dtype == np.float32


def test_the_network_of_the_paper_has_its_weights():
    """Table 2(a) of the DP-FTRL paper gives 26,010."""
    assert networks.dp_ftrl_network().start.size == 26_010


def test_no_records_have_a_sum_of_zero():
    net = NETWORKS["dense"]
    D = Problem(np.zeros((0, 3)), np.zeros(0), net, FREE)
    assert not D.clipped_gradient(D.zeros(2), 1.0).any()
    assert D.risk(D.zeros()) == 0
    assert net.scores_at(D.zeros(), D.X).shape == (0, 3)


# ------------------------------------------------------------------------- the clip


@every_network
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_no_record_adds_more_than_the_clip_whatever_it_holds(net, dtype):
    """Fill values, the tiniest numbers, huge weights: at most L, in real numbers."""
    D, theta = make(net, dtype=dtype)
    top = 3e38 if dtype == "f4" else 1e150
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for fill in (top, -top, 1e19, 1e-45):
            X = D.X.copy()
            X[2] = fill
            X[2, ::2] = 1.0
            E = Problem(X, D.y, net, FREE)
            for at in (theta, 0 * theta, (1e30 * theta).astype(dtype)):
                for L in (1.0, 1e-6):
                    g = E.clipped_record_gradient(at, 2, L)
                    assert np.isfinite(g).all()
                    assert square(g) <= Fraction(L) ** 2
                    both = E.clipped_gradient(at, L)
                    rest = E.clipped_gradient(at, L, rows=np.delete(np.arange(9), 2))
                    assert square(both - rest) <= Fraction(L * (1 + 1e-15)) ** 2


def test_a_gradient_that_is_not_finite_counts_as_zero():
    """A kink's slope 0 · ∞: the model is infinite, which no public number forbids."""
    D, theta = make(NETWORKS["two signs"])
    theta[:] = np.inf
    assert not D.clipped_gradient(theta, 1.0).any()
    assert not D.clipped_record_gradient(theta, 0, 1.0).any()


@every_network
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_record_adds_the_same_wherever_it_stands(net, dtype):
    """To the last bit: the same record 300 times, and beside it others or none."""
    D, theta = make(net, dtype=dtype)
    X, y = np.repeat(D.X[:1], 300, axis=0), np.repeat(D.y[:1], 300)
    w = net.model(theta)
    pairs = net._pairs(w, X, y)
    alone = net._pairs(w, X[:1], y[:1])
    for pair, one in zip(pairs, alone, strict=True):
        for a, b in zip(pair, one, strict=True):
            assert (a == b).all()


# ---------------------------------------------------------------------------- ⊥


def test_a_row_of_zeros_is_not_the_absent_record_of_a_network():
    D, theta = make(NETWORKS["dense"])
    X, absent = D.X.copy(), np.arange(9) == 4
    X[4] = 0
    zero = Problem(X, D.y, D.loss, FREE)
    gone = Problem(D.X, D.y, D.loss, FREE, absent=absent)
    assert np.linalg.norm(zero.record_gradient(theta, 4)) > 0.1
    assert not gone.record_gradient(theta, 4).any()
    assert not gone.clipped_record_gradient(theta, 4, 1.0).any()
    rest = Problem(D.X[~absent], D.y[~absent], D.loss, FREE)
    for quantity in (
        lambda P: P.risk(theta),
        lambda P: P.gradient(theta),
        lambda P: P.clipped_gradient(theta, 0.3),
    ):
        np.testing.assert_array_equal(quantity(gone), quantity(rest))
    some = gone.clipped_gradient(theta, 0.3, rows=np.array([4, 1]))
    np.testing.assert_array_equal(
        some, gone.clipped_gradient(theta, 0.3, rows=np.array([1]))
    )


def test_for_a_linear_model_it_is_a_row_of_zeros():
    X, y, absent = np.ones((3, 2)), np.ones(3), np.array([False, True, False])
    D = Problem(X, y, losses.logistic, FREE, absent=absent)
    assert (D.X == [[1, 1], [0, 0], [1, 1]]).all()


@pytest.mark.parametrize("absent", [np.zeros(3), np.zeros(2, bool), [True] * 3])
def test_who_is_absent_must_be_said_for_every_record(absent):
    with pytest.raises((TypeError, ValueError), match="`absent` must be"):
        Problem(np.ones((3, 2)), np.ones(3), losses.logistic, FREE, absent=absent)


# ------------------------------------------------------------------- by the tape

LAM, T = 2.0, 2
SMALL = [Dense(1), Tanh(), Dense(2)]
# Four records with gradients of norm 0.88, 0.93, 1.06 and 0.79.
LONGEST = 2


class Unclipped(Network):
    """A broken one: gradients are added as they are."""

    def clipped_sum(self, theta, clip_norm, rows, *records, **_):  # noqa: ARG002
        return self._sums(theta, None, *(each[rows] for each in records))


def pose(kind, keep=slice(None), absent=None):
    rng = np.random.default_rng(0)
    X, y = 3 * rng.standard_normal((4, 2)), rng.integers(0, 2, 4)
    return Problem(X[keep], y[keep], kind((2,), SMALL, seed=3), FREE, absent)


def descend(steps, L=0.3):
    def release(D, rng):
        return dp_sgd(
            D, clip_norm=L, steps=steps, noise_multiplier=LAM, learning_rate=0.1,
            momentum=0.5, rng=rng,
        ).path  # fmt: skip

    return release


def one_step_mu(kind, i, L=0.3):
    maps = [
        noise_map(lambda rng, D=D: descend(1, L)(D, rng))
        for D in (pose(kind), pose(kind, np.arange(4) != i))
    ]
    return exact_mu(maps[0].matrix, maps[1].mean - maps[0].mean)


@pytest.mark.parametrize("i", range(4))
def test_a_step_on_a_network_costs_what_its_record_says(i):
    """The exact μ of each record by tape: min{1, ‖g‖/L}/λ, and 1/λ where it binds."""
    D, L = pose(Network), 0.9
    norm = np.linalg.norm(D.record_gradient(D.zeros(), i))
    assert one_step_mu(Network, i, L) == pytest.approx(min(1, norm / L) / LAM, rel=1e-7)


def test_a_network_without_its_clip_is_caught():
    """Power: by the same tape a record costs three times as much as its event says."""
    assert one_step_mu(Network, LONGEST) == pytest.approx(1 / LAM, rel=1e-7)
    assert one_step_mu(Unclipped, LONGEST) > 3 / LAM


def stream(D, rng):
    return dp_ftrl(
        D, clip_norm=0.3, noise_multiplier=LAM, regularization=10.0, rng=rng
    ).path


def passes(D, rng):
    return batched_ftrl(
        D, factorization=square_root_factorization(2), clip_norm=0.3,
        noise_multiplier=LAM, regularization=10.0, epochs=2, momentum=0.9, rng=rng,
    ).path  # fmt: skip


def test_a_run_of_many_steps_costs_its_event():
    """T steps on a model that is not linear: the noise that a neighbor would need."""
    event, rest = sqrt(T) / LAM, np.arange(4) != LONGEST

    def spent(kind):
        return replayed_mu(descend(T), pose(kind), pose(kind, rest), rng=5)

    assert spent(Network) == pytest.approx(event, rel=1e-6)
    assert spent(Unclipped) > 2 * event


@pytest.mark.parametrize(
    ("release", "mu"), [(stream, sqrt(3) / LAM), (passes, sqrt(2) / LAM)]
)
def test_a_stream_of_a_network_costs_its_event_if_a_record_is_absent(release, mu):
    """The first record is in three nodes of dp_ftrl's tree; there are two passes."""
    other = pose(Network, absent=np.arange(4) == 0)
    spent = replayed_mu(release, pose(Network), other, rng=5)
    assert spent == pytest.approx(mu, rel=1e-6)


# ------------------------------------------------------------------- which run


def trains(case):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((case.n, 3)), rng.integers(0, 2, case.n)
    layers = [Dense(1), Tanh(), Dense(4)]  # 12 weights: groups of 3 divide them
    D = Problem(X, y, Network((3,), layers), case.constraint)
    try:
        out = case.run(D, 0)
    except (TypeError, ValueError) as error:
        return str(error)
    return bool(np.isfinite(out.theta).all())


CASES = cases()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_algorithm_trains_a_network_or_refuses_it_by_name(case):
    """Those that clip gradients run unchanged; those that rest on convexity do not."""
    clips = case.algorithm.__module__.split(".")[2] in (
        "federated",
        "local",
        "matrices",
        "streams",
    )
    clips |= case.algorithm.__name__ in (
        "dp_sgd", "sampled_dp_sgd", "adaptive_dp_sgd", "strongly_convex_dp_sgd",
        "private_mirror_descent",
    )  # fmt: skip
    clips &= case.algorithm.__name__ != "least_squares_dp_ftrl"
    outcome = trains(case)
    if clips:
        assert outcome is True, outcome
    else:
        assert isinstance(outcome, str)
        assert "`problem` must" in outcome


def test_a_network_learns_what_no_linear_model_can():
    """Exclusive or, privately: 2,000 records, four corners."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (2000, 2))
    X = 2.0 * bits - 1 + 0.3 * rng.standard_normal((2000, 2))
    net = Network((2,), [Dense(8), Tanh(), Dense(2)], seed=1)
    D = Problem(X, bits[:, 0] ^ bits[:, 1], net, FREE)
    out = sampled_dp_sgd(
        D, rate=0.1, clip_norm=1.0, steps=200, noise_multiplier=1.0,
        learning_rate=1 / 2000, momentum=0.8, path_every=200, rng=0,
    )  # fmt: skip
    guesses = net.scores_at(out.path[-1], D.X).argmax(axis=1)
    assert (guesses == D.y).mean() > 0.95


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"layers": [Dense(2), Tanh(), Convolution(2, 2)]}, "`shape` must be"),
        ({"layers": [Convolution(2, 9)], "shape": (1, 4, 4)}, "`side` must be at most"),
        ({"layers": [Tanh()]}, "`layers` must end"),
        ({"layers": [Convolution(2, 2)], "shape": (1, 4, 4)}, "`layers` must end"),
        ({"layers": [Dense(1)]}, "`classes` must be"),
        ({"layers": [Dense(2)], "loss": losses.logistic}, "`loss` must take"),
        ({"layers": [Dense(2)], "memory_bytes": 0.0}, "`memory_bytes` must be"),
        ({"layers": [Dense(2)], "seed": -1}, "`seed` must be"),
        ({"layers": [Dense(2)], "shape": (0,)}, "`shape` must be"),
    ],
)
def test_a_network_that_cannot_be_is_refused(arguments, message):
    shape = arguments.pop("shape", (3,))
    with pytest.raises((TypeError, ValueError), match=message):
        Network(shape, **arguments)


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="`X` must have 3 columns"):
        Problem(np.ones((2, 4)), np.ones(2), NETWORKS["dense"], FREE)
    with pytest.raises(ValueError, match="`y` must be a class number from 0 to 2"):
        Problem(np.ones((2, 3)), np.array([0, 3]), NETWORKS["dense"], FREE)
    with pytest.raises(ValueError, match=r"`y` must have shape \(2,\)"):
        Problem(np.ones((2, 3)), np.ones(3), NETWORKS["dense"], FREE)
    with pytest.raises(TypeError, match="32- or 64-bit floats"):
        Problem(np.ones((2, 3), "f2"), np.ones(2), NETWORKS["dense"], FREE)


BAD_INPUT = {
    networks.dp_ftrl_network: {"seed": 0, "memory_bytes": 32e3},
    losses.class_numbers: {"classes": 3},
}


def test_single_precision_warns_of_nothing():
    """A gradient is compared with a bound that no number of 32 bits reaches."""
    loss = networks.Network((3,), [networks.Dense(2)], seed=0)
    rows, y = np.ones((2, 3), np.float32), np.array([0.0, 1.0], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        total = loss.clipped_sum(np.zeros(8, np.float32), 1.0, slice(None), rows, y)
    assert np.isfinite(total).all()


@pytest.mark.parametrize("pool", [MaxPool(2), MaxPool(3, stride=2)])
def test_of_equal_numbers_the_first_gets_the_gradient(pool):
    """As ``argmax`` chooses, row by row; each of them would add up to more."""
    rng = np.random.default_rng(0)
    x = rng.integers(-1, 2, (4, 2, 7, 7)).astype(np.float32)
    z, saved = pool.forward(x, [])
    g = rng.standard_normal(z.shape).astype(np.float32)
    wanted = np.zeros_like(x)
    for n, c, h, u in np.ndindex(z.shape):
        i, j = h * pool.stride, u * pool.stride
        window = x[n, c, i : i + pool.side, j : j + pool.side]
        a, b = divmod(int(window.argmax()), pool.side)
        assert z[n, c, h, u] == window[a, b]
        wanted[n, c, i + a, j + b] += g[n, c, h, u]
    assert np.allclose(pool.backward(g, [], saved), wanted, atol=1e-6)
