"""Every public docstring keeps one form: numpydoc, and an example that runs."""

import inspect
import tomllib
from enum import EnumType

from numpydoc.validate import validate

from tests.public import ROOT, functions, objects

CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXEMPT = set(CONFIG["tool"]["numpydoc_validation"]["checks"]) - {"all"}


DOCUMENTED = [
    # numpydoc takes an Enum's members, and what a Protocol refuses, for parameters.
    name
    for name, each in objects().items()
    if not isinstance(each, EnumType) and not getattr(each, "_is_protocol", False)
]


def test_numpydoc_finds_nothing_to_correct():
    found = {
        name: text
        for name in DOCUMENTED
        for code, text in validate(name)["errors"]
        if code not in EXEMPT
    }
    assert not found


def owed(function):
    """List what the docstring of a function does not say."""
    doc = inspect.getdoc(function) or ""
    if ">>>" not in doc:
        yield "give an example that teaches"
    returns = inspect.signature(function).return_annotation is not None
    if returns and "Returns\n-------" not in doc:
        yield "say what it returns"


def test_every_function_has_an_example_and_says_what_it_returns():
    found = {name: list(owed(function)) for name, function in functions().items()}
    assert not {name: words for name, words in found.items() if words}


def test_the_test_sees_a_bad_docstring():
    """Power: a docstring without its sections is found wanting by the same rules."""
    codes = {code for code, _ in validate("inspect.unwrap")["errors"]}
    assert codes - EXEMPT

    def silent(epsilon):
        """Return it."""
        return epsilon

    assert len(list(owed(silent))) == 2
