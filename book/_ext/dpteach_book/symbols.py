"""Which symbols of the notation stand in a formula, so that a reader can ask them."""

import re
from functools import cache

from .tables import load

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\s{}]")
# A letter in another face is another letter: \mathbb E is no E.
FACE = re.compile(r"\\math(bb|cal|bf|scr|frak|sf)\s*\{?\s*([A-Za-z])\s*\}?")
# What these commands hold is words, not symbols.
WORDS = re.compile(
    r"\\(?:text|textrm|textbf|texttt|mathrm|operatorname\*?|label|tag|begin|end)"
    r"\{[^{}]*\}"
)
SPACE = re.compile(r"(?<=\\\\)\[[\d.]+[a-z]+\]")  # of a line break, as in \\[.4em]


def tokens(tex: str) -> tuple[str, ...]:
    """Split TeX into commands and characters, braces and spaces left out."""
    words = SPACE.sub(" ", WORDS.sub(" ", tex))
    return tuple(TOKEN.findall(FACE.sub(r"\\math\1\2 ", words)))


@cache
def rows() -> dict[tuple[str, ...], list[str]]:
    """Return the keywords that each symbol stands for, the longest symbols first."""
    keywords: dict[tuple[str, ...], list[str]] = {}
    for key, row in notation().items():
        if row.get("tex"):
            keywords.setdefault(tokens(row["tex"]), []).append(key)
    return dict(sorted(keywords.items(), key=lambda item: -len(item[0])))


@cache
def notation() -> dict[str, dict]:
    """Return the table of notation."""
    return dict(load("notation.yml"))


def meanings(keys: list[str], page: str) -> list[str]:
    """Choose what a letter means on a page, where it means several things.

    Rows whose ``chapters`` name this chapter; else those that name none. Telling none
    is better than telling a wrong one.
    """
    table, match = notation(), re.match(r"chapters/(\d+)-", page)
    number = int(match[1]) if match else -1
    here = [key for key in keys if number in table[key].get("chapters", ())]
    return here or [key for key in keys if "chapters" not in table[key]]


def symbols(tex: str, macros: dict[str, str], page: str = "") -> list[str]:
    """Return the keywords of the symbols in a formula of a page, in their order."""
    for name, meaning in macros.items():
        if isinstance(meaning, str):
            tex = re.sub(re.escape(name) + r"(?![A-Za-z])", lambda _, m=meaning: m, tex)
    line, at, keywords = tokens(tex), 0, []
    while at < len(line):
        for symbol, keys in rows().items():
            if line[at : at + len(symbol)] == symbol:
                keywords += meanings(keys, page)
                at += len(symbol)
                break
        else:
            at += 1
    return list(dict.fromkeys(keywords))
