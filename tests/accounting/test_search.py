"""The search of ``calibrate``, by itself: where it goes, where it ends, what it asks.

A price may take seconds, so how often one is asked for is part of what is promised.
"""

import math

import pytest

from dpteach.accounting.search import bracket, private_end


class Asked:
    """A price that counts how often it is asked for."""

    def __init__(self, price):
        self.price, self.count = price, 0

    def __call__(self, x):
        self.count += 1
        return self.price(x)


def within(low, high, price):
    return lambda x: price(x) if low <= x <= high else None


@pytest.mark.parametrize("falls", [True, False], ids=["falls", "rises"])
@pytest.mark.parametrize(
    "target", [1e-15, 1e-4, 0.013, 0.77, 1.0, 1.3, 40.0, 1e7, 1e15]
)
def test_two_ends_are_found_wherever_the_price_meets_the_budget(target, falls):
    price = Asked((lambda x: target / x) if falls else (lambda x: x / target))
    costly, private = bracket(price, 1.0)
    assert price(costly) > 1.0 >= price(private)
    assert price.count <= 14


@pytest.mark.parametrize("falls", [True, False], ids=["falls", "rises"])
@pytest.mark.parametrize(
    ("low", "high"), [(0.3, 3.0), (6.0, 9.0), (1e-3, 0.2), (0.9, 1.1)]
)
def test_a_budget_is_found_next_to_either_end_of_the_range(low, high, falls):
    """Within a millionth of where the range ends, where no power of two is."""
    price = (lambda x: 1 / x) if falls else (lambda x: x)
    for x in (low * (1 + 1e-6), high * (1 - 1e-6)):
        found = bracket(within(low, high, price), price(x))
        assert found is not None, x
        costly, private = found
        assert price(costly) > price(x) >= price(private)
        assert low <= min(found) < max(found) <= high


def test_a_budget_beyond_the_range_is_not_found():
    price = within(0.3, 3.0, lambda x: 1 / x)
    assert bracket(price, 1 / 3.0 * (1 - 1e-6)) is None
    assert bracket(price, 1 / 0.3 * (1 + 1e-6)) is None


def test_a_range_far_from_1_is_found():
    for middle in (2.0**-50, 2.0**50):
        price = within(0.9 * middle, 1.1 * middle, lambda x, at=middle: at / x)
        costly, private = bracket(price, 1.0)
        assert costly < middle <= private


@pytest.mark.parametrize("near", [1e-3, 1e-6, 1e-9, 1e-13])
@pytest.mark.parametrize(
    "price",
    [
        lambda x: x**-2.0,
        lambda x: 1 / math.sqrt(x),
        lambda x: x + x**3,
        lambda x: math.exp(1 / x) - 1,
        lambda x: math.exp(-x * x),
    ],
    ids=["square", "root", "odd", "exponential", "normal"],
)
def test_the_end_is_private_and_near_the_budget_and_few_prices_are_asked(price, near):
    for budget in (0.02, 0.3):
        asked = Asked(price)
        costly, private = bracket(price, budget)
        x = private_end(asked, costly, private, budget, near)
        assert budget * math.exp(-near) * (1 - 1e-15) <= price(x) <= budget
        assert asked.count <= 24


def test_where_the_price_jumps_the_private_side_is_taken():
    for jump in (1.7, 0.003):
        asked = Asked(lambda x, jump=jump: 5.0 if x < jump else 1.0)
        x = private_end(asked, 1e-6, 1e6, 2.0, 1e-9)
        assert jump <= x <= jump * (1 + 1e-10)
        assert asked.count < 70


def test_where_the_price_is_flat_or_infinite_the_search_halves():
    """A secant between a price of 0 and one of ∞ leads nowhere."""
    for price in (
        lambda x: math.inf if x < 3.0 else 1 / (x - 2),
        lambda x: 0.0 if x > 3.0 else 9 - x * x,
    ):
        asked = Asked(price)
        x = private_end(asked, 1e-3, 1e9, 0.5, 1e-9)
        assert price(x) <= 0.5
        assert price(x * (1 - 1e-8)) > 0.5
        assert asked.count < 80


def test_a_gap_in_the_range_is_told():
    with pytest.raises(ValueError, match="range must have no gaps"):
        private_end(lambda x: None if 2 < x < 3 else 1 / x, 1.0, 9.0, 0.4, 1e-9)
