"""Print where a word stands that book/style.yml avoids: words.py [FOLDER] [--lower].

What files still owe is counted in tests/owed_words.json, file by file. The count
never grows: words.py --lower writes today's counts where they are smaller.
"""

import json
import re
import sys
from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
OWED = ROOT / "tests" / "owed_words.json"
FOLDERS = (".github", "book", "chapters", "dpteach", "exercises", "capstones", "tests")
KINDS = {".py", ".md", ".yml", ".ipynb", ".js", ".css", ".html"}
SKIPPED = {"_build", "vendor", "__pycache__", ".ipynb_checkpoints"}
# Where avoided words are quoted
QUOTING = {"book/style.yml", "tests/test_words.py"}


@cache
def rows() -> list[dict]:
    """Read the table."""
    return yaml.safe_load((ROOT / "book" / "style.yml").read_text("utf-8"))


def files() -> list[str]:
    """Name every file that holds words, from the top of the repository."""
    paths = [*ROOT.glob("*.md")]
    for folder in FOLDERS:
        paths += (ROOT / folder).rglob("*")
    named = {
        path.relative_to(ROOT).as_posix()
        for path in paths
        if path.suffix in KINDS and not SKIPPED & set(path.parts)
    }
    return sorted(named - QUOTING)


def read(name: str) -> str:
    """Return a file's text on one line: no markup of comments, quotes or cells."""
    text = (ROOT / name).read_text("utf-8")
    if name.endswith(".ipynb"):
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    return plain(text)


def plain(text: str) -> str:
    """Join what is broken over lines, and part names into words."""
    text = re.sub(r"[\"']\s*\n\s*[rf]*[\"']", "", text)  # adjacent strings
    text = re.sub(r"\n\s*(#+|//)\s?", "\n", text)
    return re.sub(r"[\s_]+", " ", text)


@cache
def pattern(avoid: str) -> re.Pattern:
    """Compile an expression of the table: whole words, in any case."""
    return re.compile(rf"(?<![a-z])(?:{avoid})(?![a-z])", re.IGNORECASE)


def hits(text: str, name: str = "") -> list[str]:
    """Say which words of a text are avoided, in what surroundings, and what to write.

    Parameters
    ----------
    text : str
        As ``plain`` returns it.
    name : str, optional
        The file that it comes from.
    """
    found = []
    for row in rows():
        if name in row.get("where", ()):
            continue
        kept = [
            each.span()
            for but in row.get("but", ())
            for each in pattern(but).finditer(text)
        ]
        for hit in pattern(row["avoid"]).finditer(text):
            start, end = hit.span()
            if not any(a <= start and end <= b for a, b in kept):
                around = text[max(0, start - 30) : end + 30]
                found.append(f"… {around} … → {row['write']}")
    return found


def owed() -> dict[str, int]:
    """Read how many hits each file may still have; a file without a row has none."""
    return json.loads(OWED.read_text("utf-8"))


def main() -> None:
    """Print every hit; with --lower, write the smaller counts."""
    here = {name: hits(read(name), name) for name in files()}
    wanted = tuple(each for each in sys.argv[1:] if each != "--lower")
    for name, found in here.items():
        if not wanted or name.startswith(wanted):
            for hit in found:
                print(f"{name}: {hit}")
    if "--lower" in sys.argv:
        most = owed()
        left = {
            name: min(count, most[name])
            for name in most
            if (count := len(here.get(name, ())))
        }
        OWED.write_text(json.dumps(left, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
