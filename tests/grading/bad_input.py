"""Valid arguments of every public function of ``dpteach.grading``."""

from pathlib import Path
from tempfile import TemporaryDirectory

from dpteach import check, check_program, grow_program, self_test
from dpteach.chapters.program.my_dp import borrowed
from dpteach.chapters.program.parts import HEAD, PARTS

FOLDER = TemporaryDirectory()
BEGUN, WHOLE = Path(FOLDER.name, "begun.py"), Path(FOLDER.name, "whole.py")
BEGUN.write_text(HEAD, "utf-8")
WHOLE.write_text(HEAD + "".join(map(borrowed, PARTS)), "utf-8")
BAD_INPUT = {
    check: {"name": "best_T", "answer": 3375.0, "seed": 0},
    check_program: {"file": str(BEGUN), "seed": 0},
    grow_program: {"file": str(WHOLE), "book": False},
    self_test: {},
}
