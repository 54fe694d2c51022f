"""Files that leave with the book, and those that do not."""

import json
import shutil
from pathlib import Path

from sphinx.application import Sphinx

from . import ROOT, install, runs
from .frame import policy

# What no page of ours asks for.
LEFT_OUT = (
    "basic.css",
    "file.png",
    "minus.png",
    "plus.png",
    "pygments.css",
    "pygments_dark.css",
    "mystnb.*.css",
    "proof.css",
    "exercise.css",
    "vendor/katex/katex.min.js",
    "design-tabs.js",
    "sphinx-design.min.css",
    "check-solid.svg",
    "searchtools.js",
    "language_data.js",
    "doctools.js",
    "documentation_options.js",
    "sphinx_highlight.js",
    "copy-button.svg",
)
FRONT = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Private Optimization</title>
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The front page of the book.">
<meta http-equiv="refresh" content="0; url=book/index.html">
<link rel="icon" type="image/svg+xml" href="_static/favicon.svg">
<link rel="canonical" href="book/index.html"></head>
<body><main><h1>Private Optimization</h1>
<p><a href="book/index.html">To the front page</a></p></main></body></html>
"""


def carry(app: Sphinx, exception: Exception | None) -> None:
    """Copy what readers and pages need; delete what no page asks for."""
    if exception or app.builder.name != "html":
        return
    out = Path(app.outdir)
    static = out / "_static"
    (static / "figures").mkdir(exist_ok=True)
    for table in runs.tables(app):
        shutil.copy(table, static / "figures" / table.name)
    package = ROOT / "dpteach" / "figures" / "static"
    for path in package.glob("*") if package.exists() else ():
        if path.suffix in (".js", ".css"):
            shutil.copy(path, static / path.name)
    for docname in app.env.found_docs:
        source = Path(app.env.doc2path(docname))
        if source.suffix == ".ipynb":
            target = out / f"{docname}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            notebook = install.published(json.loads(source.read_text("utf-8")))
            words = json.dumps(notebook, indent=1, ensure_ascii=False)
            target.write_text(words + "\n", encoding="utf-8")
    for path in install.WHEEL.glob(f"{install.wheel_name()}*"):
        shutil.copy(path, out)
    used = any(b"sd-" in path.read_bytes() for path in out.rglob("*.html"))
    for pattern in LEFT_OUT:
        if used and "design" in pattern:
            continue
        for path in static.glob(pattern):
            path.unlink()
    (out / ".nojekyll").touch()
    (out / ".buildinfo").unlink(missing_ok=True)
    (out / "index.html").write_text(FRONT.format(policy=policy()), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Carry files after pages are written."""
    app.connect("build-finished", carry, priority=700)
