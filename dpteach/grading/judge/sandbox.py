"""Whether the sandbox works on this machine, by trying; and if not, why not."""

import shutil
import sys
from functools import cache
from pathlib import Path

from .isolation import PACKAGES
from .wire import NotLoaded, TooBusy, Worker

_INSTALL = (
    "bubblewrap is not installed. On Debian and Ubuntu, type: apt install bubblewrap. "
    "On Fedora, type: dnf install bubblewrap."
)
_ELSEWHERE = (
    "The sandbox needs Linux. On Windows, use the Windows Subsystem for Linux; on "
    "macOS, a Linux container or virtual machine."
)
_FORBIDDEN = (
    "Ubuntu from 23.10 on forbids it to users other than root until someone types: "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0. A container needs the "
    "right to make namespaces."
)


@cache
def obstacle() -> str:
    """Start a worker in the sandbox, and say why that does not work here.

    Returns
    -------
    str
        The reason, and what helps; empty if the sandbox works.
    """
    if not sys.platform.startswith("linux"):
        return _ELSEWHERE
    if shutil.which("bwrap") is None:
        return _INSTALL
    here = str(Path(__file__).parent)
    cells = [f"import os\ninside = not os.path.exists({here!r})"]
    cells += [f"import {package}" for package in PACKAGES]
    try:
        with Worker(cells, isolation="bubblewrap") as worker:
            if worker.errors:
                return f"In the sandbox {worker.errors[0]}."
            if worker.value("inside") is not True:
                return "What runs in the sandbox can see files of this machine."
    except NotLoaded as error:
        said = error.last_words or str(error)
        hint = f" {_FORBIDDEN}" if "namespace" in said or "uid map" in said else ""
        return f"The sandbox does not start: {said}.{hint}"
    except (OSError, TooBusy) as error:
        return f"The sandbox does not start: {error}."
    return ""
