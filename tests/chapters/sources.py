"""The source of a bank's answers."""

import ast

from fingerprint import reached, source

from tests.chapters.banks import FOLDERS


def own_source(name, answer):
    """Return the source of an answer, with the helpers that it calls."""
    path = FOLDERS[name] / "bank.py"
    used = reached([(path, answer.__name__)], within=[path])
    return "\n".join(
        ast.unparse(node) for _, each in used for node in source(path).defined[each]
    )
