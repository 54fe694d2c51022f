"""``{status}``, ``{fuzz}``, ``{their-tests}``: what ran, and what came out.

When each chapter last ran; what hostile data did; what others' tests say of our engine.
"""

import json
import platform
from datetime import UTC, datetime
from importlib.metadata import version

from docutils import nodes
from sphinx.application import Sphinx

from . import ROOT
from .tables import Generated, load


class Status(Generated):
    """When each chapter last ran, how long it took, and with which versions.

    Chapters are read in the order of the contents, so this page asks again when all
    have been: see ``fill``.
    """

    def make(self) -> list[nodes.Node]:
        """Leave a place."""
        return [status_place()]


class Fuzz(Generated):
    """The scoreboard of random hostile data that `make fuzz` stored."""

    depends = ("fuzz.json",)

    def make(self) -> list[nodes.Node]:
        """Say how many runs there were, and which functions did not survive all."""
        board = json.loads((ROOT / "book" / "fuzz.json").read_text("utf-8"))
        rows = [
            (f"hostile data {name}", [f"`{name}`", f"{tried:,}", f"{survived:,}"])
            for name, (tried, survived) in sorted(board["functions"].items())
        ]
        text = (
            f"{board['date']}, seed {board['seed']}: {board['survived']:,} of "
            f"{board['tried']:,} runs survived, in {len(rows)} functions and "
            f"{board['seconds'] / 60:.0f} minutes."
        )
        table = self.table(["function", "runs", "survived"], rows, "fuzz")
        return [*self.parse(text), nodes.container("", table, classes=["scroll"])]


class TheirTests(Generated):
    """What `make their-tests` stored, and the reasons that are written beside it."""

    depends = ("their-tests.json", "their-tests.yml")

    def make(self) -> list[nodes.Node]:
        """Count the tests of each file; then say of each that differs why it does."""
        board = json.loads((ROOT / "book" / "their-tests.json").read_text("utf-8"))
        rows = [
            (f"tests {row['file']}",
             [row["package"], f"`{row['file'].rpartition('/')[2]}`",
              f"`{row['commit']}`",
              *(f"{row[kind]:,}" for kind in ("passed", "explained", "skipped"))])
            for row in board["suites"]
        ]  # fmt: skip
        head = ["package", "tests", "commit", "passed", "explained", "skipped there"]
        reasons = [
            (
                f"reason {package} {each['test']}",
                [package, f"`{each['test']}`", each["why"]],
            )
            for package, found in load("their-tests.yml").items()
            for each in found
        ]
        why = self.table(["package", "test", "why it differs"], reasons, "reasons")
        passed = sum(row["passed"] for row in board["suites"])
        explained = sum(row["explained"] for row in board["suites"])
        text = (
            f"{board['date']}: **{passed:,}** tests passed, {explained} did not, each "
            "for a reason that is given below."
        )
        return [
            *self.parse(text),
            nodes.container("", self.table(head, rows, "tests"), classes=["scroll"]),
            self.section("Why some differ", "their-tests-why",
                         [nodes.container("", why, classes=["scroll"])]),
        ]  # fmt: skip


class status_place(nodes.General, nodes.Element):
    """Where the table of runs goes."""


VERSIONS = ("numpy", "scipy", "matplotlib", "ipywidgets", "jupyter-book", "sphinx")


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the table of runs in its place, once every chapter has run."""
    for place in list(doctree.findall(status_place)):
        head = nodes.row()
        for words in ("chapter", "last ran (UTC)", "took"):
            head += nodes.entry("", nodes.paragraph(text=words))
        body = nodes.tbody()
        for page, (_, ended, seconds) in sorted(app.env.dpteach_runs.items()):
            if page in app.env.found_docs:
                body += _run_row(app, page, ended, seconds)
        group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in range(3)), cols=3)
        group += [nodes.thead("", head), body]
        table = nodes.table("", group, classes=["made", "status"])
        table = nodes.container("", table, classes=["scroll"])
        versions = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
        words = f"Python {platform.python_version()}, {versions}, {platform.system()}."
        place.replace_self([table, nodes.paragraph(text=words)])


def _run_row(app: Sphinx, page: str, ended: float, seconds: float) -> nodes.row:
    title = app.env.titles[page].astext()
    uri = app.builder.get_relative_uri("book/status", page)
    when = datetime.fromtimestamp(ended, UTC).strftime("%Y-%m-%d %H:%M")
    link = nodes.reference("", title, refuri=uri, internal=True)
    row = nodes.row()
    row += nodes.entry("", nodes.paragraph("", "", link))
    row += nodes.entry("", nodes.paragraph(text=when))
    row += nodes.entry("", nodes.paragraph(text=f"{seconds:.1f} s"))
    return row


def setup(app: Sphinx) -> None:
    """Register the directives, and what fills its place."""
    app.add_node(status_place)
    app.add_directive("status", Status)
    app.add_directive("fuzz", Fuzz)
    app.add_directive("their-tests", TheirTests)
    app.connect("doctree-resolved", fill)
