"""What others made travels unchanged, with its license and the sum of every file."""

from hashlib import sha256

from tests.public import ROOT

VENDOR = ROOT / "book" / "_static" / "vendor"


def listed() -> dict[str, str]:
    lines = (VENDOR / "sha256sums.txt").read_text().splitlines()
    return {path: total for total, path in (line.split() for line in lines)}


def test_every_vendored_file_is_listed_with_its_sum():
    here = {
        path.relative_to(VENDOR).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.parent != VENDOR
    }
    assert here == listed()
    assert len(here) > 20


def test_every_vendored_folder_has_a_license():
    for folder in VENDOR.iterdir():
        if folder.is_dir():
            words = (folder / "LICENSE").read_text()
            assert "Permission is hereby granted" in words or "OPEN FONT" in words
            assert folder.name in (VENDOR / "README.md").read_text()
