"""Chapters read easily: short, and in plain words."""

import json
import re

import pytest

from tests.public import ROOT

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
# Flesch and Kincaid's grade: years of schooling that a text asks for. Formulas do not
# count; proofs are folded, and counted apart from the core.
GRADE, WORDS = 11.0, 4500


def markdown(path):
    """The Markdown of a chapter."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n\n".join(
        "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
    )


def prose(text, folded=False):
    """The words of Markdown: no code, no math, no markup."""
    if not folded:
        text = re.sub(r":::\{dropdown\}.*?\n:::\n", "", text, flags=re.S)
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    text = re.sub(r"\$\$.*?\$\$( \(.*?\))?", "", text, flags=re.S)
    text = re.sub(r"\{\w+(:\w+)?\}`([^`<]*)(<[^`]*>)?`", r"\2", text)
    text = re.sub(r"\$[^$]*\$|`[^`]*`", "x", text)
    text = re.sub(r"^:+.*$|^#.*$", "", text, flags=re.M)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"^\s*([-*]|\d+\.) (.*)$", r"\2.", text, flags=re.M)


def syllables(word):
    """Groups of vowels; a silent e at the end does not count."""
    word = re.sub(r"(?<=[a-z]{2})(es|ed|e)$", "", word.lower())
    return max(1, len(re.findall(r"[aeiouy]+", word)))


def grade(text):
    sentences = [s for s in re.split(r"[.!?]+(?=\s|$)|\n\n", text) if s.strip()]
    words = re.findall(r"[A-Za-z][A-Za-z'’-]+|[AaI]\b", text)
    per_word = sum(map(syllables, words)) / len(words)
    return 0.39 * len(words) / len(sentences) + 11.8 * per_word - 15.59


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_is_short_and_plain(path):
    core = prose(markdown(path))
    assert len(core.split()) <= WORDS
    assert grade(core) <= GRADE


def test_the_grade_tells_plain_words_from_others():
    plain = "The cat sat on the mat. It was warm there, and it slept all day."
    heavy = (
        "Notwithstanding considerable methodological heterogeneity, contemporary "
        "investigations of algorithmic confidentiality consistently demonstrate "
        "substantial deterioration of statistical generalization characteristics."
    )
    assert grade(plain) < 3
    assert grade(heavy) > 20
