"""Chapters' cells under the Python of a page; ``chapter_cells`` runs it by ``run.mjs``.

Reads JSON, the cells of each chapter, and prints one line of JSON for each chapter:
what each cell that works told, and why the others do not. A cell that fails is left
out, and the rest is run anew without what it may have left behind.
"""

import json
import sys
from pathlib import Path

from dpteach.chapters import page
from dpteach.chapters.cells import forget, run_cell

page.lend_alarm(setitimer)  # noqa: F821  (from run.mjs)
page.count_wide_integers()


def ran(cells):
    """Run cells in their order, those that fail left out; say what each told."""
    failed = {}
    while True:
        forget()
        told = {}
        for cell in cells:
            if cell["id"] in failed:
                continue
            start = processor()  # noqa: F821  (from run.mjs)
            told[cell["id"]] = json.loads(run_cell(cell["source"], cell["id"]))
            told[cell["id"]]["seconds"] = processor() - start  # noqa: F821
            if told[cell["id"]]["error"]:
                failed[cell["id"]] = told[cell["id"]]["error"]
                break
        else:
            return {"told": told, "failed": failed}


for chapter, cells in json.loads(Path(sys.argv[1]).read_text()).items():
    print(json.dumps({"chapter": chapter} | ran(cells)), flush=True)
