"""The book builds, and a fault in it stops the build."""

import json
import re
from contextlib import suppress

import atomic
import build
import chapter
import pytest
import render

from tests.book import small

TITLE = ("markdown", "# DP-SGD\n\nWords.")


@pytest.mark.thorough
def test_a_sound_chapter_builds(tmp_path):
    done = small.make(
        tmp_path,
        TITLE,
        ("code", "import dpteach\nprint(dpteach.__version__)"),
        (
            "markdown",
            "A formula $\\lambda^2$.\n\n$$x = 1$$ (eq-one)\n\nSee {eq}`eq-one`.",
        ),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "out/_build/html/chapters/09-dp-sgd.html").read_text()
    assert "explore.js" not in page  # no figure, so no script of figures
    assert 'class="katex' in page
    assert "<math" in page
    assert '<span class="eqno">(9.1)' in page  # the chapter's number is its file's
    assert (tmp_path / "out/_build/html/chapters/09-dp-sgd.ipynb").exists()


FAULTS = {
    "a formula": ("$\\frac{1}{$", "KaTeX cannot read"),
    "a link": ("See {doc}`nowhere`.", "nowhere"),
    "a theorem": ("See {prf:ref}`thm-x`.", "thm-x"),
    "an equation": ("See {eq}`eq-x`.", "eq-x"),
    "a work": ("See {cite:p}`nobody`.", "nobody"),
    "a figure": ("[Set it](#no-figure?rate=1).", "no figure 'no-figure'"),
}


@pytest.mark.thorough
@pytest.mark.slow
def test_a_cell_that_fails_stops_the_build(tmp_path):
    done = small.make(tmp_path, TITLE, ("code", "1 / 0"))
    assert done.returncode != 0
    assert "ZeroDivisionError" in done.stdout + done.stderr


@pytest.mark.thorough
@pytest.mark.slow
def test_each_fault_is_a_warning_and_a_warning_stops_the_build(tmp_path):
    texts = "\n\n".join(text for text, _ in FAULTS.values())
    cell = ("code", "import warnings; warnings.warn('look out')")
    done = small.make(tmp_path, TITLE, ("markdown", texts), cell)
    assert done.returncode != 0
    output = done.stdout + done.stderr
    warnings = [
        line for line in output.splitlines() if re.search("WARNING: |ERROR: ", line)
    ]
    for what in ("stderr was found", *(what for _, what in FAULTS.values())):
        assert any(what in line for line in warnings), (what, output)


@pytest.mark.thorough
@pytest.mark.slow
def test_one_chapter_builds_alone_and_names_a_misspelled_reference(tmp_path):
    """Without a build of the book before it."""
    name = "chapters/09-dp-sgd"
    text = "A formula.\n\n$$x = 1$$ (eq-one)\n\nSee {eq}`eq-one`."
    done = small.make(tmp_path / "1", TITLE, ("markdown", text), chapter=name)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = tmp_path / "1" / "out" / "_build" / "html"
    assert '<span class="eqno">(9.1)' in (pages / f"{name}.html").read_text()
    assert (pages / "notebooks" / f"{name}.ipynb").exists()
    assert not (pages / "book" / "glossary.html").exists()

    text = text.replace("`eq-one`", "`eq-onne`")
    done = small.make(tmp_path / "2", TITLE, ("markdown", text), chapter=name)
    assert done.returncode != 0
    assert "eq-onne" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("bring", "module"),
    [(build.bring_python, build.runtime), (build.bring_wheel, build.build_wheel)],
)
def test_a_book_that_lacks_a_part_is_built_for_its_author_and_not_published(
    bring, module, tmp_path, monkeypatch, capsys
):
    def fail() -> None:
        raise module.Unavailable("npm is not installed")

    monkeypatch.setattr(module, "make", fail)
    monkeypatch.setattr(module, "OUT", tmp_path / "out")
    monkeypatch.setattr(build, "STAMP", tmp_path / "stamp.json")
    monkeypatch.delenv("CI", raising=False)
    bring()
    assert "WITHOUT" in capsys.readouterr().err
    monkeypatch.setenv("CI", "true")
    with pytest.raises(RuntimeError, match=r"WITHOUT .*: npm is not installed"):
        bring()


@pytest.fixture
def stamped(tmp_path, monkeypatch):
    """A book that counts as built."""
    pages = tmp_path / "html"
    atomic.write(pages / "a.html", "a")
    atomic.write(pages / "b.html", "b")
    monkeypatch.setattr(build, "HTML", pages)
    monkeypatch.setattr(build, "STAMP", tmp_path / "stamp.json")
    monkeypatch.setattr(build, "inputs", lambda: "what went in")
    stamp = {"inputs": "what went in", "outputs": build.outputs()}
    atomic.write(build.STAMP, json.dumps(stamp))
    assert build.fresh()
    return pages


@pytest.mark.usefixtures("stamped")
def test_a_book_is_stale_without_its_stamp_or_with_other_sources(monkeypatch):
    monkeypatch.setattr(build, "inputs", lambda: "something else")
    assert not build.fresh()
    monkeypatch.setattr(build, "inputs", lambda: "what went in")
    assert build.fresh()
    build.STAMP.unlink()
    assert not build.fresh()


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("book/index.md", True),
        ("SECURITY.md", True),
        ("tests/chapters/dp_sgd/private_step/false_rejects.json", True),
        ("tests/chapters/dp_sgd/private_step/bank.py", True),
        ("tests/chapters/test_banks.py", False),
        ("book/_build/html/index.html", False),
    ],
)
def test_what_pages_are_made_of_is_a_source(tmp_path, monkeypatch, path, counts):
    monkeypatch.setattr(build, "ROOT", tmp_path)
    before = build.inputs()
    atomic.write(tmp_path / path, "new")
    assert (build.inputs() != before) is counts


def test_a_page_that_is_edited_or_deleted_is_noticed(stamped):
    (stamped / "pack.zip").touch()  # what is laid beside the pages changes none
    assert build.fresh()
    (stamped / "a.html").write_text("A")
    assert not build.fresh()
    (stamped / "a.html").write_text("a")
    assert build.fresh()
    (stamped / "b.html").unlink()
    assert not build.fresh()


def test_a_page_that_was_renamed_is_not_published_any_more(stamped, monkeypatch):
    for name in ("bring_python", "bring_wheel", "bring_packs", "run"):
        monkeypatch.setattr(build, name, lambda *_: None)
    monkeypatch.setattr(build, "render", lambda: atomic.write(stamped / "c.html", "c"))
    assert build.build() == stamped
    assert (stamped / "a.html").exists()  # nothing had changed
    assert build.build(force=True) == stamped
    assert [path.name for path in stamped.iterdir()] == ["c.html"]
    assert build.fresh()


def test_an_error_does_not_cost_the_reading_of_all_pages(tmp_path):
    """Sphinx deletes what it knows then; what a build wrote stays as it is."""
    read = tmp_path / "environment.pickle"
    with render.remembered(read):
        assert not read.exists()
        read.write_text("first")
    with render.remembered(read):
        read.write_text("second")
    assert read.read_text() == "second"
    with suppress(ZeroDivisionError), render.remembered(read):
        read.unlink()
        raise ZeroDivisionError
    assert read.read_text() == "second"
    assert [each.name for each in tmp_path.iterdir()] == [read.name]


def test_a_file_is_whole_or_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "file"
    atomic.write(path, "old")

    def fail(*_):
        raise OSError("no room")

    monkeypatch.setattr(atomic.Path, "replace", fail)
    with pytest.raises(OSError, match="no room"):
        atomic.write(path, "new")
    assert path.read_text() == "old"
    assert [each.name for each in path.parent.iterdir()] == ["file"]


def test_a_chapter_has_a_number_and_a_name():
    one = chapter.find("9")
    assert one == chapter.find("09") == chapter.find("dp-sgd") == chapter.find("dp_sgd")
    assert one.notebook.exists()
    assert (one.package, one.lecture, one.stem) == ("dp_sgd", "09", "09-dp-sgd")
    with pytest.raises(ValueError, match=r"no chapter 'dp-sgb'.* 9 dp-sgd, "):
        chapter.find("dp-sgb")
