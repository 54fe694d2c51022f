"""Any module of PyTorch's and any function of JAX's, trained under the one rule."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpteach import Clipping, Problem, constraints, dp_sgd, losses
from dpteach.algorithms import dp_ftrl, sampled_dp_sgd
from dpteach.arrays import namespace, to_numpy
from dpteach.auditing import exact_mu, noise_map
from dpteach.networks import Dense, Network, Tanh
from tests.public import ROOT

pytestmark = pytest.mark.backends
FREE = constraints.Everywhere()
TEN = losses.class_numbers(3)
RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((20, 4)), RNG.integers(0, 3, 20)
NUMPY = Network((4,), [Dense(5), Tanh(), Dense(3)], seed=2)
RULES = [
    Clipping(automatic=0.1),
    Clipping(per_layer=True),
    Clipping(automatic=0.1, per_layer=True),
]


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def jax():
    return pytest.importorskip("jax")


def layers():
    return NUMPY.model(np.zeros(NUMPY.start.size))


def nothing(w, x, y):  # noqa: ARG001
    """Stand for a loss that is never computed."""
    return 0


def of_torch(dtype, **more):
    """The same network with PyTorch, from the same start."""
    import torch

    kind = getattr(torch, dtype)
    net = torch.nn.Sequential(
        torch.nn.Linear(4, 5), torch.nn.Tanh(), torch.nn.Linear(5, 3)
    ).to(kind)
    with torch.no_grad():
        for i, (W, b) in ((0, layers()[0]), (2, layers()[2])):
            net[i].weight.copy_(torch.asarray(W.T.copy()))
            net[i].bias.copy_(torch.asarray(b.copy()))
    loss = losses.differentiable(cross_entropy, net, labels=TEN, **more)
    return Problem(torch.asarray(X, dtype=kind), torch.asarray(Y), loss, FREE)


def cross_entropy(model, x, y):
    import torch

    return torch.nn.functional.cross_entropy(model(x), y.long())


def of_jax(dtype, **more):
    """The same network with JAX."""
    import jax
    import jax.numpy as jnp

    (W, b), _, (V, c) = layers()
    start = {
        k: jnp.asarray(v, dtype) for k, v in zip("WbVc", (W, b, V, c), strict=True)
    }

    def loss(w, x, y):
        scores = jnp.tanh(x @ w["W"] + w["b"]) @ w["V"] + w["c"]
        return -jax.nn.log_softmax(scores)[y.astype(int)]

    made = losses.differentiable(loss, start, labels=TEN, **more)
    return Problem(jnp.asarray(X, dtype), jnp.asarray(Y), made, FREE)


MAKE = {"torch": of_torch, "jax": of_jax}


@pytest.fixture
def make(library, put):  # noqa: ARG001  (it sets JAX to 64 bits)
    if library not in MAKE:
        pytest.skip("no automatic gradients")
    return MAKE[library]


def lengths(D):
    """Norms of the records' gradients at the start."""
    zero = D.zeros()
    each = [to_numpy(D.record_gradient(zero, i)) for i in range(D.n)]
    return np.linalg.norm(each, axis=1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_it_gives_the_numbers_of_the_network_in_numpy(make, dtype):
    ours = Problem(X.astype(dtype), Y, NUMPY, FREE)
    theirs = make(dtype, memory_bytes=4000.0)
    assert 1 < theirs.loss.microbatch < 20  # so that the batch is cut
    close = {"rtol": 2e-5, "atol": 2e-6} if dtype == "float32" else {"rtol": 1e-9}
    zero = theirs.zeros()
    risk = float(theirs.risk(zero))
    assert risk == pytest.approx(float(ours.risk(ours.zeros())), rel=1e-6)
    np.testing.assert_allclose(lengths(theirs), lengths(ours), **close)
    for L in (0.1, 1.0, 100.0):
        g = to_numpy(theirs.clipped_gradient(zero, L))
        assert g.dtype == float  # noise is added before it is rounded
        expected = np.linalg.norm(ours.clipped_gradient(ours.zeros(), L))
        assert np.linalg.norm(g) == pytest.approx(expected, rel=close["rtol"])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_clipped_sum_is_the_literal_loop(make, put, dtype):
    D = make(dtype, memory_bytes=4000.0)
    theta = put(0.1 * np.random.default_rng(1).standard_normal((2, D.p)).astype(dtype))
    rows = np.array([4, 0, 19, 7, 8, 11])
    for L in (1e-2, 0.7):
        sums = to_numpy(D.clipped_gradient(theta, L, rows=put(rows)))
        for k in range(2):
            parts = [to_numpy(D.record_gradient(theta[k], i)) for i in rows]
            parts = [g * min(1, L / np.linalg.norm(g)) for g in parts]
            tolerance = 1e-9 if dtype == "float64" else 1e-5
            np.testing.assert_allclose(sums[k], sum(parts), atol=tolerance * L * 6)
            alone = to_numpy(D.clipped_record_gradient(theta[k], 4, L))
            assert np.linalg.norm(alone.astype(float)) <= L
            np.testing.assert_allclose(alone, parts[0], atol=tolerance * L)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("memory", [3000.0, 32e6])
def test_a_record_adds_the_same_wherever_it_stands(make, put, dtype, memory):
    D = make(dtype, memory_bytes=memory)
    same = Problem(
        put(np.repeat(X[:1], 512, axis=0).astype(dtype)), put(np.repeat(Y[:1], 512)),
        D.loss, FREE,
    )  # fmt: skip
    m, w = D.loss.microbatch, D.loss.start
    G = to_numpy(D.loss._gradients(w, same.X[:m, ...], same.y[:m, ...]))
    assert (G[0] == G).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rule", RULES)
def test_each_rule_of_clipping_gives_the_numbers_of_numpy(make, dtype, rule):
    """Arrays stand in another order there, so the lengths of sums are compared."""
    ours = Problem(X.astype(dtype), Y, NUMPY, FREE, clipping=rule)
    theirs = replace(make(dtype, memory_bytes=4000.0), clipping=rule)
    zero, tolerance = theirs.zeros(), 2e-5 if dtype == "float32" else 1e-9
    assert sorted(theirs.loss.sizes) == sorted(ours.loss.array_sizes(ours.X))
    for L in (1e-3, 0.1, 10.0):
        g = to_numpy(theirs.clipped_gradient(zero, L))
        expected = ours.clipped_gradient(ours.zeros(), L)
        assert np.linalg.norm(g) == pytest.approx(
            np.linalg.norm(expected), rel=tolerance
        )
        for i in (0, 7):
            alone = to_numpy(theirs.clipped_record_gradient(zero, i, L)).astype(float)
            expected = ours.clipped_record_gradient(ours.zeros(), i, L).astype(float)
            assert np.linalg.norm(alone) == pytest.approx(
                np.linalg.norm(expected), rel=tolerance
            )
            assert sum(Fraction(a) ** 2 for a in alone) <= Fraction(L) ** 2


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("fill", [3e38, -3.4e38, 1e30, 1e-30, 1e-45, 0.0, -0.0])
def test_no_rule_lets_a_hostile_row_add_more_than_l(make, put, dtype, rule, fill):
    D = make(dtype, memory_bytes=4000.0)
    rows = X.astype(dtype)
    rows[2] = fill
    D = replace(D, X=put(rows), clipping=rule)
    others = put(np.delete(np.arange(20), 2))
    for L in (1.0, 1e-6):
        alone = to_numpy(D.clipped_record_gradient(D.zeros(), 2, L)).astype(float)
        assert sum(Fraction(a) ** 2 for a in alone) <= Fraction(L) ** 2
        both = to_numpy(D.clipped_gradient(D.zeros(), L))
        rest = to_numpy(D.clipped_gradient(D.zeros(), L, rows=others))
        moved = zip(both, rest, strict=True)
        square = sum((Fraction(a) - Fraction(b)) ** 2 for a, b in moved)
        assert square <= Fraction(L * (1 + 1e-15)) ** 2


def test_layers_need_more_than_one_array(put, make):  # noqa: ARG001
    def scaled(w, x, y):
        return ((x @ w["slope"] - y) ** 2).sum()

    loss = losses.differentiable(scaled, {"slope": put(np.ones(4))})
    with pytest.raises(ValueError, match="`per_layer` must have a number for each arr"):
        Problem(put(X), put(Y * 1.0), loss, FREE, clipping=Clipping(per_layer=True))


def test_no_records_and_one_record(make, put):
    D = make("float64")
    none = Problem(D.X[:0, :], D.y[:0], D.loss, FREE)
    assert not to_numpy(none.clipped_gradient(none.zeros(2), 1.0)).any()
    assert float(none.risk(none.zeros())) == 0
    empty = D.clipped_gradient(D.zeros(), 1.0, rows=put(np.zeros(0, int)))
    assert not to_numpy(empty).any()
    one = Problem(D.X[:1, :], D.y[:1], D.loss, FREE)
    g = to_numpy(one.clipped_gradient(one.zeros(), 0.01))
    assert np.linalg.norm(g) == pytest.approx(0.01)


def test_a_gradient_that_is_not_finite_counts_as_zero(library, put, make):  # noqa: ARG001
    """√ has an infinite slope at 0, and 0 · ∞ is no number."""

    def root(w, x, y):  # noqa: ARG001
        return ((w["a"] * x[0]) ** 2) ** 0.5

    start = {"a": put(np.ones(()))}
    data = put(np.array([[0.0], [2.0], [0.0]]))
    D = Problem(data, put(np.zeros(3)), losses.differentiable(root, start), FREE)
    g = to_numpy(D.clipped_gradient(put(-np.ones(1)), 1.0))  # a = 0
    assert np.isfinite(g).all()
    assert not to_numpy(D.clipped_record_gradient(put(-np.ones(1)), 1, 1.0)).any()
    g = to_numpy(D.clipped_gradient(put(np.zeros(1)), 1.0))
    np.testing.assert_allclose(g, [1.0])


def test_labels_may_be_vectors(put, make):  # noqa: ARG001
    """Regression with two outputs."""

    def squares(w, x, y):
        return ((x @ w["W"] - y) ** 2).sum()

    start = {"W": put(np.zeros((4, 2)))}
    y = RNG.standard_normal((20, 2))
    D = Problem(put(X), put(y), losses.differentiable(squares, start), FREE)
    expected = -2 * X.T @ y
    np.testing.assert_allclose(
        to_numpy(D.gradient(D.zeros())), expected.ravel(), rtol=1e-10
    )


def test_what_does_not_fit_is_refused(make, put):
    D = make("float64")
    with pytest.raises(TypeError, match="`X` must be of the start's library and dtype"):
        Problem(put(X.astype("f4")), put(Y), D.loss, FREE)
    with pytest.raises(TypeError, match="`X` must be of the start's library"):
        Problem(X, Y, D.loss, FREE)
    with pytest.raises(ValueError, match="`y` must be a class number"):
        Problem(put(X), put(Y + 1), D.loss, FREE)
    mixed = {"a": put(np.ones(2)), "b": put(np.ones(2, "f4"))}
    with pytest.raises(TypeError, match="`start` must have weights to train, all of"):
        losses.differentiable(nothing, mixed)
    with pytest.raises(TypeError, match="`start` must"):
        losses.differentiable(nothing, {"a": put(np.ones(2, "f2"))})
    with pytest.raises(TypeError, match="`function` must be"):
        losses.differentiable(None, mixed)


def test_a_convex_algorithm_refuses_it_by_name(make):
    from dpteach.algorithms import objective_perturbation

    with pytest.raises(TypeError, match="`problem` must have the loss of a linear"):
        objective_perturbation(
            make("float64"), lipschitz=1.0, smoothness=1.0, regularization=1.0,
            noise_multiplier=1.0, rng=0,
        )  # fmt: skip


# ------------------------------------------------------------------------- by the tape


def step(D, rng):
    return to_numpy(
        dp_sgd(
            D, clip_norm=0.5, steps=1, noise_multiplier=2.0, learning_rate=0.1, rng=rng
        ).path
    )


def worst_mu(D, without):
    read = [noise_map(lambda rng, P=P: step(P, rng)) for P in (D, without)]
    return exact_mu(read[0].matrix, read[1].mean - read[0].mean)


def test_the_tape_finds_what_a_record_costs_and_a_clip_that_is_gone(make, monkeypatch):
    """Power: without the clip the same record costs more than its event says."""
    D = make("float64")
    i = int(np.argmax(lengths(D)))
    keep = np.delete(np.arange(20), i)
    rest = Problem(D.X[keep, :], D.y[keep], D.loss, FREE)
    assert lengths(D)[i] > 1.0
    assert worst_mu(D, rest) == pytest.approx(1 / 2.0, rel=1e-6)

    def unclipped(theta, clip_norm, rows, *records, **_):  # noqa: ARG001
        return D.loss.gradient(theta, *records)

    monkeypatch.setattr(D.loss, "clipped_sum", unclipped)
    assert worst_mu(D, rest) > 1.9 / 2.0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_norms_of_gradients_are_those_of_each_record(make, dtype):
    """Of all records and of some, in float64, also where parts are filled up."""
    D = make(dtype, memory_bytes=4000.0)
    norms = to_numpy(D.gradient_norms(D.zeros()))
    assert norms.dtype == np.float64
    np.testing.assert_allclose(norms, lengths(D), rtol=1e-5)
    rows = np.array([3, 1, 2])
    some = D.gradient_norms(D.zeros(), rows=namespace(D.X).asarray(rows))
    np.testing.assert_array_equal(to_numpy(some), norms[rows])


# -------------------------------------------------------------------- PyTorch's modules


def module_problem(torch, net, **more):
    loss = losses.differentiable(cross_entropy, net, labels=TEN, **more)
    dtype = next(net.parameters()).dtype
    return Problem(torch.asarray(X, dtype=dtype), torch.asarray(Y), loss, FREE)


def test_state_between_records_is_refused_by_name(torch):
    net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))
    with pytest.raises(ValueError, match=r"1\.running_mean"):
        losses.differentiable(cross_entropy, net)
    dropout = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Dropout(0.1))
    with pytest.raises(ValueError, match="must not draw at random, got '1', a Dropout"):
        losses.differentiable(cross_entropy, dropout)
    losses.differentiable(cross_entropy, dropout.eval())

    class Counts(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 3)
            self.register_buffer("calls", torch.zeros(1))

        def forward(self, x):
            self.calls.add_(1)
            return self.linear(x)

    net = Counts()
    D = module_problem(torch, net)
    with pytest.raises(ValueError, match="'calls' changes with the records"):
        D.gradient(D.zeros())
    assert net.calls == 0


def test_public_state_is_a_constant(torch):
    """BatchNorm whose means were learned elsewhere, and a table of constants."""
    net = torch.nn.Sequential(torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 3)).eval()
    net[0].running_mean += 1.0

    def one(model, x, y):
        scores = model(x[None, :])
        return torch.nn.functional.cross_entropy(scores, y.long()[None])

    loss = losses.differentiable(one, net, labels=TEN)
    D = Problem(torch.asarray(X, dtype=torch.float32), torch.asarray(Y), loss, FREE)
    g = D.clipped_gradient(D.zeros(), 1.0)
    assert 0 < float(g.norm()) <= 20
    assert (net[0].running_mean == 1).all()


def test_frozen_weights_stay_and_are_not_counted(torch):
    net = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.Linear(5, 3))
    for w in net[0].parameters():
        w.requires_grad = False
    D = module_problem(torch, net)
    assert D.p == 5 * 3 + 3
    out = dp_sgd(
        D, clip_norm=1.0, steps=3, noise_multiplier=1.0, learning_rate=0.1, rng=0
    )
    trained = D.loss.model(out.theta)
    assert torch.equal(trained[0].weight, net[0].weight)
    assert not torch.equal(trained[1].weight, net[1].weight)
    for w in net.parameters():
        w.requires_grad = False
    with pytest.raises(TypeError, match="`start` must have weights to train"):
        losses.differentiable(cross_entropy, net)


def test_tied_weights_are_one(torch):
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)
            self.second.weight = self.first.weight
            self.last = torch.nn.Linear(4, 3)

        def forward(self, x):
            return self.last(torch.tanh(self.second(torch.tanh(self.first(x)))))

    net = Tied().double()
    D = module_problem(torch, net)
    assert D.p == 16 + 4 + 4 + 15
    net.zero_grad()
    total = sum(cross_entropy(net, x, y) for x, y in zip(D.X, D.y, strict=True))
    total.backward()
    expected = torch.cat([w.grad.reshape(-1) for w in net.parameters()])
    torch.testing.assert_close(D.gradient(D.zeros()), expected)
    theta = 0.01 * torch.ones(D.p, dtype=torch.float64)
    trained = D.loss.model(theta)
    assert trained.second.weight is trained.first.weight
    torch.testing.assert_close(trained.first.weight, net.first.weight + 0.01)
    risk = sum(cross_entropy(trained, x, y) for x, y in zip(D.X, D.y, strict=True))
    torch.testing.assert_close(D.risk(theta), risk.detach())


def test_training_leaves_the_module_of_the_start_as_it_was(torch):
    net = torch.nn.Linear(4, 3)
    before = net.weight.clone()
    D = module_problem(torch, net)
    out = dp_sgd(
        D, clip_norm=1.0, steps=2, noise_multiplier=1.0, learning_rate=0.1, rng=0
    )
    assert torch.equal(net.weight, before)
    assert not out.theta.requires_grad
    assert isinstance(D.loss.model(out.theta), torch.nn.Linear)


def test_one_record_at_a_time(torch):
    D = module_problem(torch, torch.nn.Linear(4, 3).double())
    out = dp_ftrl(D, clip_norm=1.0, noise_multiplier=1.0, regularization=9.0, rng=0)
    assert torch.isfinite(out.theta).all()


# ------------------------------------------------------------------------------- JAX


def test_a_random_batch_compiles_nothing_anew(jax, put):  # noqa: ARG001
    D = of_jax("float32", memory_bytes=2000.0)
    settings = {"clip_norm": 1.0, "noise_multiplier": 1.0, "learning_rate": 0.01}
    sampled_dp_sgd(D, rate=0.5, steps=30, rng=0, **settings)
    assert D.loss._clipped_part._cache_size() == 1


def test_what_is_no_array_is_refused_in_a_tree(jax):  # noqa: ARG001
    for start in ({"a": 1.0}, {"a": np.ones(2), "f": np.tanh}, [], None):
        with pytest.raises(TypeError, match="`start` must"):
            losses.differentiable(nothing, start)


# ---------------------------------------------------------------------------- README


def test_the_ten_lines_of_the_readme_train_a_module(torch):
    text = (ROOT / "README.md").read_text("utf-8")
    (lines,) = re.findall(r"```python\n(import torch.*?)```", text, re.S)
    torch.manual_seed(0)
    space = {}
    exec(lines, space)
    images, digits = space["X"], space["y"]
    right = space["trained"](images).argmax(dim=1) == digits
    assert float(right.float().mean()) > 0.8
    assert 0 < space["epsilon"] < 4
