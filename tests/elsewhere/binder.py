"""Build the book as Binder does, and use three chapters in its JupyterLab: binder.py.

Binder's builder, repo2docker, reads the Python from ``runtime.txt``, then installs
``requirements.txt``, and then the repository, since its ``pyproject.toml`` names a
project and how to build it. Here the same happens to a copy of the files that a clone
has; no container is made. In Chromium each chapter is then opened and run from first
to last, its saved outputs hold no error and as many figures as it shows, and a slider
that is moved by its keys redraws its picture.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import nbformat
from chromium import launch
from playwright.sync_api import Page, sync_playwright
from run_chapters import figures

from tests.chapters.figures import shown
from tests.elsewhere.versions import ROOT, python, run

CHAPTERS = ("01-guessing-game", "09-dp-sgd", "21-check-ins")
PORT = 8899
MINUTES = 60_000
RUN = """async () => {
  await jupyterapp.commands.execute("notebook:run-all-cells");
  await jupyterapp.commands.execute("docmanager:save");
}"""
PICTURES = """() => [...document.querySelectorAll(".widget-html svg")]
  .map((each) => each.outerHTML).join()"""


def clone(folder: Path) -> None:
    """Copy what a clone would hold, with what is changed here and not yet committed."""
    asked = ("git", "ls-files", "--cached", "--others", "--exclude-standard")
    for name in run(*asked, at=ROOT).splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def build(folder: Path) -> Path:
    """Install as repo2docker does, and return the folder of the programs."""
    for unread in ("environment.yml", "Dockerfile", "binder", ".binder", "postBuild"):
        if (folder / unread).exists():
            sys.exit(f"{unread} is there: Binder reads it, and this script does not.")
    version = (folder / "runtime.txt").read_text().strip().removeprefix("python-")
    made = folder.parent / "env"
    run("uv", "venv", "--quiet", "--python", python((version,)), made, at=folder)
    install = ("uv", "pip", "install", "--quiet", "--python", made / "bin" / "python")
    run(*install, "-r", "requirements.txt", at=folder)
    run(*install, ".", at=folder)
    return made / "bin"


@contextmanager
def lab(programs: Path, folder: Path) -> Iterator[str]:
    """Start JupyterLab in the folder, give its address, and stop it."""
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [programs / "jupyter", "lab", "--no-browser", "--allow-root"]
    command += [f"--port={PORT}", "--ServerApp.port_retries=0"]
    command += ["--IdentityProvider.token=", "--expose-app-in-browser"]
    server = subprocess.Popen(
        command,
        cwd=folder,
        env={**ours, "PATH": path, "OMP_NUM_THREADS": "1"},
        stderr=subprocess.DEVNULL,
    )
    try:
        yield answering(f"http://127.0.0.1:{PORT}")
    finally:
        server.terminate()
        server.wait()


def answering(url: str) -> str:
    """Wait until the server answers."""
    for _ in range(120):
        try:
            urlopen(f"{url}/api")
        except OSError:
            time.sleep(0.5)
        else:
            return url
    sys.exit("JupyterLab did not start within a minute.")


def use(page: Page, url: str, name: str, folder: Path) -> str:
    """Run a chapter, look at what it saved, and move its first slider."""
    page.goto(f"{url}/lab/tree/chapters/{name}.ipynb?reset")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=2 * MINUTES)
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=2 * MINUTES)
    page.evaluate(RUN)
    saved = nbformat.read(folder / "chapters" / f"{name}.ipynb", as_version=4)
    alive, errors = figures(saved)
    wanted = len(shown()[name])
    if errors or alive != wanted:
        sys.exit(f"{name}: {alive} of {wanted} figures came alive; {errors}")
    slider = page.locator(".widget-slider .noUi-handle").first
    slider.scroll_into_view_if_needed(timeout=MINUTES)
    before = page.evaluate(PICTURES)
    last = slider.get_attribute("aria-valuenow") == slider.get_attribute(
        "aria-valuemax"
    )
    slider.press("ArrowLeft" if last else "ArrowRight")
    for _ in range(100):
        if page.evaluate(PICTURES) != before:
            return f"{name}: {alive} figures, and a slider redrew its picture"
        page.wait_for_timeout(100)
    sys.exit(f"{name}: a slider was moved, and nothing followed")


def main() -> None:
    """Build, start, and use three chapters."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "clone"
        folder.mkdir()
        clone(folder)
        programs = build(folder)
        print(f"binder: built in {time.perf_counter() - start:.0f} s", flush=True)
        with lab(programs, folder) as url, sync_playwright() as playwright:
            browser = launch(playwright)
            for name in CHAPTERS:
                page = browser.new_page(viewport={"width": 1366, "height": 768})
                page.set_default_timeout(10 * MINUTES)
                print("binder:", use(page, url, name, folder), flush=True)
                page.close()
            browser.close()
    print(f"binder: passed in {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
