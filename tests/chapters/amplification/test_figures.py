"""The experiments of the chapter on sampling: what they must show, and its numbers."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpteach.accounting import epsilon_of, gaussian_epsilon
from dpteach.chapters.amplification import atlas, one_step, users
from dpteach.chapters.amplification.audits import SCHEMES
from dpteach.figures.marks import Cells, Points, Sentence
from dpteach.privacy import AllocatedGaussian, Relation


def rows():
    for key, cell in atlas.prices_of_sampling().items():
        epsilon, steps, epochs = key.split()
        yield (
            float(epsilon),
            int(steps),
            int(epochs),
            dict(zip(SCHEMES, cell["row"], strict=True)),
        )


@pytest.mark.claim(
    "10-amplification",
    "In every state of the atlas the audit is below the price, coins cost what is "
    "claimed, and balls and bins cost no more than coins.",
    order=4,
)
def test_the_atlas_is_in_order():
    for epsilon, _, _, row in rows():
        for scheme, (least, most) in row.items():
            assert least <= most * (1 + 1e-5) + 1e-5, scheme
        assert row["Poisson"][1] == pytest.approx(epsilon, abs=1e-5)
        assert row["balls and bins"][1] <= epsilon + 1e-5
        assert row["random allocation"][1] == row["balls and bins"][1]
        assert row["fixed order"][0] == row["fixed order"][1] == row["shuffled"][1]
        assert row["fixed size"][1] <= row["with replacement"][1] * (1 + 1e-5)
    assert sum(1 for _ in rows()) == 45


def test_the_table_of_the_chapter():
    row = next(row for e, T, E, row in rows() if (e, T, E) == (1.0, 1000, 1))
    told = {
        "fixed order": (7.41, 7.41),
        "shuffled": (7.35, 7.41),
        "fixed size": (11.5, 13.5),
        "with replacement": (17.8, 18.5),
        "balls and bins": (0.974, 0.977),
        "random allocation": (0.974, 0.977),
        "Poisson": (0.974, 1.00),
    }
    for scheme, pair in told.items():
        assert tuple(float(f"{x:.3g}") for x in row[scheme]) == pair, scheme
    many = next(row for e, T, E, row in rows() if (e, T, E) == (1.0, 1000, 20))
    assert [round(x, 2) for x in many["shuffled"]] == [0.68, 8.33]
    assert round(atlas._cell(1.0, 1000, 20)["noise"], 2) == 2.82
    assert round(atlas._cell(1.0, 1000, 1)["noise"], 4) == 0.6972


def test_picks_that_are_kept_cost_more():
    noise = atlas._cell(1.0, 1000, 20)["noise"]
    public = {"steps": 50, "relation": Relation.ADD_REMOVE}
    new = AllocatedGaussian(noise, **public, releases=20)
    kept = AllocatedGaussian(noise / math.sqrt(20), **public)
    assert epsilon_of(new, 1e-6) == pytest.approx(0.98, abs=5e-3)
    assert epsilon_of(kept, 1e-6) == pytest.approx(4.43, abs=5e-3)


def test_the_stored_prices_come_from_the_code():
    given = dict(atlas.prices_of_sampling.arguments)
    given |= {"epsilons": (1.0,), "steps": (100,), "epochs": (5,)}
    few = atlas.prices_of_sampling.compute(**given)
    assert few == {"1 100 5": atlas._cell(1.0, 100, 5)}
    given = dict(users.prices_of_users.arguments)
    given |= {"epsilons": (1.0,), "steps": (100,), "records": (1, 10)}
    (few,) = users.prices_of_users.compute(**given).values()
    whole = users.prices_of_users()["1 100"]
    assert few["prices"] == [whole["prices"][0], whole["prices"][3]]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_picture_shows_the_scheme(scheme):
    """A record comes once in each epoch, or not, as the scheme says."""
    drawn = atlas._drawn(scheme)
    assert drawn.shape == (atlas.ROWS, 2 * atlas.BATCHES)
    per_epoch = drawn.reshape(atlas.ROWS, 2, atlas.BATCHES).sum(axis=2)
    if scheme in ("fixed order", "shuffled", "balls and bins"):
        assert (per_epoch == 1).all()
    if scheme in ("fixed order", "shuffled", "fixed size", "with replacement"):
        assert (drawn.sum(axis=0) == 2).all()
    else:
        assert len(set(drawn.sum(axis=0))) > 2
    if scheme == "random allocation":
        assert (drawn.sum(axis=1) == 2).all()
    assert (drawn.max() > 1) == (scheme == "with replacement")
    others, mine, *marks = atlas.schemes(scheme, 1.0, 0.697, 1000, 1)
    assert isinstance(others, Cells)
    assert (mine.level > atlas.ABSENT).tolist() == (drawn[0] > 0).tolist()
    lit, *_ = marks
    assert lit.label == "the scheme shown"
    assert lit.y[lit.level > 0].tolist() == [len(SCHEMES) - SCHEMES.index(scheme)]


def test_bars_reach_from_the_claim_to_the_audit_and_on_to_the_proof():
    for epsilon, T, E, row in rows():
        marks = atlas.schemes("Poisson", epsilon, 1.0, T, E)
        audited, unknown, points = (
            next(mark for mark in marks if mark.label == label)
            for label in ("audited: at least", "not known", "accounted: at most")
        )
        least, most = np.array([row[scheme] for scheme in SCHEMES]).T
        ends = [
            (bar.x - bar.width / 2, bar.x + bar.width / 2) for bar in (audited, unknown)
        ]
        np.testing.assert_allclose(ends[0][0], epsilon)
        np.testing.assert_allclose(ends[0][1], np.maximum(least, epsilon))
        np.testing.assert_allclose(ends[1], (least, most))
        np.testing.assert_allclose(points.x, most)
        assert isinstance(points, Points)


def test_a_user_pays_more_than_record_by_record():
    for key, cell in users.prices_of_users().items():
        epsilon = float(key.split()[0])
        prices = np.array(cell["prices"])
        assert prices[0] == pytest.approx(epsilon, rel=1e-4)
        assert (np.diff(prices) > 0).all()
    told = users.prices_of_users()["1 1000"]["prices"]
    assert round(told[3], 1) == 13.5
    assert round(told[5]) == 122


@pytest.mark.claim(
    "10-amplification",
    "Amplification holds for 2,000 mechanisms drawn at random, in both directions, and "
    "randomized response meets it.",
    order=0,
)
def test_amplification_holds_for_random_mechanisms():
    rng = np.random.default_rng(3)
    for _ in range(2000):
        with_it, without = rng.dirichlet(np.full(5, rng.choice([0.1, 1.0])), size=2)
        q, promise = rng.uniform(0.01, 0.99), rng.uniform(0.05, 3)

        def price(p, r, epsilon):
            return np.maximum(p - math.exp(epsilon) * r, 0).sum()

        delta = max(price(with_it, without, promise), price(without, with_it, promise))
        mixed, epsilon = (1 - q) * without + q * with_it, one_step.amplified(promise, q)
        assert price(mixed, without, epsilon) <= q * delta + 1e-12
        assert price(without, mixed, epsilon) <= q * delta + 1e-12
    yes = 1 / (1 + math.exp(-1.0))
    mixed = 0.9 * (1 - yes) + 0.1 * yes
    assert math.log(mixed / (1 - yes)) == pytest.approx(one_step.amplified(1.0, 0.1))


def test_the_numbers_of_one_step():
    assert round(one_step.amplified(1.0, 0.01), 4) == 0.0170
    assert round(one_step.amplified(10.0, 0.01), 2) == 5.40
    assert round(0.8**10, 3) == 0.107
    mu = 1e-3 * math.sqrt(1000 * math.expm1(1 / 0.6972**2))
    assert gaussian_epsilon(mu, 1e-6) < 0.35  # the shortcut, where the truth is 1


def test_a_batch_of_random_size_is_what_the_figure_draws():
    for m in one_step.SIZES:
        size = np.arange(3 * m)
        ours = one_step._binomial(one_step.RECORDS, m / one_step.RECORDS, size)
        wanted = binom.pmf(size, one_step.RECORDS, m / one_step.RECORDS)
        np.testing.assert_allclose(ours, wanted, rtol=1e-8)
        *_, sentence = one_step.divisor(m, 1.0)
        assert isinstance(sentence, Sentence)
        few = int(sentence.text.split(" has at most ")[1].split()[0])
        assert binom.cdf(few - 1, one_step.RECORDS, m / one_step.RECORDS) < 0.05
        assert binom.cdf(few, one_step.RECORDS, m / one_step.RECORDS) >= 0.05


def test_dividing_by_the_actual_size_hides_as_little_as_the_figure_says():
    """k others at −1 and the record at 1: the mean moves by 2/(k + 1)."""
    for m, k, noise in ((16, 9, 1.0), (64, 80, 2.0)):
        others = np.full(k, -1.0)
        moved = np.append(others, 1.0).mean() - others.mean()
        *_, actual, _ = one_step.divisor(m, noise)
        at = np.interp(k / m, actual.x, actual.y)
        assert noise / m / moved == pytest.approx(at, rel=1e-2)


@pytest.mark.parametrize("n", [3, 5])
def test_a_binomial_size_first_is_poisson_sampling(n):
    """Every set of k records then has probability q^k (1 − q)^(n − k)."""
    q = 0.3
    for k in range(n + 1):
        chance = binom.pmf(k, n, q) / math.comb(n, k)
        assert chance == pytest.approx(q**k * (1 - q) ** (n - k), rel=1e-12)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`scheme` must be one of"):
        atlas.schemes("cyclic", 1.0, 0.7, 1000, 1)
    with pytest.raises(ValueError, match="`steps` must be one of"):
        atlas.schemes("Poisson", 1.0, 0.7, 999, 1)
    with pytest.raises(ValueError, match="`records_per_user` must be one of"):
        users.user_price(1.0, 1.5, 1000, 3)
    with pytest.raises(ValueError, match="`rate`"):
        one_step.coin(1.5, 1.0)
    with pytest.raises(ValueError, match="`batch_size` must be one of"):
        one_step.divisor(5, 1.0)
