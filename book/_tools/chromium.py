"""Find a Chromium that works, for the tests of pages and for what prints them.

As a program it prints the path, and installs a browser where there is none: $CHROMIUM,
else chromium, else google-chrome, else apt where we are root, else Playwright's own
download, else the command to type.
"""

import os
import shutil
import subprocess
import sys

from playwright.sync_api import Browser, Playwright, sync_playwright

HELP = """No Chromium was found. Install one ('apt install chromium', or
'playwright install chromium'), and name it where it is not on the PATH:
    export CHROMIUM=/path/to/chromium"""

# For what looks at all of a page: the setting "Always show answers".
SHOWN = "try { localStorage.setItem('answers', 'shown') } catch {}"


def works(path: str | None) -> bool:
    """Say whether a browser starts and tells its version."""
    if not path:
        return False
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def present() -> str | None:
    """Return the first browser there is."""
    names = (os.environ.get("CHROMIUM"), "chromium", "google-chrome")
    paths = (shutil.which(name) for name in names if name)
    return next((path for path in paths if works(path)), None)


def launch(playwright: Playwright, *arguments: str) -> Browser:
    """Start the browser that there is, without a window."""
    path = present()
    if path is None:
        raise FileNotFoundError(HELP)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments += ("--no-sandbox",)  # Chromium refuses to run as root otherwise
    return playwright.chromium.launch(executable_path=path, args=arguments)


def by_apt() -> str | None:
    """Install Debian's package, where we may."""
    if not (hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")):
        return None
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ):
        subprocess.run(command, stdout=sys.stderr, check=False)
    return present()


def by_playwright() -> str | None:
    """Download the browser that Playwright ships."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if works(path) else None


def main() -> None:
    """Print the path, or fail with the command to type."""
    path = present() or by_apt() or by_playwright()
    if path is None:
        sys.exit(HELP)
    print(path)


if __name__ == "__main__":
    main()
