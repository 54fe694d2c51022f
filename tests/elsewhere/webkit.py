"""Use one of each part of the built book in WebKitGTK: webkit.py [PART OF A NAME].

The tests are in ``parts.mjs``. ``webkit.mjs`` drives the small browser that comes with
WebKitGTK, on a screen that nobody sees. The engine is Safari's; the rest of Safari, and
its version, is not.
"""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.elsewhere.parts import run

SCREEN = ":93"
NEEDED = "Install WebKitGTK's driver and a screen: apt install webkit2gtk-driver xvfb."


@contextmanager
def running(*command: str) -> Iterator[None]:
    """Keep a program running."""
    program = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        program.terminate()
        program.wait()


def answers(port: int) -> bool:
    """Say whether something listens within ten seconds."""
    for _ in range(100):
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.1)
    return False


def main() -> None:
    """Find WebKitGTK, and let it use the book."""
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    if not (browsers and shutil.which("WebKitWebDriver") and shutil.which("Xvfb")):
        sys.exit(NEEDED)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    screen = ("Xvfb", SCREEN, "-screen", "0", "1400x1000x24")
    driver = ("env", f"DISPLAY={SCREEN}", "WebKitWebDriver", f"--port={port}")
    with running(*screen), running(*driver):
        if not answers(port):
            sys.exit("WebKitWebDriver does not start.")
        sys.exit(
            run(
                "webkit.mjs",
                DRIVER=f"http://127.0.0.1:{port}",
                MINIBROWSER=str(browsers[-1]),
            )
        )


if __name__ == "__main__":
    main()
