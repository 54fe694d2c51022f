"""Importing dpteach loads what every use needs, and no more."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import dpteach
from tests.public import PACKAGE, ROOT, modules

LATER = ("scipy", "matplotlib", "array_api_compat", "ipywidgets", "joblib", "yaml")


def _loaded_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    return set(done.stdout.split())


def test_importing_the_package_loads_no_other_library():
    assert not _loaded_after("import dpteach") & set(LATER)


def test_a_problem_needs_numpy_alone():
    """What a reader does first loads no array-library layer and no drawing."""
    statement = "import dpteach, dpteach.data; dpteach.data.example().n"
    assert not _loaded_after(statement) & set(LATER)


def test_a_first_step_loads_neither_prices_nor_randomness():
    """What every reader waits for: ``from dpteach import Problem, dp_sgd, losses``."""
    loaded = _loaded_after("from dpteach import Problem, dp_sgd, losses")
    assert not loaded & {*LATER, "dpteach.accounting", "dpteach.numerics"}
    assert not loaded & {"numpy.random", "numpy.polynomial", "difflib"}
    of_dpteach = {name for name in loaded if name.startswith("dpteach.algorithms.")}
    assert of_dpteach == {
        "dpteach.algorithms._steps",
        "dpteach.algorithms.gradients",
        "dpteach.algorithms.gradients.sgd",
    }


def test_the_test_sees_a_library_that_is_loaded():
    assert "scipy" in _loaded_after("import dpteach, scipy")


@pytest.mark.parametrize("name", dpteach.__all__)
def test_every_public_name_resolves(name):
    assert getattr(dpteach, name) is not None
    assert name in dir(dpteach)


@pytest.mark.parametrize("name", dpteach._HOME)
def test_a_function_is_not_hidden_by_a_module_of_its_name(name):
    """Importing a module binds its name in its package, over what was lazy there."""
    modules()
    assert not inspect.ismodule(getattr(dpteach, name))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'dp_sgdd'"):
        _ = dpteach.dp_sgdd


@pytest.mark.parametrize(
    ("statement", "library", "extra"),
    [
        ("from dpteach import explore", "matplotlib", "figures"),
        ("from dpteach import show", "matplotlib", "figures"),
        ("dpteach.figures", "matplotlib", "figures"),
        ("dpteach.sweep(lambda *, x, seed: x, {'x': [1]}, 1)", "joblib", "scale"),
        ("dpteach.sweep(lambda *, x, seed: x, {'x': [1]}, 1, progress=True)",
         "tqdm", "scale"),
    ],
)  # fmt: skip
def test_what_an_extra_brings_is_said_where_it_is_missing(statement, library, extra):
    hidden = f"import sys, dpteach; sys.modules[{library!r}] = None; {statement}"
    done = subprocess.run(
        [sys.executable, "-c", hidden],
        check=False, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert f"{library}" in done.stderr
    assert f"extra `{extra}`" in done.stderr.splitlines()[-1]


def test_the_copy_of_dpteach_under_test_is_this_one():
    assert Path(dpteach.__file__).parent == PACKAGE
