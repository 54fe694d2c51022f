"""Weight and speed of pages, behind gzip: make bench-page.

For each chapter: what a cold phone (390 px) fetches until its first figure can be
moved, the shift of its layout, and the time from a slider's event to the next frame at
a processor four times slower. With --lighthouse (needs npm) also its four scores.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import harness
from chromium import SHOWN, launch, present
from playwright.sync_api import sync_playwright
from serve import server

from tests.public import ROOT

HTML = ROOT / "book" / "_build" / "html"
BUDGET = 300  # kB until the first figure moves
# A real event comes just before a frame is made, and its picture belongs to that frame.
# So: how long the main thread works on that frame, from the event to the painted page,
# and whether the frame after it still came in time.
FRAME = """
(slider) => new Promise((done) => {
  requestAnimationFrame(() => {
    let begun, drawn, work;
    requestAnimationFrame((time) => { // before the figure draws
      drawn = time;
      begun = performance.now();
    });
    const start = performance.now();
    slider.value = (+slider.value + 1) % (+slider.max + 1);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const handled = performance.now() - start;
    requestAnimationFrame(() => {
      const channel = new MessageChannel(); // answers when the frame is painted
      channel.port1.onmessage = () => { work = handled + performance.now() - begun; };
      channel.port2.postMessage(0);
      requestAnimationFrame((next) => done([work, next - drawn]));
    });
  });
})
"""


def weigh(browser, url: str) -> tuple[float, int, float]:
    """Return (kB, requests, layout shift) until the first figure can be moved."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.add_init_script(SHOWN)
    protocol = context.new_cdp_session(page)
    protocol.send("Network.enable")
    sizes: list[float] = []
    protocol.on(
        "Network.loadingFinished",
        lambda event: sizes.append(event["encodedDataLength"]),
    )
    page.goto(url)
    figure = page.locator("figure.dpt").first
    if figure.count():
        figure.scroll_into_view_if_needed()
        figure.locator("fieldset.dpt-controls:not([disabled])").wait_for()
    page.wait_for_load_state("networkidle")
    shift = page.evaluate(
        """() => new Promise((done) => {
          let total = 0;
          new PerformanceObserver((list) => {
            for (const each of list.getEntries()) total += each.value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done(total), 200);
        })"""
    )
    context.close()
    return sum(sizes) / 1000, len(sizes), shift


def frames(browser, url: str) -> list[tuple[float, float]]:
    """Return milliseconds of work, and to the frame after it, slowed by 4."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.add_init_script(SHOWN)
    page.goto(url)
    figure = page.locator("figure.dpt:has(input[type=range])").first
    figure.scroll_into_view_if_needed()
    figure.locator("fieldset.dpt-controls:not([disabled])").wait_for()
    page.context.new_cdp_session(page).send(
        "Emulation.setCPUThrottlingRate", {"rate": 4}
    )
    slider = figure.locator("input[type=range]").first.element_handle()
    times = [page.evaluate(FRAME, slider) for _ in range(40)][5:]
    page.close()
    return times


def lighthouse(url: str, preset: str) -> dict[str, int]:
    """Return the four scores."""
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        command = ["npx", "--yes", "lighthouse@12", url, "--quiet", "--output=json"]
        command += [f"--output-path={out}", f"--chrome-flags={flags}"]
        command += ["--preset=desktop"] if preset == "desktop" else []
        environment = os.environ | {"CHROME_PATH": present()}
        subprocess.run(command, check=True, env=environment)
        found = json.loads(out.read_text())["categories"]
    return {name: round(100 * each["score"]) for name, each in found.items()}


def main() -> None:
    """Print one line for each measurement."""
    site = server(HTML)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{site.server_port}"
    chapters = sorted(path.stem for path in (HTML / "chapters").glob("*.html"))
    chapters = chapters[: harness.size(len(chapters), 2)]  # the second asks
    names = ["book/index", *(f"chapters/{name}" for name in chapters)]
    with sync_playwright() as playwright:
        browser = launch(playwright, "--disable-gpu")
        for name in names:
            url = f"{base}/{name}.html"
            size, requests, shift = weigh(browser, url)
            goal = harness.verdict(f"{name}: to its first figure", size, BUDGET, " kB")
            print(
                f"{name}: {size:.0f} kB in {requests} requests to its first figure at "
                f"390 px{goal}, shift {shift:.3f}"
            )
            if name.startswith("chapters/"):
                works, gaps = zip(*frames(browser, url), strict=True)
                half, most = statistics.median(works), sorted(works)[-2]
                late = sum(gap > 25 for gap in gaps)
                print(
                    f"{name}: work of a slider's move at 4x: median {half:.1f} ms, "
                    f"p95 {most:.1f} ms (a frame is 16.7 ms); "
                    f"late frames: {late} of {len(gaps)}"
                )
        browser.close()
    if "--lighthouse" in sys.argv:
        for name in names:
            for preset in ("desktop", "mobile"):
                print(name, preset, lighthouse(f"{base}/{name}.html", preset))
    site.shutdown()


if __name__ == "__main__":
    main()
