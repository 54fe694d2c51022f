"""The lab on one record's gradient in PyTorch runs as it stands."""

import re

import pytest

from tests.public import ROOT


def test_each_block_prints_what_it_says(library, capsys):
    if library != "torch":
        pytest.skip("the lab is about PyTorch")
    text = (ROOT / "book" / "lab-pytorch.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.S)
    assert len(blocks) == text.count("```python") == 6
    space = {}
    for code, printed in blocks:
        exec(code, space)
        assert capsys.readouterr().out == printed
