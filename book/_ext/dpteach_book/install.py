"""The first code cell of every notebook, which brings ``dpteach`` where it is missing.

It installs the repository around the notebook, or else what the notebook came from: the
published wheel, checked by its hash, or the repository. It asks no package index for
``dpteach``: until a release of ours is there, anybody may take the name. What is
installed already is a constraint, so no package is moved.
"""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from . import ROOT, read_yaml, repository

# Where the build puts the wheel.
WHEEL = ROOT / "book" / "_build" / "wheel"
CELL = """\
# Installs dpteach {version} where it is missing, and moves no package that is there.
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

if not all(map(find_spec, ("dpteach", "array_api_compat", "ipywidgets", "yaml"))):
    here, there = Path.cwd(), Path(mkdtemp(), "there.txt")
    around = [f for f in (here, *here.parents) if (f / "dpteach/arrays.py").exists()]
{source}
    %pip list --format=freeze > "{{there}}"
    %pip install --quiet --constraint "{{there}}" "dpteach[figures] @ {{source}}"
"""
KNOWN = '    source = around[0].as_uri() if around else "{source}"'
UNKNOWN = """\
    assert around, "Open this notebook in a copy of the book's repository, please."
    source = around[0].as_uri()"""


@cache
def version() -> str:
    """Return the version that the notebooks are written for."""
    cff = read_yaml(ROOT / "CITATION.cff")
    return str(cff["version"])


def wheel_name() -> str:
    """Return the name of the package's wheel."""
    return f"dpteach-{version()}-py3-none-any.whl"


def cell(source: str = "") -> str:
    """Return the text of the install cell.

    Parameters
    ----------
    source : str
        What pip installs where there is no repository around: the address of a wheel or
        of a repository; if empty, the cell says what to do.
    """
    line = KNOWN.format(source=source) if source else UNKNOWN
    return CELL.format(version=version(), source=line).rstrip("\n")


def from_repository(where: repository.Repository | None) -> str:
    """Return what pip installs from a repository."""
    return f"git+{where.url}@{where.branch}" if where else ""


def stored_cell(root: Path = ROOT) -> str:
    """Return the cell of the notebooks in the repository, the same on every machine."""
    return cell(from_repository(repository.said(root)))


def published_cell() -> str:
    """Return the cell of the notebooks that the site serves, with its own wheel."""
    digest = WHEEL / f"{wheel_name()}.sha256"
    where = repository.find()
    site = repository.site(where)
    if not site or not digest.exists():
        return cell(from_repository(where))
    known = digest.read_text(encoding="utf-8").split()[0]
    return cell(f"{site}/{wheel_name()}#sha256={known}")


def published(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook as the site serves it."""
    copy = deepcopy(notebook)
    for each in copy["cells"]:
        if each.get("id") == "install":
            each["source"] = published_cell().splitlines(keepends=True)
    return copy
