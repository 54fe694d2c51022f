"""A figure fits its screen: what is moved and what it moves are seen together."""

import pytest

from tests.browser import frame

pytestmark = pytest.mark.browser
LAPTOP, PHONE = (1366, 768), (390, 844)

SIZES = """() => [...document.querySelectorAll("figure.dpt")].map((figure) => {
  const { top, height } = figure.getBoundingClientRect();
  const said = figure.querySelector(".dpt-said").getBoundingClientRect();
  return [figure.id, said.bottom - top, height];
})"""

# A row for each of five parameters, one with seven words; one with steps, that plays.
TALLER = {"sampling-atlas": 730, "five-accountants": 760}
# On a phone: four or five parameters, a legend of six entries, or a question with them.
TALLER_ON_A_PHONE = {
    "sampling-atlas": 1115,
    "where-updates-go": 1075,
    "which-algorithm": 1045,
    "network-accuracy": 1030,
    "noise-and-steps": 980,
    "corner-votes": 965,
    "digits-accuracy": 965,
    "fleet-rounds": 945,
    "exponential-chain": 940,
    "five-accountants": 940,
    "gambler": 935,
    "classical-and-exact": 910,
    "exponential-density": 910,
    "guess-who-left": 905,
    "objective-solver": 895,
    "guessing-game": 880,
    "noise-and-odds": 870,
    "risk-against-steps": 870,
}

# Each slider at the lowest place at which a hand reaches it: is the picture in sight?
TOGETHER = """async () => {
  const bar = document.querySelector(".bar").getBoundingClientRect().bottom;
  const hidden = [];
  for (const figure of document.querySelectorAll("figure.dpt")) {
    const picture = figure.querySelector(".dpt-picture");
    const moved = "input:not([type=radio]:not(:checked))";
    for (const slider of figure.querySelectorAll(moved)) {
      if (!slider.checkVisibility()) continue; // a guess that was made
      slider.scrollIntoView({ block: "end", behavior: "instant" });
      scrollBy({ top: 12, behavior: "instant" });
      await new Promise(requestAnimationFrame);
      const [box, seen] = [slider, picture].map((e) => e.getBoundingClientRect());
      if (seen.top < bar - 1 || seen.bottom > box.top + 24 || box.bottom > innerHeight)
        hidden.push([slider.id, seen.top, seen.bottom, box.top]);
    }
  }
  return hidden;
}"""


# Go to each slider from below it: is it what lies at its own middle?
BEHIND = """async () => {
  const behind = [];
  document.documentElement.style.scrollBehavior = "auto";
  for (const slider of document.querySelectorAll(
    "figure.dpt input:not([type=radio]:not(:checked))")) {
    if (slider.disabled || slider.closest("fieldset:disabled")) continue;
    if (!slider.checkVisibility()) continue; // a guess that was made
    const figure = slider.closest("figure.dpt");
    const end = figure.getBoundingClientRect().bottom + scrollY;
    scrollTo({ top: end - innerHeight / 2, behavior: "instant" });
    slider.focus();
    await new Promise(requestAnimationFrame);
    const { left, top, width, height } = slider.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!slider.contains(seen)) behind.push(slider.id);
  }
  return behind;
}"""


def chapters(book):
    """Return the pages with figures."""
    pages = [*sorted((book / "chapters").glob("*.html")), book / "book" / "index.html"]
    return [page for page in pages if 'class="dpt"' in page.read_text()]


def test_no_figure_is_taller_than_a_laptop_screen(book, visit):
    """The whole card in 700 px: title, picture, controls, sentence, buttons, notes."""
    page = visit("about:blank", width=LAPTOP[0], height=LAPTOP[1]).page
    tall, count = [], 0
    for path in chapters(book):
        page.goto(path.as_uri())
        page.wait_for_timeout(200)  # figures near the top have woken
        for name, told, whole in page.evaluate(SIZES):
            count += 1
            if told > 700 or whole > TALLER.get(name, 700):
                tall.append((path.stem, name, told, whole))
    assert tall == []
    assert count > 70


@pytest.mark.parametrize("held", [True, False], ids=["asked", "shown"])
def test_few_figures_are_taller_than_a_phone_screen(held, book, visit):
    """With its question as the chapter opens, and with all answers shown."""
    how = {"width": PHONE[0], "height": PHONE[1], "has_touch": True, "is_mobile": True}
    page = visit("about:blank", held=held, **how).page
    tall, heights = [], []
    for path in chapters(book):
        page.goto(path.as_uri())
        page.wait_for_timeout(200)
        for name, _, whole in page.evaluate(SIZES):
            heights.append(whole)
            if whole > TALLER_ON_A_PHONE.get(name, PHONE[1]):
                tall.append((path.stem, name, whole))
    assert tall == []
    assert 500 < sorted(heights)[len(heights) // 2] < 720  # half of them


# The words of pictures that reach the edge of their card, where they are cut off.
CUT = """() => [...document.querySelectorAll("figure.dpt")].flatMap((figure) => {
  const { left, right } = figure.getBoundingClientRect();
  return [...figure.querySelectorAll(".dpt-picture text")]
    .map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.left < left || box.right > right))
    .map(([words]) => [figure.id, words]);
})"""


def test_on_a_narrow_phone_no_word_of_a_picture_is_cut_off(book, visit):
    page = visit("about:blank", width=360, height=740).page
    cut = []
    for path in chapters(book):
        page.goto(path.as_uri())
        cut += page.evaluate(CUT)
    assert cut == []
    page.evaluate(
        "document.querySelector('.dpt-narrow text').textContent += 'm'.repeat(99)"
    )
    assert page.evaluate(CUT) != []


@pytest.mark.thorough
def test_on_a_phone_the_picture_stays_while_a_slider_moves(book, visit):
    how = {"width": PHONE[0], "height": PHONE[1], "has_touch": True, "is_mobile": True}
    page = visit("about:blank", **how).page
    hidden = {}
    for path in chapters(book):
        page.goto(path.as_uri())
        page.wait_for_timeout(200)
        if found := page.evaluate(TOGETHER):
            hidden[path.stem] = found
    assert hidden == {}


@pytest.mark.parametrize("name", ["09-dp-sgd", "10-amplification", "22-audits"])
def test_on_a_phone_what_has_the_focus_is_not_behind_the_picture(book, visit, name):
    """Backwards through a figure by keyboard, where the picture stays above."""
    how = {"width": PHONE[0], "height": PHONE[1], "has_touch": True, "is_mobile": True}
    page = visit((book / f"chapters/{name}.html").as_uri(), **how).page
    page.wait_for_timeout(300)
    assert page.evaluate(BEHIND) == []
    if name == "09-dp-sgd":  # power: without the room above it, one would be behind
        loose = "document.head.insertAdjacentHTML('beforeend', '<style>{}</style>')"
        page.evaluate(loose.format(".dpt * { scroll-margin: 0 !important }"))
        assert page.evaluate(BEHIND) != []


def test_on_a_phone_held_sideways_the_picture_moves_on(book, visit):
    """There it would cover two thirds of what is left."""
    how = {"width": 667, "height": 375, "has_touch": True, "is_mobile": True}
    page = visit((book / "chapters/09-dp-sgd.html").as_uri(), **how).page
    place = "getComputedStyle(document.querySelector('.dpt-picture')).position"
    assert page.evaluate(place) == "static"
    page.set_viewport_size({"width": 375, "height": 667})
    assert page.evaluate(place) == "sticky"


def test_the_measurement_has_power(book, visit):
    """A picture that does not stay is found out."""
    how = {"width": PHONE[0], "height": PHONE[1], "has_touch": True, "is_mobile": True}
    page = visit((book / "chapters/17-frank-wolfe.html").as_uri(), **how).page
    rule = "document.head.insertAdjacentHTML('beforeend', '<style>{}</style>')"
    loose = ".dpt .dpt-picture { position: static !important }"
    tall = ".dpt-picture { padding-bottom: 15rem }"
    page.evaluate(rule.format(f"{loose} {tall}"))
    frame(page)
    assert page.evaluate(TOGETHER) != []
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    page.wait_for_timeout(300)
    assert max(told for _, told, _ in page.evaluate(SIZES)) > 700


def test_code_is_a_button_in_the_card(book, visit):
    """No line of code stands between a question and its figure."""
    for path in chapters(book):
        assert "Show code cell source" not in path.read_text()
    page = visit((book / "chapters/09-dp-sgd.html").as_uri()).page
    figures = page.locator("figure.dpt").count()
    assert page.locator("figure.dpt details.code").count() == figures
    assert page.locator(".dpt-quiz details.code").count() == 0
    code = page.locator("figure#fan details.code")
    assert not code.locator("pre").is_visible()
    code.locator("summary").click()
    frame(page)
    box = page.locator("figure#fan").bounding_box()
    inside = code.locator("pre").bounding_box()
    assert "descent.fan" in code.locator("pre").inner_text()
    assert inside["y"] + inside["height"] <= box["y"] + box["height"] + 1


def test_some_processes_play(book):
    """Each on its own slider; the page's buttons are theirs."""
    playing = {}
    for path in chapters(book):
        text = path.read_text()
        for part in text.split('<figure class="dpt" ')[1:]:
            head = part.partition(">")[0]
            if "data-plays" in head:
                playing[head.split('id="')[1].split('"')[0]] = "dpt-clock" in part
    assert {
        *("bowl", "regret-fills", "exponential-chain", "tree-nodes"),
        *("gambler", "check-in-board", "lazy-or-greedy", "drift", "objective-tilt"),
        "polytope-rules",
        *("five-accountants", "fan"),
    } <= set(playing)
    assert all(playing.values())


LETTERS = """(pictures) => [...document.querySelectorAll(`${pictures} text`)]
  .filter((each) => each.checkVisibility() && each.getScreenCTM())
  .map((each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"""


def test_on_paper_letters_are_neither_tiny_nor_larger_than_the_text(book, visit):
    """In CSS pixels, of which the text of a printed page has 14."""
    page = visit((book / "chapters/24-choosing.html").as_uri(), width=680).page
    page.wait_for_timeout(300)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    frame(page)
    figures = page.evaluate(LETTERS, ".dpt-picture svg.dpt-wide")
    drawings = page.evaluate(LETTERS, ".dpt-drawing svg")
    assert len(figures) > 40
    assert len(drawings) > 40
    assert min(figures) > 9
    assert 10 < min(drawings) <= max(drawings) < 15
    narrow = "{ max-width: 24rem !important }"  # power: as it was
    style = f"<style>.dpt-picture {narrow} .dpt-drawing svg {{ width: 500px }}</style>"
    page.evaluate(f"document.head.insertAdjacentHTML('beforeend', '{style}')")
    assert min(page.evaluate(LETTERS, ".dpt-picture svg.dpt-wide")) < 9
    assert max(page.evaluate(LETTERS, ".dpt-drawing svg")) > 15
