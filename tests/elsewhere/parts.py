"""Serve the built book, and run the tests of ``parts.mjs`` by a script of Node.js."""

import os
import subprocess
import sys
import threading
from pathlib import Path

from serve import server

HERE = Path(__file__).parent
HTML = HERE.parents[1] / "book" / "_build" / "html"


def run(script: str, **environment: str) -> int:
    """Return how the script ended; the rest of the command line goes to it."""
    if not HTML.is_dir():
        sys.exit("Build the book first: make book.")
    site = server(HTML)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{site.server_port}"
    done = subprocess.run(
        ["node", HERE / script, url, *sys.argv[1:]], env=os.environ | environment
    )
    site.shutdown()
    return done.returncode
