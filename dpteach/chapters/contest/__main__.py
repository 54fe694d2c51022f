"""Runs a contest: ``python -m dpteach.chapters.contest FOLDER --out BOARD``."""

import argparse
import sys
from pathlib import Path

from ...grading.judge.isolation import describe
from ...grading.judge.keys import read_key
from ...grading.judge.sandbox import obstacle
from ...grading.judge.submissions import submissions
from .board import run_all


def main(arguments: list[str]) -> int:
    """Run the command; return its exit status, as ``python -m dpteach.grading`` does.

    Parameters
    ----------
    arguments : list of str
        Without the program's name.

    Returns
    -------
    int
        0 if a board was written, 2 if something is refused, 3 if no sandbox works here.
    """
    parser = argparse.ArgumentParser(prog="python -m dpteach.chapters.contest")
    parser.add_argument("submissions", type=Path, help="a file or a folder a student")
    parser.add_argument("--out", type=Path, required=True, help="where the board goes")
    parser.add_argument("--key", type=Path, help="the contest's secret")
    parser.add_argument("--unsafe", action="store_true", help="run without a sandbox")
    given = parser.parse_args(arguments)
    if not given.unsafe and (reason := obstacle()):
        return _failed(f"{reason} To run people whom you trust, add --unsafe.", 3)
    isolation = "none" if given.unsafe else "bubblewrap"
    print(describe(isolation), file=sys.stderr)
    try:
        handed_in = submissions(given.submissions)
        if not handed_in:
            return _failed(f"There is no submission in {given.submissions}.", 2)
        key = read_key(given.key or given.out.parent / f"{given.out.name}.key")
        run_all(handed_in, key, isolation, given.out)
    except (ValueError, OSError) as error:
        return _failed(str(error), 2)
    print(f"The board is {given.out / 'board.html'}.")
    return 0


def _failed(reason: str, status: int) -> int:
    print(f"error: {reason}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
