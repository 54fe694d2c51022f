"""Find a Chromium that works, for the tests of pages and for what prints them.

As a program it prints the path, and installs a browser where there is none: $CHROMIUM,
else chromium-headless-shell, which draws the same pages in less time, from apt where we
are root; else chromium or google-chrome; else chromium from apt, else Playwright's own
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

SHELL = "chromium-headless-shell"

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


def present(*names: str) -> str | None:
    """Return the first browser there is, of these or of any name."""
    any_name = (os.environ.get("CHROMIUM"), SHELL, "chromium", "google-chrome")
    paths = (shutil.which(name) for name in names or any_name if name)
    return next((path for path in paths if works(path)), None)


def launch(playwright: Playwright, *arguments: str) -> Browser:
    """Start the browser that there is, without a window."""
    path = present()
    if path is None:
        raise FileNotFoundError(HELP)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments += ("--no-sandbox",)  # Chromium refuses to run as root otherwise
    return playwright.chromium.launch(executable_path=path, args=arguments)


def by_apt(package: str) -> str | None:
    """Install one of Debian's packages, where we may."""
    if not (hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")):
        return None
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package],
    ):
        subprocess.run(command, stdout=sys.stderr, check=False)
    return present(package)


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
    path = (
        present(os.environ.get("CHROMIUM", SHELL))
        or by_apt(SHELL)
        or present()
        or by_apt("chromium")
        or by_playwright()
    )
    if path is None:
        sys.exit(HELP)
    print(path)


if __name__ == "__main__":
    main()
