"""Count the code that one opens to follow an algorithm: lines_to_open.py [NAME ...].

What counts is every definition of the package that the algorithm's code leads to, its
annotations included: the lines that are not blank, a comment or a docstring. The second
sum leaves out what can only refuse an argument, as ``show`` does when it prints code:
such lines, and what they alone lead to.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from facade import PACKAGE as ALGORITHMS
from facade import homes
from fingerprint import Place, is_refusal, reached, source

PACKAGE = ALGORITHMS.parent
NOT_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER, tokenize.ENCODING,
}  # fmt: skip


def code_lines(text: str) -> set[int]:
    """Return the numbers of lines with code: no blank line, comment or docstring."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                lines -= set(range(first.lineno, (first.end_lineno or 0) + 1))
    return lines


def place(name: str) -> Place:
    """Find an algorithm, a calibration or a bound by its name."""
    known = homes()
    if name not in known:
        raise SystemExit(f"dpteach.algorithms has no {name!r}.")
    path = ALGORITHMS.joinpath(*known[name].split("."))
    return path.with_suffix(".py"), name


def opened(names: Iterable[str], refusals: bool = True) -> Counter[Place]:
    """Count the lines of each definition that some algorithms lead to."""
    counts: Counter[Place] = Counter()
    left: dict[Path, set[int]] = {}  # a line that defines two names counts once
    found = reached(map(place, names), [PACKAGE], refusals, annotations=True)
    for path, name in sorted(found):
        if path not in left:
            left[path] = code_lines(path.read_text(encoding="utf-8"))
        for node in source(path).defined[name]:
            starts = [each.lineno for each in getattr(node, "decorator_list", [])]
            lines = left[path] & set(range(min([node.lineno, *starts]), _end(node) + 1))
            left[path] -= lines
            for each in ast.walk(node):
                if not refusals and is_refusal(each):
                    lines -= set(range(each.lineno, _end(each) + 1))
            counts[path, name] += len(lines)
    return counts


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def main() -> None:
    """Print the definitions, file by file, and their sums."""
    names = sys.argv[1:] or ["dp_sgd"]
    counts, without = opened(names), opened(names, refusals=False)
    for path, name in sorted(counts):
        print(f"{counts[path, name]:5}  {Path(path).relative_to(PACKAGE)}: {name}")
    print(f"{counts.total():5}  in all, {without.total()} without checks of arguments")


if __name__ == "__main__":
    main()
