"""A course's secret: it draws the cases that are tried, and signs the marks."""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path


def read_key(path: Path) -> bytes:
    """Read a course's secret from a file, or make one.

    Parameters
    ----------
    path : Path
        A file that the instructor alone can read.

    Returns
    -------
    bytes
        At least 32 of them.

    Raises
    ------
    ValueError
        If the file holds fewer, or few different ones: it can then be guessed.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
    key = path.read_bytes().strip()
    if len(key) < 32 or len(set(key)) < 8:
        raise ValueError(
            f"The key in {path} has {len(key)} characters, {len(set(key))} of them "
            "different, and must have at least 32 and 8. Delete the file, and a good "
            "one is made."
        )
    return key


def seed_of(key: bytes, student: str, exercise: str, cells: Sequence[str]) -> int:
    """Draw the seed of a student's cases for one answer.

    It is the same for the same answer, other for any other one, and known to no
    student: what one submission tells of its cases is of no use to the next.
    """
    text = json.dumps(["seed", student, exercise, *cells]).encode()
    return int.from_bytes(hmac.digest(key, text, hashlib.sha256)[:8], "big")


def signature(key: bytes, text: bytes) -> str:
    """Sign a text."""
    return hmac.new(key, b"marks\0" + text, hashlib.sha256).hexdigest()


def is_signed(key: bytes, text: bytes, signed: str) -> bool:
    """Tell whether a signature is that of the text."""
    return hmac.compare_digest(signature(key, text), signed.strip())
