"""Run tests against small changes to the lines that privacy rests on: make mutants.

For each module that ``plan.yml`` names, the module's doctests, its rows of the bad-input
matrix and the tests of the plan are collected once. Then each mutant gets a fork, in
which the changed function takes the place of the right one, and the tests that run this
function are run, quick ones first, until one fails; the files stay as they are. ``runs.json`` keeps what
happened, with a fingerprint of each module; one whose mutants ran since its last edit is
passed over. Names on the command line run those modules anew:
``python tests/mutants/run.py accounting/renyi``.

What a test file computes while it is imported comes from the module without a change.
"""

import hashlib
import json
import os
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from tests.mutants.forks import Forks
from tests.mutants.mutate import Mutant, mutants

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# Tests of a function that take longer than this together are left out, for one mutant.
SECONDS = 30
STORED = HERE / "runs.json"


def plan() -> dict[str, dict]:
    """Read plan.yml: each module's tests, and the functions that count."""
    groups = yaml.safe_load((HERE / "plan.yml").read_text("utf-8"))
    return {
        name: {"tests": group["tests"], "functions": group.get("functions")}
        for group in groups
        for name in group["modules"]
    }


def file_of(name: str) -> Path:
    """Find a module of the plan."""
    return ROOT / "dpteach" / f"{name}.py"


def mutants_of(name: str) -> list[Mutant]:
    """Make all mutants of a module of the plan."""
    source = file_of(name).read_text("utf-8")
    return list(mutants(source, plan()[name]["functions"]))


def fingerprint(name: str) -> str:
    """Hash a module as its mutants were made from it, and its row of the plan."""
    row = json.dumps(plan()[name], sort_keys=True)
    content = file_of(name).read_bytes() + row.encode()
    return hashlib.sha256(content).hexdigest()[:16]


def stored() -> dict[str, dict]:
    """Read what happened to the mutants of each module."""
    return json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}


def run(name: str) -> dict:
    """Run the tests against each mutant of a module."""
    row = {
        "fingerprint": fingerprint(name),
        "date": datetime.now(UTC).date().isoformat(),
    }

    def play(forks: Forks) -> None:
        touched = forks.touched(SECONDS)
        made = mutants_of(name)
        alive = []
        for number, mutant in enumerate(made, 1):
            numbers = touched.get(mutant.function, [])
            owner = mutant.function
            if owner == "module":  # a constant: any test may depend on it
                owner = None
                numbers = sorted({k for each in touched.values() for k in each})
            if forks.survives(mutant.tree, owner, numbers):
                alive.append({"line": mutant.line, "mutant": mutant.key})
                print(f"  {mutant.line}: {mutant.key}", file=sys.stderr, flush=True)
            if number % 50 == 0:
                print(f"{name}: {number} of {len(made)}", file=sys.stderr, flush=True)
        row.update(mutants=len(made), survivors=alive)

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    tests = [*plan()[name]["tests"], "test_bad_input.py"]
    files = [str(file_of(name)), *(str(ROOT / "tests" / test) for test in tests)]
    module = "dpteach." + name.replace("/", ".")
    import_module(module)  # before pytest does, which would import it a second time
    options = ["-q", "-s", "-p", "no:xdist", "--maxfail=1000000"]
    pytest.main([*options, *files], plugins=[Forks(module, play)])
    return row


def main(names: list[str]) -> None:
    """Run what is named, or what was edited since it ran: each in a fork of its own."""
    os.chdir(ROOT)
    for name in names or plan():
        if names or stored().get(name, {}).get("fingerprint") != fingerprint(name):
            if (child := os.fork()) == 0:
                if "survivors" not in (row := run(name)):
                    os._exit(1)
                rows = dict(sorted({**stored(), name: row}.items()))
                text = json.dumps(rows, indent=1, ensure_ascii=False)
                STORED.write_text(text + "\n", "utf-8")
                alive = len(row["survivors"])
                print(f"{name}: {row['mutants']} mutants, {alive} survive", file=sys.stderr)
                os._exit(0)
            if os.waitpid(child, 0)[1] != 0:
                raise SystemExit(f"{name}: its mutants were not run")


if __name__ == "__main__":
    main(sys.argv[1:])
