"""A headless Chromium for the tests of pages: the fixtures browser, visit and site.

Import them in a test file or a conftest: ``from tests.browser import browser, visit``.
"""

import atexit
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from chromium import SHOWN, launch
from playwright.sync_api import Browser, Page, Request, sync_playwright

ARGUMENTS = [
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--no-first-run",
    # The browser's own address bar is made of pages, loaded again for every visit: more
    # than half of what a short visit costs. The list replaces Playwright's, which
    # stands here first.
    "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,"
    "AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,"
    "NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup",
]


@dataclass
class Visit:
    """One page in one fresh context, with all that it asked for and complained of.

    ``requests`` are the addresses fetched, ``errors`` the console's errors, uncaught
    exceptions, violations of the content-security policy and failed requests.
    """

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("requestfailed", self.failed)
        self.page.on(
            "console",
            lambda message: (
                self.errors.append(message.text) if message.type == "error" else None
            ),
        )

    def failed(self, request: Request) -> None:
        """Note a request that failed; one that leaving the page cut short did not."""
        if request.failure != "net::ERR_ABORTED":
            self.errors.append(f"{request.url}: {request.failure}")

    @property
    def third_party(self) -> list[str]:
        """The requests that left this machine."""
        ours = ("http://127.0.0.1", "http://localhost", "file:", "data:", "blob:")
        return [url for url in self.requests if not url.startswith(ours)]


@cache
def launched() -> Browser:
    """Start Chromium once for this process, whichever files ask for it."""
    playwright = sync_playwright().start()
    browser = launch(playwright, *ARGUMENTS)
    atexit.register(playwright.stop)
    atexit.register(browser.close)
    return browser


@pytest.fixture(scope="session")
def browser() -> Browser:
    """One Chromium for the whole session; each visit has a context of its own."""
    return launched()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Return ``visit(url, width=1280, dark=False, …)``, which opens a page.

    What a page holds back until a question is answered is shown, unless ``held``. Other
    keywords go to Playwright's ``new_context``: ``java_script_enabled=False``,
    ``has_touch=True``, ``reduced_motion="reduce"``.
    """
    contexts = []

    def open_page(
        url: str,
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        held: bool = False,
        **more,
    ) -> Visit:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            **more,
        )
        contexts.append(context)
        context.set_default_timeout(60_000)  # a busy machine is no fault
        if not held:
            context.add_init_script(SHOWN)
        visit = Visit(context.new_page())
        visit.page.goto(url)
        return visit

    yield open_page
    for context in contexts:
        context.close()


def frame(page: Page) -> None:
    """Wait for two frames: whatever was asked for is drawn."""
    page.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def put(page: Page, figure: str, key: str, to: int) -> None:
    """Move a parameter of a figure to one of its stops, as a hand would."""
    page.locator(f"#{figure} .dpt-slider[data-key={key}]").evaluate(
        """(row, to) => {
          const inputs = row.querySelectorAll("input");
          const input = inputs[inputs.length > 1 ? to : 0];
          if (inputs.length > 1) input.checked = true; // words: one of several buttons
          else input.value = to;
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        int(to),
    )


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def site() -> Iterator[Callable[[Path], str]]:
    """Return ``site(folder)``, which serves a folder and returns its address."""
    servers = []

    def serve(folder: Path) -> str:
        handler = partial(_Quiet, directory=str(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
