"""Serve a folder with gzip, as a real host does: serve.py FOLDER [PORT]."""

import gzip
import re
import sys
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TEXT = (".html", ".css", ".js", ".svg", ".json", ".txt", ".ipynb")
# A page of a stranger's can lead its own name to this machine, but not change this.
HERE = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.IGNORECASE)


@lru_cache(maxsize=256)
def packed(path: str, changed: int) -> bytes:  # noqa: ARG001 (a changed file is another)
    """Return a file's gzip, made once for each version of it."""
    return gzip.compress(Path(path).read_bytes(), 9)


class Handler(SimpleHTTPRequestHandler):
    """Files as they are, text packed; no line for each request."""

    protocol_version = "HTTP/1.1"
    timeout = 30  # s that a connection may be silent
    cache_control = "no-cache"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def parse_request(self) -> bool:
        """Refuse what was asked of another host, and files outside of the folder."""
        if not super().parse_request():
            return False
        if not HERE.fullmatch(self.headers.get("Host", "localhost")):
            self.send_error(421, "This server answers only its own machine")
            return False
        if not self.is_inside(self.path):
            self.send_error(404)
            return False
        return True

    def is_inside(self, asked: str) -> bool:
        """Tell whether a path stays in the folder: a link could lead out of it."""
        try:
            path = Path(self.translate_path(asked)).resolve()
            path.is_file()
        except (OSError, ValueError):  # too long, or with a zero byte
            return False
        return path.is_relative_to(Path(self.directory).resolve())

    def do_GET(self) -> None:
        """Send a text file packed, everything else as the library does."""
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.split("?")[0].endswith("/"):
            path /= "index.html"
        accepts = "gzip" in self.headers.get("Accept-Encoding", "")
        if not (accepts and path.is_file() and path.suffix in TEXT):
            return super().do_GET()
        body = packed(str(path), path.stat().st_mtime_ns)
        self.send_response(200)
        kind = self.guess_type(str(path))
        text = kind.startswith("text/") or path.suffix in (".js", ".json", ".svg")
        self.send_header("Content-Type", kind + ("; charset=utf-8" if text else ""))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def send_error(self, code: int, *words: str | None) -> None:
        """Send the book's own page where there is none, as a static host does."""
        page = Path(self.directory, "404.html")
        if code != 404 or not page.is_file():
            return super().send_error(code, *words)
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        return None

    def end_headers(self) -> None:
        """Let a browser ask again, so that a rebuilt page is seen."""
        self.send_header("Cache-Control", self.cache_control)
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()


class Server(ThreadingHTTPServer):
    """A thread for each connection; a class of readers may come at once."""

    request_queue_size = 1024  # the library's 5 turns most of a class away

    def handle_error(self, *connection: object) -> None:
        """Show what went wrong here; a reader who left in the middle did not."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(*connection)


def server(folder: Path, port: int = 0) -> Server:
    """Return a server of a folder; port 0 chooses a free one."""
    return Server(("127.0.0.1", port), partial(Handler, directory=str(folder)))


def main() -> None:
    """Serve until interrupted; where the port is taken, choose a free one."""
    folder = Path(sys.argv[1]).resolve()
    given = sys.argv[2] if len(sys.argv) > 2 else "8000"
    if not given.isdecimal():
        sys.exit(f"A port is a number such as 8000, not {given!r}.")
    port = int(given)
    try:
        site = server(folder, port)
    except (OSError, OverflowError):
        site = server(folder)
    sys.stdout.reconfigure(errors="replace")  # of a folder's name
    print(f"The book is at http://localhost:{site.server_port}/", flush=True)
    print("Stop with Ctrl-C. From disk it works too: open", folder / "index.html")
    try:
        site.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
