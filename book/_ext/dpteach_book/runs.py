"""Runs of the chapters, kept for as long as nothing that a chapter reaches has changed.

A run lies in ``_build/runs/CHAPTER/KEY``: what each cell showed, the tables of figures,
which definitions ran, and which other files of the repository were read. The key is a
hash of the cells and of the source of every definition that they reach
(``book/_tools/reach.py``). So an edit of one figure runs one chapter, in which the
other figures are not drawn again, and an edit of the text runs none. Sphinx gets the
outputs with the source.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import atomic
import nbformat
import reach
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

from . import ROOT
from .selection import one_chapter, selected

# What a run keeps: one that keeps something else is stale.
RECORDED = "outputs, figures, files, and what ran in each cell"
TOOLS = ("numpy", "scipy", "matplotlib", "ipywidgets", "pygments", "ipython")
SHOWN = re.compile(r"^```\{shown\} (\S+)", re.MULTILINE)  # by a slide
FIGURE = re.compile(r"\w+\.\w+")  # a line that shows a figure or a question
VERIFIED = "dpteach/chapters/verified.json"
TIMEOUT = 600  # seconds for a cell: a guard, for a slow machine is no fault
# What a kernel does before the first cell.
WATCH = """
import watch
watch.start({root!r}, {opened!r}, {ran!r}, get_ipython())
del watch
"""


def running(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """List the cells that run: not the one that installs, nor those for the reader."""
    return [
        cell
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
        and cell["id"] != "install"
        and "skip-execution" not in cell["metadata"].get("tags", [])
    ]


def code(cell: dict[str, Any]) -> str:
    """Return a cell's code; a file has it in lines."""
    return "".join(cell["source"])


def parsed(cells: Iterable[dict[str, Any]]) -> str:
    """Return the code of some cells without what only IPython reads."""
    text = "\n".join(map(code, cells))
    return re.sub(r"^\s*[%!].*$", "", text, flags=re.MULTILINE)


def shows(cell: dict[str, Any]) -> str:
    """Return the last line of a cell if it is the name of a figure, else nothing."""
    last = code(cell).strip().rpartition("\n")[2]
    return last if FIGURE.fullmatch(last) else ""


def figure_keys(cells: list[dict[str, Any]]) -> dict[str, str]:
    """Hash for each cell that shows a figure what the figure reaches."""
    module = reach.Source(ROOT / "cells.py", reach.ast.parse(parsed(cells)))
    keys = {}
    for cell in cells:
        if last := shows(cell):
            start = reach.named(module, reach.ast.parse(last))
            if any(reach.PACKAGE / "chapters" in path.parents for path, _ in start):
                keys[cell["id"]] = _hash([last], reach.reached(start))
    return keys


def _hash(texts: list[str], places: set[reach.Place]) -> str:
    parts = [RECORDED, platform.python_version(), *map(version, TOOLS), *texts]
    for path, name in sorted(places):
        parts += [f"{path.relative_to(ROOT)} {name}", reach.text((path, name))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def content(file: str, chapter: str) -> str:
    """Hash what a chapter reads of a file; of the record of tests, its own rows."""
    path = ROOT / file
    data = path.read_bytes() if path.is_file() else b""
    if file == VERIFIED and data:
        record = json.loads(data)
        rows = record["versions"], record["chapters"].get(chapter)
        data = json.dumps(rows).encode()
    return hashlib.sha256(data).hexdigest()[:16]


class Run:
    """A run of a chapter, as its folder has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chapter = folder.parent.name
        text = (folder / "run.json").read_text(encoding="utf-8")
        self.record: dict[str, Any] = json.loads(text)

    def fresh(self, files: dict[str, str]) -> bool:
        """Say whether the files that were read say what they said."""
        return all(content(file, self.chapter) == old for file, old in files.items())

    def figures(self) -> dict[str, dict[str, Any]]:
        """Return by their keys the figures that would be drawn the same again."""
        figures = self.record["figures"].items()
        return {key: part for key, part in figures if self.fresh(part["files"])}


def latest(home: Path) -> Run | None:
    """Return the run that a chapter's folder has; there is one at most."""
    for record in home.glob("*/run.json"):
        return Run(record.parent)
    return None


def run(source: Path, home: Path) -> Run:
    """Return the run of a chapter; run it if what it reaches is new."""
    notebook = json.loads(source.read_text(encoding="utf-8"))
    cells = running(notebook)
    reached = reach.of_code(parsed(cells))
    name = _hash([f"{cell['id']} {code(cell)}" for cell in cells], reached)
    last = latest(home)
    if last and last.folder.name == name and last.fresh(last.record["files"]):
        return last
    unfinished = home / f"{name}.part"
    shutil.rmtree(unfinished, ignore_errors=True)
    (unfinished / "figures").mkdir(parents=True)
    record = execute(cells, source, unfinished, last)
    if edited := reach.edited(reached):
        files = ", ".join(str(path.relative_to(ROOT)) for path in edited)
        raise ExtensionError(f"{files}: edited while {source.stem} ran. Build again.")
    atomic.write(unfinished / "run.json", json.dumps(record))
    for older in home.iterdir():
        if older != unfinished:
            shutil.rmtree(older)
    return Run(unfinished.rename(home / name))


def execute(
    cells: list[dict[str, Any]], source: Path, folder: Path, last: Run | None
) -> dict[str, Any]:
    """Run cells one after the other, and return what they showed and read.

    A figure that the last run has, and that would be the same, is not drawn again: of
    its cell what stands before the last line runs.
    """
    log, ran, tables = folder / "opened", folder / "ran", folder / "figures"
    old = last.figures() if last else {}
    keys = figure_keys(cells)
    began = time.perf_counter()
    outputs: dict[str, Any] = {}
    figures: dict[str, Any] = {}
    files: dict[str, str] = {}
    marked: set[str] = set()
    watch = nbformat.v4.new_code_cell(
        WATCH.format(root=str(ROOT), opened=str(log), ran=str(ran))
    )
    notebook = nbformat.v4.new_notebook(cells=[watch])
    client = NotebookClient(notebook, timeout=TIMEOUT, kernel_name="python3")
    environment = {**os.environ, "DPTEACH_BOOK": str(tables)}
    with client.setup_kernel(cwd=str(source.parent), env=environment):
        client.execute_cell(watch, 0)
        for number, cell in enumerate(cells, start=1):
            text, name = code(cell).rstrip(), keys.get(cell["id"])
            part = old.get(name) if name else None
            copy = nbformat.v4.new_code_cell(
                text.rpartition("\n")[0] if part else text,
                metadata=cell["metadata"],
            )
            notebook.cells.append(copy)
            before = set(tables.iterdir())
            try:
                client.execute_cell(copy, number)
            except CellExecutionError as error:
                raise ExtensionError(
                    f"{source.relative_to(source.parents[1])}: this cell fails with "
                    f"{error.ename}: {error.evalue}\n{text}\n{error}"
                ) from None
            opened = _opened(log)
            files |= {file: content(file, source.stem) for file in opened - set(files)}
            own = ran.read_text(encoding="utf-8").splitlines()
            marked |= set(own)
            if part and last:
                outputs[cell["id"]] = last.record["outputs"][part["cell"]]
                files |= part["files"]
                marked |= set(part["ran"])
                for table in part["tables"]:
                    shutil.copy(last.folder / "figures" / table, tables / table)
            else:
                outputs[cell["id"]] = copy.outputs
                part = {"files": dict(files), "ran": own}
                part["tables"] = [path.name for path in set(tables.iterdir()) - before]
            if name:
                figures[name] = {**part, "cell": cell["id"]}
    log.unlink(missing_ok=True)
    ran.unlink()
    return {
        "outputs": outputs,
        "figures": figures,
        "files": files,
        "ran": sorted(marked),
        "ended": time.time(),
        "seconds": time.perf_counter() - began,
    }


def _opened(log: Path) -> set[str]:
    """Name the files that were read, environments and what was built aside."""
    paths = {Path(path) for path in log.read_text(encoding="utf-8").splitlines()}
    inside = {path.relative_to(ROOT) for path in paths}
    return {
        path.as_posix()
        for path in inside
        if not any(part.startswith((".", "_")) for part in path.parts[:-1])
    }


class Runs:
    """The runs of a build: which chapters run, and what Sphinx gets of them."""

    def __init__(self) -> None:
        self.ready: dict[str, Run] = {}

    def folder(self, app: Sphinx) -> Path:
        """Return the folder of all runs."""
        return Path(app.outdir).parent / "runs"

    def needed(self, app: Sphinx) -> list[str]:
        """List the chapters whose outputs this build shows."""
        shown = set()
        for docname in app.env.found_docs:
            source = Path(app.env.doc2path(docname))
            if one_chapter(app) and selected(app, docname) and source.suffix == ".md":
                shown |= set(SHOWN.findall(source.read_text(encoding="utf-8")))
        return [
            name
            for name in sorted(app.env.found_docs)
            if Path(app.env.doc2path(name)).suffix == ".ipynb"
            and (selected(app, name) or name in shown)
        ]

    def execute(
        self, app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str],
        removed: set[str],
    ) -> list[str]:  # fmt: skip
        """Run what is new, as many chapters at a time as there are cores.

        Return the chapters that show something else than they did, and what shows
        parts of them. A build of one chapter reads no other page again.
        """
        if one_chapter(app):
            changed.intersection_update(
                {name for name in changed if selected(app, name)}
            )

        def one(name: str) -> Run:
            source = Path(env.doc2path(name))
            return run(source, self.folder(app) / source.stem)

        names = self.needed(app)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            self.ready = dict(zip(names, pool.map(one, names), strict=True))
        known = getattr(env, "dpteach_runs", {})
        new = {name for name in names if known.get(name) != self.mark(name)}
        decks = {
            name
            for name in env.found_docs
            if name.startswith("book/teach/") and selected(app, name)
        }
        return sorted(new | decks) if new else []

    def mark(self, docname: str) -> tuple[str, float, float]:
        """Tell a run from others: its key, when it ended, and the seconds it took."""
        record = self.ready[docname].record
        return self.ready[docname].folder.name, record["ended"], record["seconds"]

    def fill(self, app: Sphinx, docname: str, source: list[str]) -> None:
        """Put the outputs of a run into the source of a chapter."""
        ready = self.ready.get(docname)
        if ready is None:
            return
        notebook = json.loads(source[0])
        language = {"name": "python", "pygments_lexer": "ipython3"}
        notebook["metadata"]["language_info"] = language  # as a kernel says it
        for cell in running(notebook):
            cell["outputs"] = ready.record["outputs"][cell["id"]]
        source[0] = json.dumps(notebook)
        if not hasattr(app.env, "dpteach_runs"):
            app.env.dpteach_runs = {}
        app.env.dpteach_runs[docname] = self.mark(docname)


def tables(app: Sphinx) -> list[Path]:
    """List the tables of all figures."""
    runs = Path(app.outdir).parent / "runs"
    chapters = {Path(name).name for name in app.env.found_docs}
    return [
        path
        for path in sorted(runs.glob("*/*/figures/*"))
        if path.parents[2].name in chapters and path.parents[1].suffix != ".part"
    ]


def setup(app: Sphinx) -> None:
    """Run before the first page is read."""
    runs = Runs()
    app.connect("env-get-outdated", runs.execute)
    app.connect("source-read", runs.fill)
