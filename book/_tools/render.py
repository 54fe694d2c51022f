"""Read the sources and write pages: render.py ROOT OUTPUT [--chapter DOCNAME].

This is what ``jupyter-book build --all -W --keep-going`` does, or for the pages of one
chapter, which that command cannot. It exits with an error where there is a warning.
"""

import argparse
import sys
from pathlib import Path

from dpteach_book.selection import pages
from jupyter_book.sphinx import build_sphinx


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
    failed = build_sphinx(
        root,
        given.output.resolve() / "_build" / "html",
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
