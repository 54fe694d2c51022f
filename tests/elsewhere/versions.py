"""Run the wheel and every chapter with other versions: versions.py [NAME ...].

Each environment is made from nothing, by uv, and then gets the wheel: the oldest
versions of everything declared, the newest of everything on the newest Python that is
on the PATH, and versions that Colab has shipped, which the installation may not move.
In each the package tests itself, every chapter runs, every figure comes alive, and
every slider is moved.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import build_wheel

from tests.chapters.figures import declared

ROOT = Path(__file__).resolve().parents[2]
SHOWN = ("numpy=", "scipy=", "matplotlib=", "ipywidgets=", "array-api", "joblib=")
RUNNER = ("ipykernel", "nbclient", "nbformat")
# Which Python, the first that is there, and what is there before the wheel comes.
ENVIRONMENTS = {
    "oldest": (("3.11",), None),
    "newest": (("3.14", "3.13", "3.12"), ()),
    "colab": (
        ("3.12",),
        (
            *("numpy==2.0.2", "scipy==1.16.3", "matplotlib==3.10.0"),
            *("ipywidgets==7.7.1", "ipython==7.34.0", "ipykernel==6.17.1"),
        ),
    ),
}


def python(versions: tuple[str, ...]) -> str:
    """Return the first of these Pythons that is there, and starts."""
    for version in versions:
        path = shutil.which(f"python{version}")
        starts = path and subprocess.run([path, "-c", ""], capture_output=True)
        if path and starts and not starts.returncode:
            return path
    sys.exit(f"Install Python {' or '.join(versions)}: none was found on the PATH.")


def run(*command: str | Path, at: Path) -> str:
    """Run a command in a folder that is not the repository; a failure ends all."""
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=at,
        env={**ours, "OMP_NUM_THREADS": "1"},
        text=True,
        capture_output=True,
    )
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
        sys.exit(f"failed: {' '.join(map(str, command))[:200]}")
    return done.stdout


def oldest(version: str) -> list[str]:
    """Return the oldest versions that ``pyproject.toml`` allows."""
    said = run(
        *("uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"),
        *("--resolution", "lowest-direct", "--extra", "figures", "--extra", "scale"),
        *("--python-version", version, "pyproject.toml"),
        at=ROOT,
    )
    return said.split()


def make(name: str, wheel: Path, folder: Path) -> Path:
    """Make the environment and return its Python; what was there stays as it was."""
    versions, there = ENVIRONMENTS[name]
    run("uv", "venv", "--quiet", "--python", python(versions), "env", at=folder)
    ours = folder / "env" / "bin" / "python"
    install = ("uv", "pip", "install", "--quiet", "--python", ours)
    freeze = ("uv", "pip", "freeze", "--quiet", "--python", ours)
    first = oldest(versions[0]) if there is None else there
    run(*install, *first, *RUNNER, at=folder)
    before = set(run(*freeze, at=folder).splitlines())
    run(*install, f"{wheel}[figures,scale]", at=folder)
    after = set(run(*freeze, at=folder).splitlines())
    if before - after:
        sys.exit(f"{name}: the installation moved {sorted(before - after)}")
    which = run(ours, "--version", at=folder).strip()
    shown = sorted(each for each in after if each.startswith(SHOWN))
    print(f"{name}: {which},", ", ".join(shown), flush=True)
    return ours


def check(name: str, ours: Path, folder: Path) -> None:
    """Let the package test itself, and run the chapters, outside the repository."""
    alone = "import dpteach; assert dpteach.self_test().passed"
    run(ours, "-I", "-c", alone, at=folder)
    shutil.copytree(ROOT / "chapters", folder / "chapters")
    shutil.copy(ROOT / "book" / "_tools" / "run_chapters.py", folder)
    said = run(ours, "run_chapters.py", "chapters", str(len(declared())), at=folder)
    print(f"{name}:", "; ".join(said.splitlines()[-2:]), flush=True)


def main() -> None:
    """Make each environment in a folder of its own, and check it."""
    for name in sys.argv[1:] or ENVIRONMENTS:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            wheel = build_wheel.make(folder / "wheel")
            check(name, make(name, wheel, folder), folder)
        print(f"{name}: passed in {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
