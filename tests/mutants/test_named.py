"""Changes that would break privacy or a price are noticed, each by its own test."""

import ast
from importlib import import_module

import pytest
import yaml

from tests.mutants.forks import graft, load
from tests.mutants.run import HERE, file_of

NAMED = yaml.safe_load((HERE / "named.yml").read_text("utf-8"))


def notices(row, source):
    """Say whether the row's test fails where its module has this source."""
    file, _, test = row["test"].partition("::")
    noticing = getattr(import_module("tests." + file.replace("/", ".")), test)
    module = import_module("dpteach." + row["module"].replace("/", "."))
    before = file_of(row["module"]).read_text("utf-8")
    right, wrong = ast.parse(before), ast.parse(source)
    owners = [
        old.name
        for old, new in zip(right.body, wrong.body, strict=True)
        if ast.dump(old) != ast.dump(new)
    ]
    try:
        for owner in owners:
            graft(module, load(module, wrong), owner)
        try:
            noticing()
        except (AssertionError, pytest.fail.Exception):
            return True
        return False
    finally:
        for owner in owners:
            graft(module, load(module, right), owner)


@pytest.mark.parametrize("row", NAMED, ids=lambda row: row["name"])
def test_each_named_change_is_noticed(row):
    """Nothing else is: the same test passes where nothing is changed."""
    source = file_of(row["module"]).read_text("utf-8")
    assert source.count(row["old"]) == 1
    changed = source.replace(row["old"], row["new"])
    assert notices(row, changed)
    assert not notices(row, source)
