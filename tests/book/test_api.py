"""The reference names every public module once."""

import re

import api_pages
import yaml
from dpteach_book.api import public_members, public_modules

from tests.public import ROOT


def test_every_module_is_on_exactly_one_page():
    named = [
        name
        for text in api_pages.files().values()
        for line in re.findall(r"^```\{api\} (.*)$", text, re.MULTILINE)
        for name in line.split()
    ]
    assert len(named) == len(set(named))
    for module in public_modules("dpteach"):
        content = module == "dpteach" or module.startswith("dpteach.chapters")
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
