"""Python for the pages is what was pinned, whole, or is missing with its reason."""

import gzip
import io
import json
import shutil
import subprocess

import pytest
import runtime

from dpteach.chapters.catalog import rooms


@pytest.fixture(scope="module")
def site(book):
    """What a page unpacks beside the standard library: paths, and what they hold."""
    out = book.parent / "python"
    told = json.loads((out / "files.json").read_text())
    for name, size in told["files"].items():
        assert (out / name).stat().st_size == size
    line, content = gzip.decompress((out / "site.bin").read_bytes()).split(b"\n", 1)
    held, file = {}, io.BytesIO(content)
    for name, size in json.loads(line):
        held[name] = file.read(size)
    assert not file.read()
    return held


def test_every_exercise_is_there_and_what_cells_import(site):
    for name, room in rooms().items():
        place = f"dpteach/chapters/{room}/exercises/{name}"
        assert {f"{place}.py", f"{place}/__init__.py"} & set(site), name
    assert "dpteach/algorithms/gradients/sgd.py" in site  # `show` reads its lines
    assert "dpteach/data/copies/diabetes.npz" in site
    assert {"dpteach/figures/show.py", "pygments/lexers/python.py"} <= set(site)
    assert not [name for name in site if "bank" in name]
    assert {"scipy/special.py", "numpy/__init__.pyc"} <= set(site)
    for name in ("dpteach/losses.py", "dpteach/data/copies/diabetes.npz"):
        assert site[name] == (runtime.ROOT / name).read_bytes()


def test_another_archive_than_the_pinned_one_is_refused(tmp_path, monkeypatch):
    package = next(iter(runtime.PINNED))
    monkeypatch.setattr(runtime, "CACHE", tmp_path)
    folder = tmp_path / package
    folder.mkdir()
    (folder / "pyodide.tgz").write_bytes(b"something else")
    with pytest.raises(RuntimeError, match="has the SHA-256"):
        runtime.fetch(package)


def test_without_npm_or_its_registry_the_reason_is_told(tmp_path, monkeypatch):
    package = next(iter(runtime.PINNED))
    monkeypatch.setattr(runtime, "CACHE", tmp_path)

    def failing(command, **_):
        return subprocess.CompletedProcess(command, 1, "", "no such host")

    monkeypatch.setattr(runtime.subprocess, "run", failing)
    monkeypatch.setattr(shutil, "which", lambda _: "npm")
    with pytest.raises(runtime.Unavailable, match="no such host"):
        runtime.fetch(package)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(runtime.Unavailable, match="npm"):
        runtime.fetch(package)
    assert not (tmp_path / package).exists()


def test_the_book_has_it(book):
    """A book without it can be built, and read; it should not be published unaware."""
    told = json.loads((book / "_static" / "python" / "files.json").read_text())
    assert told["megabytes"] <= 9
    assert (book / "_static" / "python" / "licenses" / "Pyodide.txt").exists()
