"""Every benchmark runs to its end, at a small size; `make bench` ends with a table."""

import ast
import os
import subprocess
import sys
from importlib import import_module

import pytest

from tests.public import ROOT
from tests.samples import sampled

BENCH = ROOT / "tests" / "bench"
SHARED = {"harness", "run"}
# These need the book, and are in tests/book/test_bench.py.
PAGES = {"page", "page_python", "chapter_unit"}
# A graphics card is rarely there; without one this script says so.
SCRIPTS = sorted({path.stem for path in BENCH.glob("*.py")} - SHARED - PAGES)
# These need the package of a peer, and run once a week.
PEERS = sorted(path.stem for path in (BENCH / "peers").glob("*.py"))


def run(*scripts, small=True) -> subprocess.CompletedProcess:
    """Let run.py run benchmarks for a moment."""
    paths = [str(ROOT), str(ROOT / "book" / "_tools")]
    here = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    here |= {"BENCH": "small"} if small else {}
    return subprocess.run(
        [sys.executable, str(BENCH / "run.py"), *map(str, scripts)],
        env=here, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "script", sampled(SCRIPTS, ["dp_sgd", "tree", "import_time", "gpu"])
)
def test_a_benchmark_runs(script):
    done = run(BENCH / f"{script}.py")
    assert done.returncode == 0, done.stderr
    table = done.stdout.split("\n\n")[-1].splitlines()
    assert table[0].split() == ["script", "what", "goal", "measured", "met"]
    goals = [line for line in table[1:] if line.startswith(f"{script} ")]
    assert goals or script in ("gpu", "sweep")  # which states no goal


@pytest.mark.parametrize("peer", PEERS)
def test_what_a_peers_benchmark_takes_from_here_is_here(peer):
    path = BENCH / "peers" / f"{peer}.py"
    assert path.with_suffix(".txt").exists()
    taken = [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("dpteach")
        for alias in node.names
    ]
    assert taken
    for module, name in taken:
        assert hasattr(import_module(module), name), f"{module} has no {name}"


def test_the_table_says_what_was_missed_and_what_broke(tmp_path):
    met, broken = tmp_path / "met.py", tmp_path / "broken.py"
    start = f"import sys\nsys.path.insert(0, {str(BENCH)!r})\nimport harness\n"
    met.write_text(
        f"{start}harness.verdict('low', 1.5, 2, ' s')\n"
        "harness.verdict('high', 1.5, 1, ' s')\n"
        "harness.verdict('more', 1.5, 1, ' s', at_least=True)\n"
    )
    broken.write_text(f"{start}harness.verdict('before', 1, 2)\n1 / 0\n")
    done = run(met, broken, small=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(f"to their end: {broken}")
    rows = [line.split() for line in done.stdout.split("\n\n")[-1].splitlines()]
    assert rows[1:] == [
        ["met", "low", "<=", "2", "s", "1.5", "s", "met"],
        ["met", "high", "<=", "1", "s", "1.5", "s", "NOT", "MET"],
        ["met", "more", ">=", "1", "s", "1.5", "s", "met"],
        ["broken", "before", "<=", "2", "1", "met"],
    ]
    assert run(met, small=False).returncode == 0
