"""The notebooks' copies in plain Markdown: no MyST in them, and formulas for anyone."""

import json
import re

import pytest
from dpteach_book import katex, plain
from sphinx.errors import ExtensionError

BOOK = plain.Book(
    numbers={"thm": "8.1", "eq-a": "8.2"},
    kinds={"thm": "Theorem"},
    titles={"chapters/09-dp-sgd": "DP-SGD"},
    macros={"\\E": "\\mathbb{E}"},
    site="https://book.example",
    anchors={"e-19": "book/errata"},
)
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$(?!\$)([^$]+?)(?<!\\)\$", re.DOTALL)


def copy(text):
    return plain.markdown(text, "chapters/09-dp-sgd", BOOK)


def test_a_theorem_has_its_number_and_title():
    text = ":::{prf:theorem} On $x$\n:label: thm\n\n"
    text += "$$\n\\E a &= b \\\\\n&= c\n$$ (eq-a)\n:::"
    assert copy(text) == (
        "<blockquote>\n\n**Theorem 8.1 (On $x$).**\n\n$$\n\\begin{aligned}\n"
        "{\\mathbb{E}} a &= b \\\\\n&= c\n\\end{aligned} \\tag{8.2}\n$$\n\n"
        "</blockquote>"
    )


def test_what_is_folded_stays_folded():
    text = "::::{dropdown} *Why* `f`\n:::{admonition} Note\nhere\n:::\n::::"
    assert copy(text) == (
        "<details>\n<summary><em>Why</em> <code>f</code></summary>\n\n<blockquote>\n\n"
        "**Note**\n\nhere\n\n</blockquote>\n\n</details>"
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{prf:ref}`thm` and {eq}`eq-a`", "Theorem 8.1 and (8.2)"),
        (
            "{doc}`09-dp-sgd`, {doc}`that </chapters/09-dp-sgd>`",
            "[DP-SGD](https://book.example/chapters/09-dp-sgd.html), "
            "[that](https://book.example/chapters/09-dp-sgd.html)",
        ),
        ("[E-19](#e-19)", "[E-19](https://book.example/book/errata.html#e-19)"),
        (
            "[E-19](../book/errata.md#e-19)",
            "[E-19](https://book.example/book/errata.html#e-19)",
        ),
        ("[Set $q = 1$](#one-run?rate=1), and", "Set $q = 1$, and"),
        ("[a](https://b.example/c#d)", "[a](https://b.example/c#d)"),
        (
            "{cite:t}`abadi2016deep`",
            "[Abadi et al. (2016)](https://book.example/book/references.html)",
        ),
        ("(here)=\n`a_{b}` costs \\$5", "`a_{b}` costs \\$5"),
    ],
)
def test_references_are_written_out(text, wanted):
    assert copy(text) == wanted


@pytest.mark.parametrize(
    "text", [":::{tabs} x\n:::", "{kbd}`x`", ":::{admonition} open", ":::"]
)
def test_what_is_not_known_is_an_error(text):
    with pytest.raises(ExtensionError, match="chapters/09-dp-sgd"):
        copy(text)


def check(folder):
    """Look at every copy: no MyST, and KaTeX reads each formula without our macros."""
    found = 0
    for path in sorted(folder.rglob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                source = "".join(cell["source"])
                tokens = plain.parser().parse(source)
                assert not list(filter(None, map(plain.addition, tokens))), path
                text = re.sub(r"(`+)(?:.|\n)+?\1", "", source)
                for shown, inline in FORMULA.findall(text):
                    out = katex._typeset(shown or inline, bool(shown), "{}")
                    assert not out.startswith("!"), (path.name, shown or inline, out)
                    found += 1
    return found


def test_formulas_of_the_small_book_need_no_macros(gallery):
    assert check(gallery / "notebooks" / "chapters") > 3


def test_formulas_of_the_book_need_no_macros(book):
    assert check(book / "notebooks") > 5000
    names = {path.parent.name for path in (book / "notebooks").rglob("*.ipynb")}
    assert names == {"chapters", "exercises"}
