"""What a chapter's run depends on: the whole source of all that its cells reach."""

import json
import os
import subprocess
import sys

import pytest
import reach
from chapter import chapters, find
from dpteach_book import runs

from tests.public import PACKAGE, ROOT
from tests.samples import sampled

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


def missed(one, traced=None):
    """List the definitions that ran in a chapter, and are not among those reached."""
    if traced is None:
        paths = [ROOT, ROOT / "book" / "_ext", ROOT / "book" / "_tools"]
        done = subprocess.run(
            [sys.executable, "-m", "tests.book.trace", str(one.notebook)],
            cwd=ROOT, check=True, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        )  # fmt: skip
        traced = done.stdout.split()
    assert len(traced) > 50
    places = reach.of_code(runs.parsed(cells(one)))
    reached = {
        (path, line)
        for path, name in places
        for node in reach.statements((path, name))
        for line in range(reach.first_line(node), node.end_lineno + 1)
    }
    lines = ((ROOT / file, int(line)) for file, line in (x.split(":") for x in traced))
    return sorted((str(p), line) for p, line in lines if (p, line) not in reached)


@pytest.mark.slow
@pytest.mark.parametrize(
    "one", sampled(chapters(), [find("tour")]), ids=lambda c: c.name
)
def test_what_runs_in_a_chapter_is_reached(one):
    """Traced, function by function: a name that the source does not show is found."""
    assert missed(one) == []
