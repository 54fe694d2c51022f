"""Copies of the notebooks in plain Markdown, for readers without MyST.

Colab, VS Code and GitHub would show a theorem as a row of colons. In a copy, theorems,
algorithms and notes are quotations with a bold title, what is folded stays folded,
numbers and citations are written out, and formulas need no macros. What this module
does not know is an error, so that no copy shows MyST.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pybtex.database import parse_file

from . import ROOT, install, repository
from .selection import one_chapter, selected

FENCE = re.compile(r"^(:{3,}|`{3,})\{([\w:-]+)\}[ \t]*(.*)$")
CODE = re.compile(r"^(`{3,}|~{3,})")
OPTION = re.compile(r"^:(\w+):[ \t]*(.*)$")
TARGET = re.compile(r"^\([\w.-]+\)=\s*$", re.MULTILINE)
ROLE = re.compile(r"\{([a-z:]+)\}`([^`]+)`")
NAMED = re.compile(r"^(.*?)\s*<([^<>]+)>$", re.DOTALL)
LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]*)\)")
DISPLAY = re.compile(r"\$\$(.+?)\$\$(?:[ \t]*\(([\w-]+)\))?", re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$(?!\$)([^$]+?)(?<!\\)\$")
SPOKEN = re.compile(r"(`+)(?:.|\n)+?\1")
REFERENCES = "book/references"
NAMELESS = ("note", "tip", "hint", "important", "warning", "exercise")
LEFT = re.compile(r":::|\{[a-z:]+\}`|^\([\w.-]+\)=$", re.MULTILINE)


@dataclass(frozen=True)
class Book:
    """What a copy must know of the book.

    Parameters
    ----------
    numbers : mapping
        The number of each theorem and formula, such as "8.3", by its label.
    kinds : mapping
        What each labeled block is, such as "Theorem".
    titles : mapping
        The title of each page.
    macros : mapping
        What stands behind the book's own commands in formulas.
    site : str
        Where the book is published; if empty, links to its pages are words alone.
    anchors : mapping
        The page that holds each anchor.
    """

    numbers: Mapping[str, str]
    kinds: Mapping[str, str]
    titles: Mapping[str, str]
    macros: Mapping[str, str]
    site: str = ""
    anchors: Mapping[str, str] = field(default_factory=dict)

    def link(self, words: str, page: str, anchor: str = "") -> str:
        """Link to a page of the published book."""
        if not self.site or not page:
            return words
        return f"[{words}]({self.site}/{page}.html{f'#{anchor}' if anchor else ''})"


def notebook(source: Mapping[str, Any], docname: str, book: Book) -> dict[str, Any]:
    """Return the copy of a notebook."""
    copy = install.published(source)
    for cell in copy["cells"]:
        if cell["cell_type"] == "markdown":
            text = markdown("".join(cell["source"]), docname, book)
            cell["source"] = text.splitlines(keepends=True)
    return copy


def markdown(text: str, docname: str, book: Book) -> str:
    """Return a text of MyST in plain Markdown."""
    kept: list[str] = []  # code and formulas, which nothing else may touch

    def keep(words: str) -> str:
        kept.append(words)
        return f"\ue000{len(kept) - 1}\ue001"

    def display(found: re.Match) -> str:
        return keep(f"$$\n{formula(found[1], found[2], book)}\n$$")

    lines = blocks(TARGET.sub("", text).split("\n"), docname, book, keep)
    text = "\n".join(lines)
    text = ROLE.sub(lambda found: role(found[1], found[2], docname, book), text)
    text = SPOKEN.sub(lambda found: keep(found[0]), text)
    text = DISPLAY.sub(display, text)
    text = INLINE.sub(lambda found: keep(f"${expanded(found[1], book)}$"), text)
    text = LINK.sub(lambda found: link(found[1], found[2], docname, book), text)
    if left := LEFT.search(text):
        raise ValueError(f"{docname}: no plain Markdown is known for {left[0]!r}.")
    while "\ue000" in text:
        text = re.sub("\ue000([0-9]+)\ue001", lambda found: kept[int(found[1])], text)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n")


def blocks(
    lines: list[str], docname: str, book: Book, keep: Callable[[str], str]
) -> list[str]:
    """Replace directives; fenced code is put aside."""
    out: list[str] = []
    at = 0
    while at < len(lines):
        found = FENCE.match(lines[at])
        fence = found or CODE.match(lines[at])
        if not fence:
            out.append(lines[at])
            at += 1
            continue
        end = next(
            (k for k in range(at + 1, len(lines)) if lines[k].strip() == fence[1]), None
        )
        if end is None:
            raise ValueError(f"{docname}: {lines[at]!r} is never closed.")
        if found:
            inside = blocks(lines[at + 1 : end], docname, book, keep)
            out += block(found[2], found[3].strip(), inside, docname, book)
        else:
            out.append(keep("\n".join(lines[at : end + 1])))
        at = end + 1
    return out


def block(
    kind: str, title: str, inside: list[str], docname: str, book: Book
) -> list[str]:
    """Write a directive: a quotation with a bold title, or something folded."""
    options = {}
    while inside and (found := OPTION.match(inside[0])):
        options[found[1]] = found[2]
        inside = inside[1:]
    if kind == "prf:proof":
        title, kind = title or "Proof", "dropdown"
    if kind == "dropdown" or "dropdown" in options.get("class", ""):
        words = re.sub(r"(\*+)(.+?)\1", r"<em>\2</em>", title)
        words = re.sub(r"`(.+?)`", r"<code>\1</code>", words)
        head = ["<details>", f"<summary>{words}</summary>"]
        return ["", *head, "", *inside, "", "</details>", ""]
    if kind in NAMELESS:
        title, kind = title or kind.capitalize(), "admonition"
    if kind == "admonition":
        said = f"**{title}**"
    elif kind.startswith("prf:"):
        number = book.numbers.get(options.get("label", ""), "")
        said = f"**{kind.removeprefix('prf:').capitalize()} {number}".rstrip()
        said += f" ({title}).**" if title else ".**"
    else:
        raise ValueError(f"{docname}: no plain Markdown is known for {{{kind}}}.")
    # In an element, because the signs of a quotation would stand inside formulas.
    return ["", "<blockquote>", "", said, "", *inside, "", "</blockquote>", ""]


def role(name: str, said: str, docname: str, book: Book) -> str:
    """Write what a role refers to."""
    words, to = found.groups() if (found := NAMED.match(said)) else ("", said)
    if name in ("eq", "prf:ref"):
        number = book.numbers[to]
        shown = f"({number})" if name == "eq" else f"{book.kinds[to]} {number}"
        return words or shown
    if name == "term":
        anchor = f"term-{re.sub(r'[^a-zA-Z0-9]+', '-', to)}"
        return book.link(words or to, "book/glossary", anchor)
    if name == "doc":
        page = to.removeprefix("/") if to.startswith("/") else f"{_folder(docname)}{to}"
        return book.link(words or book.titles[page], page)
    if name in ("cite:p", "cite:t"):
        each = [citation(key.strip(), name == "cite:t", book) for key in to.split(",")]
        if name == "cite:p":
            return f"({'; '.join(each)})"
        return " and ".join(filter(None, [", ".join(each[:-1]), each[-1]]))
    raise ValueError(f"{docname}: no plain Markdown is known for {{{name}}}`{said}`.")


def _folder(docname: str) -> str:
    return docname[: docname.rfind("/") + 1]


@cache
def _references() -> Mapping[str, Any]:
    return parse_file(ROOT / "book" / "references.bib").entries


def citation(key: str, in_text: bool, book: Book) -> str:
    """Name the authors and the year of a reference, as text or in brackets."""
    entry = _references()[key]
    people = entry.persons.get("author") or entry.persons["editor"]
    names = [" ".join((*each.prelast_names, *each.last_names)) for each in people]
    names = [re.sub(r"[{}]", "", each) for each in names]
    who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    year = entry.fields["year"]
    return book.link(f"{who} ({year})" if in_text else f"{who}, {year}", REFERENCES)


def link(words: str, to: str, docname: str, book: Book) -> str:
    """Write a link that leads somewhere from anywhere."""
    if re.match(r"[a-z]+:", to):
        return f"[{words}]({to})"
    path, _, anchor = to.partition("#")
    if "?" in anchor:
        return words  # it sets a figure of the page; here the reader's own sliders do
    page = re.sub(r"\.(md|ipynb|html)$", "", path)
    page = (_folder(docname) + page) if page else book.anchors.get(anchor, docname)
    parts: list[str] = []
    for part in page.split("/"):  # chapters/../book/errata is book/errata
        parts = parts[:-1] if part == ".." else [*parts, part]
    return book.link(words, "/".join(parts), anchor)


def expanded(tex: str, book: Book) -> str:
    """Write a formula without the book's own commands."""
    for name, meaning in book.macros.items():
        tex = re.sub(
            rf"{re.escape(name)}(?![a-zA-Z])", lambda _, m=meaning: f"{{{m}}}", tex
        )
    return tex


def formula(tex: str, label: str | None, book: Book) -> str:
    """Write a displayed formula, with its number."""
    tex = expanded(tex.strip("\n"), book)
    if "\\\\" in tex and "\\begin" not in tex:
        tex = f"\\begin{{aligned}}\n{tex}\n\\end{{aligned}}"
    return f"{tex} \\tag{{{book.numbers[label]}}}" if label else tex


def of(app) -> Book:
    """Collect what the copies must know, after Sphinx has read every page."""
    env, numbers, kinds = app.env, {}, {}
    for figures in env.toc_fignumbers.values():
        for kind, assigned in figures.items():
            for identity, number in assigned.items():
                label = identity.removeprefix("equation-")
                numbers[label] = ".".join(map(str, number))
                kinds[label] = kind.capitalize()
    anchors = {
        name: page for name, (page, *_) in env.get_domain("std").anonlabels.items()
    }
    return Book(
        numbers=numbers,
        kinds=kinds,
        titles={name: title.astext() for name, title in env.titles.items()},
        macros=app.config.dpteach_macros,
        site=repository.site(repository.find()),
        anchors=anchors,
    )


def write(app, exception) -> None:
    """Write the copies below ``notebooks``, of chapters and of exercises."""
    if exception or app.builder.name != "html":
        return
    book, out = of(app), Path(app.outdir) / "notebooks"
    pages = [name for name in app.env.found_docs if selected(app, name)]
    sources = {name: Path(app.env.doc2path(name)) for name in pages}
    if not one_chapter(app):
        for path in sorted((ROOT / "exercises").glob("*.ipynb")):
            sources[f"exercises/{path.stem}"] = path
    for docname, path in sources.items():
        if path.suffix == ".ipynb":
            source = json.loads(path.read_text(encoding="utf-8"))
            words = json.dumps(
                notebook(source, docname, book), indent=1, ensure_ascii=False
            )
            target = out / f"{docname}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(words + "\n", encoding="utf-8")


def setup(app) -> None:
    """Write the copies after the pages."""
    app.connect("build-finished", write, priority=700)
