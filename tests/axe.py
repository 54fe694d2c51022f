"""What axe says of a page: the rules that let everyone read it.

axe parses each color of each layer beneath each word anew; on a long page that is most
of its time. Here it remembers the colors that it has parsed. Its rules and its answers
stay the same, as ``test_gallery.py`` checks.
"""

from axe_playwright_python.base import AXE_SCRIPT

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLORS = """
const color = axe.commons.color.Color.prototype;
const parse = color.parseString, parsed = new Map();
color.parseString = function (text) {
  if (!parsed.has(text)) {
    parse.call(this, text);
    parsed.set(text, [this.r, this.g, this.b, this.alpha]);
  }
  [this.r, this.g, this.b, this.alpha] = parsed.get(text);
  return this;
};
"""
FAST = f"(() => {{ {AXE_SCRIPT}\n{COLORS} }})()"
# A formula is hundreds of spans of one color: two letters in a box of its size stand
# for them where only colors and sizes are asked for.
THIN = """() => {
  const sizes = [...document.querySelectorAll(".katex")].map(
    (formula) => [formula, formula.getBoundingClientRect()]);
  for (const [formula, { width, height }] of sizes) {
    formula.textContent = "xx"; // axe leaves single letters aside
    Object.assign(formula.style, {
      display: "inline-block", width: `${width}px`, height: `${height}px` });
  }
}"""
# Words with the colors, size and layers of words before them have their contrast too.
LOOKS = """() => {
  const layers = new Map([[null, ""]]), seen = new Set();
  const beneath = (e) => {
    if (!layers.has(e)) {
      const { backgroundColor, backgroundImage, opacity, filter, position } =
        getComputedStyle(e);
      const own = [backgroundColor, backgroundImage, opacity, filter, position].join();
      const under = beneath(e.parentElement);
      layers.set(e, under.endsWith(own) ? under : `${under};${own}`);
    }
    return layers.get(e);
  };
  return [...document.body.querySelectorAll("*")].filter((e) => {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) return false;
    const box = e.getBoundingClientRect();
    if (!box.width || !box.height) return false;
    const { color, fontSize, fontWeight, visibility, textShadow } = getComputedStyle(e);
    const look = [color, fontSize, fontWeight, visibility, textShadow].join();
    const key = `${look} ${beneath(e)}`;
    return !seen.has(key) && seen.add(key);
  });
}"""
# What holds colored code together says nothing to any rule but the one on contrast.
MARK = f"""() => {{ for (const e of ({LOOKS})()) e.dataset.look = ""; }}"""
ASK_MARKED = """() => {
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-look]" }] });
  for (const e of document.querySelectorAll("pre span, .sig span, code span"))
    if ([...e.attributes].every((a) => a.name === "class"))
      e.replaceWith(...e.childNodes);
  document.body.normalize();
}"""
RUN = """([within, options]) => axe.run(within ?? document, options)
  .then((found) => options.resultTypes.flatMap((kind) => found[kind]))"""


def _load(page) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(FAST)


def found(page, *rules, within=None, kinds=("violations",)) -> list[dict]:
    """Return what all rules, or some, find in a page as it stands, or in a part."""
    _load(page)
    options = {"runOnly": rules or TAGS, "resultTypes": kinds}
    return page.evaluate(RUN, [within, options])


def thin(page) -> None:
    """Put two letters in place of each formula, of its size and color."""
    page.evaluate(THIN)


def _said(results: list[dict]) -> list[str]:
    return [
        f"{each['id']} ({each['impact']}): {node['html'][:120]} {node['target']}"
        for each in results
        for node in each["nodes"]
    ]


def complaints(page, *rules: str, within: str | None = None) -> list[str]:
    """Say what is wrong: nothing, if all is well."""
    return _said(found(page, *rules, within=within))


def ask_once_a_look(page) -> None:
    """From here on, ask about contrast once for all words of one look, light or dark.

    For long pages. What is plain code then loses its colored parts, but for those.
    """
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(MARK)
    _load(page)
    page.evaluate(ASK_MARKED)
