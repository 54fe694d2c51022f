"""Every statement of a source says if it is taught, proved, computed and tested."""

import json
import re
from functools import cache
from importlib import import_module

import pytest
import yaml

from tests.public import ROOT, table
from tests.test_errata import source_of

ROWS = table("theorems")
KINDS = {
    "Algorithm", "Definition", "Theorem", "Corollary", "Lemma", "Proposition", "Claim",
    "Fact", "Remark",
}  # fmt: skip
# All that the sources number, as a list of their own: the table cannot define its own
# completeness. The chapter counts 6.1 to 6.26 in one row, whatever the kind. Of the
# DP-FTRL paper the appendices are not numbered here; Algorithm 2, which lies there,
# is known from its section 4.2. The lecture numbers nothing: its statements have names.
NUMBERED = {
    "chapter": """
        Definition 6.1; Definition 6.2; Definition 6.3; Theorem 6.4; Theorem 6.5;
        Claim 6.6; Theorem 6.7; Claim 6.8; Theorem 6.9; Theorem 6.10; Theorem 6.11;
        Definition 6.12; Theorem 6.13; Theorem 6.14; Theorem 6.15; Definition 6.16;
        Remark 6.17; Remark 6.18; Theorem 6.19; Fact 6.20; Theorem 6.21; Theorem 6.22;
        Theorem 6.23; Corollary 6.24; Theorem 6.25; Theorem 6.26;
        Algorithm 1; Algorithm 2; Algorithm 3; Algorithm 4; Algorithm 5; Algorithm 6;
        InitializeTree; AddToTree; GetSum
    """,
    "lecture": """
        Gradient descent as online sums; Tree mechanism, accuracy;
        Tree mechanism, privacy; DP-FTRL; Main theorem; Online-to-batch lemma;
        Noise terms; Claim on the potential
    """,
    "ftrl": """
        Definition 1.1; Definition 2.1; Algorithm 1; Theorem 3.1; Theorem 4.1;
        Corollary 4.2; Algorithm 2; Theorem 4.3
    """,
    "check-ins": """
        Definition 2.1; Definition 3.1; Algorithm 1; Theorem 3.2; Corollary 3.3;
        Proposition 3.4; Theorem 3.5; Algorithm 2; Theorem 4.1; Theorem 4.2;
        Theorem 4.3; Proposition 4.4; Theorem 5.1; Lemma A.1; Lemma A.2;
        Remark 1; Remark 2; Remark 3; Remark 4; Table 1
    """,
    "banco": "Definition 1; Algorithm 1; Theorem 2; Theorem 3",
}


# What a page must prove if it claims to; definitions and algorithms have no proof.
PROVABLE = {
    "Theorem", "Corollary", "Lemma", "Proposition", "Claim", "Fact", "Remark",
}  # fmt: skip
FIELDS = {
    "id", "source", "title", "page", "taught", "proved", "computed", "tested", "why",
    "not_covered",
}  # fmt: skip


@cache
def words_of(page: str) -> str:
    """Read the Markdown of a page."""
    file = ROOT / f"{page}.ipynb"
    if not file.exists():
        return (ROOT / f"{page}.md").read_text("utf-8")
    cells = json.loads(file.read_text("utf-8"))["cells"]
    return "\n\n".join(
        "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
    )


def label_in(page: str, label: str) -> re.Match | None:
    """Find where a page has a label: of a block, an equation or a paragraph."""
    name = re.escape(label)
    return re.search(
        rf"^:label: {name}$|^\$\$ \({name}\)$|^\({name}\)=$", words_of(page), re.M
    )


def has_proof(page: str, label: str) -> bool:
    """Tell if a proof follows a labeled block, before the next block begins."""
    found = label_in(page, label)
    after = words_of(page)[found.end() :] if found else ""
    return "{dropdown} Proof" in after.partition(":::{prf:")[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_each_word_of_a_row_is_a_link_that_exists(row):
    assert {"id", "source", "title", "page"} <= set(row) <= FIELDS
    assert row["source"] in NUMBERED
    if "taught" in row:
        assert label_in(row["page"], row["taught"])
    if "proved" in row:
        assert has_proof(row["page"], row["proved"])
    if "computed" in row:
        module, _, name = row["computed"].rpartition(".")
        assert callable(getattr(import_module(module), name))
    if "tested" in row:
        assert source_of(row["tested"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_says_what_it_lacks(row):
    """Taught and tested; else not covered. A theorem is proved; else it says why."""
    if "not_covered" in row:
        assert not {"taught", "proved", "computed", "tested"} & set(row)
        return
    assert "taught" in row
    assert {"computed", "tested", "why"} & set(row)
    if row["id"].split()[0] in PROVABLE:
        assert "proved" in row or "why" in row


def test_a_label_and_a_proof_that_are_missing_are_noticed():
    page = "chapters/08-dp-sgd"
    assert label_in(page, "thm-dp-sgd-risk")
    assert has_proof(page, "thm-dp-sgd-risk")
    assert not label_in(page, "thm-dp-sgd")
    assert not has_proof(page, "alg-dp-sgd")
    assert not has_proof(page, "thm-nothing")


def test_a_statement_has_one_row():
    ids = [(row["source"], row["id"]) for row in ROWS]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("source", NUMBERED)
def test_every_statement_of_a_source_has_a_row(source):
    wanted = {" ".join(name.split()) for name in NUMBERED[source].split(";")}
    rows = {row["id"] for row in ROWS if row["source"] == source}
    assert wanted <= rows
    # and a row bears no number that its source does not have
    numbered = {
        name for name in rows if name.split()[0] in KINDS and name[-1:].isdigit()
    }
    assert numbered <= wanted


def test_the_list_skips_no_number_of_the_chapter():
    numbers = [int(each) for each in re.findall(r"6\.(\d+)", NUMBERED["chapter"])]
    assert numbers == list(range(1, 27))
    found = re.findall(r"Algorithm (\d)", NUMBERED["chapter"])
    assert found == list("123456")


def test_a_row_points_to_a_page_of_the_book():
    chapters = yaml.safe_load((ROOT / "book/chapters.yml").read_text("utf-8"))
    pages = {chapter["file"] for chapter in chapters}
    assert {row["page"] for row in ROWS} <= pages
