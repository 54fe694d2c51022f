"""What stands around the text of every page: policy, description, links, citation."""

import base64
import hashlib
from calendar import month_name
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from . import ROOT, openings, read_yaml, repository
from .progress import asks

# The only script in a page itself: a dark page is never first painted light, an answer
# that was given before is never first painted folded, and the page's fonts are asked
# for before the style sheet (a phone has its own for text; from disk no page may ask).
# Font faces and no preloads: Chromium asks for a preloaded font anew when it prints,
# and prints without one that its cache calls stale. It runs before the first paint; the
# policy has its hash.
SCRIPT = Path(__file__).with_name("before_paint.js").read_text(encoding="utf-8")
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "script-src 'self' 'sha256-{}'; worker-src 'none'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; object-src 'none'"
)
TEACHING = ("book/teach/", "book/instructors")
FIGURES = ROOT / "dpteach" / "figures" / "static"


def policy() -> str:
    """Return the content-security policy of every page."""
    digest = hashlib.sha256(SCRIPT.encode()).digest()
    return POLICY.format(base64.b64encode(digest).decode())


def describe(doctree, fallback: str) -> str:
    """Return a page's first sentences up to a formula, as search engines want them."""
    if doctree is None:
        return fallback
    for paragraph in doctree.findall(nodes.paragraph):
        if not isinstance(paragraph.parent, nodes.section):
            continue
        words = ""
        for part in paragraph.children:
            if isinstance(part, nodes.math) or part.next_node(nodes.math):
                words = words[: words.rfind(". ") + 1]
                break
            words += part.astext()
        words = " ".join(words.split())
        if len(words) > 40:
            return words if len(words) <= 160 else words[:157].rsplit(" ", 1)[0] + "…"
    return fallback


def launches(docname: str, source: Path, where) -> list[tuple[str, str]]:
    """Return (word, address) for each place that runs a notebook."""
    if source.suffix != ".ipynb":
        return []
    up = "../" * docname.count("/")
    links = [("Download", f"{up}notebooks/{docname}.ipynb")]
    if where and where.on_github:
        # Colab opens what is on GitHub, and reads no MyST: see plain.py and book.yml.
        path = f"{where.name}/blob/{repository.COPIES}/{docname}.ipynb"
        colab = f"https://colab.research.google.com/github/{path}"
        binder = (
            f"https://mybinder.org/v2/gh/{where.name}/{where.branch}"
            f"?urlpath=lab/tree/{docname}.ipynb"
        )
        links = [("Colab", colab), ("Binder", binder), *links]
    return links


def turns(env, docname: str) -> tuple[str | None, str | None]:
    """Return the pages before and after this one: a chapter's are chapters.

    The last chapter leads on to what the chapters leave out, and not to a lecture plan.
    """
    order = list(dict.fromkeys(pages_of(env, env.config.root_doc)))
    if docname not in order:
        return None, None
    if docname.startswith("chapters/"):
        order = [page for page in order if not page.startswith(TEACHING)]
    at = order.index(docname)
    return (
        order[at - 1] if at else None,
        order[at + 1] if at + 1 < len(order) else None,
    )


def pages_of(env, docname: str) -> list[str]:
    """Return a page, and those that its contents name, in order."""
    below = env.toctree_includes.get(docname, [])
    return [docname, *(page for each in below for page in pages_of(env, each))]


def link(app: Sphinx, docname: str, to: str | None) -> dict[str, str] | None:
    """Return what a link to a page needs."""
    if to is None:
        return None
    title = app.builder.render_partial(app.env.titles[to])["title"]
    return {"link": app.builder.get_relative_uri(docname, to), "title": title}


def current(contents: str) -> str:
    """Say in the contents which page this is, and call no caption a heading."""
    # Sphinx calls a caption a heading, and does not say of which level.
    contents = contents.replace(' role="heading"', "")
    here = 'class="current reference internal" href="#"'
    return contents.replace(here, f'{here} aria-current="page"')


def fold(toc: str) -> str:
    """Return the list of a page's sections, folded: where it does not stand beside."""
    return (
        '<details class="here-fold"><summary>On this page</summary>'
        f'<nav aria-label="On this page, folded">{toc}</nav></details>'
    )


def citation(cff: dict[str, Any]) -> dict[str, str]:
    """Return what a citation of the book says, from CITATION.cff: who, when and where.

    ``people`` is for a sentence, ``author`` for BibTeX, where only a person's name has
    parts. ``doi`` is empty until the file has one.
    """
    named, bibtex = [], []
    for author in cff["authors"]:
        if "name" in author:
            named.append(author["name"])
            bibtex.append(f"{{{author['name']}}}")
        else:
            given, family = author["given-names"], author["family-names"]
            named.append(f"{given} {family}")
            bibtex.append(f"{family}, {given}")
    year, month, _ = str(cff["date-released"]).split("-")
    identifiers = {row["type"]: row["value"] for row in cff.get("identifiers", ())}
    return {
        "people": " and ".join(filter(None, [", ".join(named[:-1]), named[-1]])),
        "author": " and ".join(bibtex),
        "version": cff["version"],
        "year": year,
        "month": month_name[int(month)],
        "doi": identifiers.get("doi", ""),
    }


def add(
    app: Sphinx,
    docname: str,
    template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Give the page's template what it shows."""
    body = context.get("body") or ""
    if context.get("display_toc") and docname != app.config.root_doc:
        place = openings.ENDS if openings.ENDS in body else "</h1>"
        context["body"] = body.replace(place, place + fold(context["toc"]), 1)
    where = app.config.dpteach_repository
    cff = read_yaml(ROOT / "CITATION.cff")
    contents = context["toctree"]
    known = docname in app.env.found_docs
    before, after = turns(app.env, docname)
    base = app.config.html_baseurl.rstrip("/")
    context.update(
        toctree=lambda **how: current(contents(**how)),
        prev=link(app, docname, before),
        next=link(app, docname, after),
        policy=policy(),
        theme_script=SCRIPT,
        description=app.env.metadata.get(docname, {}).get("description")
        or describe(doctree, cff["abstract"].strip()),
        has_math='class="katex' in body or docname == "search",
        has_figures='class="dpt' in body and (FIGURES / "explore.js").exists(),
        has_design="sd-" in body,
        has_held='class="dpt-held' in body,
        has_asks='class="dpt-ask"' in body,
        has_thumbs='class="thumbs"' in body,
        has_game=" data-game=" in body,
        asked=sum(map(len, asks(body).values())),
        figure_scripts=["closed-forms.js", "labels.js", "explore.js"],
        figure_styles=["explore.css"],
        repository=where,
        launches=launches(docname, Path(app.env.doc2path(docname)), where)
        if known
        else [],
        is_chapter=docname.startswith("chapters/"),
        citation=citation(cff),
        address=f"{base}/{docname}.html" if base else "",
        docname=docname,
    )


class Tidy(SphinxPostTransform):
    """Let wide tables scroll by themselves, and drop an id that is on many blocks."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Change the page's tree."""
        for table in list(self.document.findall(nodes.table)):
            scroll = nodes.container(classes=["scroll"])
            table.replace_self(scroll)
            scroll += table
        for section in self.document.findall(nodes.section):
            if section["ids"] == ["proof-content"]:
                section["ids"] = []


def setup(app: Sphinx) -> None:
    """Find the repository, and fill in each page's frame."""
    app.add_config_value("dpteach_repository", repository.find(), "html")
    app.add_post_transform(Tidy)
    app.connect("html-page-context", add, priority=900)
