"""Run tests against small changes to the lines that privacy rests on: make mutants.

For each group of modules that ``plan.yml`` names, the modules' doctests, their rows of
the bad-input matrix and the tests of the plan are collected and run once, to see which
tests run which function. Then each mutant gets a fork, in which the changed function
takes the place of the right one, and the tests that run this function are run, quick
ones first, until one fails; the files stay as they are. ``runs.json`` keeps what
happened, with a fingerprint of each module; one whose mutants ran since its last edit
is passed over. Names on the command line run those modules anew:
``make mutants NAMES=accounting/rules/renyi``. After ``--survivors`` only the
mutants run that no test noticed before, unless the module was edited: tests were added,
and what the others noticed they still do.
Where the plan says so, a sample of a file's mutants is run, drawn by a fixed seed.

What a test file computes while it is imported comes from the module without a change.
"""

import hashlib
import json
import os
import random
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import atomic
import pytest
import yaml

from tests.mutants.forks import Forks
from tests.mutants.mutate import Mutant, mutants

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STORED = HERE / "runs.json"
# Tests of a function that take longer than this together are left out, for one mutant.
SECONDS = 6
OPTIONS = ["-q", "-s", "-p", "no:xdist", "--maxfail=1000000", "-m", ""]


def plan() -> list[dict]:
    """Read plan.yml: groups of modules, their tests, and the functions that count."""
    groups = yaml.safe_load((HERE / "plan.yml").read_text("utf-8"))
    for group in groups:
        if not isinstance(group["modules"], dict):  # all functions count
            group["modules"] = dict.fromkeys(group["modules"])
    return groups


def functions() -> dict[str, list[str] | None]:
    """Map each module of the plan to the functions that count; None means all."""
    return {name: each for group in plan() for name, each in group["modules"].items()}


def most_of() -> dict[str, int | None]:
    """Map each module of the plan to the most mutants that are run; None means all."""
    return {name: group.get("sample") for group in plan() for name in group["modules"]}


def file_of(name: str) -> Path:
    """Find a module of the plan."""
    return ROOT / "dpteach" / f"{name}.py"


def module_of(name: str) -> str:
    """Write a module's full name."""
    return "dpteach." + name.replace("/", ".")


def mutants_of(name: str) -> list[Mutant]:
    """Make all mutants of a module of the plan."""
    return list(mutants(file_of(name).read_text("utf-8"), functions()[name]))


def sample(made: list[Mutant], most: int | None) -> list[Mutant]:
    """Draw so many mutants by a fixed seed, in their order; None means all."""
    if most is None or len(made) <= most:
        return made
    drawn = random.Random(1).sample(range(len(made)), most)
    return [made[k] for k in sorted(drawn)]


def fingerprint(name: str) -> str:
    """Hash a module as its mutants were made from it, and the functions that count."""
    content = file_of(name).read_bytes() + repr(functions()[name]).encode()
    if most := most_of()[name]:
        content += str(most).encode()
    return hashlib.sha256(content).hexdigest()[:16]


def stored() -> dict[str, dict]:
    """Read what happened to the mutants of each module."""
    return json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}


def run(
    name: str, forks: Forks, touched: dict[str, list[int]], survivors: bool
) -> dict:
    """Run the tests against each mutant of a module, or against its survivors."""
    all_made, alive = mutants_of(name), []
    counted = made = sample(all_made, most_of()[name])
    if survivors:
        made = _unnoticed(name, made)
    # on a constant any test may depend
    touched["module"] = sorted({k for each in touched.values() for k in each})
    for number, mutant in enumerate(made, 1):
        owner = None if mutant.function == "module" else mutant.function
        # nothing of the file runs where a dataclass is made: any test may do so
        tests = touched.setdefault(mutant.function, [*touched["module"]])
        if forks.survives(module_of(name), mutant.tree, owner, tests):
            alive.append(mutant.key)
            _say(f"  {mutant.line}: {mutant.key}")
        if number % 50 == 0:
            _say(f"{name}: {number} of {len(made)}")
    _say(f"{name}: {len(made)} mutants, {len(alive)} survive")
    return {
        "fingerprint": fingerprint(name),
        "date": datetime.now(UTC).date().isoformat(),
        "made": len(all_made),
        "mutants": len(counted),
        "survivors": alive,
    }


def _unnoticed(name: str, made: list[Mutant]) -> list[Mutant]:
    """Keep the mutants that survived last time, if the module is as it was then."""
    row = stored()[name]
    if row["fingerprint"] != fingerprint(name):
        return made
    return [mutant for mutant in made if mutant.key in row["survivors"]]


def run_group(names: list[str], tests: list[str], survivors: bool) -> None:
    """Collect a group's tests once, and run the mutants of some of its modules."""

    def play(forks: Forks) -> None:
        touched = forks.touched(SECONDS)
        for name in names:
            row = run(name, forks, touched[module_of(name)], survivors)
            rows = dict(sorted({**stored(), name: row}.items()))
            text = json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
            atomic.write(STORED, text)

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    # before pytest imports them, which would be a second time
    files = {module_of(name): import_module(module_of(name)).__file__ for name in names}
    paths = [ROOT / "tests" / test for test in [*tests, "test_bad_input.py"]]
    everything = [str(each) for each in [*files.values(), *paths]]
    pytest.main([*OPTIONS, *everything], plugins=[Forks(files, play)])


def main(names: list[str]) -> None:
    """Run what is named, or what was edited since it ran: each group in a fork."""
    os.chdir(ROOT)
    survivors = "--survivors" in names
    names = [name for name in names if name != "--survivors"]
    if unknown := set(names) - functions().keys():
        listed = ", ".join(sorted(unknown))
        sys.exit(f"plan.yml has no {listed}, and names modules as accounting/odds.")
    for group in plan():
        wanted = [
            name
            for name in group["modules"]
            if name in names
            or (
                not names
                and stored().get(name, {}).get("fingerprint") != fingerprint(name)
            )
        ]
        if wanted:
            if (child := os.fork()) == 0:
                run_group(wanted, group["tests"], survivors)
                os._exit(0)
            os.waitpid(child, 0)


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
