"""Below an exercise: "Write it here", an editor and Python in the page.

A page holds the button alone. What the editor begins with, the task in full, the
hints, the explanation and the notebook come in a file for each exercise, when a reader
asks: book.js and write.js do the rest.
"""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atomic
from docutils import nodes
from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.application import Sphinx

from . import ROOT, install
from .katex import typeset
from .selection import one_chapter, selected
from .tables import Generated

FORMULA = re.compile(
    r"(?P<code>`+[^`]+`+)|\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$]+?)\$", re.DOTALL
)
CALL = re.compile(r'check\("(\w+)"')
RUNTIME = ROOT / "book" / "_build" / "python"
PLACE = (
    '<div class="write script" data-write="{name}"{python}>'
    '<button type="button">Write it here</button></div>'
)


def weight() -> str:
    """Return the megabytes of Python for the page; nothing, if it is not there."""
    listed = RUNTIME / "files.json"
    if not listed.exists():
        return ""
    return str(json.loads(listed.read_text())["megabytes"])


def place(name: str) -> nodes.raw:
    """Return the button below which an editor opens."""
    python = f' data-python="{weight()}"' if weight() else ""
    return nodes.raw("", PLACE.format(name=name, python=python), format="html")


class Parts(Generated):
    """The editor of the reader's own program, and what each of its parts must do."""

    def make(self) -> list[nodes.Node]:
        """Return the button, a table of the parts, and their tasks."""
        from dpteach.chapters.program.my_dp import NAME
        from dpteach.chapters.program.parts import PARTS

        page = self.env.metadata[self.env.docname]
        page.setdefault("exercises", {})[NAME] = ""
        rows = [
            "| step | part | is explained in | begins with | calls |",
            "|---|---|---|---|---|",
        ]
        tasks = []
        for number, part in enumerate(PARTS, start=1):
            begins = f"the exercise `{part.exercise}`" if part.exercise else ""
            calls = ", ".join(f"`{each}`" for each in part.uses)
            rows.append(
                f"| {number} | `{part.name}` | {{doc}}`/{part.chapter}` | {begins} "
                f"| {calls} |"
            )
            tasks.append(f"**{number}. `{part.call}`**\n\n{part.task}")
        text = "\n\n".join(["\n".join(rows), *tasks])
        return [place(NAME), *self.parse(text)]


def offer(app: Sphinx, doctree: nodes.document) -> None:
    """Put a button below each cell that checks an exercise, and keep what it says."""
    exercises = app.env.metadata[app.env.docname].setdefault("exercises", {})
    for cell in list(doctree.findall(nodes.container)):
        source = cell.next_node(nodes.literal_block)
        if cell.get("nb_element") != "cell_code" or source is None:
            continue
        called = CALL.findall(source.astext())
        if not called:
            continue
        name = called[-1]
        exercises[name] = source.astext()
        cell.parent.insert(cell.parent.index(cell) + 1, place(name))
        name_task(cell, f"exercise-{name}".replace("_", "-"))


def name_task(cell: nodes.container, identity: str) -> None:
    """Give the paragraph with an exercise's number an address; search leads there."""
    siblings = cell.parent.children
    for sibling in reversed(siblings[: siblings.index(cell)]):
        if not isinstance(sibling, nodes.paragraph):
            continue
        first = next((part for part in sibling if part.astext()), None)
        if isinstance(first, nodes.strong):
            sibling["ids"].append(identity)
            return


def headed(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Make the name of each exercise a heading, which readers of screens jump to."""
    if 'id="exercise-' in context.get("body", ""):
        context["body"] = re.sub(
            r'(<p id="exercise-[\w-]+">)<strong>',
            r'\1<strong role="heading" aria-level="3">',
            context["body"],
        )


def highlighted(code: str, language: str, _: str) -> str:
    """Return code in the colors of the pages."""
    if language != "python":
        return ""
    inner = highlight(code, PythonLexer(), HtmlFormatter(nowrap=True))
    return f'<pre class="highlight"><code>{inner}</code></pre>'


def reader(macros: dict[str, str]) -> Callable[[str], str]:
    """Return what turns the words of an exercise into HTML, formulas too.

    As in a notebook, formulas are taken out before Markdown is read, because a line of
    one may look like the item of a list.
    """
    markdown = MarkdownIt("commonmark", {"highlight": highlighted})

    def render(text: str) -> str:
        formulas = []

        def take(match: re.Match) -> str:
            code, tex = match["code"], match["display"] or match["inline"]
            if code:
                return code
            formulas.append(typeset(tex, display=bool(match["display"]), macros=macros))
            return f"\ue000{len(formulas) - 1}\ue001"

        html = markdown.render(FORMULA.sub(take, text))
        return re.sub(
            "\ue000([0-9]+)\ue001",
            lambda match: f'<span class="math">{formulas[int(match[1])]}</span>',
            html,
        )

    return render


def of_exercise(name: str, cell: str, render: Callable[[str], str]) -> dict[str, Any]:
    """Return what the page needs to know of one exercise or question."""
    from dpteach.chapters.catalog import explanation, load
    from dpteach.grading.exercise import Exercise

    exercise = load(name)
    hints = [render(hint) for hint in exercise.hints]
    why = render(explanation(name))
    if not isinstance(exercise, Exercise):
        start = "" if "import check" in cell else "from dpteach import check\n\n"
        return {
            "starter": start + cell.rstrip() + "\n",
            "hints": hints,
            "explanation": why,
            "checked": False,
        }
    call, result, by_hand = exercise.worked
    task = (
        f"{exercise.statement}\n\n**A case worked by hand.** {by_hand} So `{call}` "
        f"should give `{result}`, up to rounding."
    )
    notebook = ROOT / "exercises" / f"{name}.ipynb"
    return {
        "starter": exercise.starter.rstrip() + "\n",
        "task": render(task),
        "hints": hints,
        "explanation": why,
        "checked": True,
        "notebook": install.published(json.loads(notebook.read_text("utf-8"))),
    }


def of_program() -> dict[str, Any]:
    """Return what the page needs to know of the reader's own program."""
    from dpteach.chapters.program.my_dp import NAME, borrowed, there
    from dpteach.chapters.program.parts import HEAD, PARTS

    return {
        "starter": HEAD,
        "hints": [],
        "explanation": "",
        "checked": True,
        "file": f"{NAME}.py",
        "parts": [
            {
                "name": part.name,
                "starter": part.starter,
                "there": there(part),
                "borrowed": borrowed(part),
                "exercise": part.exercise,
                "joined": part.joined,
            }
            for part in PARTS
        ],
    }


def carry(app: Sphinx, exception: Exception | None) -> None:
    """Write a file for each exercise, and bring Python along."""
    if exception or app.builder.name != "html":
        return
    static = Path(app.outdir) / "_static"
    render = reader(app.config.dpteach_macros)
    folder = static / "exercises"
    folder.mkdir(exist_ok=True)
    for docname, page in app.env.metadata.items():
        exercises = page.get("exercises", {}) if selected(app, docname) else {}
        for name, cell in exercises.items():
            # A program stands on a page of its own, and in no cell.
            told = of_exercise(name, cell, render) if cell else of_program()
            data = json.dumps(told, ensure_ascii=False)
            script = f"(window.pythonExercises ??= {{}}).{name} = {data};\n"
            atomic.write(folder / f"{name}.js", script)
    if weight() and not (one_chapter(app) and (static / "python").exists()):
        shutil.copytree(RUNTIME, static / "python", dirs_exist_ok=True)
        licenses = ROOT / "book" / "_page" / "licenses"
        shutil.copytree(licenses, static / "python" / "licenses", dirs_exist_ok=True)


def setup(app: Sphinx) -> None:
    """Find the cells when pages are read, and carry files after pages are written."""
    app.add_directive("program-parts", Parts)
    app.connect("doctree-read", offer)
    app.connect("html-page-context", headed)
    app.connect("build-finished", carry, priority=700)
