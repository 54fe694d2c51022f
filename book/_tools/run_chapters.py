"""Run every notebook of a folder from first to last: run_chapters.py FOLDER.

It needs nothing of the repository, so that it can be copied beside an installed wheel.
Exits with an error when a cell fails.
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def main() -> None:
    """Run them all, and say how each went."""
    paths = sorted(Path(sys.argv[1]).rglob("*.ipynb"))
    failed = []
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(
            notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}
        )
        start = time.perf_counter()
        try:
            client.execute()
        except CellExecutionError as error:
            failed.append(path.name)
            print(error, file=sys.stderr)
        print(f"{path.name}: {time.perf_counter() - start:.1f} s", flush=True)
    if failed or not paths:
        sys.exit(f"failed: {', '.join(failed)}" if failed else "no notebook was found")


if __name__ == "__main__":
    main()
