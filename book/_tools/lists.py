"""Lists on pages that people write: of algorithms in README.md, and of exercises.

A list stands between two comments, and is made from the code.
"""

import ast
import json
import re
from pathlib import Path
from typing import Any

import counts
import yaml
from exercise_notebooks import exercises

from dpteach.chapters.catalog import rooms

ROOT = Path(__file__).resolve().parents[2]
ALGORITHMS = ROOT / "dpteach" / "algorithms"


def put_in(text: str, name: str, rows: list[str]) -> str:
    """Return a page with a list in its place."""
    start, end = f"<!-- {name}: written by make generated -->\n", f"<!-- /{name} -->"
    before, opening, rest = text.partition(start)
    _, closing, after = rest.partition(end)
    if not (opening and closing):
        raise ValueError(f"The page must have a line {start.strip()}, and then {end}.")
    return "".join([before, start, *(f"{row}\n" for row in rows), end, after])


def algorithms(folder: Path = ALGORITHMS) -> list[str]:
    """Return a table of the functions whose first line cites an algorithm."""
    rows = ["| function | what it does | statement |", "|---|---|---|"]
    for path in sorted(folder.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                line = (ast.get_docstring(node) or "").partition("\n")[0]
                cited = re.fullmatch(r"(.+?)\.? \[(.*Algorithm.*)\]\.?", line)
                if cited:
                    where = path.relative_to(ROOT).as_posix()
                    does = cited[1].replace("``", "`")
                    rows.append(f"| [`{node.name}`]({where}) | {does}. | {cited[2]} |")
    return rows


def asked(chapter: dict[str, Any]) -> list[str]:
    """List the exercises that a chapter's notebook checks, in order."""
    path = ROOT / f"{chapter['file']}.ipynb"
    if not path.exists():
        return []
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(each["source"]) for each in cells if each["cell_type"] == "code"]
    return re.findall(r'check\("(\w+)"', "\n".join(code))


def exercise_list() -> list[str]:
    """Return a table of the exercises: chapter by chapter, as each sets its own.

    The chapter of an exercise is the one in whose room it stands.
    """
    chapters = yaml.safe_load((ROOT / "book/chapters.yml").read_text(encoding="utf-8"))
    waiting = {each.name: each for each in exercises()}
    rows = ["| exercise | what it asks | chapter |", "|---|---|---|"]
    for chapter in chapters:
        room = Path(chapter["file"]).name[3:].replace("-", "_")
        for name in asked(chapter):
            if name in waiting and rooms()[name] == room:
                title = waiting.pop(name).title
                where = f"[{chapter['number']}](../{chapter['file']}.ipynb)"
                rows.append(f"| [{name}]({name}.ipynb) | {title} | {where} |")
    if waiting:
        raise ValueError(
            f"The chapter of an exercise must check it; none does: {[*waiting]}."
        )
    return rows


def what_it_has() -> list[str]:
    """Return what the book has, in a sentence."""
    count = counts.numbers()
    return [
        f"{count['chapters']} chapters, {count['figures']} figures that you can move, "
        f"{count['exercises']} exercises that check themselves, one Python package. "
        "Free, with proofs."
    ]


def files() -> dict[Path, str]:
    """Return the text that each page with a list should have."""
    readme, students = ROOT / "README.md", ROOT / "exercises" / "README.md"
    first = put_in(readme.read_text("utf-8"), "numbers", what_it_has())
    return {
        readme: put_in(first, "algorithms", algorithms()),
        students: put_in(students.read_text("utf-8"), "exercises", exercise_list()),
    }
