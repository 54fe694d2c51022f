"""Every algorithm can be imported by its name, and by its name alone."""

import ast
import subprocess
import sys

import facade
import pytest

from dpteach import algorithms
from tests.public import ROOT, modules, objects

HOMES = facade.homes()


def _python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    return done.stdout


def test_what_is_written_is_up_to_date():
    text = (facade.PACKAGE / "__init__.py").read_text("utf-8")
    assert facade.written(text) == text, "make generated"


def test_every_public_object_of_the_algorithms_is_handed_out():
    """By the walk that all tests of public names share: nothing is left out."""
    found = {
        name: value
        for name, value in objects().items()
        if name.startswith("dpteach.algorithms.")
    }
    assert {name.rpartition(".")[2] for name in found} == set(HOMES)
    for name, value in found.items():
        assert getattr(algorithms, name.rpartition(".")[2]) is value


def test_an_editor_finds_the_names():
    """Tab completion asks dir(); a type checker reads the imports of the source."""
    assert set(HOMES) <= set(dir(algorithms))
    assert set(HOMES) == set(algorithms.__all__)
    tree = ast.parse((facade.PACKAGE / "__init__.py").read_text("utf-8"))
    imported = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported == HOMES


@pytest.mark.parametrize("backwards", [False, True])
def test_in_every_order_of_imports_a_name_is_its_function(backwards):
    """Importing a module binds its name in its package, over what was lazy there."""
    found = [each.__name__ for each in modules() if ".algorithms." in each.__name__]
    ordered = sorted(found, reverse=backwards)
    bad = _python(
        "import inspect\n"
        "from importlib import import_module\n"
        f"for name in {ordered}: import_module(name)\n"
        "from dpteach import algorithms\n"
        f"print([n for n in {sorted(HOMES)}"
        " if inspect.ismodule(getattr(algorithms, n))])"
    )
    assert bad.strip() == "[]"


def test_a_module_that_bears_its_functions_name_does_not_hide_it():
    """The case by itself, first the function and first the module."""
    twins = {name for name, home in HOMES.items() if home.endswith(f".{name}")}
    assert {"banco", "frank_wolfe", "matrix_ftrl", "local_sgd"} <= twins
    for name in twins:
        there = f"import dpteach.algorithms.{HOMES[name]}"
        here = f"from dpteach.algorithms import {name}"
        for code in (f"{there}\n{here}", f"{here}\n{there}\n{here}"):
            assert _python(f"{code}\nprint({name}.__name__)") == f"{name}\n"


def test_asking_for_one_algorithm_does_not_load_the_others():
    loaded = _python(
        "import sys; from dpteach.algorithms import poisson_sample; print(*sys.modules)"
    ).split()
    assert "dpteach.algorithms.gradients.sampled_sgd" in loaded
    assert "dpteach.algorithms.gradients.mirror_descent" not in loaded


def test_a_misspelled_name_gets_a_hint():
    with pytest.raises(AttributeError, match="Did you mean 'frank_wolfe'"):
        _ = algorithms.frank_wolf
    with pytest.raises(ImportError, match=r"'dp_ftrll'.* Did you mean 'dp_ftrl'"):
        from dpteach.algorithms import dp_ftrll  # noqa: F401  (it must fail)
    with pytest.raises(ImportError, match=r"'dp_sgdd'.* Did you mean 'dp_sgd'"):
        from dpteach import dp_sgdd  # noqa: F401  (it must fail)
    with pytest.raises(ImportError) as caught:
        from dpteach.algorithms import zzzzzz  # noqa: F401  (it must fail)
    assert "Did you mean" not in str(caught.value)
    assert not hasattr(algorithms, "frank_wolf")


def test_modules_can_still_be_imported_by_name():
    """The hint must not stand in the way of a module that was not loaded yet."""
    code = "from dpteach.algorithms import streams; from dpteach import problem, dp_sgd"
    assert _python(code) == ""
    assert not set(HOMES) & {path.name for path in facade.PACKAGE.iterdir()}


def test_two_functions_of_one_name_are_refused(tmp_path):
    """Power of the generator: a name that stands twice stops it."""
    for module in ("one", "two"):
        (tmp_path / f"{module}.py").write_text("def f(): ...\ndef _g(): ...\n", "utf-8")
        if module == "one":
            assert facade.homes(tmp_path) == {"f": "one"}
    with pytest.raises(SystemExit, match="f stands in two and in one"):
        facade.homes(tmp_path)
