"""Use one of each part of the built book in Firefox: firefox.py [PART OF A NAME].

The tests are in ``firefox.mjs``. They drive the browser over WebDriver BiDi, through
puppeteer-core: Debian has a Firefox, and no geckodriver.
"""

import os
import shutil
import subprocess
import sys
import threading

from serve import server

from tests.public import ROOT

NODE = ROOT / ".venvs" / "elsewhere"
PUPPETEER = "puppeteer-core@24.43.1"


def install() -> None:
    """Get what drives the browser from the npm registry, once."""
    if not (NODE / "node_modules" / "puppeteer-core").is_dir():
        NODE.mkdir(parents=True, exist_ok=True)
        (NODE / "package.json").write_text("{}\n")
        command = ["npm", "install", "--silent", "--ignore-scripts", PUPPETEER]
        subprocess.run(command, cwd=NODE, check=True)


def main() -> None:
    """Serve the book, and let Firefox use it."""
    names = (os.environ.get("FIREFOX"), "firefox-esr", "firefox")
    firefox = next(
        (path for name in names if name and (path := shutil.which(name))), ""
    )
    html = ROOT / "book" / "_build" / "html"
    if not firefox:
        sys.exit("Install Firefox, or name it: FIREFOX=/path/to/firefox.")
    if not html.is_dir():
        sys.exit("Build the book first: make book.")
    install()
    site = server(html)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    done = subprocess.run(
        [
            *("node", ROOT / "tests" / "elsewhere" / "firefox.mjs"),
            *(f"http://127.0.0.1:{site.server_port}", *sys.argv[1:]),
        ],
        env={**os.environ, "FIREFOX": firefox, "PUPPETEER": str(NODE)},
    )
    site.shutdown()
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
