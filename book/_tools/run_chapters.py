"""Run every notebook of a folder from first to last: run_chapters.py FOLDER [FIGURES].

It needs nothing of the repository, so that it can be copied beside an installed wheel.
Each slider is then moved once, as a front end moves it. Exits with an error when a cell
fails, when a figure fails while it is displayed (which fails no cell), when not exactly
so many figures came alive, or when a move brings no new picture.
"""

import sys
import time
from pathlib import Path

import nbformat
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

MOVED = ("SelectionSliderModel", "ToggleButtonsModel")  # for numbers, for words
VIEW = "application/vnd.jupyter.widget-view+json"


def figures(notebook: nbformat.NotebookNode) -> tuple[int, list[str]]:
    """Count the figures that came alive, and list the errors that were displayed."""
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    alive = sum(VIEW in out.get("data", {}) for out in outputs)
    errors = [out for out in outputs if out.output_type == "error"]
    return alive, [f"{each.ename}: {each.evalue}" for each in errors]


def move_sliders(client: NotebookClient) -> tuple[int, list[str]]:
    """Move each slider; count those that redraw a picture, and list what failed."""
    moved, failed = 0, []
    for model, state in list(client.widget_state.items()):
        stops = len(state.get("_options_labels", ()))
        if state.get("_model_name") in MOVED and stops > 1:
            to = 0 if state["index"] else stops - 1
            pictures, errors = move(client, model, to)
            moved += pictures > 0
            name = state["description"]
            failed += errors or ([] if pictures else [f"{name}: nothing followed"])
    return moved, failed


def move(client: NotebookClient, model: str, to: int) -> tuple[int, list[str]]:
    """Say what a front end says when a slider is moved; hear what comes back."""
    time.sleep(0.05)  # sooner after a drawing, a figure waits for more moves
    data = {"method": "update", "state": {"index": to}, "buffer_paths": []}
    sent = client.kc.session.msg("comm_msg", {"comm_id": model, "data": data})
    client.kc.shell_channel.send(sent)
    pictures, errors = 0, []
    while True:
        heard = run_sync(client.kc.get_iopub_msg)(timeout=300)
        content = heard["content"]
        if heard["parent_header"].get("msg_id") != sent["header"]["msg_id"]:
            continue
        if heard["msg_type"] == "status" and content["execution_state"] == "idle":
            return pictures, errors
        if heard["msg_type"] == "error":
            errors.append(f"{content['ename']}: {content['evalue']}")
        if heard["msg_type"] == "comm_msg":
            state = content["data"].get("state", {})
            client.widget_state[content["comm_id"]].update(state)  # tied ones move too
            pictures += "<svg" in str(state.get("value"))


def main() -> None:
    """Run them all, and say how each went."""
    paths = sorted(Path(sys.argv[1]).rglob("*.ipynb"))
    failed, living, sliders = [], 0, 0
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(
            notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}
        )
        start = time.perf_counter()
        moved, dead = 0, []
        try:
            with client.setup_kernel():
                for number, cell in enumerate(notebook.cells):
                    client.execute_cell(cell, number)
                moved, dead = move_sliders(client)
        except CellExecutionError as error:
            failed.append(path.name)
            print(error, file=sys.stderr)
        alive, errors = figures(notebook)
        errors += dead
        living += alive
        sliders += moved
        if errors and path.name not in failed:
            failed.append(path.name)
            print(*errors, sep="\n", file=sys.stderr)
        took = time.perf_counter() - start
        print(
            f"{path.name}: {alive} figures, {moved} sliders, {took:.1f} s", flush=True
        )
    print(f"{living} figures came alive in {len(paths)} notebooks")
    print(f"{sliders} sliders were moved, and redrew their pictures")
    if failed or not paths:
        sys.exit(f"failed: {', '.join(failed)}" if failed else "no notebook was found")
    if len(sys.argv) > 2 and living != int(sys.argv[2]):
        sys.exit(f"{living} figures came alive, not {sys.argv[2]}")


if __name__ == "__main__":
    main()
