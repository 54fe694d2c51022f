"""The one-file program is at most 150 lines, and equal to the package."""

import re
import time

import numpy as np
import pytest

from dpteach import arrays, constraints, dp_sgd, losses, privacy, tiny
from dpteach.accounting import delta_of, epsilon_of
from dpteach.algorithms.gradients.sampled_sgd import poisson_sample, sampled_dp_sgd
from dpteach.algorithms.streams import tree
from dpteach.auditing import event_epsilon_lower_bound
from dpteach.labels import privacy_label
from dpteach.problem import Problem
from tests.public import PACKAGE, ROOT

RNG = np.random.default_rng(31)
X, Y = RNG.standard_normal((40, 3)), RNG.choice([-1.0, 1.0], 40)
LOGISTIC = Problem(X, Y, losses.logistic, constraints.Everywhere())
PLUS_ONE = privacy.Relation.ADD_REMOVE

RUNS = [
    (1.0, 1.0, 1), (10.0, 1.0, 10), (2.0, 0.05, 100), (1.1, 0.01, 1000),
    (0.8, 0.001, 10_000), (5.44, 0.001, 10**6), (1.0, 1e-4, 10**5), (2.0, 0.9, 3),
]  # fmt: skip


def gradients(theta):
    """Return the gradient of each record's logistic loss."""
    return -(Y / (1 + np.exp(Y * (X @ theta))))[:, None] * X


def event(lam, q, T):
    """Say the same runs in the package's words."""
    if q == 1:
        return privacy.Gaussian(lam, releases=T, relation=PLUS_ONE)
    return privacy.SampledGaussian(lam, rate=q, releases=T, relation=PLUS_ONE)


def test_it_is_one_page():
    text = (PACKAGE / "tiny.py").read_text("utf-8")
    assert len(text.splitlines()) <= 150
    assert set(re.findall(r"(?m)^ *(?:from|import) ([a-z]+)", text)) == {
        "collections", "numpy", "scipy",
    }  # fmt: skip


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1.0, 1e3, 1e300])
def test_clip(scale):
    rows = scale * RNG.standard_normal((50, 4))
    assert tiny.clip(rows, 1.0) == pytest.approx(
        arrays.clip(rows, 1.0), rel=1e-14, abs=0
    )


def test_what_is_not_finite_counts_zero():
    rows = np.array([[np.inf, 1.0], [np.nan, 0.0], [0.0, 0.0], [3.0, 4.0]])
    expected = np.array([[0, 0], [0, 0], [0, 0], [0.6, 0.8]])
    assert tiny.clip(rows, 1.0) == pytest.approx(expected)
    assert tiny.clip(np.zeros((0, 3)), 1.0).shape == (0, 3)


def test_descent_on_all_records():
    path = tiny.dp_sgd(
        gradients, np.zeros(3), n=40, q=1.0, L=0.5, lam=2.0, steps=30, eta=0.1,
        rng=np.random.default_rng(5),
    )  # fmt: skip
    expected = dp_sgd(
        LOGISTIC, clip_norm=0.5, noise_multiplier=2.0, steps=30, learning_rate=0.1,
        rng=np.random.default_rng(5),
    )  # fmt: skip
    assert path == pytest.approx(expected.path, abs=1e-8)


def test_descent_on_samples(monkeypatch):
    """Drawn by the package's own sampler, batches and models are the package's."""
    monkeypatch.setattr(
        tiny, "poisson_batch", lambda n, q, rng: poisson_sample(n, rate=q, rng=rng)
    )
    path = tiny.dp_sgd(
        gradients, np.zeros(3), n=40, q=0.3, L=0.5, lam=2.0, steps=30, eta=0.1,
        rng=np.random.default_rng(5),
    )  # fmt: skip
    expected = sampled_dp_sgd(
        LOGISTIC, rate=0.3, clip_norm=0.5, noise_multiplier=2.0, steps=30,
        learning_rate=0.1, rng=np.random.default_rng(5),
    )  # fmt: skip
    assert path == pytest.approx(expected.path, abs=1e-8)


def test_a_batch_is_one_coin_a_record():
    coins = np.random.default_rng(7).random(1000)
    batch = tiny.poisson_batch(1000, 0.2, np.random.default_rng(7))
    assert batch.tolist() == [i for i in range(1000) if coins[i] < 0.2]


@pytest.mark.parametrize("runs", RUNS, ids=str)
def test_epsilon(runs):
    assert tiny.epsilon(1e-6, [runs]) == pytest.approx(
        epsilon_of(event(*runs), 1e-6), rel=2e-8
    )


@pytest.mark.parametrize("runs", RUNS, ids=str)
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_delta(runs, epsilon):
    assert tiny.delta(epsilon, [runs]) == pytest.approx(
        delta_of(event(*runs), epsilon), rel=2e-7
    )


def test_beyond_what_a_record_that_is_added_can_lose():
    """Its loss is bounded, so no line converges there: each of 45 halvings took 6 s."""
    runs, begin = [(1.0, 0.3, 10)], time.process_time()
    exact = epsilon_of(event(*runs[0]), 1e-5)
    assert tiny.epsilon(1e-5, runs) == pytest.approx(exact, rel=1e-8)
    assert time.process_time() - begin < 10
    # Where all records take part, the loss has no bound on either side.
    assert tiny.delta(4.0, [(1.0, 0.3, 10), (1.0, 1.0, 1)]) > tiny.delta(4.0, runs)


def test_where_too_few_are_sampled_it_refuses():
    """In a million steps a tenth of a record is drawn; the sum gave δ below 0."""
    with pytest.raises(ArithmeticError, match="rarely"):
        tiny.epsilon(1e-6, [(0.5, 1e-7, 10**6)])


def test_several_runs_compose():
    runs = [(2.0, 0.05, 100), (10.0, 1.0, 10)]
    both = privacy.Composed(tuple(event(*each) for each in runs))
    assert tiny.epsilon(1e-5, runs) == pytest.approx(epsilon_of(both, 1e-5), rel=2e-8)


@pytest.mark.parametrize("n", [1, 2, 7, 8, 21])
def test_the_tree(n):
    noise = tiny.tree_noise(n, 2, 3.0, np.random.default_rng(9))
    drawn = tree.initialize_tree(n, sigma=3.0, shape=(2,), rng=np.random.default_rng(9))
    expected = [tree.get_sum(drawn, t) for t in range(1, n + 1)]
    assert noise == pytest.approx(np.array(expected), rel=1e-14)


def test_streams():
    """Algorithm 4, with its tree taken apart: InitializeTree, AddToTree, GetSum."""
    path = tiny.dp_ftrl(
        gradients, np.zeros(3), n=40, L=0.5, lam=2.0, Lam=20.0,
        rng=np.random.default_rng(5),
    )  # fmt: skip
    nodes = tree.initialize_tree(
        40, sigma=1.0, shape=(3,), rng=np.random.default_rng(5)
    )
    theta, expected = np.zeros(3), [np.zeros(3)]
    for t in range(1, 41):
        g = LOGISTIC.clipped_record_gradient(theta, t - 1, 0.5)
        nodes = tree.add_to_tree(nodes, t, g)
        theta = -tree.get_sum(nodes, t) / 20.0
        expected.append(theta)
    assert path == pytest.approx(np.array(expected), rel=1e-11)


@pytest.mark.parametrize(
    "counts", [(900, 1000, 20, 1000), (1000, 1000, 0, 1000), (5, 10, 5, 10)]
)
def test_audit(counts):
    assert tiny.audit(*counts, delta=1e-6, false_alarm=1e-6) == pytest.approx(
        event_epsilon_lower_bound(*counts, delta=1e-6, false_alarm=1e-6), rel=1e-9
    )


def test_counts_that_prove_nothing():
    assert tiny.audit(0, 10, 3, 10, delta=0.0, false_alarm=1e-6) == -np.inf
    assert tiny.audit(9, 10, 10, 10, delta=0.0, false_alarm=1e-6) < 0


def test_label():
    text = tiny.label([(2.0, 0.05, 100)], 1e-6)
    card = privacy_label(event(2.0, 0.05, 100), unit="one record")
    assert "ε ≤ 1.274 at δ = 1e-06" in text
    assert f"at most {100 * card.right_guesses:.1f} of 100" in text


def test_the_page_prints_what_it_says(capsys):
    page = (ROOT / "book/one-page.md").read_text("utf-8")
    code, printed = re.search(
        r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.S
    ).groups()
    exec(code, {})
    assert capsys.readouterr().out == printed
