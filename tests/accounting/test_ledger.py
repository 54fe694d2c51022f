"""The ledger: what it affords, what is left, and that nothing is lost in JSON."""

import json
from math import sqrt

import numpy as np
import pytest
from scipy.stats import kstest

from dpteach.accounting import Ledger, epsilon_of, gaussian_mu, rho_of
from dpteach.privacy import (
    Composed,
    DiscreteGaussian,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    SampledLaplace,
    Selection,
)

ADD = Relation.ADD_REMOVE
EPSILON, DELTA = 1.0, 1e-6


def ledger(currency="concentrated", relation=ADD):
    return Ledger(EPSILON, DELTA, relation=relation, currency=currency)


@pytest.mark.claim(
    "03-composition",
    "A ledger in μ² can be spent to the last digit, in any shares, and then costs "
    "exactly its ε.",
    order=32,
)
@pytest.mark.parametrize("shares", [1, 7, 100])
def test_a_gaussian_ledger_is_spent_to_the_last_digit(shares):
    book, mu = ledger("gaussian"), gaussian_mu(EPSILON, DELTA)
    rng = np.random.default_rng(shares)
    for k, share in enumerate(rng.dirichlet(np.ones(shares))):
        event = Gaussian(1 / (mu * sqrt(share)), relation=ADD)
        assert book.affords(event)
        book = book.charge(f"{k}", event)
    assert book.price().epsilon == pytest.approx(EPSILON, rel=1e-9)
    assert book.left < 1e-5 * mu
    tiny = Gaussian(1e4 / mu, relation=ADD)
    assert not book.affords(tiny)
    with pytest.raises(ValueError, match="`event` must be affordable"):
        book.charge("more", tiny)


def test_what_is_left_can_be_spent_and_no_more():
    for currency in ("gaussian", "concentrated"):
        book = ledger(currency).charge("first", Gaussian(9.0, relation=ADD))
        rest = Gaussian(1 / book.left, relation=ADD)
        assert book.affords(rest)
        assert not book.affords(Gaussian(0.999 / book.left, relation=ADD))
        full = book.charge("rest", rest)
        assert full.left < 1e-5
        assert full.price().epsilon <= EPSILON * (1 + 1e-9)


@pytest.mark.parametrize(
    ("event", "rho"),
    [
        (Gaussian(2.0, releases=8, relation=ADD), 1.0),
        (Gaussian(2.0, relation=Relation.REPLACE), 0.5),
        (DiscreteGaussian(2.0, sensitivity=2, releases=3, relation=ADD), 1.5),
        (Pure(0.4, releases=5, relation=ADD), 0.4),
        (Selection(0.4, releases=5, relation=ADD), 0.1),
        (SampledLaplace(2.5, releases=5, relation=ADD), 0.4),
    ],
)
def test_rho_bounds_the_price(event, rho):
    """By the accountants, which do not use ρ: ε is at most what ρ allows."""
    assert rho_of(event) == pytest.approx(rho)
    twice = Composed((event, event))
    assert rho_of(twice) == pytest.approx(2 * rho)
    allowed = 2 * rho + 2 * sqrt(2 * rho * np.log(1e6))
    assert epsilon_of(twice, 1e-6) <= allowed


def test_what_has_no_rho_is_refused():
    sampled = SampledGaussian(2.0, rate=0.1, relation=ADD)
    with pytest.raises(ValueError, match="`event` must have a ρ"):
        ledger().affords(sampled)
    with pytest.raises(ValueError, match="must be a Gaussian event"):
        ledger("gaussian").affords(Pure(0.1, relation=ADD))
    with pytest.raises(ValueError, match="`event` must hold for"):
        ledger().affords(Pure(0.1, relation=Relation.REPLACE))


def test_json_keeps_all_of_it():
    book = ledger().charge("count", Pure(0.1, relation=ADD))
    both = Composed((Gaussian(40.0, releases=2, relation=ADD), Pure(0.1, relation=ADD)))
    book = book.charge("both", both).charge("pick", Selection(0.2, relation=ADD))
    assert Ledger.from_json(book.to_json()) == book
    told = json.loads(book.to_json())
    with pytest.raises(ValueError, match="`text` must be a ledger"):
        Ledger.from_json(json.dumps(told | {"format": "another"}))
    told["entries"][0]["event"]["kind"] = "Path"
    with pytest.raises(ValueError, match="`kind` must be one of"):
        Ledger.from_json(json.dumps(told))


def test_copies_merge_each_charge_once():
    common = ledger().charge("monday", Pure(0.1, relation=ADD))
    ours = common.charge("tuesday", Pure(0.13, relation=ADD))
    theirs = common.charge("wednesday", Pure(0.15, relation=ADD))
    merged = ours.merge(theirs)
    assert [name for name, _ in merged.entries] == ["monday", "tuesday", "wednesday"]
    assert merged.merge(theirs) == merged
    assert merged.spent == pytest.approx(ours.spent + theirs.spent - common.spent)
    with pytest.raises(ValueError, match="must not charge another event"):
        ours.merge(common.charge("tuesday", Pure(0.12, relation=ADD)))
    with pytest.raises(ValueError, match="Only copies of one ledger"):
        ours.merge(ledger("gaussian"))
    with pytest.raises(ValueError, match="must have different names"):
        common.charge("monday", Pure(0.1, relation=ADD))


def test_a_merge_that_spent_too_much_leaves_nothing():
    half = Gaussian(1 / (0.8 * gaussian_mu(EPSILON, DELTA)), relation=ADD)
    ours, theirs = (ledger("gaussian").charge(name, half) for name in ("a", "b"))
    merged = ours.merge(theirs)
    assert merged.left == 0
    assert not merged.affords(Gaussian(1e6, relation=ADD))
    assert merged.price().epsilon > EPSILON


def test_an_adaptive_run_under_the_filter_has_the_loss_of_one_gaussian():
    """The sum S of μ_t Y_t is N(0, μ²), by KS at 1e-6 over 50,000 adaptive runs.

    The next μ_t depends on the last output, and the rest is spent at the end. Power: a
    run that stops where S is large, and spends no rest, has another distribution.
    """
    rng, runs = np.random.default_rng(0), 50_000
    S, left, last = np.zeros(runs), np.ones(runs), np.zeros(runs)
    peak = np.zeros(runs)
    for t in range(20):
        square = left if t == 19 else np.minimum(left, np.where(last > 0, 0.2, 0.01))
        last = rng.standard_normal(runs)
        S, left = S + np.sqrt(square) * last, left - square
        peak = np.maximum(peak, S)
    assert kstest(S, "norm").pvalue > 1e-6
    assert kstest(peak, "norm").pvalue < 1e-6


BAD_INPUT = {
    rho_of: {"event": Pure(0.5, relation=ADD)},
    Ledger: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "relation": ADD,
        "currency": "concentrated",
        "entries": (("first", Pure(0.1, relation=ADD)),),
    },
}


def _runs_of_growing_steps(runs, steps, seed):
    """Losses so far, and ρ so far: each step doubles, and one that is lucky waits."""
    rng = np.random.default_rng(seed)
    loss, spent = np.zeros(runs), np.zeros(runs)
    for t in range(steps):
        rho = 1e-3 * 2.0**t * np.where(loss > spent, 1.0, 0.25)
        loss = loss + rho + np.sqrt(2 * rho) * rng.standard_normal(runs)
        spent = spent + rho
        yield loss, spent


@pytest.mark.claim(
    "03-composition",
    "The ladder of filters is an odometer that holds at all times at once; converting "
    "the sum as one reads it is none.",
    order=33,
)
def test_a_ladder_of_filters_is_an_odometer():
    """Seed 3. The ladder fails in fewer runs than δ = 0.05; the sum, in many more.

    With 20,000 runs a share of 0.05 is exceeded by 0.008 with probability below 1e-6.
    """
    delta, runs, steps = 0.05, 20_000, 50
    k = np.arange(1, 60)
    levels, shares = 1e-3 * 2.0**k, 6 * delta / (np.pi * k) ** 2
    reading = levels + 2 * np.sqrt(levels * np.log(1 / shares))
    late, naive = np.zeros(runs, bool), np.zeros(runs, bool)
    for loss, spent in _runs_of_growing_steps(runs, steps, 3):
        late |= loss > reading[np.searchsorted(levels, spent)]
        naive |= loss > spent + 2 * np.sqrt(spent * np.log(1 / delta))
    assert late.mean() < delta + 0.008
    assert naive.mean() > 2 * delta
