"""Search finds the section first, shows a line of it, and never moves the page."""

from urllib.parse import quote

import pytest

from tests.book.test_pages import PAGES
from tests.browser import frame

pytestmark = pytest.mark.browser

# What is typed, and what must come first.
WANTED = {
    "Theorem 6.10": "chapters/09-dp-sgd.html#thm-dp-sgd-privacy",
    "theorem 9.1": "chapters/09-dp-sgd.html#thm-dp-sgd-privacy",
    "Theorem 6.14": "chapters/13-dp-ftrl.html#thm-ftrl-privacy",
    "Algorithm 3": "chapters/09-dp-sgd.html#alg-dp-sgd",
    "Algorithm 6": "chapters/17-frank-wolfe.html#alg-private-frank-wolfe",
    "E-19": "book/errata.html#e-19",
    "e-24": "book/errata.html#e-24",
    "Exercise 9.1": "chapters/09-dp-sgd.html#exercise-",
    "rejection": "chapters/07-exponential-mechanism.html#drawing-exactly",
    "amplification": "chapters/10-amplification.html#",
    "noise multiplier": "chapters/09-dp-sgd.html#epsilon-noise-and-steps-are-one-choic",
    "clipping": "chapters/09-dp-sgd.html#what-clipping-does",
    "gradient clipping": "chapters/09-dp-sgd.html#what-clipping-does",
    "DP-FTRL": "chapters/13-dp-ftrl.html#dp-ftrl-follow-the-leader",
    "DP-SGD": "chapters/09-dp-sgd.html#dp-sgd-clipped-noisy",
    "sgd": "chapters/09-dp-sgd.html#dp-sgd-clipped-noisy",
    "dp_sgd": "book/api/gradients.html#dpteach.algorithms.gradients.sgd.dp_sgd",
    "BANCO": "chapters/20-banco.html#banco-betting",
    "Frank-Wolfe": "chapters/17-frank-wolfe.html#private-frank-wolfe-votes-among-corne",
    "binary tree": "chapters/12-prefix-sums.html#alg-tree",
    "matrix factorization": "chapters/15-matrix-factorization.html#matrix-fact",
    "advanced composition": "chapters/03-composition.html#thm-advanced",
    "sensitivity": "chapters/02-sensitivity.html#sensitivity",
    "group privacy": "chapters/18-limits.html#packing-data-sets-far-apart",
    "post-processing": "chapters/01-guessing-game.html#what-is-free-and-what-adds-up",
    "local privacy": "chapters/19-local-privacy.html#local-privacy-each",
    "check-ins": "chapters/21-check-ins.html#shuffling-and-random-check-ins",
    "shuffling": "chapters/21-check-ins.html#shuffling",
    "strong convexity": "chapters/09-dp-sgd.html#strong-convexity",
    "objective perturbation": "chapters/08-objective-perturbation.html#objective-pert",
    "regret": "chapters/05-convex-optimization.html#record-by-record-regret",
    "lasso": "chapters/17-frank-wolfe.html#private-frank-wolfe-votes-among-corners",
    "Laplace mechanism": "chapters/02-sensitivity.html#laplace-noise",
    "Rényi divergence": "chapters/03-composition.html#one-number-that-adds-up",
    "tracing": "chapters/18-limits.html#tracing-accurate",
    "λ": "book/notation.html#symbol-noise-multiplier",
    "Λ": "book/notation.html#symbol-regularization",
    "privacy loss distribution": "chapters/04-how-accountants-compute.html#the-pri",
    "errata": "book/errata.html#errata-in-the-sources",
    "glossary": "book/glossary.html#glossary",
    "renyi divergence": "chapters/03-composition.html#one-number-that-adds-up",
    "RDP": "chapters/03-composition.html#one-number-that-adds-up",
    "GDP": "chapters/03-composition.html#one-number-that-adds-up",
    "tree": "chapters/12-prefix-sums.html#prefix-sums-the-tree-mechanism",
    "zCDP": "chapters/03-composition.html#one-number-that-adds-up",
    "subsampling": "chapters/10-amplification.html#amplification-by-sampling-promise-a",
    "hyperparameters": "chapters/23-machines.html#what-tuning-costs",
    "federated learning": "chapters/16-fleet-of-devices.html#a-fleet-of-devices",
    "moments accountant": "chapters/03-composition.html#five-ways-to-state-a-promise",
    "tree mechanism": "chapters/12-prefix-sums.html#prefix-sums-the-tree-mechanism",
    "install": "book/how-to-read.html#run",
    "chapter 14": "chapters/14-dp-ftrl-in-practice.html#",
    "ch. 17": "chapters/17-frank-wolfe.html#",
    "lambda": "book/notation.html#symbol-noise-multiplier",
    "syllabus": "book/syllabi.html#",
    "bibliography": "book/references.html#references",
    "LLM": "chapters/",
    "generalization error": "chapters/06-private-erm.html#from-these-records-to-the-ne",
    "laplacian mechanism": "chapters/02-sensitivity.html#laplace-noise",
    "hyperparameter tuning": "chapters/20-banco.html#",
    "poisson subsampling": "chapters/10-amplification.html#thm-amplification",
    "Deep Learning with Differential Privacy": "book/references.html#id",
    "RAPPOR": "book/references.html#id",
    "gausian mechanism": "chapters/02-sensitivity.html#gaussian-noise",
    "dpsgd": "chapters/09-dp-sgd.html#dp-sgd-clipped-noisy",
    "DPFTRL": "chapters/13-dp-ftrl.html#dp-ftrl-follow-the-leader",
    "calibrate": "chapters/03-composition.html#from-a-budget-to-the-noise",
    "how much noise": "chapters/09-dp-sgd.html#epsilon-noise-and-steps",
    "how do I choose epsilon": "book/questions.html#what-epsilon-is-good",
    "what delta should I use": "book/questions.html#which-delta",
    "is epsilon 8 safe": "book/questions.html#what-epsilon-is-good",
    "can I use Adam": "book/questions.html#is-adam-worse",
    "what is differential privacy": "chapters/01-guessing-game.html#the-promise",
    "membership inference": "chapters/18-limits.html#tracing-accurate-means",
    "Thakurta": "book/references.html#id",
    "Abadi": "book/references.html#id",
    "gradiant clipping": "chapters/09-dp-sgd.html#what-clipping-does",
}
# The thirty questions, as people type them: each finds its answer, which links further.
THIRTY = {
    "I have a table what do I run": "i-have-a-table",
    "columns with words and gaps": "my-columns-have-words",
    "are my rows enough": "are-my-2-000-rows",
    "rare class": "one-class-is-rare",
    "may I report test accuracy": "may-i-report-test",
    "XGBoost": "would-xgboost",
    "CNN": "my-model-is-a-cnn",
    "a million phones": "a-million-phones",
    "more columns than rows": "i-have-far-more-columns",
    "same data again next month": "may-i-use-the-same-data",
    "may I shuffle batches": "may-i-shuffle",
    "divide by actual or expected batch size": "do-i-divide",
    "why is the clip norm not in epsilon": "why-is-the-clip-norm",
    "how do I choose the clip norm": "how-do-i-choose",
    "noise on the sum or the mean": "does-noise-belong",
    "is clipping alone enough": "is-clipping-alone",
    "what epsilon is good": "what-epsilon-is-good",
    "which delta": "which-delta",
    "larger epsilon changes nothing": "why-does-a-larger",
    "is Adam worse": "is-adam-worse",
    "what does tuning cost": "what-does-tuning-cost",
    "why no BatchNorm": "why-is-batchnorm",
    "gradient accumulation virtual batches": "how-do-gradient-accumulation",
    "may I resume": "may-i-resume",
    "secure noise seed": "do-i-need-secure-noise",
    "replace or add remove factor 2": "replace-a-record",
    "clip per layer": "should-i-clip-per-layer",
    "user-level rate and steps": "user-level-privacy",
    "is DP-FTRL just SGD": "is-dp-ftrl-just-sgd",
    "LoRA": "does-lora-work",
}
RESULTS = """() => [...document.querySelectorAll("#search-results li")].map((row) => ({
  to: row.querySelector("a").getAttribute("href").replace(/^[.]\\//, ""),
  title: row.querySelector("a").textContent.toLowerCase(),
  why: row.querySelector(".why").textContent,
  text: row.querySelector("p")?.textContent ?? "",
  marks: row.querySelectorAll("mark").length,
}))"""


@pytest.fixture
def ask(visit, book):
    """Search, one question after another, without one complaint; return the results."""
    seen = visit((book / "search.html").as_uri())
    box = seen.page.get_by_role("searchbox")

    def asked(question):
        box.fill(question)
        box.press("Enter")
        return seen.page.evaluate(RESULTS)

    yield asked
    assert seen.errors == []


def test_what_is_wanted_comes_first(ask):
    """Sixty questions, asked of the book on disk."""
    missed = {}
    for question, wanted in WANTED.items():
        found = ask(question)
        if not found or not found[0]["to"].startswith(wanted):
            missed[question] = [each["to"] for each in found[:3]]
    assert missed == {}
    assert len(WANTED) >= 30


def test_each_of_the_thirty_questions_is_two_clicks_away(book, ask):
    """One click on one of three results, and one on the link that is there."""
    text = (book / "book/questions.html").read_text()
    missed = {}
    for question, anchor in THIRTY.items():
        found = ask(question)
        first = [each["to"] for each in found[:3]]
        if not any(
            to.startswith((f"book/questions.html#{anchor}", "chapters/24-"))
            for to in first
        ):
            missed[question] = first
        section = text.partition(f'id="{anchor}')[2].partition("</section>")[0]
        assert 'href="../chapters/' in section, anchor
    assert missed == {}
    assert len(THIRTY) == 30


def test_each_result_shows_a_line_with_what_was_found(ask):
    for question in ("clipping", "tree noise", "epsilon"):
        found = ask(question)
        assert len(found) > 10
        word = question.split()[0]
        told = [each["marks"] > 0 or word[:5] in each["title"] for each in found]
        assert sum(told) > 0.9 * len(told)  # the others, by their chapter
        for each in found:
            assert "\\" not in each["text"]  # no raw TeX
            assert len(each["text"]) < 260


def test_each_result_says_why_it_is_there(ask):
    """Its kind and where the words are, or the term that its section explains."""
    first, second, *rest = [each["why"] for each in ask("clipping")]
    assert first == "Section that explains “clipping”"
    assert second.startswith("Glossary: found in its title")
    assert all(": found in its " in why for why in rest)
    assert ask("Steinke")[0]["why"] == "Reference: by this author"
    whys = [each["why"] for each in ask("is epsilon 8 safe")]
    assert any("without “safe”" in why for why in whys)


def test_a_term_names_the_section_that_explains_it(book):
    """The section is among the entries, so that it can come before the term."""
    import json

    text = (book / "_static" / "search-entries.js").read_text()
    entries = json.loads(text.removeprefix("window.dpteachEntries=").rstrip(";\n"))
    sections = {e["to"] for e in entries if e["kind"] in {"section", "page"}}
    terms = [entry for entry in entries if entry["kind"] == "term"]
    assert len(terms) > 80
    assert {entry["home"] for entry in terms} <= sections


def test_a_misspelled_word_is_said(book, visit, ask):
    ask("gausian mechanism")
    page = visit(f"{(book / 'search.html').as_uri()}?q=gausian").page
    assert "read as “gaussian”" in page.inner_text("#search-status")


def test_functions_come_after_the_book(ask):
    """Of a word that is in both; but a function's own name finds it."""
    found = ask("noise multiplier")
    api = [k for k, each in enumerate(found) if each["to"].startswith("book/api")]
    ours = [k for k, each in enumerate(found) if each["to"].startswith("chapters")]
    assert min(ours) < 3
    assert not api or min(api) > 10
    found = ask("dp_sgd_noise_multiplier")
    assert found[0]["to"].endswith("sgd.dp_sgd_noise_multiplier")


def test_nothing_found_is_said(book, visit, ask):
    assert ask("zzyzx") == ask("") == []
    page = visit(f"{(book / 'search.html').as_uri()}?q=zzyzx").page
    assert "Nothing was found" in page.inner_text("#search-status")


def test_every_result_leads_to_an_anchor_that_is_there(book):
    import json

    text = (book / "_static" / "search-entries.js").read_text()
    entries = json.loads(text.removeprefix("window.dpteachEntries=").rstrip(";\n"))
    kinds = {entry["kind"] for entry in entries}
    assert kinds == {
        *("page", "section", "statement", "exercise", "figure"),
        *("term", "row", "reference", "erratum", "api"),
    }
    pages: dict[str, str] = {}
    assert {
        entry["kind"] for entry in entries if entry["to"].startswith("book/teach/")
    } == {"page"}  # what a lecture shows is found once, in its chapter
    for entry in entries:
        page, _, anchor = entry["to"].partition("#")
        if page not in pages:
            pages[page] = (book / page).read_text()
        assert f'id="{anchor}"' in pages[page], entry
    assert {entry["to"].partition(".html")[0] for entry in entries} >= set(PAGES) - {
        "search"
    }


def test_a_question_of_another_page_and_what_is_typed_then(book, visit):
    """Each is in the address, so that Back from a result shows the results again."""
    page = visit(f"{(book / 'search.html').as_uri()}?q={quote('tree noise')}").page
    box, status = page.get_by_role("searchbox"), page.locator("#search-status")
    assert box.input_value() == "tree noise"
    assert "for “tree noise”" in status.inner_text()
    before = page.evaluate(RESULTS)
    box.press("End")
    box.press_sequentially(" renyi")
    status.filter(has_text="for “tree noise renyi”").wait_for()
    assert page.url.endswith(f"?q={quote('tree noise renyi')}")
    assert page.title().startswith("tree noise renyi · ")
    box.fill("tree noise")
    box.press("Enter")
    assert page.evaluate(RESULTS) == before
    page.locator("#search-results a").first.click()
    page.wait_for_load_state()
    page.go_back()
    assert "for “tree noise”" in status.inner_text()
    box.fill("")
    box.press("Enter")
    assert "Type a word" in status.inner_text()
    assert page.evaluate(RESULTS) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_typing_does_not_move_the_page(width, book, visit):
    page = visit((book / "chapters/09-dp-sgd.html").as_uri(), width=width).page
    page.evaluate("scrollTo({ top: 5000, behavior: 'instant' })")
    frame(page)
    before = page.evaluate("scrollY")
    page.keyboard.press("/")
    page.keyboard.type("noise", delay=30)
    page.wait_for_timeout(400)
    assert page.evaluate("document.activeElement.value") == "noise"
    assert abs(page.evaluate("scrollY") - before) < 2


def test_a_link_within_the_page_stops_below_the_bar(book, visit):
    url = (book / "chapters/09-dp-sgd.html").as_uri()
    page = visit(f"{url}#what-clipping-does").page
    bar = page.locator(".bar").bounding_box()["height"]
    for _ in range(50):  # the page glides there
        page.wait_for_timeout(100)
        top = page.locator("#what-clipping-does").bounding_box()["y"]
        if bar <= top + 1 < bar + 80:
            return
    raise AssertionError(top)
