"""The page that a host sends where there is none: 404.html, as GitHub Pages wants it.

It answers for addresses of any depth, so its links start at the root of the host.
"""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from sphinx.application import Sphinx

from . import repository

# Links that stand for a place within the book.
WITHIN = re.compile(r'((?:href|src|action|data-content_root)=")(?:\./)?(?!\w+:|[#/])')


def folder(app: Sphinx) -> str:
    """Return the path of the book on its host, from "/" to "/"."""
    site = app.config.html_baseurl
    if not site and "GITHUB_REPOSITORY" in os.environ:  # built there, to be published
        site = repository.site(app.config.dpteach_repository)
    return f"{urlsplit(site).path.rstrip('/')}/"


def anchor(app: Sphinx, exception: Exception | None) -> None:
    """Let the page's links start at the root."""
    if exception or app.builder.name != "html":
        return
    page = Path(app.outdir) / "404.html"
    text = page.read_text(encoding="utf-8")
    page.write_text(WITHIN.sub(rf"\g<1>{folder(app)}", text), encoding="utf-8")


def add(app: Sphinx) -> None:
    """Ask for the page."""
    app.config.html_additional_pages["404"] = "404.html"


def setup(app: Sphinx) -> None:
    """Add the page when the builder starts, and anchor it when all is written."""
    app.connect("builder-inited", add)
    app.connect("build-finished", anchor, priority=900)
