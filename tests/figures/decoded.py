"""A figure's table, read from its description alone: not by the code that wrote it."""

import base64
import json
import re
import zlib

import numpy as np


def decode(script: str) -> dict:
    """Read a table as the player does, from its description alone."""
    found = re.fullmatch(r'dpteachTable\("([a-z-]+)","(\w{16})",(.*)\);\n', script)
    table = json.loads(found[3])
    raw = zlib.decompress(base64.b64decode(table["data"]), -15)
    table["numbers"] = np.frombuffer(raw, "<i2").copy()
    table["id"], table["hash"] = found[1], found[2]
    return table


def column(table: dict, place: dict, state: int) -> np.ndarray:
    """Read the numbers of a column in a state."""
    shape = table["shape"]
    index = np.unravel_index(state, shape)
    row = 0
    for axis in place["axes"]:
        row = row * shape[axis] + index[axis]
    at = place["at"] + row * place["n"]
    steps = table["numbers"][at : at + place["n"]]
    return np.cumsum(steps, dtype=np.int16)  # wraps around, as the coder did


def words(table: dict, entry: dict, state: int) -> str:
    """Read a text in a state."""
    shape, row = table["shape"], 0
    index = np.unravel_index(state, shape)
    for axis in entry["axes"]:
        row = row * shape[axis] + index[axis]
    return entry["words"][entry["which"][row]]
