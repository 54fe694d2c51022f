"""How a student's code is kept apart: by bubblewrap, or not at all."""

import json
import os
import shutil
import sys
import sysconfig
import tempfile
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path

# What a student's code may import beside the standard library.
PACKAGES = ("numpy", "scipy")

_HERE = Path(__file__).parent
# The files that a worker consists of; in a sandbox they stand in one folder.
_WORKER = (
    _HERE / "worker.py", _HERE / "cells.py", _HERE / "frames.py", _HERE / "rights.py",
    _HERE.parent / "calling.py",
)  # fmt: skip
_INSIDE = "/judge"
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "HOME": "/tmp",
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
}
_numbers = count()
_kept: list[tempfile.TemporaryDirectory] = []  # until the judge ends


@dataclass(frozen=True)
class Limits:
    """What one exercise of one student may use.

    Parameters
    ----------
    cpu : int
        Seconds on a processor, for each process.
    memory : int
        Bytes of address space, for each process.
    file : int
        Bytes in one file; all files together have 16 MiB.
    processes : int
        Processes and threads.
    load : float
        Seconds until all cells must have run.
    """

    cpu: int = 90
    memory: int = 2 << 30
    file: int = 8 << 20
    processes: int = 16
    load: float = 10.0

    def settings(self, *, sandboxed: bool) -> dict:
        """Write down what the worker gives up; see ``rights.drop``."""
        limits = {
            "CPU": self.cpu,
            "AS": self.memory,
            "FSIZE": self.file,
            "NPROC": self.processes,
            "NOFILE": 64,
            "CORE": 0,
        }
        # Processes are counted by user. So that a student who starts many takes
        # nothing from others, each worker that root starts gets a user of its own.
        user = 1_000_000_000 + (os.getpid() % 100_000) * 1000 + next(_numbers) % 1000
        return {"limits": limits, "user": user, "sandboxed": sandboxed}


@dataclass(frozen=True)
class Command:
    """A command that starts a worker, and the environment that it gets."""

    arguments: list[str]
    environment: dict[str, str] = field(default_factory=dict)


def command(isolation: str, limits: Limits) -> Command:
    """Write the command that starts a worker.

    Parameters
    ----------
    isolation : {"bubblewrap", "none"}
        How it is kept apart.
    limits : Limits
        What it may use.

    Returns
    -------
    Command
        The command and its environment.
    """
    settings = limits.settings(sandboxed=isolation == "bubblewrap")
    if isolation == "bubblewrap":
        return Command([*_bubblewrap(), *_python(f"{_INSIDE}/worker.py", settings)])
    if not open_to_all():  # another user could not start Python here
        settings["user"] = None
    return Command(_python(f"{_bare_folder()}/worker.py", settings), dict(_ENVIRONMENT))


def _python(script: str, settings: dict) -> list[str]:
    # No site: a student's code sees the packages beside the worker and no others.
    python = os.path.realpath(sys.executable)
    return [python, "-S", "-E", "-s", "-B", script, json.dumps(settings)]


@cache
def _shown() -> tuple[tuple[str, str], ...]:
    """List what is seen inside, and where: Python, NumPy, SciPy and the worker."""
    found = [("/usr", "/usr")]
    found += [(each, each) for each in ("/lib", "/lib64", "/bin") if _is_folder(each)]
    base = os.path.realpath(sys.base_prefix)
    if not base.startswith("/usr/") and base != "/usr":
        found.append((base, base))
    found += [(str(file), f"{_INSIDE}/{file.name}") for file in _WORKER]
    return (*found, *_packages())


def _packages() -> list[tuple[str, str]]:
    found = []
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            continue
        folder = Path(spec.origin).resolve().parent
        for each in (folder, folder.with_name(f"{name}.libs")):
            if each.exists():
                found.append((str(each), f"{_INSIDE}/{each.name}"))
    return found


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _parents() -> list[str]:
    parents = {str(each) for _, target in _shown() for each in Path(target).parents}
    return sorted(parents - {"/"})


def _links() -> list[tuple[str, str]]:
    names = ("/lib", "/lib64", "/lib32", "/bin")
    return [(each, os.readlink(each)) for each in names if os.path.islink(each)]


def _hidden() -> list[str]:
    """List the folders of installed packages inside what is shown: dpteach is there."""
    base = Path(os.path.realpath(sys.base_prefix))
    library = Path(sysconfig.get_path("stdlib")).resolve()
    folders = [library / "site-packages", library / "dist-packages"]
    folders += Path("/usr").glob("lib/python3*/dist-packages")
    folders += Path("/usr/local").glob("lib/python3*/*-packages")
    folders += base.glob("lib/python3*/site-packages")
    return sorted({str(each) for each in folders if each.is_dir()})


def _bubblewrap() -> list[str]:
    command = [
        shutil.which("bwrap") or "bwrap",
        "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
        "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--clearenv",
        "--dev", "/dev", "--perms", "1777", "--size", str(16 << 20), "--tmpfs", "/tmp",
    ]  # fmt: skip
    if os.getuid() == 0:  # the worker becomes a user of its own, and loses these
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID"]
        command += ["--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user", "--cap-drop", "ALL"]
    for folder in _parents():
        command += ["--perms", "0755", "--dir", folder]
    for source, target in _shown():
        command += ["--ro-bind", source, target]
    for target in _hidden():
        command += ["--size", "4096", "--tmpfs", target]
    for target, source in _links():
        command += ["--symlink", source, target]
    for name, value in _ENVIRONMENT.items():
        command += ["--setenv", name, value]
    return [*command, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]


@cache
def open_to_all() -> bool:
    """Tell whether every user may read what a worker imports."""
    return all(
        each.stat().st_mode & 0o1
        for source, _ in _shown()
        for each in Path(source).parents
    )


@cache
def _bare_folder() -> str:
    """Make a folder with the worker and links to the packages, and nothing else."""
    _kept.append(tempfile.TemporaryDirectory(prefix="judge-worker-"))
    folder = Path(_kept[-1].name)
    folder.chmod(0o755)
    for source, target in _packages():
        (folder / Path(target).name).symlink_to(source)
    for file in _WORKER:
        shutil.copy(file, folder)
    return str(folder)


def describe(isolation: str) -> str:
    """Say in a sentence how well a student's code is kept apart."""
    return {
        "bubblewrap": "Each answer runs in a bubblewrap sandbox: no network, no files "
        "but Python's own, no other process.",
        "none": "NOT ISOLATED: answers run as ordinary processes, which can read and "
        "write files and use the network. Judge only people whom you trust.",
    }[isolation]
