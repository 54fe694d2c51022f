"""A fleet under DP-FTRL: what it equals, what one device costs, what breaks it."""

from dataclasses import replace

import numpy as np
import pytest

from dpteach import Problem, Relation, arrays, constraints, data, losses
from dpteach.algorithms.federated import federated_ftrl as module
from dpteach.algorithms.federated.federated_ftrl import federated_ftrl
from dpteach.algorithms.federated.fleet_plan import plan_fleet
from dpteach.algorithms.federated.participation_rule import admitted_devices
from dpteach.algorithms.matrices.buffered_toeplitz import Buffers
from dpteach.algorithms.matrices.factorization import (
    independent_factorization,
    tree_factorization,
)
from dpteach.algorithms.matrices.matrix_mechanism import MatrixMechanism
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.matrices.toeplitz_encoder import Bands, InverseBands
from dpteach.auditing import Tape, exact_mu, linear_audit, noise_map
from tests.algorithms.case import Case
from tests.algorithms.streams.case import LAM

T, K, GAP = 12, 3, 4  # rounds, turns, and rounds from one turn to the next
DEVICES = 5
RULES = {"participations": K, "separation": GAP}
ENCODERS = {
    "each round": independent_factorization(T),
    "tree": tree_factorization(T),
    "square root": square_root_factorization(T),
    "bands": Bands((1.0, 0.6, 0.3)),
    "one lag": InverseBands((1.0, -0.7)),
    "buffers": Buffers((0.9, 0.4), (0.2, 0.3)),
}
MECHANISMS = {name: MatrixMechanism(C, T, **RULES) for name, C in ENCODERS.items()}
KNOWN = {
    "cohort": 3,
    "clip_norm": 0.7,
    "noise_multiplier": 3.0,
    "learning_rate": 0.5,
    "local_steps": 2,
    "local_learning_rate": 0.4,
}
ALWAYS = np.ones((T, DEVICES), dtype=bool)


def fleet(n=10, loss=losses.logistic, constraint=None, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    y = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    return Problem(X, y, loss, constraint or constraints.Everywhere())


def train(D, rng, **more):
    kind = {
        "owners": np.arange(D.n) % DEVICES,
        "check_ins": ALWAYS,
        "dropouts": ~ALWAYS,
        "mechanism": MECHANISMS["buffers"],
        **KNOWN,
    }
    return federated_ftrl(D, **kind | more, rng=rng)


def test_rounds_by_hand():
    """Local descent, one clip for the whole update, sums, noise, a public divisor."""
    D, rng = fleet(constraint=constraints.L2Ball(0.4)), np.random.default_rng(4)
    check_ins, dropouts = rng.random((T, DEVICES)) < 0.6, rng.random((T, DEVICES)) < 0.3
    made = MECHANISMS["buffers"]
    out = train(D, 9, check_ins=check_ins, dropouts=dropouts)
    A = admitted_devices(check_ins, **RULES)
    z = np.random.default_rng(9).standard_normal((T, 3))
    b = 0.7 * 3.0 * made.sensitivity.value * (made.encoder.factorization(T).decoder @ z)
    s, theta = np.zeros(3), np.zeros(3)
    for t in range(T):
        for u in range(DEVICES):
            if not A[t, u] or dropouts[t, u]:
                continue
            w, mine = theta, [i for i in range(10) if i % DEVICES == u]
            for _ in range(2):
                w = w - 0.4 * np.mean([D.record_gradient(w, i) for i in mine], axis=0)
            move = w - theta
            s = s + move * min(1.0, 0.7 / np.linalg.norm(move))
        theta = D.constraint.project(0.5 / 3 * (s + b[t]))
        assert np.allclose(out.path[t + 1], theta, rtol=1e-9)
    assert np.array_equal(out.theta, out.path[-1])
    assert dropouts[A].any()


def audited(relation=Relation.ZERO_OUT, **more):
    """Compute the exact μ of each device, and the claim, from the running code."""
    events = []

    def release(D, rng):
        out = train(D, rng, relation=relation, **more)
        events.append(out.event)
        return out.path

    found = linear_audit(release, n=DEVICES, relation=relation, scale=1000.0)
    return found, events[0].mu


@pytest.mark.claim(
    "16-fleet-of-devices",
    "A device costs what the event says: exactly for five kinds of noise, at most that "
    "for a tree, from the running code.",
    order=1,
)
@pytest.mark.parametrize("relation", [Relation.ZERO_OUT, Relation.REPLACE])
@pytest.mark.parametrize("name", MECHANISMS)
def test_a_device_that_is_always_there_costs_what_the_event_says(name, relation):
    """Exactly, but for a tree, whose price counts nodes that no model needs."""
    found, claimed = audited(relation, mechanism=MECHANISMS[name])
    assert claimed == relation.sensitivity / 3.0
    assert found.mu <= claimed * (1 + 1e-9)
    if name != "tree":
        assert found.mu == pytest.approx(claimed, rel=1e-8)


@pytest.mark.claim(
    "16-fleet-of-devices",
    "Whoever checks in and whoever drops out, the price holds: by audit, per device.",
    order=2,
)
@pytest.mark.parametrize("seed", range(4))
def test_whoever_comes_and_drops_out_the_price_holds(seed):
    rng = np.random.default_rng(seed)
    check_ins = rng.random((T, DEVICES)) < rng.random(DEVICES)
    dropouts = rng.random((T, DEVICES)) < rng.random(DEVICES)
    for made in MECHANISMS.values():
        found, claimed = audited(check_ins=check_ins, dropouts=dropouts, mechanism=made)
        assert found.mu <= claimed * (1 + 1e-9)


@pytest.mark.claim(
    "16-fleet-of-devices",
    "Without the rule, or with half of it, a device costs more than it was promised.",
    order=3,
)
def test_a_device_that_comes_once_too_often_is_caught(monkeypatch):
    """Power: the rule is taken out of the running code, or one of its two halves."""
    no_rule, one_turn_more, too_early = (T, 1), (K + 1, GAP - 1), (K, GAP - 1)
    for k, d in (no_rule, one_turn_more, too_early):

        def changed(check_ins, k=k, d=d, **_):
            return admitted_devices(check_ins, participations=k, separation=d)

        monkeypatch.setattr(module, "admitted_devices", changed)
        found, claimed = audited()
        assert found.mu > 1.04 * claimed


def test_an_update_that_is_not_clipped_as_a_whole_is_caught(monkeypatch):
    """Power: each entry is clipped by itself, as if it were a layer; or nothing is."""
    by_layer = lambda v, L: arrays.clip(v[..., None], L)[..., 0]  # noqa: E731
    monkeypatch.setattr(module, "clip", by_layer)
    found, claimed = audited()
    assert found.mu > 1.3 * claimed
    monkeypatch.setattr(module, "clip", lambda v, _: v)
    found, claimed = audited()
    assert found.mu > 100 * claimed


def one_device_less(path_of, D, owners):
    """Compute the exact μ if all records of device 0 are taken away."""
    having = noise_map(lambda rng: path_of(D, owners, rng))
    rest = owners != 0
    less = Problem(D.X[rest], D.y[rest], D.loss, D.constraint)
    lacking = noise_map(lambda rng: path_of(less, owners[rest], rng))
    return exact_mu(having.matrix, having.mean - lacking.mean)


@pytest.mark.claim(
    "16-fleet-of-devices",
    "Eight records of one device cost what one does.",
    order=4,
)
@pytest.mark.parametrize("records", [1, 8])
def test_all_records_of_a_device_cost_what_one_would(records):
    """The unit is the device: eight records in it, and they all pull one way."""
    X = np.tile(100.0, (records + 4, 1))
    D = Problem(X, np.ones(len(X)), losses.linear, constraints.Everywhere())
    owners = np.array([0] * records + [1, 2, 3, 4])

    def path(D, owners, rng):
        return train(D, rng, owners=owners).path

    assert one_device_less(path, D, owners) == pytest.approx(1 / 3.0, rel=1e-8)


def test_clipping_records_in_place_of_the_update_is_caught():
    """Power: then a device moves the sum by as many clip norms as it has records."""
    X = np.tile(100.0, (8, 1))
    D = Problem(X, np.ones(8), losses.linear, constraints.Everywhere())
    made = MatrixMechanism(ENCODERS["each round"], T, 1, T)

    def path(D, _, rng):
        g = sum(D.clipped_record_gradient(D.zeros(), i, 0.7) for i in range(D.n))
        return np.atleast_1d(g) + 0.7 * 3.0 * rng.standard_normal(1)

    owners = np.array([0, 0, 0, 0, 1, 2, 3, 4])
    assert made.event(3.0).mu == 1 / 3.0
    assert one_device_less(path, D, owners) == pytest.approx(4 / 3.0, rel=1e-8)


def test_dividing_by_how_many_came_is_caught():
    """Power: who leaves changes everybody's weight, and the price nearly doubles."""
    X = np.array([[-100.0], *[[100.0]] * 9])
    D = Problem(X, np.ones(10), losses.linear, constraints.Everywhere())

    def path(D, owners, rng, public=None):
        came = len(np.unique(owners))
        g = sum(D.clipped_record_gradient(D.zeros(), i, 1.0) for i in range(D.n))
        return np.atleast_1d(g) / (public or came) + 3.0 / 10 * rng.standard_normal(1)

    owners = np.arange(10)
    assert one_device_less(path, D, owners) > 1.9 / 3
    fixed = lambda *given: path(*given, public=10)  # noqa: E731
    assert one_device_less(fixed, D, owners) == pytest.approx(1 / 3, rel=1e-8)


def test_who_drops_out_leaves_the_others_weight_alone():
    """Half of the devices are never heard of: the model moves half as far."""
    D = Problem(np.ones((10, 1)), np.ones(10), losses.linear, constraints.Everywhere())
    half = ~ALWAYS
    half[:, [0, 1]] = True
    four = np.arange(10) % 4
    full, less = (
        train(D, Tape([]), owners=four, dropouts=gone).path for gone in (~ALWAYS, half)
    )
    assert np.allclose(less, full / 2, rtol=1e-9)
    assert full[-1, 0] == pytest.approx(4 * K * 0.7 * 0.5 / 3, rel=1e-9)


def test_a_device_that_diverges_adds_nothing_and_a_huge_one_its_clip_norm():
    D = fleet(loss=losses.squared)
    wild = D.X.copy()
    wild[::DEVICES] = 1e140  # both records of device 0
    D = replace(D, X=wild)
    kind = {"local_steps": 50, "local_learning_rate": 1e3}
    out = train(D, Tape([]), **kind)
    rest = np.arange(10) % DEVICES != 0
    less = Problem(D.X[rest], D.y[rest], D.loss, D.constraint)
    without = train(less, Tape([]), owners=(np.arange(10) % DEVICES)[rest], **kind)
    assert np.isfinite(out.path).all()
    assert np.array_equal(out.path, without.path)


def test_a_simulated_fleet_learns_digits():
    """A thousand simulated devices, ε = 2 for each device's whole data: 83 in 100."""
    digits, order = data.digits(), np.random.default_rng(0).permutation(1797)
    train_, test = order[:1500], order[1500:]
    loss = losses.softmax(10)
    D = Problem(digits.X[train_], digits.y[train_], loss, constraints.Everywhere())
    N, m, steps, d = 1000, 20, 300, 40
    plan = plan_fleet(
        N, cohort=m, steps=steps, separation=d, memory=1, epsilon=2.0, delta=1e-5
    )
    owners = data.dirichlet_owners(D.y, devices=N, concentration=0.3, rng=1)
    check_ins, dropouts = data.simulated_rounds(
        steps=steps, devices=N, check_in_rate=1 / (N / m - d + 1), dropout_rate=0.1,
        rng=2,
    )  # fmt: skip
    out = federated_ftrl(
        D, owners=owners, check_ins=check_ins, dropouts=dropouts,
        mechanism=plan.mechanism, cohort=m, clip_norm=1.0,
        noise_multiplier=plan.noise_multiplier, learning_rate=1.0, local_steps=5,
        local_learning_rate=2.0, rng=3,
    )  # fmt: skip
    guess = loss.scores(out.theta, digits.X[test]).argmax(axis=-1)
    assert out.event == plan.event
    assert np.mean(guess == digits.y[test]) > 0.78
    # about m devices come to a round, in the long run
    A = admitted_devices(check_ins, participations=8, separation=d)
    assert A[50:].sum(axis=1).mean() == pytest.approx(m, rel=0.15)


def test_mistakes_are_named():
    D = fleet()
    with pytest.raises(ValueError, match="`check_ins` must have 12 rows"):
        train(D, 0, check_ins=ALWAYS[:-1], dropouts=~ALWAYS[:-1])
    with pytest.raises(ValueError, match="`dropouts` must have the shape"):
        train(D, 0, dropouts=~ALWAYS[:-1])
    with pytest.raises(TypeError, match="`check_ins` must be a table of booleans"):
        train(D, 0, check_ins=ALWAYS.astype(float))
    with pytest.raises(ValueError, match="`owners` must be from 0 to 4"):
        train(D, 0, owners=np.arange(10))
    with pytest.raises(ValueError, match="`owners` must have shape"):
        train(D, 0, owners=np.arange(5))
    with pytest.raises(TypeError, match="`owners` must be a NumPy array of ints"):
        train(D, 0, owners=np.zeros(10))
    spaced = MatrixMechanism(ENCODERS["buffers"], T, 3, 4, equally_spaced=True)
    with pytest.raises(ValueError, match="`mechanism` must allow any distance"):
        train(D, 0, mechanism=spaced)
    with pytest.raises(ValueError, match="`relation` must keep the number"):
        train(D, 0, relation=Relation.ADD_REMOVE)


ROUNDS = np.ones((4, 2), dtype=bool)
BAD_INPUT = {
    federated_ftrl: {
        "problem": Problem(
            np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]]),
            np.ones(4),
            losses.absolute,
            constraints.Everywhere(),
        ),
        "owners": np.array([0, 0, 1, 1]),
        "check_ins": ROUNDS,
        "dropouts": ~ROUNDS,
        "mechanism": MatrixMechanism(Buffers((0.5,), (0.3,)), 4, 2, 2),
        "cohort": 2,
        "clip_norm": 1.0,
        "noise_multiplier": 1.0,
        "learning_rate": 1.0,
        "local_steps": 2,
        "local_learning_rate": 0.5,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "runs": (2,),
    },
}

SIX = np.ones((T, 6), dtype=bool)
COMMON = {
    "federated_ftrl": Case(
        federated_ftrl,
        losses.logistic,
        constraints.L2Ball(1.0),
        {
            "owners": np.arange(12) % 6,
            "check_ins": SIX,
            "dropouts": ~SIX,
            "mechanism": MECHANISMS["buffers"],
            **KNOWN,
            "noise_multiplier": LAM / 2,
            "relation": Relation.REPLACE,
        },
        path=T + 1,
        epsilon=0.7,
        delta=1e-6,
    )
}
