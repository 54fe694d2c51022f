"""The words that book/style.yml avoids are nowhere, but where they are still owed.

A file that is renamed takes its row in owed_words.json along.
"""

import re

import pytest
import words

from tests.public import ROOT

OWED = words.owed()


@pytest.mark.parametrize(
    "folder", [*sorted(path.stem for path in ROOT.glob("*.md")), *words.FOLDERS]
)
def test_no_avoided_word_is_written(folder):
    """A file may hold as many as it owes, and no more."""
    for name in words.files():
        if re.match(rf"{folder}[/.]", name):
            found = words.hits(words.read(name), name)
            assert len(found) <= OWED.get(name, 0), "\n".join([name, *found])


@pytest.mark.parametrize("row", words.rows(), ids=lambda row: row["write"])
def test_each_row_finds_its_example(row):
    """Power: as a sentence, in a comment over two lines, and in a name."""
    found = words.hits(words.plain(row["as in"]))
    assert any(hit.endswith(f"→ {row['write']}") for hit in found)


def test_words_are_found_wherever_they_stand():
    for text in (
        "def noise_law(x):",
        '"the "\n    f"law of the noise"',
        "# a slip of the\n    # pen",
        "// hidden in\n// a Crowd",
    ):
        assert len(words.hits(words.plain(text))) == 1, text


def test_what_is_exempt_is_not_found():
    for text in (
        "The law of large numbers holds.",
        "Who wins?",
        "a flaw in the laws_uit",
        "students who pass",
        "Neighboring data sets differ in one record.",
    ):
        assert not words.hits(words.plain(text).replace("laws uit", "lawsuit")), text
