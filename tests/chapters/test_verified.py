"""A box claims only what a recorded run of an unchanged test has shown."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from verify import TESTS, claims, fingerprint_of

from dpteach.chapters.verified import RECORD, verified
from tests.public import ROOT

CLAIMS = claims()


@pytest.mark.parametrize("chapter", CLAIMS)
def test_the_record_is_that_of_the_claims_and_of_the_tests_as_they_are(chapter):
    rows = json.loads(RECORD.read_text("utf-8"))["chapters"][chapter]
    again = "python book/_tools/verify.py"
    recorded = [(row["claim"], row["test"]) for row in rows]
    assert recorded == [(each.sentence, each.test) for each in CLAIMS[chapter]], again
    stale = [r["test"] for r in rows if r["fingerprint"] != fingerprint_of(r["test"])]
    assert not stale, f"changed since they were recorded: {again}"
    assert all(row["cases"] > 0 for row in rows)


def test_every_mark_is_read_and_names_a_chapter():
    """No mark hides where the tool does not look, such as on a case or in a class."""
    others = set(TESTS.rglob("*.py")) - {Path(__file__)}
    written = sum(path.read_text("utf-8").count("mark.claim(") for path in others)
    assert sum(map(len, CLAIMS.values())) == written
    known = {path.stem for path in (ROOT / "chapters").glob("*.ipynb")}
    assert set(CLAIMS) <= known


def test_marks_are_read_in_their_order(tmp_path):
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_b.py").write_text(
        "import pytest\n"
        "pytestmark = [pytest.mark.slow, pytest.mark.claim('1', 'all', order=2)]\n"
        "@pytest.mark.claim('1', 'second' ' of b', order=2)\n"
        "@pytest.mark.claim('2', 'elsewhere', order=1)\n"
        "def test_it():\n    pass\n"
    )
    (folder / "test_a.py").write_text(
        "import pytest\n@pytest.mark.claim('1', 'last', order=3)\n"
        "@pytest.mark.slow\ndef test_it():\n    pass\n"
    )
    found = claims(folder)
    assert [(each.sentence, each.test) for each in found["1"]] == [
        ("all", "tests/test_b.py"),
        ("second of b", "tests/test_b.py::test_it"),
        ("last", "tests/test_a.py::test_it"),
    ]
    assert [each.sentence for each in found["2"]] == ["elsewhere"]


def test_a_box_reads_as_text_and_as_a_list():
    box = verified("09-dp-sgd")
    assert str(box).count("✓") == len(CLAIMS["09-dp-sgd"])
    assert box._repr_mimebundle_()["text/html"].count("<li>") == len(box.rows)


def test_a_box_says_when_its_tests_were_run():
    box = verified("09-dp-sgd")
    one, two = ({**box.rows[0], "date": f"2026-01-0{day}"} for day in (1, 2))
    assert "Recorded on 2026-01-01 with" in str(replace(box, rows=[one]))
    both = replace(box, rows=[two, one, two])
    assert "Recorded from 2026-01-01 to 2026-01-02 with" in str(both)


def test_an_unknown_chapter_is_refused():
    with pytest.raises(ValueError, match="`chapter`"):
        verified("99-nothing")
