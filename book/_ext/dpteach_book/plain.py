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

import atomic
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from pybtex.database import parse_file
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from . import ROOT, install, repository
from .selection import one_chapter, selected

# Of the book's extensions of MyST those that decide how a text is cut.
EXTENSIONS = {"amsmath", "colon_fence", "deflist", "dollarmath", "tasklist"}
OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)$")
NAMED = re.compile(r"^(.*?)\s*<([^<>]+)>$", re.DOTALL)
REFERENCES = "book/references"
NAMELESS = ("note", "tip", "hint", "important", "warning", "exercise")


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


@cache
def parser() -> MarkdownIt:
    """Return MyST's own parser, which notes where in a text each thing stands."""
    config = MdParserConfig(enable_extensions=EXTENSIONS)
    parser = create_md_parser(config, RendererHTML)
    for rule in ("backticks", "math_inline", "myst_role", "link"):
        (known,) = [each for each in parser.inline.ruler.__rules__ if each.name == rule]
        parser.inline.ruler.at(rule, _noting(known.fn))
    return parser


def _noting(rule: Callable[[StateInline, bool], bool]):
    """Let the first token that a rule makes know from where to where it was read."""

    def noting(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        # What stands before is pushed first, as text.
        new = (token for token in state.tokens[before:] if token.type != "text")
        if token := next(new, None):
            token.meta["source"] = state.src[start : state.pos]
            if token.type == "link_open":
                end = state.md.helpers.parseLinkLabel(state, start)
                token.meta["words"] = state.src[start + 1 : end]
        return True

    return noting


def markdown(text: str, docname: str, book: Book) -> str:
    """Return a text of MyST in plain Markdown: what MyST adds is written otherwise."""
    plain = _rewritten(text.strip("\n") + "\n", docname, book)
    for token in parser().parse(plain):
        left = next(filter(None, map(addition, [token, *(token.children or ())])), "")
        if left:
            raise ExtensionError(f"{docname}: no plain Markdown is known for {left!r}.")
    return plain.strip("\n")


def addition(token: Token) -> str:
    """Return what a token of MyST says that plain Markdown does not have, if any."""
    if token.type in ("fence", "colon_fence"):
        directive = token.info.startswith("{") or token.type == "colon_fence"
        return f"{token.markup}{token.info}" if directive else ""
    if token.type == "myst_role":
        return f"{{{token.meta['name']}}}`{token.content}`"
    return f"({token.content})=" if token.type == "myst_target" else ""


def _rewritten(text: str, docname: str, book: Book) -> str:
    lines = text.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    parts: list[str] = []
    done = 0
    for token in parser().parse(text):
        if token.map is None:
            continue
        start, end = (offsets[min(line, len(lines))] for line in token.map)
        if token.type == "inline":
            for source, words in _inline(token, docname, book):
                # The lines of a list's item are indented, and may be cut elsewhere.
                pattern = r"\s+".join(map(re.escape, source.split()))
                place = re.compile(pattern).search(text, max(done, start))
                if place is None:
                    raise ExtensionError(f"{docname}: where is {source!r}?")
                parts += [text[done : place.start()], words]
                done = place.end()
        elif (block := _block(token, text[start:end], docname, book)) is not None:
            indent = re.match(r"[ \t]*", text[start:end])[0]
            block = re.sub(r"^(?=.)", indent, block, flags=re.MULTILINE)
            before = text[done:start]
            if block.startswith("<"):  # an element stands between empty lines
                before += "\n" * (start > 0 and not text[:start].endswith("\n\n"))
                block += "\n" * (text[end : end + 1] not in ("", "\n"))
            parts += [before, block]
            done = end
    return "".join([*parts, text[done:]])


def _inline(token: Token, docname: str, book: Book) -> list[tuple[str, str]]:
    """List what is written otherwise in a line of text, and code, in order."""
    pairs, links = [], 0
    for child in token.children or ():
        outside = links == 0
        links += child.nesting if child.type.startswith("link_") else 0
        source = child.meta.get("source")
        if source is None or not outside:  # a link's words are written with it
            continue
        if child.type == "myst_role":
            words = role(child.meta["name"], child.content, docname, book)
        elif child.type == "link_open":
            inside = _rewritten(child.meta["words"], docname, book)
            words = link(inside, str(child.attrs["href"]), docname, book)
        elif child.type == "code_inline":
            words = source
        elif child.type == "math_inline":
            words = f"${expanded(child.content, book)}$"
        else:
            words = f"$$\n{formula(child.content, None, book)}\n$$"
        pairs.append((source, words))
    return pairs


def _block(token: Token, source: str, docname: str, book: Book) -> str | None:
    """Write a block that MyST adds otherwise; None for all others."""
    if token.type in ("math_block", "math_block_label"):
        return f"$$\n{formula(token.content, token.info or None, book)}\n$$\n"
    if token.type == "amsmath":
        return expanded(source, book)
    if token.type in ("myst_target", "myst_line_comment"):
        return ""
    if token.type not in ("fence", "colon_fence") or not addition(token):
        return None
    if source.rstrip("\n").rpartition("\n")[2].strip() != token.markup:
        raise ExtensionError(f"{docname}: {addition(token)!r} is never closed.")
    found = re.fullmatch(r"\{([\w:-]+)\}\s*(.*)", token.info)
    if found is None:
        raise ExtensionError(f"{docname}: {addition(token)!r} opens nothing.")
    return directive(found[1], found[2], token.content, docname, book)


def directive(kind: str, title: str, content: str, docname: str, book: Book) -> str:
    """Write a directive: a quotation with a bold title, or something folded."""
    lines, options = content.splitlines(), {}
    while lines and (found := OPTION.match(lines[0])):
        options[found[1]] = found[2]
        lines = lines[1:]
    inside = _rewritten("\n".join(lines) + "\n", docname, book).strip("\n")
    title = _rewritten(title, docname, book)
    if kind == "prf:proof":
        title, kind = title or "Proof", "dropdown"
    if kind == "dropdown" or "dropdown" in options.get("class", ""):
        words = re.sub(r"(\*+)(.+?)\1", r"<em>\2</em>", title)
        words = re.sub(r"`(.+?)`", r"<code>\1</code>", words)
        head = f"<details>\n<summary>{words}</summary>"
        return f"{head}\n\n{inside}\n\n</details>\n"
    if kind in NAMELESS:
        title, kind = title or kind.capitalize(), "admonition"
    if kind == "admonition":
        head = f"**{title}**"
    elif kind.startswith("prf:"):
        number = book.numbers.get(options.get("label", ""), "")
        head = f"**{kind.removeprefix('prf:').capitalize()} {number}".rstrip()
        head += f" ({title}).**" if title else ".**"
    else:
        raise ExtensionError(f"{docname}: no plain Markdown is known for {{{kind}}}.")
    # In an element, because the signs of a quotation would stand inside formulas.
    return f"<blockquote>\n\n{head}\n\n{inside}\n\n</blockquote>\n"


def role(name: str, content: str, docname: str, book: Book) -> str:
    """Write what a role refers to."""
    named = NAMED.match(content)
    words, to = named.groups() if named else ("", content)
    if name in ("eq", "prf:ref"):
        number = known(to, book.numbers, docname, "labeled")
        written = f"({number})" if name == "eq" else f"{book.kinds[to]} {number}"
        return words or written
    if name == "term":
        anchor = f"term-{re.sub(r'[^a-zA-Z0-9]+', '-', to)}"
        return book.link(words or to, "book/glossary", anchor)
    if name == "doc":
        page = to.removeprefix("/") if to.startswith("/") else f"{_folder(docname)}{to}"
        return book.link(words or known(page, book.titles, docname, "named"), page)
    if name == "ref" and words:
        return book.link(words, known(to, book.anchors, docname, "labeled"), to)
    if name in ("cite:p", "cite:t"):
        keys = [key.strip() for key in to.split(",")]
        works = [citation(key, name == "cite:t", docname, book) for key in keys]
        if name == "cite:p":
            return f"({'; '.join(works)})"
        return " and ".join(filter(None, [", ".join(works[:-1]), works[-1]]))
    raise ExtensionError(
        f"{docname}: no plain Markdown is known for {{{name}}}`{content}`."
    )


def known(key: str, table: Mapping[str, Any], docname: str, how: str) -> Any:
    """Look up what a reference leads to; one that leads nowhere is named."""
    if key not in table:
        raise ExtensionError(f"{docname}: nothing is {how} {key!r}.")
    return table[key]


def _folder(docname: str) -> str:
    return docname[: docname.rfind("/") + 1]


@cache
def _references() -> Mapping[str, Any]:
    return parse_file(ROOT / "book" / "references.bib").entries


def citation(key: str, in_text: bool, docname: str, book: Book) -> str:
    """Name the authors and the year of a reference, as text or in brackets."""
    entry = known(key, _references(), docname, "cited as")
    people = entry.persons.get("author") or entry.persons["editor"]
    names = [" ".join((*each.prelast_names, *each.last_names)) for each in people]
    names = [re.sub(r"[{}]", "", name) for name in names]
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


def of(app: Sphinx) -> Book:
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


def write(app: Sphinx, exception: Exception | None) -> None:
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
            atomic.write(out / f"{docname}.ipynb", words + "\n")


def setup(app: Sphinx) -> None:
    """Write the copies after the pages."""
    app.connect("build-finished", write, priority=700)
