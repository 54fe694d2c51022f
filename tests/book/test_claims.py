"""Published claims: every row is priced anew, and what the page says of them is so."""

from collections import Counter
from math import sqrt

import pytest
import yaml
from dpteach_book import published

from dpteach.accounting import delta_of, price_of
from dpteach.chapters.choosing.claims import CLAIMS, check_claim
from tests.public import ROOT

ROWS = yaml.safe_load((ROOT / "book" / "claims.yml").read_text("utf-8"))
PRICED = [(row, *published.price(row)) for row in ROWS]
PAGE = (ROOT / "book" / "claims.md").read_text("utf-8")


KINDS = ("rate", "tree", "rho", "mu", "pure")


def named(source, name):
    return next(
        (row, proved, holds)
        for row, proved, holds in PRICED
        if (row["source"], row["name"]) == (source, name)
    )


def test_each_row_is_whole_and_there_once():
    names = [(row["source"], row["name"]) for row in ROWS]
    assert len(names) == len(set(names)) == 50
    for row in ROWS:
        assert {"name", "source", "where", "epsilon", "delta", "missing"} <= set(row)
        kinds = [kind for kind in KINDS if kind in row]
        assert len(kinds) == 1
        assert row["missing"].endswith(".")


@pytest.mark.parametrize("k", range(len(ROWS)))
def test_each_proved_price_is_one(k):
    """Both sides agree where a distribution is known, and δ at ε is the claim's."""
    row, proved, _ = PRICED[k]
    event = published.event_of(row)
    found = price_of(event, delta=row["delta"])
    assert found.epsilon == proved
    assert delta_of(event, proved) <= row["delta"] * (1 + 1e-6)
    if "rho" not in row:
        assert found.lower == pytest.approx(proved, rel=1e-6)


def test_what_holds():
    """And only a claim that holds is below its printed number, give or take 0.5 %."""
    assert Counter(holds for *_, holds in PRICED) == {
        "yes": 38, "with Poisson sampling": 9, "no": 3,
    }  # fmt: skip
    for row, proved, holds in PRICED:
        assert (proved <= row["epsilon"] * 1.005) == (holds != "no")
        assert "sampling" not in row or row["sampling"] in (
            "coins", "shuffled", "not stated",
        )  # fmt: skip


def test_two_that_do_not_hold_come_from_a_central_limit():
    """The lower side of the price is above the claim: no accountant could save it."""
    failed = [(row, proved) for row, proved, holds in PRICED if holds == "no"]
    assert failed.pop()[0]["name"] == "Electricity at home, with a sample"
    assert all("central limit" in row["name"] for row, _ in failed)
    more = []
    for row, _ in failed:
        found = price_of(published.event_of(row), delta=row["delta"])
        assert found.lower > row["epsilon"]
        more.append(100 * (found.lower / row["epsilon"] - 1))
    assert [round(each) for each in more] == [5, 9]
    assert "five and nine percent" in PAGE


def test_the_first_epoch_of_opacus():
    row, proved, _ = named("yousefpour2021opacus", "MNIST, after 1 epoch")
    assert round(proved, 2) == 0.21
    assert row["epsilon"] == 0.71


def test_parts_that_are_pure_add_up():
    """The sum is the printed number, or a little less; the sample's is another one."""
    parts = [(row, proved) for row, proved, _ in PRICED if "pure" in row]
    assert len(parts) == 9
    for row, proved in parts:
        epsilon, delta = row.get("approximate", (0.0, 0.0))
        assert proved == pytest.approx(sum(row["pure"]) + epsilon, rel=1e-12)
        assert delta == row["delta"]
    row, proved, _ = named("opendp2026differential", "Google, searches for symptoms")
    assert proved == pytest.approx(1.659)
    assert row["epsilon"] == 1.68
    # 0.843 is the share that was sampled, times the rest
    row, proved, _ = named(
        "opendp2026differential", "Electricity at home, with a sample"
    )
    assert row["epsilon"] == pytest.approx(0.124 * proved, rel=1e-3)
    assert "is a product" in PAGE


def test_the_largest_printed_number_is_five_thousand_times_too_large():
    row, proved, _ = named(
        "google2019tensorflow", "A hundred million records, hardly any noise"
    )
    assert round(proved, 2) == 1198.93
    assert 4900 < row["epsilon"] / proved < 5000
    assert "five thousand times" in PAGE


def test_the_census_converts_as_others_do():
    found = [each for each in PRICED if each[0]["name"].startswith("Census")]
    assert len(found) == 4
    for row, proved, _ in found:
        assert proved == pytest.approx(row["epsilon"], rel=0.04)


def test_the_two_numbers_of_the_shared_links_are_not_of_one_release():
    row, *_ = named("opendp2026differential", "Facebook, shared links, all actions")
    assert "0.0728" in row["missing"]
    assert sqrt(2 * 0.0728) > 1.01 * row["mu"]


def test_trees_are_those_of_the_chapter():
    squares = [published.event_of(row).releases for row in ROWS if "tree" in row]
    assert squares == [11, 11, 4129, 79]


def test_less_noise_would_be_seen():
    """Power: with a fifth less noise, the examples of Opacus no longer hold."""
    row, *_ = named("yousefpour2021opacus", "MNIST, 45 epochs")
    assert published.price({**row, "noise_multiplier": 0.56})[1] == "no"


def test_the_chapter_and_the_page_price_alike():
    for row, proved, holds in PRICED:
        if "rate" in row:
            part, whole = row["rate"]
            said = check_claim(
                row["epsilon"], row["delta"], rate=part / whole, steps=row["steps"],
                noise_multiplier=row["noise_multiplier"], sampling=row["sampling"],
            )  # fmt: skip
            assert (said.with_coins, said.holds) == (proved, holds)
    settings = [(row["epsilon"], row.get("noise_multiplier")) for row in ROWS]
    shared = [c for c in CLAIMS if (c.epsilon, c.noise_multiplier) in settings]
    assert len(shared) >= 3


def test_settings_are_written_out():
    row, *_ = named("mcmahan2022federated", "A keyboard, Gboard in Spanish")
    assert published.settings(row).endswith("6 turns at most")
    row, *_ = named("google2019tensorflow", "StackOverflow, DP-FTRL")
    assert published.settings(row).endswith("1 turn at most")
    row, *_ = named("google2019tensorflow", "MNIST, 1 epoch")
    assert "$q = 256/60{,}000$, $T = 234$, shuffled" in published.settings(row)
    row, *_ = named("opendp2026differential", "Google, visits in the pandemic")
    assert published.settings(row) == r"$\varepsilon = 1.76 + 0.44 + 0.44$"
