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
    # A sentence goes on after a displayed formula, unless the formula ends it.
    shown = r"\s*\$\$(.*?)\s*\$\$(?: \(.*?\))?\s*"
    ends = lambda found: " x.\n\n" if found[1].endswith(".") else " x "  # noqa: E731
    text = re.sub(shown, ends, text, flags=re.S)
    text = re.sub(r"\{\w+(:\w+)?\}`([^`<]*)(<[^`]*>)?`", r"\2", text)
    text = re.sub(r"\$[^$]*\$|`[^`]*`", "x", text)
    text = re.sub(r"^:+.*$|^#.*$", "", text, flags=re.M)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"^\s*([-*]|\d+\.) (.*)$", r"\2.", text, flags=re.M)


def syllables(word):
    """Groups of vowels; an ending that is not spoken does not count.

    That is a silent e, -es unless it follows a hiss (as in "noises"), and -ed unless it
    follows t or d. But -le after a consonant is spoken.
    """
    word = word.lower()
    spoken = r"[^aeiouy]les?$|(s|x|z|c|g|sh|ch)es$|[td]ed$"
    if not re.search(spoken, word):
        word = re.sub(r"(?<=[a-z]{2})(es|ed|e)$", "", word)
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


@pytest.mark.parametrize(
    ("word", "count"),
    [
        *(("noise", 1), ("noises", 2), ("steps", 1), ("times", 1), ("losses", 2)),
        *(("batches", 2), ("added", 2), ("clipped", 1), ("moved", 1), ("weighted", 2)),
        *(("table", 2), ("tables", 2), ("possible", 3), ("rule", 1), ("while", 1)),
        *(("privacy", 3), ("the", 1), ("records", 2), ("changes", 2)),
    ],
)
def test_syllables_are_those_that_are_spoken(word, count):
    assert syllables(word) == count


def test_the_grade_tells_plain_words_from_others():
    plain = "The cat sat on the mat. It was warm there, and it slept all day."
    heavy = (
        "Notwithstanding considerable methodological heterogeneity, contemporary "
        "investigations of algorithmic confidentiality consistently demonstrate "
        "substantial deterioration of statistical generalization characteristics."
    )
    assert grade(plain) < 3
    assert grade(heavy) > 20
