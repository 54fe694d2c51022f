"""No address and no question breaks a page: all of it works, and nothing throws."""

import threading
from urllib.parse import quote

import pytest
from serve import server

from tests.axe import complaints
from tests.browser import frame

pytestmark = pytest.mark.browser
PAGE = "chapters/09-dp-sgd.html"
ADDRESSES = [
    "#%",
    "#%E0%A4%A",
    "#%00",
    "#?",
    "#??",
    "#?=&&=",
    "#growth?",
    "#growth??",
    "#growth?epsilon=%",
    "#growth?epsilon=%E0%A4%A&steps=%",
    "#growth?epsilon=abc&steps=1e999&__proto__=1&constructor=2",
    "#growth?epsilon=2&epsilon=%&epsilon",
    "#__proto__?epsilon=1",
    "#constructor",
    "#main?epsilon=1",
    "#" + "long" * 10_000,
    "?%E0%A4%A=%&q=%#%",
]
QUESTIONS = [
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty valueOf",
    "%",
    "%E0%A4%A",
    "\ud83d",
    "\\",
    "[(*+",
    "\u0000\uffff",
    "x" * 50_000,
    "no " * 10_000,
]


@pytest.fixture(scope="module")
def address(gallery, site):
    return site(gallery)


@pytest.mark.parametrize("given", ADDRESSES)
def test_whatever_an_address_holds_the_page_works(address, visit, given):
    seen = visit("about:blank")
    seen.page.add_init_script(
        "window.faults = 0; window.onerror = () => { window.faults += 1; };"
        " window.onunhandledrejection = window.onerror;"
    )
    seen.page.goto(f"{address}/{PAGE}{given}")
    seen.page.evaluate(
        "(given) => { location.hash = ''; location.hash = given; }", given
    )
    seen.page.locator("[data-write=clip] button").click()
    seen.page.locator("[data-write=clip] .cm-content").wait_for()
    seen.page.locator("#growth fieldset:not([disabled])").wait_for()
    assert seen.page.evaluate("window.faults") == 0
    assert seen.errors == []


def test_an_address_that_was_written_over_still_sets_its_figure(address, visit):
    """Some programs write the question mark as %3F, and a link may end too soon."""
    for given in ("#growth%3Fepsilon=2.0", "#growth?epsilon=2.0&steps=%"):
        page = visit(f"{address}/{PAGE}{given}").page
        slider = page.locator("#growth .dpt-slider[data-key=epsilon]")
        slider.locator("output", has_text="2").wait_for()


@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
def test_whatever_is_asked_search_answers(address, visit, question):
    there = quote(question, errors="surrogatepass")
    seen = visit(f"{address}/search.html?q={there}")
    status = seen.page.locator("#search-status")
    asked = question.strip()[:200]
    if any(map(str.isalpha, asked)):
        assert "“" in status.inner_text()
    box = seen.page.locator(".bar input")
    box.fill("noise")
    seen.page.locator("#search-results li").first.wait_for()
    box.fill(question.replace("\ud83d", "\ufffd"))
    seen.page.wait_for_function(
        "document.querySelector('#search-results').textContent.length >= 0"
    )
    frame(seen.page)
    assert seen.errors == []


def test_a_page_that_is_not_there_leads_on(gallery, visit):
    """At any depth, with the book's looks, as a host sends it."""
    host = server(gallery)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{host.server_port}"
    for width in (390, 1280):
        seen = visit(f"{base}/chapters/no/such/page.html", width=width)
        page = seen.page
        assert page.inner_text("h1") == "There is no such page"
        assert complaints(page) == []
        assert seen.errors == [
            "Failed to load resource: the server responded with a status of 404 "
            "(Not Found)"
        ]
        links = page.eval_on_selector_all(
            "a:not([href^='#'])", "all => all.map((a) => a.getAttribute('href'))"
        )
        assert len(links) > 8
        assert all(link.startswith(("/book/", "/chapters/")) for link in links)
        page.locator("main input").fill("noise")
        page.keyboard.press("Enter")
        page.locator("#search-results li").first.wait_for()
    host.shutdown()
    host.server_close()
