"""Read the sources and write pages: render.py ROOT OUTPUT [--chapter DOCNAME].

This is what ``jupyter-book build --all -W --keep-going`` does, or for the pages of one
chapter, which that command cannot. It exits with an error where there is a warning.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dpteach_book.selection import pages
from jupyter_book.sphinx import build_sphinx
from sphinx.application import ENV_PICKLE_FILENAME


@contextmanager
def remembered(read: Path) -> Iterator[None]:
    """Keep what Sphinx knows of all pages, though it deletes that after an error.

    The next build of a chapter would read every page again, which takes a minute. What
    was edited since is read anew all the same.
    """
    copy = read.with_suffix(".before")
    if read.exists():
        shutil.copy2(read, copy)
    try:
        yield
    finally:
        if copy.exists() and not read.exists():
            copy.rename(read)
        copy.unlink(missing_ok=True)


def main() -> None:
    """Render all pages, or those of one chapter and of its lecture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--chapter", default="")
    given = parser.parse_args()
    root = given.root.resolve()
    settings = {
        "external_toc_path": str(root / "book" / "_toc.yml"),
        "latex_individualpages": False,
        "dpteach_chapter": given.chapter,
    }
    files = [
        str(path)
        for page in (pages(given.chapter) if given.chapter else ())
        for path in (root / f"{page}.ipynb", root / f"{page}.md")
        if path.exists()
    ]
    build = given.output.resolve() / "_build"
    with remembered(build / ".doctrees" / ENV_PICKLE_FILENAME):
        failed = build_sphinx(
            root,
            build / "html",
            noconfig=True,
            path_config=root / "_config.yml",
            confoverrides=settings,
            filenames=files,
            freshenv=not given.chapter,
            quiet=True,
            warningiserror=True,
            keep_going=True,
        )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
