"""Formula and figure speak: parts of a formula are tied to the curves that they are."""

import json
import re
import shutil

import pytest
from bs4 import BeautifulSoup
from dpteach_book import ROOT, formula_curves, katex

from dpteach.figures import _page as figure_page
from dpteach.figures._page import legend
from dpteach.figures.style import ROLES
from tests.axe import complaints
from tests.figures.sample import sample

CURVES = {"line": [r"\frac{a}{T}"], "bound": [r"b\,T", "c"]}
TEX = r"\begin{aligned} r &\le \frac{a}{T} \\ &\quad + b\,T + c \end{aligned}"
LABELED = re.compile(r"\$\$(.+?)\$\$[ \t]*\(([\w-]+)\)", re.DOTALL)


@pytest.fixture(scope="module")
def formulas():
    """Find every labeled formula, and the chapter that it stands in."""
    found = {}
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                for tex, label in LABELED.findall("".join(cell["source"])):
                    found[label] = (tex, path.stem)
    return found


@pytest.fixture(scope="module")
def samples():
    figure = sample()
    soup = BeautifulSoup(legend(figure.marks(figure.states.start)), "html.parser")
    return {entry.get_text(): entry.svg for entry in soup.find_all("li")}


def test_every_part_stands_in_its_formula(formulas):
    """Whether its curve is one of the figure's is checked where the page is built."""
    chapters, some = (
        set(),
        BeautifulSoup('<svg><path stroke="var(--dpt-bound)"/></svg>', "html.parser"),
    )
    for label, spoken in formula_curves.table().items():
        tex, chapter = formulas[label]
        names = dict.fromkeys(spoken["curves"], some)
        marked = formula_curves.mark(tex, spoken["curves"], names)
        parts = sum(len(each) for each in spoken["curves"].values())
        assert marked.count("htmlData") == parts
        wanted = katex.on_board(tex, {})
        assert (
            formula_curves.mark(wanted, spoken["curves"], names).count("htmlData")
            == parts
        )
        chapters.add(chapter)
    assert len(chapters) >= 6


def test_a_part_that_does_not_occur_is_an_error(samples):
    with pytest.raises(ValueError, match="no part 'd'"):
        formula_curves.mark(TEX, {"line": ["d"]}, samples)


def test_nothing_but_data_is_trusted():
    tex = r"\htmlData{curve=0}{x} \href{https://example.org}{y} \htmlStyle{a}{z}"
    out = katex.typeset(tex)
    assert 'data-curve="0"' in out
    assert "<a " not in out
    assert 'style="a"' not in out


def linear(color):
    parts = (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))
    each = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * each[0] + 0.7152 * each[1] + 0.0722 * each[2]


def mixed(color, ink, share):
    pairs = ((color[k : k + 2], ink[k : k + 2]) for k in (1, 3, 5))
    parts = (share * int(a, 16) + (1 - share) * int(b, 16) for a, b in pairs)
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def lowest(share):
    """Return the least contrast of a part with the page, over themes and roles."""
    css = (ROOT / "book" / "_theme" / "static" / "book.css").read_text()
    themes = {}
    for name in ("paper", "ink", "mark"):
        both = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", css)
        themes[name] = [
            "#" + "".join(2 * c for c in each[1:]) if len(each) == 4 else each
            for each in both.groups()
        ]
    out = []
    for role in ROLES.values():
        for k, color in enumerate((role.light, role.dark)):
            text = linear(mixed(color, themes["ink"][k], share))
            for under in ("paper", "mark"):
                high, low = sorted((text, linear(themes[under][k])), reverse=True)
                out.append((high + 0.05) / (low + 0.05))
    return min(out)


def test_every_part_can_be_read_in_both_themes():
    css = (ROOT / "book" / "_theme" / "static" / "book.css").read_text()
    share = int(re.search(r"var\(--c\) (\d+)%", css)[1]) / 100
    assert lowest(share) >= 4.5
    assert lowest(1.0) < 4.5  # the plain colors are for lines


@pytest.fixture(scope="module")
def address(tmp_path_factory, samples, site):
    """A page with one formula, its list and its figure."""
    folder, figure = tmp_path_factory.mktemp("speaking"), sample()
    static = folder / "static"
    body = figure.page(static / "figures")
    shutil.copytree(figure_page.STATIC, static, dirs_exist_ok=True)
    theme = ROOT / "book" / "_theme" / "static"
    for name in ("speak.js", "book.css"):
        (static / name).write_bytes((theme / name).read_bytes())
    tex = katex.typeset(formula_curves.mark(TEX, CURVES, samples), display=True)
    said = {name: katex.spell(parts, {}) for name, parts in CURVES.items()}
    spoken = {"figure": figure.identity, "curves": CURVES}
    words = f'<div class="math display dpt">{tex}</div>'
    words += formula_curves.key(spoken, samples, said)
    text = figure_page.standalone(words + body, title="A formula that speaks")
    text = text.replace("<main>", "<main><h1>A formula that speaks</h1>")
    more = '<link rel="stylesheet" href="static/book.css">'
    more += '<script src="static/speak.js" defer></script></head>'
    (folder / "index.html").write_text(text.replace("</head>", more))
    return f"{site(folder)}/index.html"


def lit(page):
    """Return what is lit: the curve's numbers in formula and list, names, paths."""
    return page.evaluate(
        """() => {
          const all = (what) => [...document.querySelectorAll(what)];
          return {
            parts: all(".math [data-lit]").map((each) => each.dataset.curve),
            list: all(".speaks a[data-lit]").map((each) => each.dataset.curve),
            legend: all(".dpt-legend li[data-lit]").map((each) => each.textContent),
            paths: all("path[data-lit]").map((each) => each.id),
          };
        }"""
    )


LINE = {
    "parts": ["0"], "list": ["0"], "legend": ["line"],
    "paths": [f"everything-{of}-1-{k}" for of in ("wide", "narrow") for k in (0, 1)],
}  # fmt: skip
BOUND = {
    "parts": ["1", "1"], "list": ["1"], "legend": ["bound"],
    "paths": [f"everything-{of}-3-{k}" for of in ("wide", "narrow") for k in (0, 1)],
}  # fmt: skip
NOTHING = {"parts": [], "list": [], "legend": [], "paths": []}


@pytest.mark.browser
def test_mouse_keys_and_taps_light_part_and_curve(address, visit):
    seen = visit(address, width=1000, height=1200)
    page = seen.page
    page.wait_for_selector("#everything fieldset:not([disabled])")
    assert lit(page) == NOTHING
    page.locator(".math [data-curve='0']").first.hover()
    assert lit(page) == LINE
    page.locator(".dpt-title").hover()
    assert lit(page) == NOTHING
    page.locator(".dpt-wide .dpt-names text", has_text="bound").hover()
    assert lit(page) == BOUND
    page.locator(".dpt-title").hover()
    page.locator(".speaks a").first.focus()
    assert lit(page) == LINE
    page.keyboard.press("Tab")
    assert lit(page) == BOUND
    page.keyboard.press("Escape")
    assert lit(page) == NOTHING
    page.locator(".dpt-wide .dpt-names").get_by_text("line", exact=True).click()
    page.locator(".dpt-title").hover()
    assert lit(page) == LINE
    page.locator(".math [data-curve='1']").first.click()
    page.locator(".dpt-title").hover()
    assert lit(page) == BOUND  # a tap stays, until one elsewhere
    page.locator(".dpt-title").click()
    assert lit(page) == NOTHING
    page.locator(".speaks a").first.click()
    page.locator(".dpt-title").hover()
    assert lit(page) == LINE  # also where the link leads
    assert seen.errors == []


@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_accessible_in_both_themes(dark, address, visit):
    page = visit(address, dark=dark).page
    page.wait_for_selector("#everything fieldset:not([disabled])")
    assert complaints(page) == []
    name = page.locator(".speaks a").first.aria_snapshot()
    assert "in the figure, is this part" in name
    assert "math: a T" in name


@pytest.mark.browser
def test_without_scripts_the_list_leads_to_the_figure(address, visit):
    page = visit(address, java_script_enabled=False).page
    page.locator(".speaks a").first.click()
    assert page.url.endswith("#everything")
    under = page.locator(".math [data-curve='1'] .underline-line").first
    style = "e => getComputedStyle(e).borderBottomStyle"
    assert under.evaluate(style) == "dashed"
