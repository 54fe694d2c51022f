"""The tests that need NumPy alone, under the Pyodide of the pages: a 32-bit machine.

Run by ``run.mjs``. A test that imports what is not here (SciPy, matplotlib, …), itself
or through dpteach, is skipped; what is left must pass, and be as much as promised.
"""

import importlib.abc
import subprocess
import sys

import pytest

from dpteach.chapters.page import count_wide_integers

LEAST = 400  # so that nothing can come to skip everything
# What cannot work here, whatever the package does.
LEFT_OUT = (
    "tests/test_import.py",  # starts other processes
    "tests/test_style.py",
    "tests/test_floors.py",
    "tests/book",
    "tests/grading/judge",  # a judge works with other processes on a machine of its own
    "tests/chapters",  # the banks are graded by ``banks.py``
    "tests/grading/test_clock.py",  # threads and a system's alarms
)
# Minutes of linear algebra that 32 bits do not change.
LONG = ("test_the_table_of_errors",)


class Absent(importlib.abc.MetaPathFinder):
    """Skip whoever imports a package that is not here."""

    def find_spec(self, name, path=None, target=None):  # noqa: ARG002  (as Python calls)
        root = name.partition(".")[0]
        if path is None and root in ABSENT:
            pytest.skip(f"{root} is not here", allow_module_level=True)


ABSENT = {
    *("IPython", "array_api_strict", "axe_playwright_python", "bs4", "dp_accounting"),
    *("docutils", "hypothesis", "importlinter", "ipywidgets", "jax", "joblib"),
    *("jupytext", "matplotlib", "mpmath", "nbclient", "nbformat", "numpydoc"),
    *("playwright", "scipy", "sklearn", "sphinx", "torch", "tqdm", "yaml"),
}


def no_process(*_, **__):
    pytest.skip("a browser's Python starts no other process")


class Plugin:
    """Leaves out what takes long, and counts what passed."""

    def __init__(self):
        self.passed = 0

    def pytest_collection_modifyitems(self, items):
        items[:] = [
            item for item in items if not any(each in item.nodeid for each in LONG)
        ]

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed


count_wide_integers()  # as the page does
sys.meta_path.insert(0, Absent())
subprocess.run = subprocess.Popen = no_process
plugin = Plugin()
arguments = sys.argv[1:] or ["tests"]
left_out = [f"--ignore={path}" for path in LEFT_OUT]
code = pytest.main(
    # No doctests: collecting them imports modules that a missing package cuts short.
    ["-q", "-o", "addopts=--import-mode=importlib --strict-markers -p no:cacheprovider",
     "-p", "no:faulthandler", "--capture=sys", "--tb=short",
     "-m", "not slow and not browser", *left_out, *arguments],
    plugins=[plugin],
)  # fmt: skip
if code == 0 and arguments == ["tests"] and plugin.passed < LEAST:
    print(f"only {plugin.passed} tests ran, of at least {LEAST}")
    code = 1
int(code)
