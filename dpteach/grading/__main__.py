"""Runs ``python -m dpteach.grading``: the engine, with this book's exercises."""

import sys
from pkgutil import resolve_name

from .judge.command import main

if __name__ == "__main__":
    # The engine knows no content. This program brings both together, by name.
    catalog = resolve_name("dpteach.chapters.catalog")
    sys.exit(main(sys.argv[1:], catalog.load, catalog.names))
