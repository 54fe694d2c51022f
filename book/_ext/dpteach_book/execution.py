"""Chapters run side by side, before Sphinx reads them one after the other.

A run lands in the cache, where MyST-NB finds it when it comes to the chapter.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from jupyter_cache import get_cache
from myst_nb.core.execute import create_client
from myst_nb.core.read import create_nb_reader


class Silent:
    """A logger that says nothing: MyST-NB tells of each chapter when it reads it."""

    def info(self, *words, **kinds):
        """Drop a message."""

    debug = warning = info


def run_ahead(app, env, docnames) -> None:
    """Run what is to be read and has code, as many at a time as there are cores."""
    config = env.mystnb_config
    get_cache(config.execution_cache_path).db  # noqa: B018 (made once, by one thread)

    def run(name: str) -> None:
        path = env.doc2path(name)
        text = Path(path).read_text("utf-8")
        reader = create_nb_reader(path, env.myst_config, config, text)
        if reader is None:  # a page without code
            return
        # What fails here fails again when it is read, and is told with its place.
        with (
            suppress(Exception),
            create_client(reader.read(text), path, config, Silent(), reader.read_fmt),
        ):
            pass

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, docnames))


def setup(app) -> None:
    """Run after the folders are chosen, before the first page is read."""
    app.connect("env-before-read-docs", run_ahead)
