"""Randomized response and three broken ways: what each costs, and that it is seen."""

import numpy as np
import pytest

from dpteach.accounting import epsilon_of
from dpteach.auditing import event_epsilon_lower_bound
from dpteach.auditing.leaky_answers import TIMES, leaky_responses
from dpteach.mechanisms import randomized_response_probabilities
from dpteach.privacy import Pure, Relation

RUNS = 100_000


def bound(ask, seed):
    """Audit "every report is yes", or its opposite; wrong with probability 1e-6."""
    yes = [
        int(ask(np.full(RUNS, bit), np.random.default_rng([seed, bit])).all(0).sum())
        for bit in (0, 1)
    ]
    return event_epsilon_lower_bound(
        yes[1], RUNS, yes[0], RUNS, delta=0.0, false_alarm=1e-6, either_way=True
    )


@pytest.mark.claim(
    "01-guessing-game", "The audit believes randomized response.", order=10
)
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_the_audit_believes_randomized_response(epsilon):
    """False alarm 1e-6; and the bound comes within a fifth of the truth."""
    found = bound(leaky_responses(epsilon)["nothing"], 1)
    assert 0.8 * epsilon < found <= epsilon


@pytest.mark.claim(
    "01-guessing-game",
    "The audit catches each way that leaves something out.",
    order=11,
)
@pytest.mark.parametrize("missing", ["a memory", "the lies of one side", "a secret"])
def test_the_audit_catches_what_is_left_out(missing):
    """Power: at ε = 1 each broken way shows at least three times its claim."""
    assert bound(leaky_responses(1.0)[missing], 2) > 3


def test_answers_that_were_asked_again_cost_what_basic_composition_says():
    """ε is 5 for five reports: the table of all 32 outcomes, counted."""
    ask = leaky_responses(1.0)["a memory"]
    seen = ask(np.ones(RUNS, dtype=int), np.random.default_rng(3))
    assert seen.shape == (TIMES, RUNS)
    lie, truth = randomized_response_probabilities(2, epsilon=1.0)[1]
    assert seen.mean() == pytest.approx(truth, abs=0.005)
    yes = np.arange(TIMES + 1)
    having, lacking = (
        truth**yes * lie ** (TIMES - yes),
        lie**yes * truth ** (TIMES - yes),
    )
    largest = float(np.log(having / lacking).max())
    again = Pure(1.0, releases=TIMES, relation=Relation.REPLACE)
    assert largest == pytest.approx(TIMES) == epsilon_of(again, 1e-12)


def test_what_the_two_other_ways_show_is_certain():
    """A report of no under "the lies of one side" is true; without a secret, all are.

    So no ε holds: the ratio of the probabilities is infinite.
    """
    rng, bits = np.random.default_rng(4), np.arange(1000) % 2
    one_side = leaky_responses(1.0)["the lies of one side"](bits, rng)[0]
    assert (bits[one_side == 0] == 0).all()
    assert (one_side == 0).sum() > 300
    assert (leaky_responses(1.0)["a secret"](bits, rng)[0] == bits).all()


BAD_INPUT = {
    leaky_responses: {"epsilon": 1.0},
}
