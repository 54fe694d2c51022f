"""A box claims only what a recorded run of an unchanged test has shown."""

import json

import pytest
import yaml
from verify import source_hash

from dpteach.chapters.verified import RECORD, verified
from tests.public import ROOT

CLAIMS = yaml.safe_load((ROOT / "book" / "verified.yml").read_text("utf-8"))


@pytest.mark.parametrize("chapter", CLAIMS)
def test_the_record_is_that_of_the_claims_and_of_the_tests_as_they_are(chapter):
    rows = json.loads(RECORD.read_text("utf-8"))["chapters"][chapter]
    assert [(r["claim"], r["test"]) for r in rows] == [
        (r["claim"], r["test"]) for r in CLAIMS[chapter]
    ]
    stale = [r["test"] for r in rows if r["source"] != source_hash(r["test"])]
    assert not stale, "changed since they were recorded: python book/_tools/verify.py"
    assert all(row["cases"] > 0 for row in rows)


def test_a_box_reads_as_text_and_as_a_list():
    box = verified("08-dp-sgd")
    assert str(box).count("✓") == len(CLAIMS["08-dp-sgd"])
    assert box._repr_mimebundle_()["text/html"].count("<li>") == len(box.rows)


def test_an_unknown_chapter_is_refused():
    with pytest.raises(ValueError, match="`chapter`"):
        verified("99-nothing")
