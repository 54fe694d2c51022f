"""Print paper quizzes: quizzes.py [--variants N] [--chapters 1,2 | --problems a,b].

Each variant has the same problems with other numbers, on a sheet of its own. The last
sheet is the key. The keys are computed by the package, and a seed repeats a quiz.
"""

import argparse
import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from quiz_problems import PROBLEMS, PaperProblem

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "book" / "_build" / "quiz.html"

_STYLE = """\
@page { margin: 2cm; }
body { font: 12pt/1.45 serif; color: #000; background: #fff; max-width: 40em;
  margin: 1em auto; padding: 0 1em; }
section { break-after: page; }
section:last-of-type { break-after: auto; }
li { margin: 1em 0; break-inside: avoid; }
.line { border-bottom: 1px solid #000; height: 3.2em; }
table { border-collapse: collapse; }
td, th { border: 1px solid #000; padding: .25em .6em; text-align: right; }
td:first-child { text-align: left; }
"""


@dataclass(frozen=True)
class Question:
    """One problem of one variant: its text, its numbers and its key."""

    problem: PaperProblem
    numbers: dict
    text: str
    key: str


def rounded(value: float) -> str:
    """Write a key with three significant digits, or with all where they are four.

    So 0.03125 is not cut to 0.0312, where half of a class would write 0.0313.
    """
    value = float(f"{float(value):.12g}")  # without what floats have lost
    if value.is_integer() or f"{value:.3g}" != f"{value:.4g}" == f"{value:.12g}":
        return f"{value:.12g}"
    return f"{value:#.3g}".removesuffix(".")


def variants(problem: PaperProblem, count: int, seed: int) -> list[Question]:
    """Draw ``count`` variants of a problem, no two with the same numbers."""
    names, ranges = list(problem.numbers), list(problem.numbers.values())
    every = list(itertools.product(*ranges))
    if not 1 <= count <= len(every):
        raise ValueError(
            f"`--variants` must be from 1 to {len(every)} for the problem "
            f"{problem.name!r}, got {count}. Print fewer variants, or leave it out."
        )
    drawn = random.Random(f"{seed} {problem.name}").sample(every, count)
    out = []
    for values in drawn:
        numbers = dict(zip(names, values, strict=True))
        text = problem.text.format(**numbers)
        out.append(Question(problem, numbers, text, rounded(problem.answer(**numbers))))
    return out


def quiz(
    problems: Sequence[PaperProblem], count: int, seed: int
) -> list[list[Question]]:
    """Return each variant's questions, in the order of the problems."""
    rows = [variants(problem, count, seed) for problem in problems]
    return [list(sheet) for sheet in zip(*rows, strict=True)]


def page(sheets: Sequence[Sequence[Question]], title: str) -> str:
    """Write the sheets and the key as one HTML page, ready to print."""
    letters = [chr(ord("A") + k) for k in range(len(sheets))]
    parts = []
    for letter, sheet in zip(letters, sheets, strict=True):
        asked = "".join(
            f'<li>{_tied(question.text)}<div class="line"></div></li>'
            for question in sheet
        )
        parts.append(
            f"<section><h1>{escape(title)}: {letter}</h1>"
            "<p>Name: ______________________________</p>"
            "<p>Give three digits. Say in a line how you got there.</p>"
            f"<ol>{asked}</ol></section>"
        )
    head = "".join(f"<th>{letter}</th>" for letter in letters)
    rows = "".join(
        f"<tr><td>{number}. {escape(first.problem.name)}, chapter "
        f"{first.problem.chapter}</td>"
        + "".join(f"<td>{escape(each.key)}</td>" for each in (first, *others))
        + "</tr>"
        for number, (first, *others) in enumerate(zip(*sheets, strict=True), 1)
    )
    parts.append(
        f"<section><h1>{escape(title)}: key</h1>"
        f"<table><tr><th>problem</th>{head}</tr>{rows}</table></section>"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>\n{_STYLE}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _tied(text: str) -> str:
    """Write a text so that no line ends beside a sign of a formula."""
    for sign in "=−+":
        text = text.replace(f" {sign} ", f"\u00a0{sign}\u00a0")
    return escape(text)


def chosen(chapters: str, problems: str) -> list[PaperProblem]:
    """Return the problems of some chapters, or those that are named; all by default."""
    names, numbers = _listed(problems), _listed(chapters)
    known = {problem.name: problem for problem in PROBLEMS}
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"`--problems` must be among {sorted(known)}, got {unknown}.")
    if len(set(names)) < len(names):
        raise ValueError(f"`--problems` must name each problem once, got {names}.")
    have = [f"{problem.chapter}" for problem in PROBLEMS]
    if unknown := [number for number in numbers if number not in have]:
        raise ValueError(
            f"`--chapters` must be among {', '.join(dict.fromkeys(have))}, got "
            f"{', '.join(unknown)}. Other chapters have no problems."
        )
    if names:
        return [known[name] for name in names]
    return [p for p in PROBLEMS if not numbers or f"{p.chapter}" in numbers]


def _listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


def main() -> None:
    """Write the page, and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variants", type=int, default=4)
    parser.add_argument("--chapters", default="", help="such as 1,2,9")
    parser.add_argument("--problems", default="", help="names, such as belief,truth")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--title", default="Private Optimization")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    try:
        selected = chosen(args.chapters, args.problems)
        sheets = quiz(selected, args.variants, args.seed)
    except ValueError as error:
        parser.error(str(error))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(page(sheets, args.title), "utf-8")
    count = "1 problem" if len(selected) == 1 else f"{len(selected)} problems"
    print(f"{args.variants} variants of {count}: {args.out}")


if __name__ == "__main__":
    main()
