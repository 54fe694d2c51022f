"""Valid arguments of every public function of ``dpteach.grading``."""

from dpteach import check, self_test

BAD_INPUT = {check: {"name": "best_T", "answer": 3375.0, "seed": 0}, self_test: {}}
