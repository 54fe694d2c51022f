"""What a chapter's run depends on: the whole source of all that its cells reach."""

import json

import pytest
import reach
from chapter import chapters, find
from dpteach_book import runs

from tests.public import PACKAGE, ROOT

DESCENT = PACKAGE / "chapters" / "dp_sgd" / "descent.py"


def cells(one):
    return runs.running(json.loads(one.notebook.read_text("utf-8")))


def names(places, path):
    return {name for each, name in places if each == path}


def test_a_figure_reaches_what_it_is_made_of():
    code = "from dpteach.chapters.dp_sgd import descent\ndescent.cloud"
    places = reach.of_code(code)
    assert {"cloud", "_plane", "_clouds"} <= names(places, DESCENT)
    assert "fan" not in names(places, DESCENT)
    assert (PACKAGE / "figures" / "figure.py", "Figure") in places
    assert (PACKAGE / "algorithms" / "gradients" / "sgd.py", "dp_sgd") in places
    assert not names(places, DESCENT.with_name("tuning.py"))


def test_a_name_that_another_cell_assigns_is_imported_all_the_same():
    """As in the chapter on objective perturbation, which calls a number curvature."""
    code = "from dpteach.chapters.dp_sgd import descent\ndescent.cloud\ndescent = 1"
    assert "cloud" in names(reach.of_code(code), DESCENT)


def test_all_of_a_definition_counts():
    """Its title stands in a decorator, and `show` prints its docstring."""
    assert 'title="100 models each"' in reach.text((DESCENT, "cloud"))
    sgd = PACKAGE / "algorithms" / "gradients" / "sgd.py"
    assert '"""' in reach.text((sgd, "dp_sgd"))


def test_what_acts_when_a_file_is_imported_counts(tmp_path, monkeypatch):
    """Also what decorators, defaults or annotations name, and modules as values."""
    package = tmp_path / "dpteach"
    package.mkdir()
    (package / "_lazy.py").write_text("def lazy(): pass\n")
    (package / "__init__.py").write_text("from . import table\ntable.fill()\n")
    (package / "table.py").write_text("def fill(): pass\ndef other(): pass\n")
    (package / "tools.py").write_text("def a(): pass\ndef b(): pass\n")
    (package / "it.py").write_text(
        "from . import tools\nfrom .table import other\n"
        "def mark(f): return f\nSIZE = 3\nclass Kind: pass\n"
        "@mark\ndef it(n=SIZE) -> Kind:\n    return vars(tools)\n"
        "def unused(): pass\n"
        "if SIZE > 2:\n    print(other())\n"
    )
    monkeypatch.setattr(reach, "PACKAGE", package)
    monkeypatch.setattr(reach, "LOADER", package / "_lazy.py")
    monkeypatch.setattr("fingerprint.ROOT", tmp_path)
    monkeypatch.setattr(reach, "ROOT", tmp_path)
    places = reach.of_code("from dpteach.it import it\nit()")
    own = names(places, package / "it.py")
    assert own == {"it", "mark", "SIZE", "Kind", ""}
    assert {"a", "b"} <= names(places, package / "tools.py")
    assert {"fill", "other"} <= names(places, package / "table.py")


def test_an_exercise_is_found_by_its_name():
    clip = PACKAGE / "chapters" / "sensitivity" / "exercises" / "clip.py"
    code = 'from dpteach import check\ncheck("clip", lambda G, C: G)'
    assert "EXERCISE" in names(reach.of_code(code), clip)
    assert not names(reach.of_code(code.replace("clip", "x")), clip)


def missed(cells, ran):
    """List the definitions that ran in a chapter, and are not among those reached."""
    places = reach.of_code(runs.parsed(cells))
    reached = {f"{path.relative_to(ROOT)} {name}" for path, name in places}
    return sorted(set(ran) - reached)


def ran(book, one):
    return runs.latest(book.parent / "runs" / one.stem).record["ran"]


@pytest.mark.parametrize("one", chapters(), ids=lambda c: c.name)
def test_what_ran_in_a_chapter_is_reached(book, one):
    """Noted while the book was built: a name that the source does not show is found."""
    assert len(ran(book, one)) > 50
    assert missed(cells(one), ran(book, one)) == []


def test_a_figure_that_no_cell_named_would_be_missed(book):
    """Power."""
    one = find("dp-sgd")
    left = [cell for cell in cells(one) if runs.shows(cell) != "descent.cloud"]
    assert f"{DESCENT.relative_to(ROOT)} cloud" in missed(left, ran(book, one))
