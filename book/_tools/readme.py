"""Write the README's index of algorithms from the code: readme.py [--check]."""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = "<!-- algorithms: written by make readme -->\n"
END = "<!-- /algorithms -->"


def rows(folder: Path = ROOT / "dpteach" / "algorithms") -> list[tuple[str, str, str]]:
    """Return (function, what it does, statement) for each that cites an algorithm."""
    found = []
    for path in sorted(folder.glob("*.py")):
        if path.name.startswith("_"):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                line = (ast.get_docstring(node) or "").partition("\n")[0]
                cited = re.fullmatch(r"(.+?)\.? \[(.*Algorithm.*)\]\.?", line)
                if cited:
                    name = f"[`{node.name}`](dpteach/algorithms/{path.name})"
                    found.append(
                        (name, cited[1].rstrip(".").replace("``", "`") + ".", cited[2])
                    )
    return found


def index() -> str:
    """Return the table."""
    lines = ["| function | what it does | statement |", "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows()]
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    """Return the README with the index of today in its place."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{index()}{END}{after}"


def main() -> None:
    """Write it, or say that it is out of date."""
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    if "--check" in sys.argv:
        if written(text) != text:
            sys.exit("The README's index of algorithms is out of date: make readme")
    else:
        path.write_text(written(text), encoding="utf-8")


if __name__ == "__main__":
    main()
