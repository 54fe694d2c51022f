"""Stored results: experiments too slow for a page, with all that made them.

Run ``python -m dpteach.figures.results`` to compute every one anew. A result is fresh
as long as the code and the arguments that made it are what they were; comments and
docstrings do not count. A test fails when one is not fresh.
"""

import ast
import hashlib
import inspect
import io
import json
import platform
import re
import textwrap
import time
import tokenize
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy
import scipy

import dpteach

FOLDER = Path(__file__).parent / "results"
COMMAND = "python -m dpteach.figures.results"
STORED: dict[str, "Stored"] = {}


class Stored:
    """An experiment whose values are read from disk.

    Parameters
    ----------
    compute : callable
        Takes the arguments by name, one of them ``seed``, and returns a mapping that
        JSON can hold. Its name is that of the file.
    uses : tuple of str
        Modules that decide its values, such as the algorithm's: when one changes, the
        result is stale. What lies below them is held by a test, which computes a part
        of the result again.
    arguments : mapping
        What it was, and will be, called with.
    """

    def __init__(
        self, compute: Callable[..., dict], uses: tuple[str, ...], arguments: dict
    ) -> None:
        self.compute, self.uses, self.arguments = compute, uses, arguments
        self.name = compute.__name__
        self.file = FOLDER / f"{self.name}.json"

    def __call__(self) -> dict[str, Any]:
        """Return the stored values."""
        return self.record["values"]

    @cached_property
    def record(self) -> dict[str, Any]:
        """Everything in the file: values, command, versions, seed, date, input hash."""
        if not self.file.exists():
            raise FileNotFoundError(
                f"{self.file} is missing: the result was never computed. "
                f"Run: {COMMAND} {self.name}"
            )
        return json.loads(self.file.read_text(encoding="utf-8"))

    @property
    def inputs(self) -> str:
        """The hash of the code and the arguments, as they are now."""
        digest = hashlib.sha256(json.dumps(self.arguments, sort_keys=True).encode())
        code = inspect.getsource(self.compute)
        digest.update(_meaning(textwrap.dedent(code[code.index("def ") :])))
        for module in self.uses:
            digest.update(_meaning(inspect.getsource(import_module(module))))
        return digest.hexdigest()

    def renew(self) -> float:
        """Compute the values and store them; return the seconds that it took."""
        start = time.perf_counter()
        values = self.compute(**self.arguments)
        took = time.perf_counter() - start
        record = {
            "command": f"{COMMAND} {self.name}",
            "date": datetime.now(UTC).date().isoformat(),
            "seconds": round(took, 1),
            "seed": self.arguments["seed"],
            "versions": {
                "python": platform.python_version(),
                "numpy": numpy.__version__,
                "scipy": scipy.__version__,
                "dpteach": dpteach.__version__,
            },
            "inputs": self.inputs,
            "arguments": self.arguments,
            "values": values,
        }
        FOLDER.mkdir(exist_ok=True)
        text = json.dumps(record, indent=1, ensure_ascii=False)
        self.file.write_text(_one_line_lists(text) + "\n", encoding="utf-8")
        self.__dict__.pop("record", None)
        return took


def stored(
    *, uses: tuple[str, ...], **arguments: Any
) -> Callable[[Callable[..., dict]], Stored]:
    """Mark an experiment as one whose values are stored.

    Parameters
    ----------
    uses : tuple of str
        Modules that decide its values.
    **arguments : JSON values
        What it is called with; ``seed`` must be among them.

    Returns
    -------
    callable
        A decorator. The function so marked returns what is stored, at once.

    Raises
    ------
    ValueError
        If there is no seed.

    Examples
    --------
    >>> from dpteach.figures.sgd import risk_of_dp_sgd
    >>> risk_of_dp_sgd.record["seed"], risk_of_dp_sgd.record["arguments"]["runs"]
    (0, 50)
    """
    if "seed" not in arguments:
        raise ValueError(
            "`seed` must be among the arguments, got none. "
            "A stored result can be computed again, to the last digit."
        )

    def mark(compute: Callable[..., dict]) -> Stored:
        STORED[compute.__name__] = result = Stored(compute, uses, arguments)
        return result

    return mark


def all_stored() -> dict[str, Stored]:
    """Collect the stored results of all figures.

    Returns
    -------
    dict
        By name.

    Examples
    --------
    >>> all(result.file.exists() for result in all_stored().values())
    True
    """
    for module in iter_modules([str(Path(__file__).parent)]):
        if not module.name.startswith("_") and module.name != "results":
            import_module(f"dpteach.figures.{module.name}")
    # Run as a program, this file is __main__: the figures filled the other one.
    return dict(import_module("dpteach.figures.results").STORED)


def _meaning(source: str) -> bytes:
    """Write code without comments, docstrings and spaces: they change no value."""
    lines = source.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        if documented and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            last = docstring.end_lineno or docstring.lineno
            for row in range(docstring.lineno - 1, last):
                lines[row] = ""
    return "".join("".join(lines).split()).encode()


def _one_line_lists(text: str) -> str:
    # A list of numbers reads better, and differs better, on one line.
    return re.sub(
        r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text
    )


def main(names: list[str]) -> None:
    """Compute the named results anew, or all of them.

    Parameters
    ----------
    names : list of str
        Empty for all.

    Examples
    --------
    >>> main(["no_such_result"])
    Traceback (most recent call last):
    ...
    SystemExit: There is no result 'no_such_result'. There are: ...
    """
    known = all_stored()
    for name in names:
        if name not in known:
            listed = ", ".join(sorted(known))
            raise SystemExit(f"There is no result {name!r}. There are: {listed}.")
    for name in names or sorted(known):
        print(f"{name}: {known[name].renew():.1f} s")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
