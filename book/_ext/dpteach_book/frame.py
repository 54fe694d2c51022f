"""What stands around the text of every page: policy, description, links, citation."""

import base64
import hashlib
from calendar import month_name
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from . import ROOT, repository

# The only script in a page itself: a dark page is never first painted light, and the
# page's fonts are asked for before the style sheet (a phone has its own for text;
# from disk no page may ask). It runs before the first paint; the policy has its hash.
THEME = (
    'document.documentElement.classList.remove("no-js");'
    'try{const t=localStorage.getItem("theme");'
    "if(t)document.documentElement.dataset.theme=t}catch{}"
    "const d=document.documentElement.dataset,fonts=[];"
    'if(matchMedia("(min-width:48rem)").matches)'
    'fonts.push("fonts/source-serif-4-latin-wght-normal");'
    'if(d.math)fonts.push("katex/fonts/KaTeX_Main-Regular",'
    '"katex/fonts/KaTeX_Math-Italic");'
    'if(location.protocol!="file:")for(const font of fonts){'
    'const f=document.createElement("link");f.rel="preload";f.as="font";'
    'f.crossOrigin="";f.href=d.content_root+"_static/vendor/"+font+".woff2";'
    "document.head.append(f)}"
)
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "script-src 'self' 'sha256-{}'"
)
FIGURES = ROOT / "dpteach" / "figures" / "static"


def policy() -> str:
    """Return the content-security policy of every page."""
    digest = hashlib.sha256(THEME.encode()).digest()
    return POLICY.format(base64.b64encode(digest).decode())


def describe(doctree, fallback: str) -> str:
    """Return a page's first words without formulas, as search engines want them."""
    if doctree is None:
        return fallback
    for paragraph in doctree.findall(nodes.paragraph):
        if paragraph.next_node(nodes.math) or not isinstance(
            paragraph.parent, nodes.section
        ):
            continue
        words = " ".join(paragraph.astext().split())
        if len(words) > 40:
            return words if len(words) <= 160 else words[:157].rsplit(" ", 1)[0] + "…"
    return fallback


def launches(docname: str, source: Path, where) -> list[tuple[str, str]]:
    """Return (word, address) for each place that runs a notebook."""
    if source.suffix != ".ipynb":
        return []
    name = docname.rsplit("/", 1)[-1]
    links = [("Download", f"{name}.ipynb")]
    if where and where.on_github:
        path = f"{where.name}/blob/{where.branch}/{docname}.ipynb"
        colab = f"https://colab.research.google.com/github/{path}"
        binder = (
            f"https://mybinder.org/v2/gh/{where.name}/{where.branch}"
            f"?urlpath=lab/tree/{docname}.ipynb"
        )
        links = [("Colab", colab), ("Binder", binder), *links]
    return links


def add(app, docname: str, template: str, context: dict, doctree) -> None:
    """Give the page's template what it shows."""
    body = context.get("body") or ""
    where = app.config.dpteach_repository
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    year, month, _ = str(cff["date-released"]).split("-")
    contents = context["toctree"]
    known = docname in app.env.found_docs
    base = app.config.html_baseurl.rstrip("/")
    context.update(
        # Sphinx calls a caption a heading, and does not say of which level.
        toctree=lambda **how: contents(**how).replace(' role="heading"', ""),
        policy=policy(),
        theme_script=THEME,
        description=app.env.metadata.get(docname, {}).get("description")
        or describe(doctree, cff["abstract"].strip()),
        has_math='class="katex' in body or docname == "search",
        has_figures='class="dpt' in body and (FIGURES / "explore.js").exists(),
        has_design="sd-" in body,
        figure_scripts=sorted(path.name for path in FIGURES.glob("*.js")),
        figure_styles=sorted(path.name for path in FIGURES.glob("*.css")),
        repository=where,
        launches=launches(docname, Path(app.env.doc2path(docname)), where)
        if known
        else [],
        is_chapter=docname.startswith("chapters/"),
        book_version=cff["version"],
        book_year=year,
        book_month=month_name[int(month)],
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


def setup(app) -> None:
    """Find the repository, and fill in each page's frame."""
    app.add_config_value("dpteach_repository", repository.find(), "html")
    app.add_post_transform(Tidy)
    app.connect("html-page-context", add, priority=900)
