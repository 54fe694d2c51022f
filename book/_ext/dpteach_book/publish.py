"""Files that leave with the book, and those that do not.

The figures of a chapter write their tables while it runs, into the folder that
DPTEACH_BOOK names. Chapters are executed once for each state of the package: the folder
of cached runs bears its hash, and the tables lie beside them.
"""

import hashlib
import json
import os
import platform
import shutil
from importlib.metadata import version
from pathlib import Path

from . import ROOT, install
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


def package_hash() -> str:
    """Return a hash of all on which a chapter's outputs depend, the chapter aside.

    Scripts and styles of figures are copied beside the pages, so no output has them.
    """
    digest, skipped = hashlib.sha256(), {"__pycache__", "static"}
    for path in sorted((ROOT / "dpteach").rglob("*")):
        if path.is_file() and not skipped & set(path.parts):
            digest.update(path.relative_to(ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    digest.update((ROOT / "book" / "notation.yml").read_bytes())
    names = ("numpy", "scipy", "matplotlib", "ipywidgets")
    words = [platform.python_version(), *(version(name) for name in names)]
    digest.update(" ".join(words).encode())
    return digest.hexdigest()[:16]


def choose_folders(app, config) -> None:
    """Choose where cached runs and the tables of figures lie; forget older ones."""
    runs = Path(app.outdir).parent / "runs"
    here = runs / package_hash()
    for older in runs.glob("*"):
        if older != here:
            shutil.rmtree(older)
    tables = here / "figures"
    tables.mkdir(parents=True, exist_ok=True)
    os.environ["DPTEACH_BOOK"] = str(tables)
    config.nb_execution_cache_path = str(here / "cache")


def carry(app, exception) -> None:
    """Copy what readers and pages need; delete what no page asks for."""
    if exception or app.builder.name != "html":
        return
    out = Path(app.outdir)
    static = out / "_static"
    shutil.copytree(os.environ["DPTEACH_BOOK"], static / "figures", dirs_exist_ok=True)
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


def setup(app) -> None:
    """Choose folders before notebooks run, carry files after pages are written."""
    app.connect("config-inited", choose_folders)
    app.connect("build-finished", carry, priority=700)
