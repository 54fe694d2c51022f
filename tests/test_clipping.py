"""Automatic and per-layer clipping: what one record adds, exactly, and by tape."""

import warnings
from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest

from dpteach import Clipping, Problem, constraints, dp_sgd, losses, networks
from dpteach.algorithms import (
    adaptive_dp_sgd,
    batched_ftrl,
    dp_ftrl,
    sampled_dp_sgd,
    square_root_factorization,
)
from dpteach.auditing import exact_mu, noise_map, replayed_mu
from dpteach.networks import Dense, Network, Tanh
from tests.test_last_bit import LOSSES, extremes, shift, square
from tests.test_last_bit import make as linear
from tests.test_networks import NETWORKS, every_network
from tests.test_networks import make as network

FREE = constraints.Everywhere()
AUTOMATIC = Clipping(automatic=0.1)
RULES = {
    "automatic": AUTOMATIC,
    "per layer": Clipping(per_layer=True),
    "automatic, per layer": Clipping(automatic=0.1, per_layer=True),
}
every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
every_loss = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
every_dtype = pytest.mark.parametrize("dtype", ["f4", "f8"])


def with_rule(D, rule, **changed):
    kept = {"X": D.X, "y": D.y, "loss": D.loss, "constraint": D.constraint}
    return Problem(**{**kept, **changed}, clipping=rule)


def literal(v, L, rule, sizes):
    """Clip one gradient as the book says it."""
    parts = np.split(v, np.cumsum(sizes)[:-1]) if rule.per_layer else [v]
    given = isinstance(rule.per_layer, tuple)
    ratios = np.array(rule.per_layer) if given else np.ones(len(parts))
    clipped = []
    for g, L_k in zip(parts, L * ratios / np.linalg.norm(ratios), strict=True):
        size, kappa = np.linalg.norm(g), rule.automatic
        factor = L_k / (max(size, L_k) if kappa is None else size + kappa)
        clipped.append(g * factor)
    return np.concatenate(clipped)


# -------------------------------------------------------------------- what it computes


@every_loss
@pytest.mark.parametrize("L", [1e-3, 0.5, 100.0])
def test_automatic_clipping_of_a_linear_model_is_the_literal_loop(loss, L):
    X, y, theta = linear(loss, 9, 4, np.float64)
    D = Problem(X, y, loss, FREE, clipping=AUTOMATIC)
    found = D.clipped_gradient(np.stack([theta, -theta]), L)
    for at, total in zip((theta, -theta), found, strict=True):
        each = [
            literal(D.record_gradient(at, i), L, AUTOMATIC, [D.p]) for i in range(9)
        ]
        np.testing.assert_allclose(total, sum(each), rtol=1e-8, atol=1e-9 * L)
        alone = D.clipped_record_gradient(at, 2, L)
        np.testing.assert_allclose(alone, each[2], rtol=1e-9)


@every_network
@every_rule
@pytest.mark.parametrize("L", [1e-3, 0.5, 1e4])
def test_the_clipped_sum_of_a_network_is_the_literal_loop(net, rule, L):
    D, theta = network(net, n=30)
    D, sizes = with_rule(D, rule), net.array_sizes(D.X)
    assert sum(sizes) == D.p
    assert len(sizes) >= 2
    rows = np.array([3, 0, 8, 29, 11])
    each = [literal(D.record_gradient(theta, i), L, rule, sizes) for i in rows]
    found = D.clipped_gradient(theta, L, rows=rows)
    np.testing.assert_allclose(found, sum(each), rtol=1e-8, atol=1e-9 * L)
    alone = D.clipped_record_gradient(theta, 8, L)
    np.testing.assert_allclose(alone, each[2], rtol=1e-9, atol=1e-12 * L)


def test_clip_norms_of_layers_may_differ():
    """A dense layer's matrix and its constants have one each; their sum stays L."""
    D, theta = network(NETWORKS["dense"])
    rule = Clipping(per_layer=(3.0, 1.0, 2.0, 1.0))
    each = literal(D.record_gradient(theta, 4), 1e-6, rule, [12, 4, 12, 3])
    found = with_rule(D, rule).clipped_record_gradient(theta, 4, 1e-6)
    np.testing.assert_allclose(found, each, rtol=1e-9)
    matrix = found[:12]
    assert np.linalg.norm(matrix) == pytest.approx(1e-6 * 3 / sqrt(15))
    assert sum(x * x for x in rule.norms(2.0, 4)) == pytest.approx(4.0)


# --------------------------------------------------------------------- to the last bit


@every_loss
@every_dtype
def test_no_record_of_a_linear_model_adds_more_than_l(loss, dtype):
    """Limits, fills, the tiniest numbers, zeros: silent, finite, at most L, exactly."""
    dtype = np.dtype(dtype).type
    X, y, theta = linear(loss, 13, 3, dtype)
    rest = Problem(X[1:], y[1:], loss, FREE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for first, second in product(extremes(dtype)[::2], repeat=2):
            X[0] = first, second, first
            for kappa, (scale, L) in product(
                (1e-30, 0.1), ((0.0, 1.0), (1.0, 0.3), (1e30, 1e-6))
            ):
                rule, at = Clipping(automatic=kappa), (scale * theta).astype(dtype)
                D = Problem(X, y, loss, FREE, clipping=rule)
                g = D.clipped_gradient(at, L)
                assert np.isfinite(g).all()
                moved = shift(g, with_rule(rest, rule).clipped_gradient(at, L))
                assert moved <= Fraction(L) ** 2
                alone = D.clipped_record_gradient(at, 0, L)
                assert alone.dtype == dtype
                assert square(alone) <= Fraction(L) ** 2
                assert X[0].any() or not alone.any()


@pytest.mark.parametrize("rule", [Clipping(), AUTOMATIC, Clipping(automatic=1e-30)])
@pytest.mark.parametrize("entry", [0.0, 5e-324, 1e-310, 1e-160, 1.0, 1e150])
def test_a_huge_label_does_not_pass_on_a_row_of_hardly_anything(rule, entry):
    """Norms below 1e-308 have few bits, and a slope over κ would be infinite."""
    X, y = np.array([[entry, entry, 0.0], [1.0, 0.0, 0.0]]), np.array([1e308, 0.5])
    D = Problem(X, y, losses.squared, FREE, clipping=rule)
    for L in (1.0, 1e-20, 1e50):
        alone = D.clipped_record_gradient(D.zeros(), 0, L)
        assert np.isfinite(alone).all()
        assert square(alone) <= Fraction(L) ** 2
        assert np.isfinite(D.clipped_gradient(D.zeros(), L)).all()
        assert entry or not alone.any()


@every_network
@every_rule
@every_dtype
def test_no_record_of_a_network_adds_more_than_l(net, rule, dtype):
    D, theta = network(net, dtype=dtype)
    top = 3e38 if dtype == "f4" else 1e150
    others = np.delete(np.arange(9), 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for fill in (top, -top, 1e-45, -0.0):
            X = D.X.copy()
            X[2] = fill
            X[2, 1::2] = fill if abs(fill) < 1e-30 else 1.0
            E = with_rule(D, rule, X=X)
            for at, L in product(
                (theta, 0 * theta, (1e30 * theta).astype(dtype)), (1.0, 1e-6)
            ):
                g = E.clipped_record_gradient(at, 2, L)
                assert np.isfinite(g).all()
                assert square(g) <= Fraction(L) ** 2
                both, rest = (
                    E.clipped_gradient(at, L),
                    E.clipped_gradient(at, L, rows=others),
                )
                assert shift(both, rest) <= Fraction(L * (1 + 1e-15)) ** 2


@every_rule
def test_what_is_absent_or_not_finite_adds_exactly_nothing(rule):
    D, theta = network(NETWORKS["two signs"])
    absent = np.arange(9) == 4
    gone = with_rule(D, rule, absent=absent)
    assert not gone.clipped_record_gradient(theta, 4, 1.0).any()
    rest = with_rule(D, rule, X=D.X[~absent], y=D.y[~absent])
    np.testing.assert_array_equal(
        gone.clipped_gradient(theta, 0.3), rest.clipped_gradient(theta, 0.3)
    )
    theta[:] = np.inf
    assert not with_rule(D, rule).clipped_gradient(theta, 1.0).any()
    assert not with_rule(D, rule).clipped_record_gradient(theta, 0, 1.0).any()


# ------------------------------------------------------------------------- by the tape

LAM = 2.0
# Two layers whose four arrays all have long gradients at the start.
LAYERS = [Dense(2), Tanh(), Dense(2)]


class EachAtL(Clipping):
    """A broken one: every array may have norm L, so a whole gradient has √K · L."""

    def norms(self, clip_norm, arrays):
        return [clip_norm] * arrays


class WithoutKappa(Clipping):
    """A broken one: a gradient of 0 is divided by 0."""

    def divisor(self, excess, unit=1.0, *, clip_norm):  # noqa: ARG002  (as it is called)
        return excess


class OverKappa(Clipping):
    """A broken one: the norm is missing under the fraction."""

    def divisor(self, excess, unit=1.0, *, clip_norm):  # noqa: ARG002  (as it is called)
        return self.automatic / clip_norm + 0 * excess


def pose(rule, keep=slice(None), absent=None):
    rng = np.random.default_rng(0)
    X, y = 3 * rng.standard_normal((4, 2)), rng.integers(0, 2, 4)
    net = Network((2,), LAYERS, seed=3)
    return Problem(X[keep], y[keep], net, FREE, absent, rule)


def descend(D, rng, *, steps=1, L=0.01):
    return dp_sgd(
        D, clip_norm=L, steps=steps, noise_multiplier=LAM, learning_rate=0.1, rng=rng
    ).path


def one_step_mu(rule, i):
    maps = [
        noise_map(lambda rng, D=D: descend(D, rng))
        for D in (pose(rule), pose(rule, np.arange(4) != i))
    ]
    return exact_mu(maps[0].matrix, maps[1].mean - maps[0].mean)


@pytest.mark.parametrize("i", range(4))
@pytest.mark.parametrize(
    "rule", [*RULES.values(), Clipping(per_layer=(1.0, 2.0, 3.0, 1.0))]
)
def test_a_step_costs_what_its_record_adds_and_never_more_than_its_event(rule, i):
    """The exact μ of each record, by tape."""
    D = pose(rule)
    g = D.record_gradient(D.zeros(), i)
    added = np.linalg.norm(literal(g, 0.01, rule, D.loss.array_sizes(D.X))) / 0.01
    mu = one_step_mu(rule, i)
    assert mu == pytest.approx(added / LAM, rel=1e-6)
    assert mu <= 1 / LAM


def test_a_linear_model_with_automatic_clipping_costs_its_share():
    X, y = np.array([[3.0, 4.0], [0.1, 0.0]]), np.ones(2)
    D = Problem(X, y, losses.linear, FREE, clipping=Clipping(automatic=0.5))
    less = with_rule(D, D.clipping, X=X[1:], y=y[1:])
    mu = replayed_mu(lambda P, rng: descend(P, rng, steps=3), D, less, rng=0)
    assert mu == pytest.approx(sqrt(3) * 5 / 5.5 / LAM, rel=1e-7)


def test_layers_that_have_the_whole_clip_norm_each_are_caught():
    """Power: four arrays at L each cost twice what the event says."""
    assert one_step_mu(Clipping(per_layer=True), 2) == pytest.approx(1 / LAM, rel=1e-7)
    assert one_step_mu(EachAtL(per_layer=True), 2) == pytest.approx(2 / LAM, rel=1e-7)


def test_automatic_clipping_that_is_none_is_caught():
    """Power: without κ a gradient of 0 is 0/0, without the norm a long one is long."""
    X, y = np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([1.0, 0.0])

    def sums(rule):
        D = Problem(X, y, losses.linear, FREE, clipping=rule)
        return D.clipped_gradient(D.zeros(), 1.0)

    assert np.isfinite(sums(AUTOMATIC)).all()
    assert np.isnan(sums(WithoutKappa(automatic=0.1))).any()
    assert one_step_mu(OverKappa(automatic=0.1), 2) > 3 / LAM


def stream(D, rng):
    return dp_ftrl(
        D, clip_norm=0.01, noise_multiplier=LAM, regularization=10.0, rng=rng
    ).path


def passes(D, rng):
    return batched_ftrl(
        D, factorization=square_root_factorization(2), clip_norm=0.01,
        noise_multiplier=LAM, regularization=10.0, epochs=2, rng=rng,
    ).path  # fmt: skip


@pytest.mark.parametrize(
    ("release", "mu"),
    [
        (stream, sqrt(3) / LAM),  # the first record is in three nodes of the tree
        (passes, sqrt(2) / LAM),
        (lambda D, rng: descend(D, rng, steps=3), sqrt(3) / LAM),
    ],
)
def test_whole_runs_with_layers_of_their_own_cost_their_event(release, mu):
    absent = np.arange(4) == 0

    def spent(rule):
        return replayed_mu(release, pose(rule), pose(rule, absent=absent), rng=5)

    assert spent(Clipping(per_layer=True)) == pytest.approx(mu, rel=1e-5)
    assert 0.8 * mu < spent(AUTOMATIC) < mu
    if release is stream:  # its tree refuses vectors beyond the clip norm itself
        with pytest.raises(ValueError, match="`v` must have norm at most"):
            spent(EachAtL(per_layer=True))
    else:
        assert spent(EachAtL(per_layer=True)) > 1.9 * mu


@every_rule
def test_sampled_and_adaptive_runs_take_every_rule_at_the_same_price(rule):
    common = {
        "rate": 0.5, "clip_norm": 0.1, "steps": 5, "noise_multiplier": 1.0,
        "learning_rate": 0.1, "rng": 1,
    }  # fmt: skip
    extra = {"batch_size": 2, "quantile": 0.5, "count_noise": 2.0}
    for algorithm, more in (
        (sampled_dp_sgd, {}),
        (adaptive_dp_sgd, {**extra, "clip_learning_rate": 0.2}),
    ):
        out, plain = (
            algorithm(pose(each), **common, **more) for each in (rule, Clipping())
        )
        assert out.event == plain.event
        assert np.isfinite(out.path).all()
        assert not np.allclose(out.path[0], plain.path[0])


# ---------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("loss", [losses.logistic, losses.softmax(2)])
def test_a_linear_model_has_no_layers(loss):
    with pytest.raises(
        ValueError, match=r"`per_layer` must .* such as every linear mo"
    ):
        Problem(np.eye(2), np.ones(2), loss, FREE, clipping=Clipping(per_layer=True))


def test_there_is_a_number_for_each_array():
    D, _ = network(NETWORKS["dense"])
    with pytest.raises(
        ValueError, match=r"`per_layer` must .* 4 in this model, got \(1"
    ):
        with_rule(D, Clipping(per_layer=(1.0, 2.0)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"automatic": 0.0}, "`automatic` must be a number from 1e-30"),
        ({"automatic": np.nan}, "`automatic` must be"),
        ({"automatic": np.inf}, "`automatic` must be"),
        ({"automatic": True}, "`automatic` must be"),
        ({"per_layer": 1.0}, "`per_layer` must be True, False or a tuple"),
        ({"per_layer": [1.0, 2.0]}, "`per_layer` must be True, False or a tuple"),
        ({"per_layer": ()}, "`per_layer` must be True, False or a tuple"),
        ({"per_layer": (1.0, 0.0)}, "`per_layer` must be a number from 1e-06"),
        ({"per_layer": (1.0, np.nan)}, "`per_layer` must be a number from 1e-06"),
    ],
)
def test_rules_that_cannot_be_are_refused(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Clipping(**arguments)


@pytest.mark.parametrize("clipping", [0.1, "automatic", None, Clipping])
def test_what_is_no_rule_is_refused(clipping):
    with pytest.raises(TypeError, match="`clipping` must be"):
        Problem(np.eye(2), np.ones(2), losses.logistic, FREE, clipping=clipping)


BAD_INPUT = {Clipping: {"automatic": 0.1, "per_layer": (1.0, 2.0)}}


def test_a_network_of_the_paper_has_an_array_for_weights_and_constants():
    net = networks.dp_ftrl_network()
    assert net.array_sizes(np.zeros((1, 784))) == [
        1024, 16, 8192, 32, 16384, 32, 320, 10,
    ]  # fmt: skip
