"""Python in a page: how soon the first result comes, and how long a check takes there.

make bench-page. The first check, and the first cell of a chapter, are timed in
Chromium, from the click to the result, with an empty cache and then, after the browser
was closed and opened again, with a full one.
The checks are timed as a reader waits for them, in Chromium and in a notebook's kernel,
which run the same text; and, beside this Python, as WebAssembly computes them alone.
"""

import inspect
import json
import os
import statistics
import subprocess
import threading
import time
from collections.abc import Callable
from functools import partial
from http.server import ThreadingHTTPServer
from tempfile import TemporaryDirectory

import harness
from chromium import SHOWN, present
from jupyter_client.manager import start_new_kernel
from playwright.sync_api import sync_playwright
from serve import Handler

from dpteach.chapters.catalog import load
from tests.bench.page import HTML
from tests.chapters.banks import NAMES, bank, right
from tests.public import ROOT

RUNS = harness.size(5, 1)
# Seconds that a reader stays after a result; browsers keep compiled code after two.
READING = harness.size(5, 0)
# What "Run check" does, from the click until the report is on the screen.
CHECK = """async ([text, name]) => {
  const start = performance.now();
  const { python } = window.pagePython;
  const told = await python.run({ kind: "run", text, name }, () => {});
  document.querySelector("[data-write=clip] .shown").innerHTML = told.html;
  await new Promise(requestAnimationFrame);
  return [(performance.now() - start) / 1000, told.passed];
}"""
GOALS = {"MB": 9.0, "empty": 10.0, "full": 3.0, "ratio": 3.0}


class Host(Handler):
    """A host that lets a browser keep files for ten minutes, as GitHub's pages do."""

    cache_control = "max-age=600"


def first_check(page, url: str) -> float:
    """Return seconds from the click to the report."""
    page.goto(url)
    place = page.locator("[data-write=clip]")
    place.locator("button").click()
    place.locator(".cm-content").wait_for()
    start = time.perf_counter()
    place.locator(".go").click()
    place.locator(".shown > div").wait_for(timeout=120_000)
    return time.perf_counter() - start


def first_cell(page, url: str) -> float:
    """Return seconds from the click on "Run this cell" to its result."""
    page.goto(url)
    place = page.locator("[data-run]").first
    start = time.perf_counter()
    place.locator("button").click()
    place.locator(".said", has_text="The cell ran here").wait_for(timeout=120_000)
    return time.perf_counter() - start


def in_pages(what: str, first: Callable) -> None:
    """Print how long the first result takes."""
    handler = partial(Host, directory=str(HTML))
    site = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{site.server_port}/chapters/02-sensitivity.html"
    seconds: dict[str, list[float]] = {"empty": [], "full": []}
    with sync_playwright() as playwright:
        for _ in range(RUNS):
            with TemporaryDirectory() as reader:
                for times in seconds.values():
                    browser = playwright.chromium.launch_persistent_context(
                        reader, executable_path=present(), chromium_sandbox=False
                    )
                    browser.add_init_script(SHOWN)
                    times.append(first(browser.new_page(), url))
                    time.sleep(READING)
                    browser.close()
    site.shutdown()
    for cache, times in seconds.items():
        half = statistics.median(times)
        goal = harness.verdict(f"first {what}, {cache} cache", half, GOALS[cache], " s")
        print(
            f"first {what}, {cache} cache: median {half:.2f} s, most "
            f"{max(times):.2f} s{goal}"
        )


def text(name: str, answer: Callable) -> str:
    """Write an answer as a reader would, with what stands beside it in its bank."""
    lines = []
    for line in inspect.getsource(bank(name)).splitlines():
        start, _, names = line.partition(" import ")
        if not start.startswith("from scipy"):
            lines.append(line)
            continue
        for each in names.split(", "):  # a page has some of them
            lines += ["try:", f"    {start} import {each}", "except ImportError: pass"]
    return "\n".join([*lines, f"{name} = {answer.__name__}"])


def of_a_page(page, name: str, written: str) -> float | None:
    """Return seconds until a page shows the report; None if the answer needs SciPy."""
    seconds, passed = page.evaluate(CHECK, [written, name])
    return seconds if passed else None


def of_a_notebook(kernel, name: str, written: str) -> float:
    """Return seconds until a kernel has sent the report."""
    start = time.perf_counter()
    kernel.execute_interactive(
        f'{written}\ncheck("{name}", {name})', output_hook=lambda _: None
    )
    return time.perf_counter() - start


def beside_a_notebook() -> None:
    """Print how much longer than in a notebook each exercise's check takes."""
    handler = partial(Host, directory=str(HTML))
    site = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{site.server_port}/chapters/02-sensitivity.html"
    manager, kernel = start_new_kernel()
    kernel.execute_interactive("from dpteach import check")
    ratios = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=present(), chromium_sandbox=False
        )
        page = browser.new_page()
        first_check(page, url)
        for name in NAMES[: harness.size(len(NAMES), 1)]:
            there, here = [], []
            for written in (text(name, answer) for answer in right(name)):
                for _ in range(RUNS):
                    seconds = of_a_page(page, name, written)
                    if seconds is not None:
                        there.append(seconds)
                        here.append(of_a_notebook(kernel, name, written))
            ratios[name] = statistics.median(there) / statistics.median(here)
            print(
                f"{name}: {1e3 * statistics.median(there):.0f} ms in a page, "
                f"{1e3 * statistics.median(here):.0f} ms in a notebook "
                f"(ratio {ratios[name]:.1f})"
            )
    site.shutdown()
    manager.shutdown_kernel(now=True)
    print_all("beside a notebook", list(ratios.values()), GOALS["ratio"])


def print_all(beside: str, ratios: list[float], goal: float | None = None) -> None:
    """Print the middle and the largest of the checks' ratios."""
    half = statistics.median(ratios)
    said = harness.verdict(f"checks in a page {beside}, median", half, goal)
    print(
        f"all {len(ratios)} checks {beside}: median ratio {half:.1f}{said}, most "
        f"{max(ratios):.1f}"
    )


def beside_python() -> None:
    """Print how much longer the computing of each check takes, from a cold start."""
    script = "tests/pyodide/banks.py"
    some = NAMES[: harness.size(len(NAMES), 1)]
    command = ["node", "tests/pyodide/run.mjs", "PAGE", script, *some]
    done = subprocess.run(
        command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE
    )
    ratios = []
    for line in done.stdout.splitlines():
        told = json.loads(line)
        name, times = told["name"], []
        for answer in right(name):
            if answer.__name__ in told["left_out"]:
                continue
            for seed in (1, 2026):
                start = time.perf_counter()
                load(name).grade(answer, seed)
                times.append(time.perf_counter() - start)
        here, there = statistics.median(times), statistics.median(told["seconds"])
        ratios.append(there / here)
        print(
            f"{name}: {1e3 * there:.0f} ms in a page, {1e3 * here:.0f} ms in Python "
            f"(ratio {there / here:.1f})"
        )
    print_all("beside this Python", ratios)


def main() -> None:
    """Print each measurement."""
    told = json.loads((HTML / "_static" / "python" / "files.json").read_text())
    size = told["megabytes"]
    goal = harness.verdict("Python for a page", size, GOALS["MB"], " MB")
    print(f"Python for a page: {size} MB{goal}")
    in_pages("check", first_check)
    in_pages("cell", first_cell)
    beside_a_notebook()
    beside_python()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
