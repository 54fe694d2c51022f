"""Run other packages' own tests of prices with dpteach in the place of their engines.

    make their-tests

Their sources are fetched, used and deleted; nothing of them is stored but the names of
their tests. Assertions and tolerances are theirs. A test that does not pass must be
explained in ``book/their-tests.yml``; a reason that nothing needs is an error, too.
"""

import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import yaml

HERE = Path(__file__).parent
BOOK = HERE.parents[2] / "book"


@dataclass(frozen=True)
class Suite:
    """Tests of one repository.

    Parameters
    ----------
    package : str
        What it is called.
    repository : str
        On GitHub, owner and name.
    engine : str
        The module here that puts dpteach in its place.
    files : tuple of str
        Their tests, or one of ours beside this file.
    path : str
        Where in the repository its modules are imported from.
    beside : tuple of str
        Another repository that is imported from, and where.
    bare : tuple of str
        Packages whose ``__init__`` is not run, because it asks for more than a price.
    """

    package: str
    repository: str
    engine: str
    files: tuple[str, ...]
    path: str = ""
    beside: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()


_DP = "python/dp_accounting/dp_accounting"
_DP_HOME = "python/dp_accounting"
_TF = "tensorflow_privacy/privacy/analysis"
SUITES = (
    Suite("dp_accounting", "google/differential-privacy", "dp_accounting_engine",
          (f"{_DP}/gaussian_mechanism_test.py", f"{_DP}/pld/accountant_test.py",
           f"{_DP}/pld/pld_privacy_accountant_test.py",
           f"{_DP}/rdp/rdp_privacy_accountant_test.py"),
          path=_DP_HOME),
    Suite("Opacus", "meta-pytorch/opacus", "opacus_engine",
          ("opacus/tests/prv_accountant.py", "opacus/tests/accountants_test.py")),
    Suite("prv_accountant", "microsoft/prv_accountant", "prv_engine",
          ("tests/test_accountant.py",)),
    Suite("autodp", "yuxiangw/autodp", "autodp_engine",
          ("test/unit_test_dp_sgd_poisson_sampling_add_remove.py",
           "test/unit_test_calibrator.py")),
    Suite("TensorFlow Privacy", "tensorflow/privacy", "tensorflow_engine",
          (f"{_TF}/compute_dp_sgd_privacy_test.py",
           f"{_TF}/tree_aggregation_accountant_test.py"),
          beside=("google/differential-privacy", _DP_HOME),
          bare=("tensorflow_privacy", "tensorflow_privacy.privacy",
                "tensorflow_privacy.privacy.analysis")),
    Suite("jax_privacy", "google-deepmind/jax_privacy", "jax_engine",
          ("tests/matrix_factorization/sensitivity_test.py",),
          bare=("jax_privacy", "jax_privacy.matrix_factorization")),
    Suite("DP-FTRL", "google-research/DP-FTRL", "", ("dp_ftrl_grid.py",)),
)  # fmt: skip
# Put before each of their files.
CONFTEST = """
import sys
from types import ModuleType
for name in {bare!r}:
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = [{sources!r} + "/" + name.replace(".", "/")]
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)
engine = __import__({engine!r}) if {engine!r} else None
getattr(engine, "install", int)()
"""


@dataclass(frozen=True)
class Clones:
    """Repositories at their newest state, each fetched once.

    Parameters
    ----------
    folder : Path
        Where they are kept for this run.
    near : Path or None
        A folder that has them, in the place of GitHub.
    """

    folder: Path
    near: Path | None

    def __getitem__(self, repository: str) -> Path:
        """Return where a repository lies; fetch it first."""
        clone = self.folder / repository
        if not clone.is_dir():
            source = f"https://github.com/{repository}"
            if self.near:
                source = f"file://{self.near}/{repository.replace('/', '+')}/repo"
            subprocess.run(
                ["git", "clone", "--quiet", "--depth", "1", source, str(clone)],
                check=True,
            )
        return clone

    def commit(self, repository: str) -> str:
        """Return which commit was fetched."""
        command = ["git", "-C", str(self[repository]), "rev-parse", "--short=7", "HEAD"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout.strip()


def outcomes(suite: Suite, file: str, clones: Clones) -> dict[str, tuple[str, str]]:
    """Run one file of tests; say of each test what came out, and its first words."""
    sources = clones[suite.repository]
    paths = [HERE, sources / suite.path]
    if suite.beside:
        paths.append(clones[suite.beside[0]] / suite.beside[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(
            sources / file if suite.engine else HERE / file, folder / "suite.py"
        )
        text = CONFTEST.format(
            bare=suite.bare, sources=str(sources), engine=suite.engine
        )
        (folder / "conftest.py").write_text(text)
        places = os.pathsep.join([*map(str, paths), os.environ.get("PYTHONPATH", "")])
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "suite.py",
             "-c", os.devnull, f"--rootdir={folder}", "--junitxml=report.xml"],
            cwd=folder, env={**os.environ, "PYTHONPATH": places},
            check=False, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return dict(read(ElementTree.parse(folder / "report.xml")))


def read(report: ElementTree.ElementTree):
    """Read what a run reported."""
    for case in report.iter("testcase"):
        bad = [each for each in case if each.tag in ("failure", "error", "skipped")]
        words = bad[0].get("message", "") if bad else ""
        kind = {"failure": "differs", "error": "differs", "skipped": "skipped"}
        name = f"{case.get('classname', '').rpartition('.')[2]}.{case.get('name')}"
        yield name, (kind[bad[0].tag] if bad else "passed", words.split("\n")[0][:200])


def explained(test: str, reasons: list[dict]) -> dict | None:
    """Find the reason why a test does not pass."""
    return next((r for r in reasons if fnmatch.fnmatch(test, r["test"])), None)


def main() -> int:
    """Run all suites, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", help="by default all")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--clones", type=Path, help="a folder with clones, not GitHub")
    asked = parser.parse_args()
    why = yaml.safe_load((BOOK / "their-tests.yml").read_text("utf-8"))
    board, faults = [], []
    with tempfile.TemporaryDirectory() as name:
        clones = Clones(Path(name), asked.clones)
        for suite in SUITES:
            if suite.package in (asked.packages or [suite.package]):
                board += tried(suite, clones, why.get(suite.package, []), faults)
    if asked.out:
        date = datetime.now(UTC).date().isoformat()
        told = {"date": date, "suites": board}
        asked.out.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    print(*faults, sep="\n", file=sys.stderr)
    return bool(faults)


def tried(suite: Suite, clones: Clones, reasons: list[dict], faults: list) -> list:
    """Run one suite; count its tests by what came out, and list what has no reason."""
    rows, used = [], set()
    for file in suite.files:
        row = {"file": file, "passed": 0, "explained": 0, "skipped": 0}
        found = outcomes(suite, file, clones)
        for test, (outcome, words) in found.items():
            reason = explained(test, reasons) if outcome == "differs" else None
            if outcome != "differs":
                row[outcome] += 1
            elif reason is None:
                faults.append(f"{suite.package}: {test}: {words}")
            else:
                used.add(reason["test"])
                row["explained"] += 1
        if not found:
            faults.append(f"{suite.package}: no test ran in {file}")
        commit = clones.commit(suite.repository)
        rows.append({"package": suite.package, "commit": commit, **row})
        print(json.dumps(rows[-1]), flush=True)
    unused = [r["test"] for r in reasons if r["test"] not in used]
    faults += [f"{suite.package}: nothing needs the reason for {t}" for t in unused]
    return rows


if __name__ == "__main__":
    sys.exit(main())
