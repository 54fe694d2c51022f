"""Figures in hand: what the page computes is what Python computes, at random states."""

import random

import numpy as np
import pytest

from dpteach.figures.style import write
from tests.chapters.figures import declared
from tests.javascript import FORMS, Script

FIGURES = {
    place: figure
    for place, figure in declared().items()
    if figure.declaration.get("in_hand")
}
TAKE = """globalThis.dpteachTable = (id, hash, table) => {
  globalThis.table = table;
  globalThis.hand = dpteachInHand(table);
}"""


def engine(explorer, change=("", "")):
    """Load the script that the page loads for a figure."""
    script = Script(FORMS)
    script.engine.eval(TAKE + ";0")
    script.engine.eval(explorer.table()[0].replace(*change) + ";0")
    return script


def differences(explorer, script, count, seed=0):
    """Compare places to 1e-9, and every sentence, in random states and the corners."""
    states, out = explorer.states, []
    ends = [0, states.start, len(states.values) - 1]
    for state in [*ends, *random.Random(seed).sample(range(len(states.values)), count)]:
        drawn, texts = explorer.at(state)
        marks = script("(state) => hand.compute(state).marks", state)
        if len(marks) != len(drawn):
            return [f"{len(marks)} marks for {len(drawn)}"]
        for mark, outline in zip(drawn, marks, strict=True):
            far = np.abs(mark.outline - np.array(outline)) - 1e-9 * np.abs(mark.outline)
            if far.shape != mark.outline.shape or (far > 1e-9).any():
                out.append((states.values[state], mark.label, far.max()))
        said = script(
            "(state) => table.texts.map((text) => hand.word(text, state))", state
        )
        out += [pair for pair in zip(said, texts, strict=True) if pair[0] != pair[1]]
        at = script("(state) => hand.position(state)", state)
        assert at == states.positions[state].tolist()
        stops = "(state) => table.values.map((stop) => hand.word(stop, state))"
        assert script(stops, state) == [states.text(state, key) for key in states.keys]
        if not states.order:  # else the player searches: see test_in_hand_page
            assert script("(wanted) => hand.nearest(wanted)", at) == state
    return out


@pytest.mark.parametrize("place", FIGURES)
def test_the_page_computes_what_python_does(place):
    explorer = FIGURES[place].explorer
    assert differences(explorer, engine(explorer), 60) == []


@pytest.mark.parametrize("place", FIGURES)
def test_a_slider_of_numbers_has_so_many_stops_that_it_feels_continuous(place):
    states = FIGURES[place].explorer.states
    for key, stops in states.stops.items():
        steps = key == "t" and stops == list(range(1, stops[-1] + 1))  # none between
        assert isinstance(stops[0], str) or len(stops) >= 45 or steps, key


def test_there_are_at_least_four():
    assert len(FIGURES) >= 4


def test_the_comparison_has_power():
    """A formula that is off by a millionth is found, and so is a number in a text."""
    explorer = FIGURES["guessing_game.guessing.guessing_game"].explorer
    grown = "Math.exp(epsilon)", "Math.exp(epsilon * 1.000001)"
    assert differences(explorer, engine(explorer, grown), 5)
    blind = "blind: 100 *", "blind: 101 *"
    assert differences(explorer, engine(explorer, blind), 5)


def test_a_value_that_follows_is_compared_too():
    explorer = FIGURES["machines.cards.label"].explorer
    wrong = "follower: Math.sqrt(steps)", "follower: Math.cbrt(steps)"
    with pytest.raises(AssertionError):
        differences(explorer, engine(explorer, wrong), 5)


def test_numbers_are_written_as_python_writes_them():
    script = engine(FIGURES["guessing_game.guessing.guessing_game"].explorer)
    rng = np.random.default_rng(0)
    numbers = [0.0, 1.0, -3.0, 1234.5, 2e-4, 1e-7, -1e-7, 9.999e6, 3.2e7, 0.002, 99.96]
    numbers += (10 ** rng.uniform(-9, 9, 300) * rng.choice([-1, 1], 300)).tolist()
    said = script("(numbers) => numbers.map(hand.numeral)", numbers)
    assert said == [write(number) for number in numbers]
