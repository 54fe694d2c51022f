"""What every algorithm chapter has, read from ``chapters.yml`` and the notebooks.

The core text is what a chapter tells: its Markdown without folded blocks (proofs and
solutions), pseudo-code, code, displayed formulas and headings, and without its sections
"Verified", "Exercises" and "Errata and notes". A formula in a line counts as one word.
"""

import json
import re
import statistics

import pytest
import yaml

from dpteach.chapters.catalog import load, names
from dpteach.figures._declared import address
from dpteach.grading.exercise import Exercise
from tests.book.test_reading import grade, prose
from tests.chapters.figures import declared
from tests.public import ROOT

ROWS = {
    row["number"]: row
    for row in yaml.safe_load((ROOT / "book" / "chapters.yml").read_text("utf-8"))
}
# Chapters of algorithms, those that are only announced left out.
ALGORITHMS = [
    number
    for number, row in ROWS.items()
    if 6 <= number <= 21 and (ROOT / f"{row['file']}.ipynb").exists()
]
BESIDE = ("Verified", "Exercises", "Errata and notes")
WORDS, GRADE, SENTENCE = (2500, 4500), (6.0, 11.0), (12, 20)
LEVELS = {
    "Warm-up": "warm-up",
    "Implement": "code",
    "Find the bug": "code",
    "Prove": "paper",
    "Design": "paper",
}
TASK = re.compile(r"^\*\*(\d+)\. [^*]+\*\*(?: \*([^*]+)\.\*)?", re.MULTILINE)

# What chapters still lack. This table may only shrink: a chapter that has it is taken
# off, because the test asks for exactly what stands here.
OWED: dict[int, set[str]] = {}


def cells(number):
    """The cells of a chapter: kind and text of each."""
    path = ROOT / f"{ROWS[number]['file']}.ipynb"
    return [
        (cell["cell_type"], "".join(cell["source"]))
        for cell in json.loads(path.read_text("utf-8"))["cells"]
    ]


def core(text):
    """The core text of a chapter's Markdown."""
    parts = re.split(r"^## +(.+)$", text, flags=re.MULTILINE)
    kept = [parts[0]]
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        if title.strip() not in BESIDE:
            kept.append(body)
    told = "\n\n".join(kept)
    return prose(re.sub(r":::\{prf:algorithm\}.*?\n:::\n", "", told, flags=re.DOTALL))


def sentence(text):
    """The median number of words of a sentence."""
    said = [each for each in re.split(r"[.!?]+(?=\s|$)|\n\n", text) if each.split()]
    return statistics.median(len(each.split()) for each in said)


def flagship(row, code):
    """Whether three sliders of a figure that the chapter shows are tied."""
    asked = row.get("flagship", {})
    keys = {asked.get(key) for key in ("epsilon", "noise", "steps")}
    room = row["file"].rpartition("/")[2][3:].replace("-", "_")
    for place, figure in declared().items():
        told = figure.declaration
        identity = address(told.get("identity", ""), figure.experiment)
        folder, module, name = [*place.split("."), ""][:3]
        known = re.search(rf"\b{module} as (\w+)", code)
        short = known[1] if known else module
        shown = re.search(rf"^{short}\.{name}$", code, re.MULTILINE)
        if identity != asked.get("figure") or folder != room or not shown:
            continue
        tied = told["linked"].order if told.get("linked") else ()
        return len(keys) == 3 and keys <= set(told) and keys <= set(tied)
    return False


def tasks(chapter):
    """Each numbered exercise: its number, its level, and what stands below it."""
    found, inside = [], False
    for kind, text in chapter:
        if kind == "code":
            if inside and found:
                found[-1][2].append(text)
            continue
        for part in re.split(r"(?=^## )", text, flags=re.MULTILINE):
            if part.startswith("## "):
                inside = bool(re.match(r"## Exercises\s*$", part, re.MULTILINE))
            if not inside:
                continue
            starts = [*TASK.finditer(part)]
            ends = [*(start.start() for start in starts), len(part)][1:]
            if found:
                found[-1][2].append(part[: starts[0].start() if starts else None])
            for start, end in zip(starts, ends, strict=True):
                found.append((int(start[1]), start[2], [part[start.end() : end]]))
    return [(number, level, "\n\n".join(body)) for number, level, body in found]


def solved(body):
    """Whether a paper exercise ends in a folded solution with labeled steps."""
    found = re.search(r":::\{dropdown\} (Solution|Rubric).*?\n:::", body, re.DOTALL)
    return bool(found) and len(re.findall(r"^\W*\*\*[^*]+\*\*", found[0], re.M)) >= 2


def missing(row, chapter):
    """Say what a chapter lacks."""
    text = "\n\n".join(text for kind, text in chapter if kind == "markdown")
    code = "\n".join(text for kind, text in chapter if kind == "code")
    set_, told = tasks(chapter), core(text)
    checked = re.findall(r'check\("(\w+)"', code)
    coded = [
        name
        for name in set(checked)
        if name in names() and isinstance(load(name), Exercise)
    ]
    example = re.search(r":::\{prf:example\}(.*?)\n:::", text, re.DOTALL)
    paper = [
        body
        for _, level, body in set_
        if LEVELS.get(level) == "paper" and "check(" not in body
    ]
    has = {
        "flagship": flagship(row, code),
        "definition": ":::{prf:definition}" in text,
        "worked example": example and len(re.findall(r"\d+", example[1])) >= 3,
        "in practice": bool(re.search(r"^## In practice$", text, re.M)),
        "history": bool(re.search(r"^## History and further reading$", text, re.M)),
        "four to seven exercises": 4 <= len(set_) <= 7
        and [number for number, _, _ in set_] == [*range(1, len(set_) + 1)],
        "a level at each": bool(set_) and all(level in LEVELS for _, level, _ in set_),
        "all three levels": {LEVELS.get(level) for _, level, _ in set_}
        >= set(LEVELS.values()),
        "two coded": len(coded) >= 2,
        "solutions": all(map(solved, paper)),
        "words": WORDS[0] <= len(told.split()) <= WORDS[1],
        "grade": GRADE[0] <= grade(told) <= GRADE[1],
        "sentence": SENTENCE[0] <= sentence(told) <= SENTENCE[1],
    }
    return {name for name, is_there in has.items() if not is_there}


@pytest.mark.parametrize("number", ALGORITHMS)
def test_an_algorithm_chapter_has_it_all(number):
    assert missing(ROWS[number], cells(number)) == OWED.get(number, set())


def without(pattern, to=""):
    """Return what changes every cell of a chapter."""
    return lambda chapter: [
        (kind, re.sub(pattern, to, text, flags=re.MULTILINE | re.DOTALL))
        for kind, text in chapter
    ]


BROKEN = {
    "flagship": without(r"^atlas\.schemes$", "1"),
    "definition": without(r"prf:definition"),
    "worked example": without(r"prf:example"),
    "in practice": without(r"^## In practice$", "## Practice"),
    "history": without(r"^## History and", "## Further"),
    "four to seven exercises": without(r"^\*\*2\. ", "**8. "),
    "a level at each": without(r"\*Warm-up\.\*", "*Easy.*"),
    "all three levels": without(r"\*Design\.\*", "*Implement.*"),
    "two coded": without(r'check\("(poisson|audit|accountant)', r'see("\1'),
    "solutions": without(r"\{dropdown\} Solution", "{note} Solution"),
    "words": without(r"^[A-Z][^\n]*$"),
    "grade": without(r"\b(the|a)\b", "mathematically"),
    "sentence": without(r"[,;:] ", ". "),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_copy_is_caught(what):
    """Power: of a chapter that has it all, with one thing taken away."""
    assert what in missing(ROWS[10], BROKEN[what](cells(10)))


@pytest.mark.parametrize(
    "change",
    [
        {"figure": "no-such-figure"},
        {"epsilon": "steps"},
        {"noise": "scheme"},  # a slider that is not tied
        {"steps": "no_such_slider"},
    ],
)
def test_a_flagship_that_is_none_is_caught(change):
    row = ROWS[10] | {"flagship": ROWS[10]["flagship"] | change}
    assert "flagship" in missing(row, cells(10))
