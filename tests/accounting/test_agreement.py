"""Every price against independent figures: stored for 2,000 settings, drawn again."""

import json
from pathlib import Path

import pytest

from tests.accounting import agreement

HERE = Path(__file__).parent

# Prices go up by 1e-11 for rounding. An upper bound on a grid lies above, by its grid:
# grids are made finer until that is a thousandth.
MOST = {"moments": 1e-9, "samples": 1.1e-3}
AGAIN = {"samples": 6, "concentrated": 10}


@pytest.mark.claim(
    "04-how-accountants-compute",
    "Each closed form agrees with 50-digit arithmetic on 2,000 random settings, "
    "tails to 10⁻¹⁴ included.",
    order=2,
)
@pytest.mark.parametrize("family", agreement.FAMILIES, ids=lambda f: f.__name__)
def test_the_stored_agreement_is_of_two_thousand_settings_and_holds_again(family):
    stored = json.loads((HERE / "agreement.json").read_text(encoding="utf-8"))
    name = family.__name__
    most = MOST.get(name, 2e-10)
    assert stored["settings"] >= 2000
    assert stored["least_delta"] <= 1e-14
    assert stored["worst"][name] < most
    assert agreement.worst(family, AGAIN.get(name, 30), seed=21) < most


def test_a_price_at_a_slightly_larger_epsilon_would_not_pass(monkeypatch):
    right = agreement.delta_of
    monkeypatch.setattr(
        agreement, "delta_of", lambda event, e: right(event, e * (1 + 1e-8))
    )
    for family in (agreement.gaussian, agreement.mixture, agreement.one_sample):
        assert agreement.worst(family, 30) > 2e-10
