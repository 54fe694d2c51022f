"""Every entry of the bibliography is complete, and says where it was looked up."""

import ast
import json
import re
import unicodedata
from functools import cache

import pytest
import yaml
from pybtex.database import BibliographyData, Entry, parse_string

from tests.public import ROOT

TEXT = (ROOT / "book" / "references.bib").read_text("utf-8")

# Where an entry appeared, by its kind. What is only on arXiv has its number instead.
VENUE = {
    "article": "journal",
    "book": "publisher",
    "incollection": "booktitle",
    "inproceedings": "booktitle",
    "misc": "howpublished",
    "techreport": "institution",
}
IDENTIFIERS = {
    "doi": r"10\.\d{4,9}/[^\s{}]+",
    "eprint": r"\d{4}\.\d{4,5}",
    "isbn": r"[\d-]{16}[\dX]",
    "url": r"https?://[^\s{}]+",
}
ARTICLES = {"a", "an", "on", "the"}  # no key is made of these
# Nobody found these with title and year in a document that could be looked up.
UNCHECKED = {"mathias1993hadamard"}


def letters(text: str) -> str:
    """Keep the letters and digits of ``text``, without accents and in lower case."""
    plain = unicodedata.normalize("NFKD", text.replace("ø", "o").replace("ı", "i"))
    return re.sub(r"[^a-z0-9]", "", plain.lower())


def words(title: str) -> list[str]:
    """List the words of a title that a key may be made of, first the first."""
    found = [letters(word) for word in title.split()]
    return [word for word in found if word.strip("0123456789") and word not in ARTICLES]


def surname(entry: Entry) -> str:
    """Return the first author's surname as it stands in a key."""
    first = (entry.persons.get("author") or entry.persons["editor"])[0]
    return letters("".join(first.prelast_names + first.last_names))


def is_isbn(text: str) -> bool:
    """Compute the check digit of an ISBN of thirteen digits."""
    digits = [int(digit) for digit in text if digit.isdigit()]
    return len(digits) == 13 and sum(digits[::2], 3 * sum(digits[1::2])) % 10 == 0


def key_faults(key: str, entry: Entry, others: set[str]) -> list[str]:
    """Say why ``key`` is not made of surname, year and the first free word."""
    start = surname(entry) + entry.fields["year"]
    for word in words(entry.fields["title"]):
        if key == start + word:
            return []
        if start + word not in others:  # a free word comes earlier
            return [f"{key}: its key should be {start + word}"]
    return [f"{key}: its key is not made of {start} and a word of its title"]


def entry_faults(key: str, entry: Entry) -> list[str]:
    """Say what an entry lacks, or has in a form that cannot be right."""
    fields, faults = entry.fields, []
    if not (entry.persons.get("author") or entry.persons.get("editor")):
        faults.append("no author and no editor")
    faults += [
        f"no {name}" for name in ("title", "year", "checked") if name not in fields
    ]
    faults += [f"{name} is empty" for name in fields if not fields[name].strip()]
    if not re.fullmatch(r"(19|20)\d\d", fields.get("year", "")):
        faults.append("no year of four digits")
    if "$" in fields.get("title", ""):
        faults.append("a title with $, which the page would print as it stands")
    if entry.type not in VENUE:
        faults.append(f"the kind {entry.type} is not one of {sorted(VENUE)}")
    elif VENUE[entry.type] not in fields and not (
        entry.type == "misc" and "eprint" in fields
    ):
        faults.append(f"no {VENUE[entry.type]}")
    given = [name for name in IDENTIFIERS if name in fields]
    if not given and "noidentifier" not in fields:
        faults.append("no identifier, and no reason")
    if given and "noidentifier" in fields:
        faults.append("an identifier, and a reason why there is none")
    for name in given:
        if not re.fullmatch(IDENTIFIERS[name], fields[name]):
            faults.append(f"{name} {fields[name]!r} is not well-formed")
    if "isbn" in fields and not is_isbn(fields["isbn"]):
        faults.append("the check digit of the isbn is wrong")
    if "eprint" in fields:
        if fields.get("archiveprefix") != "arXiv":
            faults.append("an eprint without archiveprefix = {arXiv}")
        year, month = 2000 + int(fields["eprint"][:2]), int(fields["eprint"][2:4])
        if not (1 <= month <= 12):
            faults.append("an eprint without a month")
        if entry.type == "misc" and str(year) != fields.get("year"):
            faults.append("a preprint of another year than its number")
    if not re.fullmatch(r"[\w.:]+(--[\w.:]+)?", fields.get("pages", "1")):
        faults.append("pages are not written as first--last")
    return [f"{key}: {fault}" for fault in faults]


def faults(text: str) -> list[str]:
    """List all that is wrong with a bibliography."""
    keys = re.findall(r"^@\w+\{([^,\s]+),", text, re.MULTILINE)
    found = []
    if keys != sorted(keys):
        found.append("the entries are not sorted by key")
    if len(keys) != len(set(keys)):
        found.append("two entries have one key")
        return found  # pybtex refuses to read them
    data: BibliographyData = parse_string(text, "bibtex")
    if list(data.entries) != keys:
        found.append("an entry does not begin a line")
    for key, entry in data.entries.items():
        wrong = entry_faults(key, entry)
        found += wrong or key_faults(key, entry, set(keys) - {key})
    for name in ("doi", "eprint"):
        numbers = [
            entry.fields[name].lower()
            for entry in data.entries.values()
            if name in entry.fields
        ]
        found += [
            f"two entries have the {name} {number}"
            for number in sorted(set(numbers))
            if numbers.count(number) > 1
        ]
    return found


def test_the_bibliography_is_complete():
    assert not faults(TEXT)
    assert len(parse_string(TEXT, "bibtex").entries) >= 120


def test_what_was_not_looked_up_is_listed():
    entries = parse_string(TEXT, "bibtex").entries
    unchecked = {
        key for key, entry in entries.items() if entry.fields["checked"] == "no"
    }
    assert unchecked == UNCHECKED


def test_the_five_sources_are_there():
    assert {
        "thakurta2025private",
        "smith2025lecture",
        "kairouz2021practical",
        "balle2020privacy",
        "jun2019locally",
    } <= set(parse_string(TEXT, "bibtex").entries)


GOOD = """@article{frank1956algorithm,
  author = {Frank, Marguerite and Wolfe, Philip},
  title = {An Algorithm for Quadratic Programming},
  journal = {Naval Research Logistics Quarterly},
  pages = {95--110},
  year = {1956},
  doi = {10.1002/nav.3800030109},
  checked = {a reference list},
}

@misc{hazan2019introduction,
  author = {Hazan, Elad},
  title = {Introduction to Online Convex Optimization},
  year = {2019},
  eprint = {1909.05207},
  archiveprefix = {arXiv},
  checked = {a reference list},
}
"""


def test_a_good_bibliography_has_no_faults():
    assert not faults(GOOD)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("author = {Hazan, Elad}", "author = {}", "no author"),
        ("  title = {An Algorithm for Quadratic Programming},\n", "", "no title"),
        ("An Algorithm", "An $n$-Algorithm", "a title with $"),
        ("  checked = {a reference list},\n}\n\n", "}\n\n", "no checked"),
        ("checked = {a reference list}", "checked = { }", "checked is empty"),
        ("year = {1956}", "year = {56}", "no year of four digits"),
        ("  journal = {Naval Research Logistics Quarterly},\n", "", "no journal"),
        ("@article{f", "@online{f", "the kind online"),
        ("  doi = {10.1002/nav.3800030109},\n", "", "no identifier"),
        ("{10.1002/", "{https://doi.org/10.1002/", "not well-formed"),
        ("  doi =", "  noidentifier = {too old},\n  doi =", "a reason why"),
        ("  doi = {10.1002/nav.3800030109}", "  isbn = {978-1-63828-476-6}", "digit"),
        ("{1909.05207}", "{1709.05207}", "another year"),
        ("{1909.05207}", "{1913.05207}", "without a month"),
        ("  archiveprefix = {arXiv},\n", "", "without archiveprefix"),
        ("{95--110}", "{95-110}", "pages"),
        ("frank1956algorithm", "frank1956quadratic", "should be frank1956algorithm"),
        ("frank1956algorithm", "wolfe1956algorithm", "should be frank1956algorithm"),
        ("hazan2019introduction", "alan2019introduction", "not sorted"),
        ("hazan2019introduction", "frank1956algorithm", "two entries have one key"),
        ("eprint = {1909.05207}", "doi = {10.1002/NAV.3800030109}", "two entries"),
    ],
)
def test_a_broken_bibliography_is_caught(old, new, fault):
    assert old in GOOD
    assert any(fault in found for found in faults(GOOD.replace(old, new, 1)))


# What cites: chapters, pages, and the tables that pages are made of.
ROLE = re.compile(r"\{cite:[pt]\}`([^`]+)`")
SOURCES = {
    "thakurta2025private": "Thakurta",
    "smith2025lecture": "Smith",
    "kairouz2021practical": "Kairouz",
    "balle2020privacy": "Balle",
    "jun2019locally": "Jun",
}
ENTRIES = parse_string(TEXT, "bibtex").entries
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))


def markdown(path) -> list[str]:
    """List the Markdown cells of a notebook."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]


def texts() -> dict[str, str]:
    """Return what readers read, by file: chapters, pages and docstrings."""
    found = {path.name: "\n\n".join(markdown(path)) for path in CHAPTERS}
    for pattern in ("book/*.md", "book/teach/*/*.md", "book/teach/*/*.yml"):
        found |= {p.name: p.read_text("utf-8") for p in ROOT.glob(pattern)}
    for name in ("errata", "theorems"):
        rows = yaml.safe_load((ROOT / "book" / f"{name}.yml").read_text("utf-8"))
        found[name] = "\n\n".join(" ".join(map(str, row.values())) for row in rows)
    return found | docstrings()


@cache
def docstrings() -> dict[str, str]:
    """Return the docstrings of the package, by file."""
    found = {}
    for path in sorted((ROOT / "dpteach").rglob("*.py")):
        said = [
            ast.get_docstring(node) or ""
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        ]
        found[str(path.relative_to(ROOT))] = "\n\n".join(said)
    return found


def cited(text: str) -> set[str]:
    """Return the keys that a text cites by a role."""
    return {key.strip() for keys in ROLE.findall(text) for key in keys.split(",")}


def test_every_entry_is_cited_and_every_citation_has_its_entry():
    assert set().union(*map(cited, texts().values())) == set(ENTRIES)


def test_the_page_lists_what_is_cited():
    page = (ROOT / "book" / "references.md").read_text("utf-8")
    assert "```{bibliography}\n```" in page  # with :all: it would list the rest, too


NAME = r"(?:(?:von|van|af|al-?) )?[A-Z][\w’'-]+(?: (?:Van )?[A-Z][\w’'-]+)?"
BY = re.compile(
    rf"({NAME}(?:, {NAME})*(?: and (?:others|{NAME}))?)(?:,? \(|, | )((?:19|20)\d\d)\b"
)


def surnames(entry: Entry) -> list[str]:
    """Return the surnames of an entry as a docstring has them."""
    return [" ".join(p.prelast_names + p.last_names) for p in entry.persons["author"]]


def is_entry(names: str, year: str, entries) -> bool:
    """Say whether some entry of that year has exactly these authors."""
    first, others = re.split(r", | and ", names)[0], names.endswith(" and others")
    for entry in entries:
        if "author" not in entry.persons or entry.fields["year"] != year:
            continue
        has = surnames(entry)
        said = re.split(r", | and ", names)
        if said == has or (others and len(has) > 2 and has[0] == first):
            return True
    return False


def unknown(text: str) -> list[str]:
    """List the authors with a year in a docstring that no entry has."""
    entries = ENTRIES.values()
    plain = " ".join(text.split())
    return [
        f"{names} {year}"
        for names, year in BY.findall(plain)
        if not is_entry(names, year, entries)
    ]


def test_authors_and_years_of_docstrings_are_entries():
    found = {name: u for name, text in docstrings().items() if (u := unknown(text))}
    assert not found, (
        "Write authors and year as book/references.bib has them, such as "
        f"Jun and Orabona (2019): {found}"
    )
    assert sum(len(BY.findall(" ".join(t.split()))) for t in docstrings().values()) > 80


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("Source: Balle and Wang (2018).", True),
        ("Source: Balle and Wang (2019).", False),
        ("Source: Wang and Balle (2018).", False),
        ("Source: Denisov and others (2022).", True),
        ("Source: Denisov and others (2021).", False),
        ("[Canonne, Kamath and Steinke 2020]", True),
        ("[Canonne and Steinke 2020]", False),
        ("* von Neumann (1951), Various Techniques.", True),
    ],
)
def test_a_wrong_author_or_year_is_noticed(said, known):
    assert bool(unknown(said)) != known


VAGUE = re.compile(
    r"recalled|not verified|(?<!not )known to be|from the literature", re.IGNORECASE
)


def vague(text: str) -> list[str]:
    """List the paragraphs that lean on hearsay and cite nothing."""
    return [
        paragraph
        for paragraph in re.split(r"\n\s*\n", text)
        if VAGUE.search(paragraph) and not (cited(paragraph) or BY.search(paragraph))
    ]


def test_nothing_rests_on_hearsay():
    assert not {name: v for name, text in texts().items() if (v := vague(text))}


def test_hearsay_is_noticed():
    assert vague("It is known to be optimal.")
    assert vague("The rate is better (recalled, not verified).")
    assert not vague("It is known to be optimal {cite:p}`balle2018improving`.")


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_ends_in_its_history(path):
    """Errata and notes alone may follow it."""
    parts = re.split(r"^## (.+)$", "\n\n".join(markdown(path)), flags=re.MULTILINE)
    heads, bodies = parts[1::2], parts[2::2]
    after = heads[heads.index("History and further reading") + 1 :]
    assert after in ([], ["Notes"], ["Errata and notes"])
    body = bodies[heads.index("History and further reading")]
    assert len(cited(body)) >= 3
    assert 80 <= len(ROLE.sub("", body).split()) <= 250


def test_the_sources_are_named():
    for name in ("index.md", "how-to-read.md", "references.md"):
        text = (ROOT / "book" / name).read_text("utf-8")
        assert set(SOURCES) <= cited(text), name
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    listed = {row["title"]: row for row in cff["references"]}
    readme = (ROOT / "README.md").read_text("utf-8")
    front = (ROOT / "book" / "index.md").read_text("utf-8")
    for key in SOURCES:
        entry = ENTRIES[key]
        row = listed[re.sub(r"[{}]", "", entry.fields["title"])]
        assert str(row["year"]) == entry.fields["year"]
        names = surnames(entry)
        assert [author["family-names"] for author in row["authors"]] == names
        for name in names:
            assert name in readme
            assert name in front


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_source_line_names_authors_and_cites(path):
    """Whatever begins with "Source" at the end of a chapter has names and a role."""
    for paragraph in re.split(r"\n\s*\n", "\n\n".join(markdown(path))):
        if re.match(r"Sources?: ", paragraph):
            named = cited(paragraph) & set(SOURCES)
            assert named, (
                f"{paragraph[:60]}…: with Source begins what names one of the book's "
                "five sources. Cite other works where they are used."
            )
            for key in named:
                assert SOURCES[key] in ROLE.sub("", paragraph)
