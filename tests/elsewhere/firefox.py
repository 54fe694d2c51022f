"""Use one of each part of the built book in Firefox: firefox.py [PART OF A NAME].

The tests are in ``parts.mjs``. ``firefox.mjs`` drives the browser over WebDriver BiDi,
through puppeteer-core: Debian has a Firefox, and no geckodriver.
"""

import os
import shutil
import subprocess
import sys

from tests.elsewhere.parts import run
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
    """Find Firefox, and let it use the book."""
    names = (os.environ.get("FIREFOX"), "firefox-esr", "firefox")
    firefox = next(
        (path for name in names if name and (path := shutil.which(name))), ""
    )
    if not firefox:
        sys.exit("Install Firefox, or name it: FIREFOX=/path/to/firefox.")
    install()
    sys.exit(run("firefox.mjs", FIREFOX=firefox, PUPPETEER=str(NODE)))


if __name__ == "__main__":
    main()
