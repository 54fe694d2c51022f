"""Every statement of a source says if it is taught, proved, computed and tested."""

import ast
import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from tests.public import ROOT, table
from tests.test_errata import definition

ROWS = table("theorems")
KINDS = {
    "Algorithm", "Definition", "Theorem", "Corollary", "Lemma", "Proposition", "Claim",
    "Fact", "Remark", "Table", "Figure",
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
        Corollary 4.2; Algorithm 2; Theorem 4.3; Table 1; Figure 1; Figure 2
    """,
    "check-ins": """
        Definition 2.1; Definition 3.1; Algorithm 1; Theorem 3.2; Corollary 3.3;
        Proposition 3.4; Theorem 3.5; Algorithm 2; Theorem 4.1; Theorem 4.2;
        Theorem 4.3; Proposition 4.4; Theorem 5.1; Lemma A.1; Lemma A.2;
        Remark 1; Remark 2; Remark 3; Remark 4; Table 1
    """,
    "banco": "Definition 1; Algorithm 1; Theorem 2; Theorem 3",
}


# What the sources claim without a number of its own, by section.
UNNUMBERED = {
    "chapter": """
        Section 6.2.1, without convexity; Section 6.2.1, note on optimality;
        Section 6.2.1, oracle calls; Section 6.2.2, without the determinant;
        Section 6.3.1, oracle calls; Section 6.3.1, more steps;
        Section 6.4.2, second variant; Section 6.4.3, support selection;
        Section 6.4.3, oracle calls; Section 6.4.3, note on the lower bound;
        Section 6.5.2, population risk; Section 6.5.2, optimal population risk
    """,
    "ftrl": "Section 3.2; Section 4.3; Section 5.3; Momentum variant",
}


# What a page must prove if it claims to; definitions and algorithms have no proof.
PROVABLE = {
    "Theorem", "Corollary", "Lemma", "Proposition", "Claim", "Fact", "Remark",
}  # fmt: skip
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven")
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
        assert definition(row["tested"])


def needs_proof(row: dict) -> bool:
    """Tell if a row is about a theorem, by its number or by the block it names."""
    kind = row["id"].split()[0]
    block = row["taught"].startswith("thm-") and kind != "Definition"
    return kind in PROVABLE or block


def test_a_theorem_without_a_number_needs_a_proof_too():
    about = {"taught": "thm-private-frank-wolfe-risk"}
    assert needs_proof({"id": "(6.59)", **about})
    assert needs_proof({"id": "Remark 1", "taught": "check-in-remarks"})
    assert not needs_proof({"id": "Definition 2.1", **about})
    assert not needs_proof({"id": "Algorithm 1", "taught": "alg-tree"})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_says_what_it_lacks(row):
    """Taught and tested; else not covered. A theorem is proved; else it says why."""
    if "not_covered" in row:
        assert not {"taught", "proved", "computed", "tested"} & set(row)
        return
    assert "taught" in row
    assert {"tested", "why"} & set(row)
    if needs_proof(row):
        assert "proved" in row or "why" in row


def names_in(*nodes: ast.AST) -> set[str]:
    """List the names in pieces of code."""
    inside = [each for node in nodes for each in ast.walk(node)]
    return {each.id for each in inside if isinstance(each, ast.Name)}


@cache
def defined_in(file: Path) -> dict[str, tuple[Path, str] | set[str]]:
    """Map what a test file defines to the names used in it, or to whence it comes."""
    found: dict = {}
    for node in ast.parse(file.read_text("utf-8")).body:
        used = names_in(node)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = used
        elif isinstance(node, ast.Assign):
            found |= dict.fromkeys(names_in(*node.targets), used)
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("tests."):
            home = ROOT.joinpath(*node.module.split(".")).with_suffix(".py")
            found |= {each.name: (home, each.name) for each in node.names}
    return found


def names_that_run(place: str) -> set[str]:
    """List the names that a test uses, also through what the tests share."""
    path, _, name = place.partition("::")
    seen: set = set()
    ahead = [(ROOT / path, name)]
    while ahead:
        file, name = ahead.pop()
        if (file, name) in seen:
            continue
        seen.add((file, name))
        inside = defined_in(file).get(name, set())
        ahead += [inside] if isinstance(inside, tuple) else [(file, n) for n in inside]
    return {name for _, name in seen}


@pytest.mark.parametrize(
    "row", [row for row in ROWS if {"computed", "tested"} <= set(row)],
    ids=lambda row: row["id"],
)  # fmt: skip
def test_the_test_of_a_row_runs_the_function_of_the_row(row):
    assert row["computed"].rpartition(".")[2] in names_that_run(row["tested"])


def test_a_test_that_runs_another_function_is_noticed():
    """Through a helper, and through a table of another file: yes. Unused: no."""
    place = "tests/algorithms/streams/test_ftrl.py::"
    place += "test_theorem_6_14_the_running_code_costs_what_the_event_says"
    assert {"dp_ftrl", "linear_audit"} <= names_that_run(place)
    assert "least_squares_dp_ftrl" not in names_that_run(place)


def proofs_with_other_steps(text: str) -> list[str]:
    """List the proofs that announce a number of steps and have another one."""
    proofs = re.findall(r"(Proof, in (\w+) steps?)\n(.*?)\n:::$", text, re.M | re.S)
    return [
        title
        for title, number, body in proofs
        if NUMBERS.index(number) != max(1, body.count("**Step "))
    ]


@pytest.mark.parametrize("page", sorted({row["page"] for row in ROWS}))
def test_a_proof_has_as_many_steps_as_it_announces(page):
    assert "{dropdown} Proof" in words_of(page)
    assert not proofs_with_other_steps(words_of(page))


def test_a_step_too_many_is_noticed():
    page = ":::{dropdown} Proof, in two steps\n**Step 1.** a\n\n**Step 2.** b\n:::"
    assert not proofs_with_other_steps(page)
    assert proofs_with_other_steps(page.replace("two", "three"))


def test_a_label_and_a_proof_that_are_missing_are_noticed():
    page = "chapters/09-dp-sgd"
    assert label_in(page, "thm-dp-sgd-risk")
    assert has_proof(page, "thm-dp-sgd-risk")
    assert not label_in(page, "thm-dp-sgd")
    assert not has_proof(page, "alg-dp-sgd")
    assert not has_proof(page, "thm-nothing")


def test_a_statement_has_one_row():
    ids = [(row["source"], row["id"]) for row in ROWS]
    assert len(ids) == len(set(ids))


def names(listed: str) -> set[str]:
    """Take a list apart."""
    return {" ".join(name.split()) for name in listed.split(";")} - {""}


@pytest.mark.parametrize("source", NUMBERED)
def test_every_statement_of_a_source_has_a_row(source):
    wanted = names(NUMBERED[source])
    rows = {row["id"] for row in ROWS if row["source"] == source}
    assert wanted | names(UNNUMBERED.get(source, "")) <= rows
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
