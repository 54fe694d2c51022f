"""A chapter, by its number or its name: 9 and dp-sgd are the same."""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "book" / "chapters.yml"


@dataclass(frozen=True)
class Chapter:
    """A row of ``book/chapters.yml`` that has a notebook."""

    number: int
    docname: str  # such as chapters/09-dp-sgd

    @property
    def stem(self) -> str:
        """The notebook's name, such as 09-dp-sgd."""
        return Path(self.docname).name

    @property
    def name(self) -> str:
        """The name without the number, such as dp-sgd."""
        return self.stem.partition("-")[2]

    @property
    def notebook(self) -> Path:
        """The notebook."""
        return ROOT / f"{self.docname}.ipynb"

    @property
    def package(self) -> str:
        """The folder of its figures and exercises, and of their tests: dp_sgd."""
        return self.name.replace("-", "_")

    @property
    def lecture(self) -> str:
        """How the files of its lecture begin, such as 09."""
        return f"{self.number:02}"


@cache
def chapters() -> tuple[Chapter, ...]:
    """List the chapters that can be read, in their order."""
    rows = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    listed = (Chapter(row["number"], row["file"]) for row in rows)
    return tuple(each for each in listed if each.notebook.exists())


def find(name: str) -> Chapter:
    """Find a chapter by its number or its name."""
    for chapter in chapters():
        numbers = str(chapter.number), chapter.lecture
        if name in (*numbers, chapter.name, chapter.stem, chapter.package):
            return chapter
    known = ", ".join(f"{each.number} {each.name}" for each in chapters())
    raise ValueError(f"There is no chapter {name!r}. There are: {known}.")


def main() -> None:
    """Print the files and folders of a chapter: chapter.py dp-sgd."""
    try:
        one = find(sys.argv[1])
    except ValueError as error:
        sys.exit(str(error))
    folders = (ROOT / each / "chapters" / one.package for each in ("dpteach", "tests"))
    paths = [one.notebook, *(folder for folder in folders if folder.exists())]
    print(*(path.relative_to(ROOT) for path in paths))


if __name__ == "__main__":
    main()
