"""A report reads well as text and as HTML, and nothing of a student's breaks it."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from dpteach import check
from dpteach.grading.report import Fault, Report
from tests.chapters.banks import (
    NAMES,
    bank,
    right,
    verdict,
    wrong,
)

FAULT = Fault("row 3 & more", "norm <b>5</b>", "norm 1", "Is it “cut”?")
REPORT = Report("clip", ("one", "two", "three"), FAULT, 1, 7, ("a note",), "Well done.")


class Balance(HTMLParser):
    """Collects tags, and checks that they close in order."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(report):
    reader = Balance()
    reader.feed(report._repr_html_())
    assert reader.open == []
    return reader


def test_as_text_every_check_has_its_line():
    assert repr(REPORT).splitlines() == [
        "clip: not yet, 1 of 3 checks",
        "  ✓ one",
        "  ✗ two (not yet)",
        "      Looked at: row 3 & more",
        "      Seen: norm <b>5</b>",
        "      Wanted: norm 1",
        "      Hint: Is it “cut”?",
        "  · three (not run)",
        "  Note: a note",
        "  The same cases once more: seed=7.",
    ]
    assert not REPORT.passed


def test_praise_is_for_those_who_pass():
    done = Report("clip", ("one",), None, 1, 7, (), "Well done.")
    assert repr(done) == "clip: passed, 1 of 1 checks\n  ✓ one\n  Well done."
    assert "Well done." in done._repr_html_()
    assert "Well done." not in REPORT._repr_html_()


@pytest.mark.parametrize("name", NAMES)
def test_as_html_it_is_sound_and_asks_for_nothing(name):
    for report in (
        REPORT,
        check(name, right(name)[0], seed=1),
        *(verdict(name, each, 1) for each, _ in wrong(name)[:5]),
    ):
        reader = parsed(report)
        assert not {"script", "img", "link", "iframe", "style"} & set(reader.tags)
        values = [value for _, value in reader.attributes]
        assert not [each for each in values if "http" in each or "url(" in each]
        assert not [key for key, _ in reader.attributes if key.startswith("on")]


def test_a_students_text_is_escaped():
    html = REPORT._repr_html_()
    assert "<b>5</b>" not in html
    assert "norm &lt;b&gt;5&lt;/b&gt;" in html


def test_verdicts_do_not_hang_on_color():
    html = REPORT._repr_html_()
    for word in ("(passed)", "(not yet)", "(not run)", 'role="status"', "<dt "):
        assert word in html
    # The page keeps its own colors of text and ground: a dark page stays readable.
    assert not re.search(r"[^-]color: (?!inherit)", html)
    assert not re.search(r"background: (?!none)", html)


def _contrast(color, ground):
    def light(code):
        parts = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(color), light(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_edge_shows_on_light_and_dark_pages():
    done = Report("clip", ("one",), None, 1, 7)
    for report in (REPORT, done):
        (edge,) = re.findall(r"solid (#\w{6})", report._repr_html_())
        assert min(_contrast(edge, "#ffffff"), _contrast(edge, "#121212")) >= 3


def test_a_seed_gives_the_same_report_again():
    answer = bank("clip").wrong_coordinates
    first = check("clip", answer)
    again = check("clip", answer, seed=first.seed)
    # but for the line that counts the tries
    told = {"left": first.left, "explanation": first.explanation}
    assert repr(replace(again, **told)) == repr(first)
    assert {check("clip", answer).seed for _ in range(3)} != {first.seed}
