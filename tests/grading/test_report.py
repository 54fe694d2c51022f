"""A report reads well as text and as HTML, and nothing of a student's breaks it."""

import re
from dataclasses import replace

import pytest

from dpteach import check
from dpteach.grading.report import Fault, Report
from tests.chapters.banks import bank
from tests.grading.markup import demand_sound

FAULT = Fault("row 3 & more", "norm <b>5</b>", "norm 1", "Is it “cut”?")
REPORT = Report("clip", ("one", "two", "three"), FAULT, 1, 7, ("a note",), "Well done.")


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


def test_as_html_it_is_sound():
    """The reports on all answers of the banks are looked at where they are made."""
    demand_sound(REPORT)
    demand_sound(replace(REPORT, fault=None, praise="Well done: $a < b$."))


@pytest.mark.parametrize(
    "html",
    [
        "<b>text</i>",
        "<b>text",
        "<script>1</script>",
        '<p onclick="x">a</p>',
        '<img src="a.png">',
        '<p style="background: url(a)">a</p>',
    ],
)
def test_html_that_is_not_sound_is_seen(html):
    """Power: each of these would break a page, or ask for something."""

    class Bad:
        def _repr_html_(self):
            return html

    with pytest.raises(AssertionError):
        demand_sound(Bad())


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
