"""The command line: preview, fit and predict."""

import argparse
import csv
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TextIO

from .fitting import fit
from .models import Model, predicted_blocks
from .previewing import preview
from .schema import Schema


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what is refused is said in words, and the status is 2."""
    given = _parser().parse_args(arguments)
    try:
        given.run(given)
    except BrokenPipeError:  # who reads, as head does, has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, TypeError, OSError, ModuleNotFoundError) as error:
        print(f"\n{error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dpteach.tables",
        description="A private, labeled model of a table with a public schema.",
    )
    commands = parser.add_subparsers(required=True)
    first = commands.add_parser("preview", help="what a budget buys; reads no data")
    first.set_defaults(run=_preview)
    first.add_argument("schema", metavar="SCHEMA.json")
    first.add_argument("--rows", type=int, required=True, help="number of rows, public")
    second = commands.add_parser("fit", help="train once, and write a folder")
    second.set_defaults(run=_fit)
    second.add_argument("table", metavar="TABLE.csv")
    second.add_argument("schema", metavar="SCHEMA.json")
    second.add_argument("--out", required=True, metavar="FOLDER")
    for command in (first, second):
        command.add_argument("--target", required=True, help="the column to predict")
        command.add_argument("--epsilon", type=float, required=True)
        command.add_argument("--delta", type=float)
        command.add_argument(
            "--seed", type=int, help="to repeat a run; never publish it"
        )
    _add_predict(commands.add_parser("predict", help="predictions as CSV"))
    return parser


def _add_predict(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=_predict)
    command.add_argument("folder", metavar="FOLDER")
    command.add_argument("table", metavar="TABLE.csv")


def _preview(given: argparse.Namespace) -> None:
    schema = Schema.read(given.schema)
    print(
        preview(
            schema, target=given.target, epsilon=given.epsilon, n=given.rows,
            delta=given.delta, rng=given.seed,
        )
    )  # fmt: skip


def _fit(given: argparse.Namespace) -> None:
    schema, folder = Schema.read(given.schema), Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder):  # can it be written to? before anything is spent
        pass
    model = fit(
        given.table, schema, target=given.target, epsilon=given.epsilon,
        delta=given.delta, rng=given.seed, progress=_show_rows,
    )  # fmt: skip
    model.save(folder)
    print(file=sys.stderr)
    print(model.label)


def _show_rows(n: int) -> None:
    print(f"\r{n:,} rows read", end="", file=sys.stderr, flush=True)


def _predict(given: argparse.Namespace) -> None:
    predictions(Model.load(given.folder), given.table, sys.stdout)


def predictions(model: Model, table: Any, out: TextIO) -> int:
    """Write what the model predicts for each row of a table; return how many rows."""
    lines, n = csv.writer(out, lineterminator="\n"), 0
    lines.writerow([f"predicted_{model.target}", *_sure(model)])
    for said, sure in predicted_blocks(model, table):
        shown = [] if sure is None else [[f"{q:.4f}" for q in sure]]
        lines.writerows(zip(said.tolist(), *shown, strict=True))
        n += len(said)
    return n


def _sure(model: Model) -> list[str]:
    """Name the column of probabilities: of the second of two labels, or of the said."""
    labels = model.schema.column(model.target).levels
    if not labels:
        return []
    return [f"probability_of_{labels[1]}" if len(labels) == 2 else "probability"]
