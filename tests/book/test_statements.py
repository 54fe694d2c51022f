"""A statement stands alone: its block, or a link in it, explains each of its symbols.

On a page the symbols of a formula lead to the table of notation, by their chapter. So a
symbol is explained if a row of that table is about it in this chapter, if its block
introduces it, or if a block that it links to does. A block introduces what stands
alone in a formula ("noise of deviation $\\sigma$"), what begins a formula before a
relation ("$k \\le n$"), what a sum, a maximum or a function binds, and what an
algorithm assigns.
"""

import json
import re
from functools import cache

import pytest
from dpteach_book.symbols import meanings, rows, tokens

from tests.public import ROOT

BLOCK = re.compile(
    r"^(:{3,})\{prf:(theorem|lemma|corollary|proposition|algorithm|definition)\}"
    r"[^\n]*\n(.*?)^\1[ \t]*$",
    re.M | re.S,
)
STATEMENTS = ("theorem", "lemma", "corollary", "proposition", "algorithm")
# What every text of mathematics uses without a word.
UNIVERSAL = {r"\mathbbR", r"\mathbbE", r"\mathcalN", "e", r"\pi", "I", "d"}
LETTER = re.compile(
    r"[A-Za-z]|\\math(?:bb|cal|bf|scr|frak|sf)[A-Za-z1]|\\(?:alpha|beta|gamma|delta|"
    r"epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|"
    r"varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega|ell)$"
)


@cache
def blocks():
    """All blocks by label: their page, kind and text."""
    found = {}
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] != "markdown":
                continue
            for _, kind, text in BLOCK.findall("".join(cell["source"])):
                label = re.search(r":label: (\S+)", text)
                found[label[1] if label else text] = (path.stem, kind, text)
    return found


def formulas(text):
    """The formulas of a block, displayed ones first."""
    shown = re.findall(r"\$\$(.*?)\$\$", text, re.S)
    text = re.sub(r"\$\$.*?\$\$(?: \(.*?\))?", " ", text, flags=re.S)
    return shown, re.findall(r"\$([^$]+)\$", text)


def bare(tex):
    """Tokens of a formula without subscripts, which only tell letters apart."""
    tex = re.sub(
        r"\\(?:left|right|bigl?|bigr|Bigl?|Bigr|tfrac|frac)(?![A-Za-z])", " ", tex
    )
    tex = re.sub(
        r"\\(?:[,;:!]|(?:hat|bar|tilde|widehat|overline|underline)\b)", " ", tex
    )
    tex = re.sub(r"\^\s*\d", " ", tex)
    for _ in range(3):
        tex = re.sub(r"_\s*\{[^{}]*\}", " ", tex)
    return tokens(re.sub(r"_\s*(\\[A-Za-z]+|.)", " ", tex))


def letters(tex):
    return {token for token in bare(tex) if LETTER.fullmatch(token)}


RELATION = {
    "=", r"\in", ">", "<", r"\ge", r"\le", r"\sim", r"\leftarrow", r"\colon", ":",
    r"\subset", r"\subseteq", r"\to", r"\ne", ",", r"\gets", r"\succeq", r"\approx",
}  # fmt: skip


def introduced(text):
    """The letters that a block explains itself."""
    shown, inline = formulas(text)
    known = set()
    for tex in inline:
        line = [t for t in bare(tex) if t not in "'^*+-" and t != r"\dots"]
        # letters up to the first relation that is no comma: "a, b > 0", "f(x) = …"
        head = []
        for token in line:
            if token in RELATION - {","}:
                break
            head.append(token)
        plain = [t for t in head if LETTER.fullmatch(t)]
        signs = [t for t in head if not LETTER.fullmatch(t) and t not in ",;()|"]
        if not signs:
            known |= set(plain)
    for tex in (*shown, *inline):
        for bound in re.findall(
            r"\\(?:sum|prod|max|min|sup|inf|bigcup|int)\s*_\s*\{([^{}]*)\}", tex
        ):
            known |= letters(bound)
        for bound in re.findall(
            r"\\(?:sum|prod|max|min|sup|inf|int)\s*_\s*(\\?[A-Za-z]+)", tex
        ):
            known |= letters(bound)
        known |= set(
            re.findall(r"([A-Za-z])\s*(?:_\S+\s*)?(?:\\leftarrow|\\gets)", tex)
        )
        for part in re.split(r"\\quad|\\qquad|\\\\|\\text\{[^}]*\}|,", tex):
            line = [t for t in bare(part.replace("&", " ")) if t not in "'^*"]
            if len(line) > 1 and LETTER.fullmatch(line[0]):
                rest = line[1:]
                if rest[0] == "(":
                    rest = rest[rest.index(")") + 1 :] if ")" in rest else []
                if rest and rest[0] in {"=", r"\leftarrow", r"\in"}:
                    known.add(line[0])
    return known


def noted(page, formulas):
    """The letters of all symbols of the notation that stand in some formula."""
    lines = [tokens(tex) for tex in formulas]
    known = set()
    for symbol, keys in rows().items():
        size = len(symbol)
        if meanings(keys, f"chapters/{page}") and any(
            line[k : k + size] == symbol for line in lines for k in range(len(line))
        ):
            known |= {token for token in symbol if LETTER.fullmatch(token)}
    return known


def linked(text):
    known = set()
    for label in re.findall(r"\{prf:ref\}`(?:[^`<]*<)?([^`>]+)>?`", text):
        known |= introduced(blocks()[label][2]) if label in blocks() else set()
    return known


def unexplained(page, text):
    shown, inline = formulas(text)
    used = set().union(*(letters(tex) for tex in (*shown, *inline)))
    known = UNIVERSAL | introduced(text) | linked(text)
    known |= noted(page, (*shown, *inline))
    return sorted(used - known)


@pytest.mark.parametrize(
    "label", [k for k, (_, kind, _) in blocks().items() if kind in STATEMENTS]
)
def test_each_symbol_of_a_statement_is_explained(label):
    page, _, text = blocks()[label]
    assert not unexplained(page, text)


@pytest.mark.parametrize(
    ("label", "without", "letter"),
    [
        ("thm-pure-or-normal", r"$W \ge \lVert\theta^*\rVert_2$", "W"),
        ("thm-odometer", ", whose privacy loss is $Z_t$,", "Z"),
        ("thm-attenuation", "with some slope $a$", "a"),
        ("thm-banco-split", "{prf:ref}`alg-banco`", "g"),
    ],
)
def test_a_letter_that_nothing_explains_is_noticed(label, without, letter):
    page, _, text = blocks()[label]
    assert without in text
    assert letter in unexplained(page, text.replace(without, ""))


def test_letters_that_need_no_word_are_few_and_used():
    used = set()
    for _, _, text in blocks().values():
        shown, inline = formulas(text)
        used |= set().union(*(letters(tex) for tex in (*shown, *inline)))
    assert used >= UNIVERSAL, UNIVERSAL - used
    assert len(UNIVERSAL) <= 8
