"""What the stored runs of mutants say: each survivor has its reason."""

import pytest
import yaml

from tests.mutants.mutate import mutants
from tests.mutants.run import HERE, functions, main, sample, stored
from tests.mutants.table import FILE, scope, text

LISTED = yaml.safe_load((HERE / "survivors.yml").read_text("utf-8"))


def test_each_survivor_is_listed_with_its_reason():
    """A group that is `open` is no equal of the code: a test for it is missing."""
    survivors = {
        (name, each) for name, row in stored().items() for each in row["survivors"]
    }
    listed = [(group["module"], each) for group in LISTED for each in group["mutants"]]
    assert len(set(listed)) == len(listed)
    assert set(listed) == survivors
    assert all(len(group["reason"]) > 20 for group in LISTED)


def test_the_tests_notice_nearly_all_changes_that_matter():
    run = sum(row["mutants"] for row in stored().values())
    survive = sum(len(row["survivors"]) for row in stored().values())
    left_open = sum(len(group["mutants"]) for group in LISTED if group.get("open"))
    noticed = run - survive
    assert run >= 300
    assert noticed >= 0.95 * (noticed + left_open)
    assert set(stored()) <= set(functions())


def test_the_table_is_what_is_stored():
    """Each file in scope is in it, as run or as not run yet."""
    written = FILE.read_text("utf-8")
    assert written == text()
    assert all(f"`{name}`" in written for name in scope())


def test_mutants_drop_guards_and_parts_of_conditions():
    source = '''
def release(x, lam):
    """Release."""
    checks.positive(lam=lam)
    if x < 0 or lam < 1:
        raise ValueError(f"no {x + 1}")
    return abs(x) * lam
'''
    made = {mutant.key.removeprefix("release: ") for mutant in mutants(source)}
    for change in (
        "checks.positive(lam=lam) -> None",
        "if x < 0 or lam < 1: -> if False:",
        "if x < 0 or lam < 1: -> if False or lam < 1:",
        "return abs(x) * lam -> return (lambda x: x)(x) * lam",
        "return abs(x) * lam -> return abs(x) / lam",
    ):
        assert change in made
    assert not any("no {" in change for change in made)  # words of errors stay


def test_a_sample_is_the_same_each_time_and_from_the_whole_file():
    drawn = sample(list(range(300)), 40)
    assert drawn == sample(list(range(300)), 40) == sorted(set(drawn))
    assert len(drawn) == 40
    assert min(drawn) < 30
    assert max(drawn) >= 270
    assert sample([1, 2, 3], 40) == sample([1, 2, 3], None) == [1, 2, 3]


def test_each_file_of_these_packages_is_planned():
    """A new file of prices, audits or mechanisms cannot be forgotten."""
    assert set(scope()) == set(functions())


def test_a_name_that_is_not_planned_is_named(monkeypatch):
    monkeypatch.chdir(HERE)
    with pytest.raises(SystemExit, match=r"no dpteach/accounting/odds\.py, and"):
        main(["accounting/odds", "dpteach/accounting/odds.py"])
