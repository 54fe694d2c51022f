"""Each exercise's bank under the Python of a page: the verdicts are those of Python.

Run by ``run.mjs``. An answer that itself calls what the page lacks of SciPy is left out
and counted. Prints one line of JSON for each exercise.
"""

import dataclasses
import importlib.util
import json
import re
import sys
import time
from pathlib import Path

from scipy import optimize, special, stats

from dpteach.chapters import page
from dpteach.chapters.catalog import load

page.lend_alarm(setitimer)  # noqa: F821  (from run.mjs)
page.count_wide_integers()
LACKING = "a function that only SciPy has"


class Lacking:
    """Stands for a name that only SciPy has; whoever uses it fails with these words."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_, **__):
        raise RuntimeError(LACKING)


def lacking(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Lacking()


for module in (optimize, special, stats):
    module.__getattr__ = lacking
stats._Distribution.__getattr__ = lambda _, name: lacking(name)


def bank(name):
    (path,) = Path("tests/chapters").glob(f"*/{name}/bank.py")
    spec = importlib.util.spec_from_file_location(f"bank_of_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def judged(name):
    answers, patient = bank(name), load(name)
    hasty = dataclasses.replace(patient, seconds=1.0)
    left_out, wrong_verdicts, times = [], [], []
    for answer in answers.RIGHT:
        for seed in (1, 2026):
            start = time.perf_counter()
            report = patient.grade(answer, seed)
            times.append(time.perf_counter() - start)
            if LACKING in str(report.fault):
                left_out.append(answer.__name__)
                break
            if not report.passed:
                wrong_verdicts.append([answer.__name__, str(report.fault)])
    for answer, pattern in answers.WRONG.items():
        report = hasty.grade(answer, 1)
        said = str(report.fault)
        if LACKING in said and not re.search(pattern, said):
            left_out.append(answer.__name__)
        elif report.passed or not re.search(pattern, said):
            wrong_verdicts.append([answer.__name__, said])
    return {
        "name": name, "right": len(answers.RIGHT), "wrong": len(answers.WRONG),
        "left_out": left_out, "wrong_verdicts": wrong_verdicts,
        "seconds": [round(each, 4) for each in sorted(times)],
    }  # fmt: skip


chosen = sys.argv[1:] or sorted(
    path.parent.name for path in Path("tests/chapters").glob("*/*/bank.py")
)
for each in chosen:
    print(json.dumps(judged(each)))
