"""The install cell, run in a real kernel that has no dpteach.

It is tried in a clone, alone with the repository's address, alone without it, with the
published wheel, and where all is there.

The kernel's environment is made of links to the packages of this one, without dpteach;
no test here asks a package index on the network.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import venv
import zipfile
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import build_wheel
import pytest
from dpteach_book import install, repository
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from tests.public import ROOT

pytestmark = pytest.mark.slow
WHERE = """import dpteach
figures = find_spec("dpteach.figures") is not None
print("READY", dpteach.__version__, dpteach.__file__, figures)"""
READY = f"READY {install.version()} "


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    """Link what is installed here, apart from dpteach."""
    folder = tmp_path_factory.mktemp("packages")
    for place in map(Path, sys.path):
        if any(place.glob("*.dist-info")):
            for path in place.iterdir():
                ours = "dpteach" in path.name or path.suffix == ".pth"
                if not ours and not (folder / path.name).exists():
                    (folder / path.name).symlink_to(path)
    return folder


@pytest.fixture
def environment(tmp_path, packages, monkeypatch) -> Path:
    """Make an environment for one kernel, which reaches no index."""
    folder = tmp_path / "environment"
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "packages.pth").write_text(f"{packages}\n")
    kernel = tmp_path / "jupyter" / "kernels" / "alone"
    kernel.mkdir(parents=True)
    python = str(folder / "bin" / "python")
    argv = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    told = {"argv": argv, "display_name": "alone", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(told))
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_RETRIES", "0")
    return site


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Build the wheel as the book's build does."""
    return build_wheel.make(tmp_path_factory.mktemp("wheel"))


def run(folder: Path, cell: str, *more: str) -> str:
    """Run cells in the kernel, from a folder; only printed text may come of it."""
    folder.mkdir(parents=True, exist_ok=True)
    notebook = new_notebook(cells=[new_code_cell(each) for each in (cell, *more)])
    NotebookClient(
        notebook,
        kernel_name="alone",
        timeout=300,
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    outputs = [output for each in notebook.cells for output in each.outputs]
    return "".join(out.get("text") or f"{out.ename}: {out.evalue}\n" for out in outputs)


def a_wheel(folder: Path, name: str, version: str, *needs: str) -> None:
    """Write a wheel with nothing in it but what it needs."""
    folder.mkdir(exist_ok=True)
    about = f"{name}-{version}.dist-info"
    needed = "".join(f"Requires-Dist: {need}\n" for need in needs)
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += f"Provides-Extra: figures\n{needed}"
    kind = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {
        f"{name}/__init__.py": f"__version__ = {version!r}\n",
        f"{name}/arrays.py": "",
        f"{about}/METADATA": metadata,
        f"{about}/WHEEL": kind,
        f"{about}/RECORD": "",
    }
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)


@pytest.mark.usefixtures("environment")
def test_alone_without_an_address_it_says_what_to_do(tmp_path):
    said = run(tmp_path / "empty", install.cell())
    assert said.startswith("AssertionError: Open this notebook in a copy of the book's")


@pytest.mark.usefixtures("environment")
def test_it_never_asks_an_index_for_the_name():
    for source in ("", "git+https://github.com/owner/name@main"):
        asked = [line for line in install.cell(source).splitlines() if "pip" in line]
        assert all("dpteach[figures] @ " in line for line in asked if "install" in line)


def test_it_is_short():
    for source in ("", "git+https://github.com/owner/name@main"):
        assert len(install.cell(source).splitlines()) <= 12


@pytest.mark.thorough
def test_alone_it_takes_the_repository_that_it_came_from(
    tmp_path, environment, monkeypatch
):
    """As on Colab; here the repository is a folder, so that no network is asked."""
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # this is how pip spells "yes"
    clone = tmp_path / "repository.git"
    subprocess.run(["git", "clone", "-q", "--bare", ROOT, clone], check=True)
    said = run(tmp_path / "empty", install.cell(f"git+file://localhost{clone}"), WHERE)
    assert READY in said
    assert str(environment) in said


@pytest.mark.thorough
@pytest.mark.parametrize("place", [".", "chapters", "some/where/deep"])
def test_beside_the_repository_it_installs_that(
    tmp_path, environment, monkeypatch, place
):
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # this is how pip spells "yes"
    root = tmp_path / "the repository"
    without = shutil.ignore_patterns("__pycache__")  # others write there
    shutil.copytree(ROOT / "dpteach", root / "dpteach", ignore=without)
    for name in ("pyproject.toml", "README.md", "LICENSE", "book/notation.yml"):
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    said = run(root / place, install.stored_cell(), WHERE)
    assert READY in said
    if place != ".":  # there, Python finds it without an installation
        assert str(environment) in said


@pytest.mark.thorough
def test_it_takes_the_published_wheel_and_no_other(tmp_path, environment, built):
    handler = partial(SimpleHTTPRequestHandler, directory=built.parent)
    handler.log_message = lambda *_: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        wheel = f"{address}/{built.name}#sha256="
        said = run(tmp_path / "empty", install.cell(f"{wheel}{'0' * 64}"), WHERE)
        assert "ModuleNotFoundError" in said
        digest = sha256(built.read_bytes()).hexdigest()
        said = run(tmp_path / "empty", install.cell(f"{wheel}{digest}"), WHERE)
        server.shutdown()
    assert READY in said
    assert str(environment) in said
    assert "True" in said


@pytest.mark.thorough
@pytest.mark.parametrize("held", [True, False])
def test_it_moves_no_package_that_is_there(tmp_path, environment, monkeypatch, held):
    index, there = tmp_path / "index", tmp_path / "there"
    a_wheel(there, "heavy", "1.0")
    with zipfile.ZipFile(there / "heavy-1.0-py3-none-any.whl") as archive:
        archive.extractall(environment)
    a_wheel(index, "heavy", "2.0")
    a_wheel(index, "dpteach", install.version(), "heavy>=2")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    (ours,) = index.glob("dpteach-*.whl")
    cell = install.cell(ours.as_uri())
    if not held:  # without the constraint it would have been moved
        cell = cell.replace('--constraint "{there}" ', "")
    said = run(tmp_path / "empty", cell, "import heavy\nprint(heavy.__version__)")
    assert ("conflict" in said) == held
    assert said.endswith("1.0\n" if held else "2.0\n")


def test_the_site_serves_the_wheel_with_its_hash(book):
    served = book / install.wheel_name()
    digest, name = (book / f"{served.name}.sha256").read_text().split()
    assert name == served.name
    assert sha256(served.read_bytes()).hexdigest() == digest
    with zipfile.ZipFile(served) as archive:
        names = archive.namelist()
    assert "dpteach/figures/notation.yml" in names
    assert not [each for each in names if "tests" in each.split("/")]


def test_notebooks_of_the_site_ask_for_its_wheel(tmp_path, monkeypatch):
    monkeypatch.setattr(install, "WHEEL", tmp_path)
    found = repository.Repository("https://github.com/ada/book", "main")
    monkeypatch.setattr(repository, "find", lambda: found)
    notebook = {"cells": [{"id": "install", "source": ["old"]}, {"id": "a"}]}
    assert "git+https://github.com/ada/book@main" in str(install.published(notebook))
    (tmp_path / f"{install.wheel_name()}.sha256").write_text(f"{'ab' * 32}  x.whl\n")
    source = "".join(install.published(notebook)["cells"][0]["source"])
    assert f"{install.wheel_name()}#sha256={'ab' * 32}" in source
    assert "https://ada.github.io/book/" in source
    assert notebook["cells"][0]["source"] == ["old"]


def test_the_site_is_where_the_repository_says(tmp_path):
    config = tmp_path / "_config.yml"
    config.write_text("title: x\n")
    github = repository.Repository("https://github.com/Ada/book", "main")
    own = repository.Repository("https://github.com/Ada/ada.github.io", "main")
    other = repository.Repository("https://host.example/a/b", "main")
    assert repository.site(github, tmp_path) == "https://ada.github.io/book"
    assert repository.site(own, tmp_path) == "https://ada.github.io"
    assert repository.site(other, tmp_path) == ""
    assert repository.site(None, tmp_path) == ""
    config.write_text("sphinx: {config: {html_baseurl: https://book.example/}}\n")
    assert repository.site(None, tmp_path) == "https://book.example"
