"""Python in a page: how soon the first result comes, and how long a check takes there.

make bench-page. The first check, and the first cell of a chapter, are timed in
Chromium, from the click to the result, with an empty cache and then, after the browser
was closed and opened again, with a full one.
The checks are timed under node, in the same WebAssembly, beside the same answers in
this Python.
"""

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

from chromium import SHOWN, present
from playwright.sync_api import sync_playwright
from serve import Handler

from dpteach.chapters.catalog import load
from tests.bench.page import HTML
from tests.chapters.banks import right
from tests.public import ROOT

RUNS = 5
# Seconds that a reader stays after a result; browsers keep compiled code after two.
READING = 5
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
    place.locator(".shown [role=status]").wait_for(timeout=120_000)
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
    url = f"http://127.0.0.1:{site.server_port}/chapters/02-mechanisms.html"
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
        print(
            f"first {what}, {cache} cache: median {statistics.median(times):.2f} s, "
            f"most {max(times):.2f} s  goal <= {GOALS[cache]:g} s"
        )


def beside_python() -> None:
    """Print how much longer each exercise's check takes."""
    script = "tests/pyodide/banks.py"
    command = ["node", "tests/pyodide/run.mjs", "PAGE", script]
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
    print(
        f"all {len(ratios)} checks: median ratio {statistics.median(ratios):.1f}, most "
        f"{max(ratios):.1f}  goal <= {GOALS['ratio']:g}"
    )


def main() -> None:
    """Print each measurement."""
    told = json.loads((HTML / "_static" / "python" / "files.json").read_text())
    print(f"Python for a page: {told['megabytes']} MB  goal <= {GOALS['MB']:g} MB")
    in_pages("check", first_check)
    in_pages("cell", first_cell)
    beside_python()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
