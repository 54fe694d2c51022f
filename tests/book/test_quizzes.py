"""Paper quizzes: keys agree with formulas by hand, and variants differ."""

import itertools
import re
from math import comb, cosh, exp, log, log2, pi, sinh, sqrt, tanh

import pytest
import quizzes
from quiz_problems import PROBLEMS

NAMES = {problem.name: problem for problem in PROBLEMS}


def odds(percent, eps):
    before = percent / (100 - percent) * exp(eps)
    return before / (1 + before)


def soft(scores, c):
    return exp(c * scores[0]) / sum(exp(c * score) for score in scores)


def honaker(t):
    heights = [h for h in range(12) if t >> h & 1]
    return sum(2**h / (2 ** (h + 1) - 1) for h in heights)


def met(first, second):
    """Add up c² over the node that ends at each step."""
    nodes = [(t - (t & -t) + 1, t) for t in range(1, 9)]
    return sum((int(a <= first <= b) + int(a <= second <= b)) ** 2 for a, b in nodes)


def central(k):
    return comb(2 * k, k) / 4**k


L6 = log(1e6)
# The key of each problem by the formula of its chapter, with nothing of the package.
BY_HAND = {
    "belief": odds,
    "belief_falls": lambda percent, eps: odds(percent, -eps),
    "truth": lambda K, eps: exp(eps) / (exp(eps) + K - 1),
    "group_epsilon": lambda k, eps: k * eps,
    "group_delta": lambda k, eps: sum(exp(j * eps) for j in range(k)),
    "even_odds": lambda eps: exp(eps) / (1 + exp(eps)),
    "misses": lambda alpha, eps: max(
        0.99 - exp(eps) * alpha, exp(-eps) * (0.99 - alpha)
    ),
    "clip_two": lambda a, b, L: 3 * min(a, L / 5) + 0.3 * min(b, 2 * L),
    "shift": lambda D, s: D / s,
    "replaced_mu": lambda lam: 2 / lam,
    "one_draw": lambda s, p: sqrt(p) / s,
    "choose": lambda gap, c: soft((5, 5 - gap, 5 - 2 * gap), c),
    "add_up": lambda T, eps: T * eps,
    "advanced": lambda T, eps: eps * sqrt(2 * T * L6) + T * eps * tanh(eps / 2),
    "squares": lambda lam, T: sqrt(T) / lam,
    "concentrated": lambda rho: rho + 2 * sqrt(rho * L6),
    "rest_of_budget": lambda lam, T, z: sqrt(T / lam**2 + 1 / z**2),
    "best_rate": lambda R, L, T: R * L / sqrt(T),
    "fixed_rate": lambda R, eta, T: R**2 / (2 * eta * T) + eta / 2,
    "moved_minimum": lambda L, Lam: 2 * L / Lam,
    "stopped_minimum": lambda g, Lam: (1 + 2 * g) / Lam,
    "output_risk": lambda n, Lam: 10 * n / Lam + Lam / 2,
    "exponent_risk": lambda p, c: p / c,
    "exponent": lambda eps, D, L: eps / (2 * L * D),
    "three_models": lambda gap, c, **_: soft((0, -gap, -3 * gap), c),
    "tilt": lambda eps, Lam: 1 / (eps - log(1 + 0.25 / Lam)),
    "tilt_risk": lambda p, lam, Lam: p * (p + 1) * lam**2 / (2 * Lam) + 2 * Lam,
    "textbook_noise": lambda eps, T: sqrt(2 * T * (L6 + eps)) / eps,
    "sgd_risk": lambda n, T, lam: (1 + 1 / (2 * T)) * sqrt((n**2 + 16 * lam**2) / T),
    "sgd_rate": lambda n, T, lam: 1 / sqrt(T * (n**2 + 16 * lam**2)),
    "fixed_size": lambda lam, **_: lam / 2,
    "levels": lambda n: int(log2(n)) + 1,
    "ones": lambda t: f"{t:b}".count("1"),
    "tree_mu": lambda n, lam: sqrt(int(log2(n)) + 1) / lam,
    "honaker": honaker,
    "twice": met,
    "passes": lambda E, lam: sqrt(E) / lam,
    "root": central,
    "root_error": lambda T: sum(central(k) ** 2 for k in range(T)),
    "vector_noise": lambda T: sqrt((T + 1) / 2),
    "votes_noise": lambda T, eps, L: 2 * L * sqrt(8 * T * L6) / eps,
    "corner": lambda a, b: 1 / (1 + exp(-a / b)) ** 2,
    "walk_risk": lambda n, T, b: 8 * n / (T + 1) + b * log(16),
    "packed": lambda eps, m, K: exp(eps * m) / K,
    "report_noise": lambda p, eps: 4 * (p**2 + p) / eps**2,
    "one_bit": lambda eps, G: G * cosh(eps / 2) / sinh(eps / 2),
    "tail": lambda p, eps: 16 * log(4 / 3) * (p + 1) / eps**2,
    "dummies": lambda n, m: m * (1 - 0.5 / m) ** n,
    "perfect": lambda n, risk: -log((risk / 2) ** (-1 / n) - 1),
    "all_coins": lambda r, risk: -log(risk ** (-1 / r) - 1),
    "micro_batches": lambda parts: sqrt(parts) / 4,
    "devices": lambda k, s: sqrt(k) / s,
}


def every(problem):
    for values in itertools.product(*problem.numbers.values()):
        yield dict(zip(problem.numbers, values, strict=True))


def test_there_are_forty_problems_or_more_and_each_has_a_formula():
    assert len(NAMES) == len(PROBLEMS) >= 40
    assert set(BY_HAND) == set(NAMES)
    chapters = {problem.chapter for problem in PROBLEMS}
    syllabi = (quizzes.ROOT / "book/syllabi.md").read_text("utf-8")
    assert f"from {len(chapters)} of the chapters" in syllabi


@pytest.mark.parametrize("name", NAMES)
def test_each_key_is_what_the_formula_gives(name):
    """For all numbers that a variant can have."""
    for numbers in every(NAMES[name]):
        by_hand = BY_HAND[name](**numbers)
        assert NAMES[name].answer(**numbers) == pytest.approx(by_hand, rel=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_four_variants_differ_in_text_and_at_least_two_keys_do(name):
    four = quizzes.variants(NAMES[name], 4, seed=1)
    assert len({each.text for each in four}) == 4
    every_key = {quizzes.rounded(NAMES[name].answer(**n)) for n in every(NAMES[name])}
    assert len(every_key) >= 4
    for each in four:
        assert "{" not in each.text
        for number in each.numbers.values():
            assert re.search(rf"(?<!\d){re.escape(str(number))}(?!\d)", each.text)


def test_a_seed_repeats_a_quiz_and_another_seed_does_not():
    texts = [
        [[each.text for each in sheet] for sheet in quizzes.quiz(PROBLEMS, 3, seed)]
        for seed in (5, 5, 6)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_the_page_has_a_sheet_for_each_variant_and_the_key_on_the_last():
    sheets = quizzes.quiz(quizzes.chosen("1,9", ""), 3, seed=2)
    *asked, key = quizzes.page(sheets, "Week <1>").split("<section>")[1:]
    assert len(asked) == 3
    for sheet, page in zip(sheets, asked, strict=True):
        assert page.count("<li>") == len(sheet)
        assert "&lt;1&gt;" in page
    for each in sheets[0]:
        assert f"<td>{each.key}</td>" in key


def test_what_cannot_be_printed_is_refused():
    with pytest.raises(ValueError, match="`--variants` must be from 1 to"):
        quizzes.variants(NAMES["micro_batches"], 40, seed=1)
    with pytest.raises(ValueError, match="`--problems` must be among"):
        quizzes.chosen("", "belief,nothing")
    with pytest.raises(ValueError, match="`--problems` must name each problem once"):
        quizzes.chosen("", "belief,truth,belief")
    for chapters in ("99", "1,99", "4", "1;9"):  # chapter 4 has no problem
        with pytest.raises(ValueError, match="`--chapters` must be among"):
            quizzes.chosen(chapters, "")


def test_spaces_in_a_list_do_not_matter():
    """A chapter behind a space was left out, and nothing said so."""
    assert quizzes.chosen("1, 9", "") == quizzes.chosen("1,9", "")
    assert {problem.chapter for problem in quizzes.chosen("1, 9", "")} == {1, 9}
    assert [p.name for p in quizzes.chosen("", "truth, belief")] == ["truth", "belief"]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        *((4.0, "4"), (0.5, "0.500"), (0.012345, "0.0123"), (pi, "3.14")),
        *((2 - 2e-16, "2"), (1 + 2e-16, "1"), (0.03125, "0.03125"), (116.43, "116")),
    ],
)
def test_keys_have_three_digits(value, written):
    assert quizzes.rounded(value) == written
