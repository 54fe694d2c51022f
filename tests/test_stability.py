"""What ``book/stability.md`` promises of events: each row of ``events.yml`` holds."""

import ast
import dataclasses
import inspect

import pytest
import yaml

from dpteach import privacy
from dpteach.accounting import epsilon_of
from tests.public import ROOT

ROWS = yaml.safe_load((ROOT / "tests" / "events.yml").read_text("utf-8"))
KINDS = {
    name: kind
    for name, kind in vars(privacy).items()
    if inspect.isclass(kind) and issubclass(kind, privacy.Event)
}


def event_of(text: str) -> privacy.Event:
    """Make the event that a version has printed."""
    return eval(text, {**KINDS, "Relation": privacy.Relation})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["event"][:40])
def test_what_was_printed_is_read_and_costs_no_more(row):
    """It may cost less: then a sharper theorem was proved, and the row stays."""
    event = event_of(row["event"])
    assert event_of(repr(event)) == event
    assert epsilon_of(event, 1e-6) <= row["epsilon"] * (1 + 1e-9)


def test_every_kind_of_event_and_every_field_has_a_row():
    printed = " ".join(row["event"] for row in ROWS)
    for name, kind in KINDS.items():
        if name != "Event":
            assert f"{name}(" in printed
            fields = [field.name for field in dataclasses.fields(kind)]
            assert all(f"{field}=" in printed for field in fields), name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["event"][:40])
def test_fields_keep_their_order_and_new_ones_come_last_with_a_default(row):
    calls = [each for each in ast.walk(ast.parse(row["event"].strip(), mode="eval"))
             if isinstance(each, ast.Call) and each.func.id in KINDS]  # fmt: skip
    assert calls
    for call in calls:
        fields = dataclasses.fields(KINDS[call.func.id])
        names = [field.name for field in fields]
        printed = names[: len(call.args)] + [each.arg for each in call.keywords]
        assert names[: len(printed)] == printed
        for new in fields[len(printed) :]:
            assert new.default is not dataclasses.MISSING, new.name


def test_defaults_stay():
    """An event that leaves a field out means in each version what it meant."""
    defaults = {"releases": 1, "sensitivity": 1, "rate": 1.0}
    for name, kind in KINDS.items():
        for field in dataclasses.fields(kind) if name != "Event" else ():
            if field.default is not dataclasses.MISSING:
                assert field.default == defaults[field.name], (name, field.name)
            assert field.name != "releases" or field.default == 1, name


def test_no_event_has_a_default_relation():
    for kind in KINDS.values():
        for field in dataclasses.fields(kind) if kind is not privacy.Event else ():
            if field.name == "relation":
                assert field.default is dataclasses.MISSING
                assert field.default_factory is dataclasses.MISSING


def test_an_event_of_an_unknown_kind_is_not_free():
    @dataclasses.dataclass(frozen=True)
    class Unknown(privacy.Event):
        relation: privacy.Relation = privacy.Relation.REPLACE

    with pytest.raises((TypeError, ValueError)):
        epsilon_of(Unknown(), 1e-6)
    both = privacy.Composed((Unknown(), event_of(ROWS[3]["event"])))
    with pytest.raises((TypeError, ValueError)):
        epsilon_of(both, 1e-6)
