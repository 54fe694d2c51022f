"""The reference names every public module once, and explains every parameter."""

import inspect
import re

import api_pages
import yaml
from dpteach_book.api import public_members, public_modules, with_parameters

from tests.public import PAGE, ROOT, functions, parameters, table


def test_every_module_is_on_exactly_one_page():
    named = [
        name
        for text in api_pages.files().values()
        for line in re.findall(r"^```\{api\} (.*)$", text, re.MULTILINE)
        for name in line.split()
    ]
    assert len(named) == len(set(named))
    for module in public_modules("dpteach"):
        content = module in ("dpteach", PAGE) or module.startswith("dpteach.chapters")
        if not content and public_members(module):
            pages = [each for each in named if f"{module}.".startswith(f"{each}.")]
            assert pages, f"{module} is on no page of book/api"


def test_every_page_is_in_the_contents():
    contents = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text("utf-8"))
    listed = [
        each["file"]
        for part in contents["parts"]
        for chapter in part["chapters"]
        for each in chapter.get("sections", [])
        if each["file"].startswith("book/api/")
    ]
    assert listed == [f"book/api/{page}" for page in api_pages.pages()]


def test_functions_beneath_a_cache_are_found():
    names = [name for _, name in public_members("dpteach.algorithms.gradients.sgd")]
    assert "dpteach.algorithms.gradients.sgd.dp_sgd" in names
    assert not any("gaussian_noise_multiplier" in name for name in names)  # imported


ROWS = {
    "steps": {"tex": "T", "meaning": "How many times the model is updated."},
    "rng": {"tex": None, "meaning": "Where the noise comes from."},
}


def test_a_parameter_that_a_docstring_leaves_out_is_explained_by_its_notation():
    doc = "Add noise.\n\nParameters\n----------\ngrid : float\n    Its own.\n"
    doc += "\nReturns\n-------\nfloat\n    It."
    names = ["steps", "grid", "rng"]
    assert with_parameters(doc, names, ROWS).splitlines()[2:12] == [
        "Parameters",
        "----------",
        "steps",
        "    :math:`T`. How many times the model is updated.",
        "grid : float",
        "    Its own.",
        "rng",
        "    Where the noise comes from.",
        "",
        "Returns",
    ]
    # What a docstring says of a parameter wins, also of two at once.
    both = "Add.\n\nParameters\n----------\nsteps, rng : int\n    Both."
    assert with_parameters(both, names, ROWS) == both
    assert with_parameters("Add noise.", [], ROWS) == "Add noise."


def test_the_reference_explains_every_parameter():
    rows = table("notation")
    for name, function in functions().items():
        doc = with_parameters(
            inspect.getdoc(function) or "", parameters(function), rows
        )
        section = doc.partition("Parameters\n----------\n")[2]
        heads = re.findall(r"^(\S.*?)(?: : .*)?$", section, re.MULTILINE)
        explained = {each for head in heads for each in re.split(r", ?", head)}
        assert set(parameters(function)) <= explained, name
