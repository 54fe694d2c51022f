"""Run the package and every chapter in other environments: elsewhere.py [NAME ...].

Each environment is made from nothing, by uv, and gets the wheel: the oldest versions of
everything declared, the newest of everything on the newest Python there is, and versions
that Colab has shipped, which the installation may not move. There the package tests
itself, every chapter runs, every slider is moved, and the algorithms' tests pass.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import build_wheel

ROOT = Path(__file__).resolve().parents[2]
FIGURES = 101  # that must come alive
SHOWN = ("numpy=", "scipy=", "matplotlib=", "ipywidgets=", "array-api", "joblib=")
RUNNER = ("ipykernel", "nbclient", "nbformat")
TESTS = ("tests/algorithms", "tests/mechanisms", "tests/test_arrays.py")
ENVIRONMENTS = {
    "oldest": (("3.11",), (), ("--resolution", "lowest-direct")),
    "newest": (("3.14", "3.13", "3.12"), (), ()),
    "colab": (
        ("3.12",),
        (
            *("numpy==2.0.2", "scipy==1.16.3", "matplotlib==3.10.0"),
            *("ipywidgets==7.7.1", "ipython==7.34.0", "ipykernel==6.17.1"),
        ),
        (),
    ),
}


def python(versions: tuple[str, ...]) -> str:
    """Return the first of these Pythons that is there."""
    for version in versions:
        path = shutil.which(f"python{version}")
        if (
            path
            and not subprocess.run([path, "-c", ""], capture_output=True).returncode
        ):
            return path
    sys.exit(f"Install a Python {' or '.join(versions)}: none was found on the PATH")


def run(*command: str | Path, at: Path, **more: str) -> str:
    """Run a command in a folder, away from the repository; a failure ends everything."""
    ours = {name: at for name, at in os.environ.items() if name != "PYTHONPATH"}
    environment = {**ours, "OMP_NUM_THREADS": "1", **more}
    done = subprocess.run(
        command, cwd=at, env=environment, text=True, stdout=subprocess.PIPE
    )
    if done.returncode:
        print(done.stdout)
        sys.exit(f"failed: {' '.join(map(str, command))[:200]}")
    return done.stdout


def make(name: str, wheel: Path, folder: Path) -> Path:
    """Make the environment, and return its Python. What was there stays as it was."""
    versions, there, how = ENVIRONMENTS[name]
    run("uv", "venv", "--quiet", "--python", python(versions), "env", at=folder)
    ours = folder / "env" / "bin" / "python"
    install = ("uv", "pip", "install", "--quiet", "--python", ours)
    freeze = ("uv", "pip", "freeze", "--quiet", "--python", ours)
    run(*install, *there, *RUNNER, at=folder)
    before = set(run(*freeze, at=folder).splitlines())
    run(*install, *how, f"{wheel}[figures,scale]", at=folder)
    after = set(run(*freeze, at=folder).splitlines())
    if there and before - after:
        sys.exit(f"{name}: the installation moved {sorted(before - after)}")
    print(name, *sorted(each for each in after if each.startswith(SHOWN)), flush=True)
    return ours


def check(name: str, ours: Path, folder: Path) -> None:
    """Let the package test itself, run the chapters, and then the tests."""
    alone = "import dpteach; assert dpteach.self_test().passed"
    run(ours, "-I", "-c", alone, at=folder)
    shutil.copytree(ROOT / "chapters", folder / "chapters")
    shutil.copy(ROOT / "book" / "_tools" / "run_chapters.py", folder)
    said = run(ours, "run_chapters.py", "chapters", str(FIGURES), at=folder)
    print(name, *said.splitlines()[-2:], sep="\n  ", flush=True)
    install = ("uv", "pip", "install", "--quiet", "--python", ours)
    run(*install, "pytest", "hypothesis", "array-api-strict", at=folder)
    shutil.copytree(ROOT / "tests", folder / "tests")
    # A warning of an old library about a new one is no fault of ours.
    said = run(
        *(ours, "-m", "pytest", "-q", "--import-mode=importlib", "-p"),
        *("no:cacheprovider", *TESTS),
        at=folder,
        PYTHONPATH=str(folder),
    )
    print(name, said.splitlines()[-1], sep="\n  ", flush=True)


def main() -> None:
    """Make each environment in a folder of its own, and check it."""
    for name in sys.argv[1:] or ENVIRONMENTS:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            wheel = build_wheel.make(folder / "wheel")
            check(name, make(name, wheel, folder), folder)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
