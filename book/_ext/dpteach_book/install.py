"""The first code cell of every notebook, which brings ``dpteach`` where it is missing.

It tries, in this order, the repository around the notebook, the wheel that the
published book serves, and the package index. Where none of them answers, it says what
to do. What is installed already is a constraint of each attempt: no package is moved.
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
from contextlib import suppress
from importlib import invalidate_caches
from importlib.util import find_spec

needed = ("dpteach", "array_api_compat", "scipy")
needed += ("matplotlib", "ipywidgets", "pygments", "yaml")
if not all(map(find_spec, needed)):
    import subprocess
    import sys
    from pathlib import Path
    from tempfile import mkdtemp

    with suppress(OSError):
        # The book's repository around this notebook, {then}the package index
        above = [Path.cwd(), *Path.cwd().parents]
        around = [folder for folder in above if (folder / "dpteach/arrays.py").exists()]
        sources = [
            *(f"{{folder}}[figures]" for folder in around),
{sources}
        ]
        pip = [sys.executable, "-m", "pip"]
        listed = subprocess.run([*pip, "list", "--format=freeze"], capture_output=True)
        there = Path(mkdtemp(), "there.txt")
        there.write_bytes(listed.stdout)
        for source in sources:
            if not all(map(find_spec, needed)):
                how = [*pip, "install", "--constraint", there, source]
                subprocess.run(how, capture_output=True)
                invalidate_caches()

if all(map(find_spec, needed)):
    import dpteach

    had = getattr(dpteach, "__version__", "of another kind")
    other = "is installed, but this notebook was written for {version}: type "
    other += '%pip install "dpteach[figures]=={version}", then restart the kernel.'
    print("dpteach", had, "is ready" if had == "{version}" else other)
else:
    print(
        "dpteach is not installed, and this cell could not install it. It needs Python "
        "3.11 or newer. Connect to the network and run the cell again, or open the "
        "notebook inside a copy of the book's repository; "
        '%pip install "dpteach[figures]" shows what goes wrong.'
    )"""


@cache
def version() -> str:
    """Return the version that the notebooks are written for."""
    cff = read_yaml(ROOT / "CITATION.cff")
    return str(cff["version"])


def wheel_name() -> str:
    """Return the name of the package's wheel."""
    return f"dpteach-{version()}-py3-none-any.whl"


def cell(site: str = "", digest: str = "") -> str:
    """Return the text of the install cell.

    Parameters
    ----------
    site : str
        The address of the published book, whose wheel is tried after the repository;
        if empty, the index is next.
    digest : str
        The SHA-256 of that wheel, if known; then pip refuses any other.
    """
    sources = [f'"dpteach[figures]=={version()}",']
    if site:
        check = f"#sha256={digest}" if digest else ""
        sources = [
            f'"dpteach[figures] @ {site}/"',
            f'"{wheel_name()}{check}",',
            *sources,
        ]
    return CELL.format(
        version=version(),
        then="the wheel of the published book, " if site else "",
        sources="\n".join(f"            {line}" for line in sources),
    )


def stored_cell(root: Path = ROOT) -> str:
    """Return the cell of the notebooks in the repository, the same on every machine."""
    return cell(repository.site(repository.said(root), root))


def published_cell() -> str:
    """Return the cell of the notebooks that the site serves, with its own wheel.

    Where the site is, the same function says as for the buttons that launch a notebook.
    """
    digest = WHEEL / f"{wheel_name()}.sha256"
    if not digest.exists():
        return cell()
    site = repository.site(repository.find())
    return cell(site, digest.read_text(encoding="utf-8").split()[0])


def published(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook as the site serves it."""
    copy = deepcopy(notebook)
    for each in copy["cells"]:
        if each.get("id") == "install":
            each["source"] = published_cell().splitlines(keepends=True)
    return copy
