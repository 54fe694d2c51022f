"""A box claims what a recorded run has shown, as long as its test is unchanged."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import verify
from verify import RECORD, TESTS, claims

from dpteach.chapters import verified as verified_module
from dpteach.chapters.verified import verified
from tests.public import ROOT

CLAIMS = claims()


def test_a_recorded_claim_was_shown_by_a_case_at_least():
    recorded = json.loads(RECORD.read_text("utf-8"))["chapters"]
    assert all(row["cases"] > 0 for rows in recorded.values() for row in rows)


def spoiled(tmp_path, monkeypatch, old, new):
    """Use a record of two claims in which a text has been replaced."""
    claims = CLAIMS["09-dp-sgd"][:2]
    rows = [
        verify.row(
            each, verify.fingerprint_of(each.test), {"cases": 3, "date": "2026-01-01"},
            {"numpy": "2.4.6"},
        )
        for each in claims
    ]  # fmt: skip
    record = {"versions": {"numpy": "2.4.6"}, "chapters": {"09-dp-sgd": rows}}
    file = tmp_path / "verified.json"
    file.write_text(json.dumps(record).replace(old, new, 1), "utf-8")
    monkeypatch.setattr(verify, "RECORD", file)
    monkeypatch.setattr(verified_module, "RECORD", file)
    monkeypatch.setattr(verify, "claims", lambda: {"09-dp-sgd": claims})
    return claims


def test_a_record_is_fresh_until_it_or_its_test_changes(tmp_path, monkeypatch):
    spoiled(tmp_path, monkeypatch, "", "")
    assert verify.stale() == {}
    assert len(verified("09-dp-sgd").rows) == 2
    for old, new in (('"cases": 3', '"cases": 99999'), ("2.4.6", "2.5.0")):
        spoiled(tmp_path, monkeypatch, old, new)
        assert "the seal does not fit" in " ".join(verify.stale().values())
        with pytest.raises(ValueError, match="was edited after it was written"):
            verified("09-dp-sgd")
    first, _ = spoiled(tmp_path, monkeypatch, "", "")
    monkeypatch.setattr(verify, "fingerprint_of", lambda _: "another")
    assert "has changed since 2026-01-01" in verify.stale()[first.test]
    monkeypatch.setattr(verify, "claims", lambda: CLAIMS)
    assert "was never recorded" in " ".join(verify.stale().values())


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
