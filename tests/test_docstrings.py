"""Every public docstring keeps the house's form: numpydoc, and an example that runs."""

import inspect
import tomllib
from enum import EnumType

import pytest
from numpydoc.validate import validate

from tests.public import (
    ROOT,
    functions,
    objects,
    parameters,
)

CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXEMPT = set(CONFIG["tool"]["numpydoc_validation"]["checks"]) - {"all"}


DOCUMENTED = [
    # The members of an Enum are no parameters, whatever numpydoc takes them for.
    name
    for name, each in objects().items()
    if not isinstance(each, EnumType)
]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_numpydoc_finds_nothing_to_correct(name):
    found = [text for code, text in validate(name)["errors"] if code not in EXEMPT]
    assert not found


@pytest.mark.parametrize("name", functions())
def test_every_function_has_an_example_and_says_what_it_returns_and_refuses(name):
    function = functions()[name]
    doc = inspect.getdoc(function) or ""
    assert ">>>" in doc, "give an example that teaches"
    if inspect.signature(function).return_annotation is not None:
        assert "Returns\n-------" in doc
    if parameters(function):
        assert "Raises\n------" in doc, "say what a reader can do wrong"


def test_the_test_sees_a_bad_docstring():
    """Power: a docstring without its sections is found wanting by the same rules."""
    codes = {code for code, _ in validate("inspect.unwrap")["errors"]}
    assert codes - EXEMPT
