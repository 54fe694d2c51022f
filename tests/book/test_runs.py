"""A run is kept while nothing that it depends on changes, and is not kept longer."""

import json
import os
from pathlib import Path

import nbformat
import pytest
import watch
from dpteach_book import runs
from sphinx.errors import ExtensionError

from tests.public import ROOT

FIGURE = "from dpteach.chapters.shared import run_cases\n\nrun_cases.{}"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A small dpteach with two figures, a chapter that shows them, and its runs."""
    rooms = tmp_path / "dpteach" / "chapters"
    (rooms / "shared").mkdir(parents=True)
    for folder in (tmp_path / "dpteach", rooms, rooms / "shared"):
        (folder / "__init__.py").touch()
    (tmp_path / "dpteach" / "_lazy.py").write_text("def lazy(): pass\n")
    (tmp_path / "table.txt").write_text("1")
    (rooms / "shared" / "run_cases.py").write_text(
        "import os\nfrom pathlib import Path\n\n\n"
        "class Figure:\n"
        "    def __init__(self, title): self.title = title\n"
        "    def __repr__(self):\n"
        "        log = Path(os.environ['DRAWN'])\n"
        "        with log.open('a') as file: file.write(self.title)\n"
        "        Path(os.environ['DPTEACH_BOOK'], f'{self.title}.js').touch()\n"
        "        return f'a figure: {self.title}'\n\n\n"
        "one = Figure('first')\n"
        "two = Figure('second')\n"
        "def table(): return Path('../table.txt').read_text()\n"
    )
    monkeypatch.setattr("fingerprint.ROOT", tmp_path)
    monkeypatch.setattr(runs.reach, "ROOT", tmp_path)
    monkeypatch.setattr(runs, "ROOT", tmp_path)
    monkeypatch.setattr(runs.reach, "PACKAGE", tmp_path / "dpteach")
    monkeypatch.setattr(runs.reach, "LOADER", tmp_path / "dpteach" / "_lazy.py")
    tools = Path(watch.__file__).parent
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{tools}")
    monkeypatch.setenv("DRAWN", str(tmp_path.parent / f"{tmp_path.name}-drawn"))
    (tmp_path / "chapters").mkdir()
    return tmp_path


def run(package, *codes, text="Words."):
    """Run a chapter as the build does: each build reads the sources anew."""
    runs.reach.forget()
    cells = [nbformat.v4.new_markdown_cell(text, id="text")]
    for number, code in enumerate(codes):
        cells.append(nbformat.v4.new_code_cell(code, id=f"cell-{number}"))
    source = package / "chapters" / "01-cases.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), source)
    return runs.run(source, package / "runs" / "01-cases")


def drawn(package):
    """Say which figures were drawn since the last time."""
    log = package.parent / f"{package.name}-drawn"
    text = log.read_text() if log.exists() else ""
    log.write_text("")
    return text


def edit(package, old, new):
    path = package / "dpteach" / "chapters" / "shared" / "run_cases.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def shown(ready):
    return [
        output["data"]["text/plain"]
        for outputs in ready.record["outputs"].values()
        for output in outputs
        if "data" in output
    ]


CODES = (FIGURE.format("one"), "run_cases.two", "run_cases.table()")


@pytest.mark.slow
def test_an_edited_figure_is_drawn_and_no_other(package):
    first = run(package, *CODES)
    assert shown(first) == ["a figure: first", "a figure: second", "'1'"]
    assert drawn(package) == "firstsecond"
    again = run(package, *CODES, text="Other words.")
    assert again.folder == first.folder  # a text cell runs nothing
    assert drawn(package) == ""
    edit(package, "'second'", "'third'")
    third = run(package, *CODES)
    assert shown(third) == ["a figure: first", "a figure: third", "'1'"]
    assert drawn(package) == "third"
    tables = {path.name for path in (third.folder / "figures").iterdir()}
    assert tables == {"first.js", "third.js"}
    assert not first.folder.exists()


@pytest.mark.slow
def test_what_ran_is_noted_and_what_ran_while_importing_is_not(package):
    """Of methods, lambdas and inner functions, the name at the top of the file."""
    (package / "dpteach" / "parts.py").write_text(
        '"""Words."""\n\nfrom __future__ import annotations\n\n'
        "def loaded(): return 1\n"
        "ONE = loaded()\n"
        "def outer():\n"
        '    """Words."""\n'
        "    def inner(): return idle\n"
        "    return inner()\n"
        "def idle(): return 2\n"
        "twice = lambda x: 2 * x\n"
        "class Kind:\n"
        "    def method(self): return 3\n"
        "    def other(self): return 4\n"
        "class Idle:\n"
        "    def method(self): return 3\n"
    )
    code = "from dpteach import parts as p\np.outer(), p.twice(3), p.Kind().method()"
    first = run(package, FIGURE.format("one"), code)
    file, cases = "dpteach/parts.py", "dpteach/chapters/shared/run_cases.py"
    assert [each for each in first.record["ran"] if each.startswith(file)] == [
        f"{file} {name}" for name in ("Kind", "outer", "twice")
    ]
    assert f"{cases} Figure" in first.record["ran"]
    edit(package, "table()", "tables()")
    again = run(package, FIGURE.format("one"), code + "\n1")
    assert drawn(package) == "first"  # not again, and yet it is noted
    assert again.record["ran"] == first.record["ran"]


@pytest.mark.slow
def test_a_figure_that_is_kept_tells_nothing_of_older_cells(package):
    """Or a definition that is renamed would be noted, though nothing has that name."""
    parts = package / "dpteach" / "parts.py"
    parts.write_text("def old(): return 1\n")
    first = run(package, "from dpteach.parts import old\nold()", FIGURE.format("one"))
    assert "dpteach/parts.py old" in first.record["ran"]
    drawn(package)
    parts.write_text("def new(): return 1\n")
    again = run(package, "from dpteach.parts import new\nnew()", FIGURE.format("one"))
    assert drawn(package) == ""
    noted = [each for each in again.record["ran"] if "parts.py" in each]
    assert noted == ["dpteach/parts.py new"]


@pytest.mark.slow
def test_a_file_that_was_read_counts(package):
    first = run(package, *CODES)
    assert first.record["files"].keys() == {"table.txt"}
    drawn(package)
    (package / "table.txt").write_text("2")
    assert shown(run(package, *CODES))[-1] == "'2'"
    assert drawn(package) == ""  # the figures stand before the cell that reads it


@pytest.mark.slow
def test_a_cell_that_fails_is_named_and_leaves_no_run(package):
    with pytest.raises(ExtensionError, match=r"chapters/01-cases.*ZeroDivisionError"):
        run(package, "1 / 0")
    assert runs.latest(package / "runs" / "01-cases") is None


@pytest.mark.slow
def test_a_source_that_is_edited_meanwhile_is_named(package):
    path = package / "dpteach" / "chapters" / "shared" / "run_cases.py"
    code = f"open({str(path)!r}, 'a').write('# more')"
    with pytest.raises(ExtensionError, match=r"run_cases\.py: edited while 01-cases"):
        run(package, FIGURE.format("one"), code)


def test_of_the_record_of_tests_a_chapter_reads_its_own_rows(tmp_path, monkeypatch):
    record = {"versions": {}, "chapters": {"01-a": [1], "02-b": [2]}}
    path = tmp_path / runs.VERIFIED
    path.parent.mkdir(parents=True)
    monkeypatch.setattr(runs, "ROOT", tmp_path)

    def hashes():
        path.write_text(json.dumps(record))
        return [runs.content(runs.VERIFIED, name) for name in record["chapters"]]

    before = hashes()
    record["chapters"]["02-b"] = [3]
    after = hashes()
    assert before[0] == after[0]
    assert before[1] != after[1]
    assert (ROOT / runs.VERIFIED).exists()


def test_cells_for_the_reader_do_not_run():
    cells = [
        {"cell_type": "code", "id": "install", "metadata": {}, "source": "%pip list"},
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ""},
        {"cell_type": "code", "id": "b", "metadata": {}, "source": "1"},
        {
            "cell_type": "code", "id": "c", "source": "2",
            "metadata": {"tags": ["skip-execution"]},
        },
    ]  # fmt: skip
    assert [cell["id"] for cell in runs.running({"cells": cells})] == ["b"]
