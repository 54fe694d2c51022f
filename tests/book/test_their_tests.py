"""Others' tests with our engine: what differs needs a reason, and a reason a need."""

import json
import subprocess
import sys

import pytest
import yaml

from tests.public import ROOT

THEIRS = ROOT / "tests" / "elsewhere" / "theirs"
ENGINE = "import sys\nsys.modules['far'] = sys.modules[__name__]\nPRICE = 2.0\n"
TESTS = """
import far

class TestPrice:
    def test_right(self):
        assert far.PRICE == 2.0

    def test_old_value(self):
        assert far.PRICE == 3.0
"""


@pytest.fixture
def run(monkeypatch):
    monkeypatch.syspath_prepend(str(THEIRS))
    for name in ("run", "far_engine"):
        sys.modules.pop(name, None)
    import run  # the script

    yield run
    sys.modules.pop("run")


@pytest.fixture
def clones(run, tmp_path, monkeypatch):
    """A repository of two tests, and an engine that passes one of them."""
    source = tmp_path / "near" / "who+far" / "repo"
    source.mkdir(parents=True)
    (source / "test_price.py").write_text(TESTS)
    git = ["git", "-C", str(source), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "tests"]):
        subprocess.run([*git, *command], check=True)
    (tmp_path / "far_engine.py").write_text(ENGINE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return run.Clones(tmp_path / "clones", tmp_path / "near")


@pytest.mark.parametrize(
    ("patterns", "faults"),
    [
        ([], ["far: TestPrice.test_old_value: assert 2.0 == 3.0"]),
        (["TestPrice.test_old*"], []),
        (["*old*", "*gone*"], ["far: nothing needs the reason for *gone*"]),
    ],
)
def test_what_differs_needs_a_reason_and_a_reason_a_need(run, clones, patterns, faults):
    suite = run.Suite("far", "who/far", "far_engine", ("test_price.py",))
    reasons = [{"test": each, "why": "It holds another number."} for each in patterns]
    found: list[str] = []
    [row] = run.tried(suite, clones, reasons, found)
    assert [each.replace("AssertionError: ", "") for each in found] == faults
    assert (row["passed"], row["explained"]) == (1, bool(patterns))


def test_what_is_stored_is_about_the_suites_that_are_run(run):
    """And a package has reasons just if some of its tests differ."""
    board = json.loads((ROOT / "book" / "their-tests.json").read_text("utf-8"))
    stored = [(row["package"], row["file"]) for row in board["suites"]]
    assert stored == [(s.package, file) for s in run.SUITES for file in s.files]
    why = yaml.safe_load((ROOT / "book" / "their-tests.yml").read_text("utf-8"))
    differ = {row["package"] for row in board["suites"] if row["explained"]}
    assert differ == {package for package, reasons in why.items() if reasons}
