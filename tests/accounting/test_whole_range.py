"""Prices over the whole range that the book promises: what was stored, drawn again."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.accounting import long, whole_range
from tests.samples import sampled

HERE = Path(__file__).parent
STORED = json.loads((HERE / "whole_range.json").read_text(encoding="utf-8"))
# how far beyond the truth, in ln δ, a side may lie: less than any digit of ε shows
NONE = 1e-12
AGAIN = {
    whole_range.gaussian: 20,
    whole_range.pure: 6,
    whole_range.sampled_gaussian: 2,
    whole_range.sampled_laplace: 4,
    whole_range.mixture: 1,
}
QUICK = (whole_range.gaussian, whole_range.pure, whole_range.sampled_laplace)


@pytest.mark.claim(
    "04-how-accountants-compute",
    "From 1 to a million releases, at rates from 10⁻⁷ to 1, no price lies below the "
    "truth, and its lower side never above it.",
    order=30,
)
def test_no_stored_price_was_beyond_the_truth():
    for family, count in whole_range.FAMILIES.items():
        rows = STORED[family.__name__]
        assert rows["settings"] >= count
        for by in ("truth", "dp-accounting"):
            for side in ("below", "above"):
                assert rows.get(f"{by}, {side}", -1) <= NONE, (family, by, side)
        assert rows["truth"] >= 0.4 * rows["settings"]
        assert rows["width, median"] < 1e-6
        assert rows.get("budgets met", 1) > 0


@pytest.mark.parametrize(
    "family", sampled(AGAIN, QUICK), ids=lambda family: family.__name__
)
def test_prices_are_between_their_sides_again(family):
    if not long.WIDE and family not in (whole_range.gaussian, whole_range.pure):
        pytest.skip("a long double is a double on this machine")
    for row in whole_range.sweep(family, AGAIN[family], seed=28):
        assert row.get("below", -1) <= NONE, row
        assert row.get("above", -1) <= NONE, row


def test_a_price_that_is_too_low_would_be_seen(monkeypatch):
    right = whole_range.price_of

    def too_low(event, *, delta):
        price = right(event, delta=delta)
        return replace(price, epsilon=price.epsilon * (1 - 1e-8))

    monkeypatch.setattr(whole_range, "price_of", too_low)
    for row in whole_range.sweep(whole_range.gaussian, 20, seed=28):
        assert row["below"] > NONE


def test_budgets_are_met_over_the_whole_range():
    rng = np.random.default_rng(29)
    found = [whole_range.promise(whole_range.gaussian, rng) for _ in range(10)]
    assert found.count("met") >= 9


@pytest.mark.skipif(not long.WIDE, reason="a long double is a double on this machine")
def test_the_integral_agrees_with_a_closed_form():
    mu = 0.7
    for epsilon in (0.1, 2.0):
        exact = float(whole_range.gaussian_log_delta(mu, epsilon))
        assert float(long.log_delta([], mu, epsilon, exact)) == pytest.approx(
            exact, abs=1e-13
        )
