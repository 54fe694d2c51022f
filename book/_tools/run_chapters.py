"""Run every notebook of a folder from first to last: run_chapters.py FOLDER.

It needs nothing of the repository, so that it can be copied beside an installed wheel.
Exits with an error when a cell fails, when a figure fails while it is displayed (which
fails no cell), or when a figure did not come alive.
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

VIEW = "application/vnd.jupyter.widget-view+json"


def figures(notebook: nbformat.NotebookNode) -> tuple[int, list[str]]:
    """Count the figures that came alive, and list the errors that were displayed."""
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    alive = sum(VIEW in out.get("data", {}) for out in outputs)
    errors = [out for out in outputs if out.output_type == "error"]
    return alive, [f"{each.ename}: {each.evalue}" for each in errors]


def main() -> None:
    """Run them all, and say how each went."""
    paths = sorted(Path(sys.argv[1]).rglob("*.ipynb"))
    failed, living = [], 0
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
        alive, errors = figures(notebook)
        living += alive
        if errors and path.name not in failed:
            failed.append(path.name)
            print(*errors, sep="\n", file=sys.stderr)
        took = time.perf_counter() - start
        print(f"{path.name}: {alive} figures, {took:.1f} s", flush=True)
    print(f"{living} figures came alive in {len(paths)} notebooks")
    if failed or not paths:
        sys.exit(f"failed: {', '.join(failed)}" if failed else "no notebook was found")
    if len(sys.argv) > 2 and living < int(sys.argv[2]):
        sys.exit(f"only {living} of {sys.argv[2]} figures came alive")


if __name__ == "__main__":
    main()
