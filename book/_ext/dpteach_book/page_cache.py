"""Work on finished pages, done once for each text of a page.

What a function makes of a page lies in ``_build/pages``, with a hash of the page's main
part, of what else the function is given, and of this extension.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atomic
from sphinx.application import Sphinx

# Read when the build begins, because that is the code that runs.
EXTENSION = b"".join(
    path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))
)


def once(
    app: Sphinx, make: Callable[..., Any], page: str, text: str, *more: Any
) -> Any:
    """Return ``make(page, text, *more)``, as it was made before if nothing changed."""
    digest = hashlib.sha256(EXTENSION)
    digest.update(repr((page, more)).encode())
    digest.update(main(text).encode())
    stamp = digest.hexdigest()
    path = Path(app.outdir).parent / "pages" / make.__name__ / f"{page}.json"
    if path.exists():
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["stamp"] == stamp:
            return kept["result"]
    result = make(page, text, *more)
    kept = {"stamp": stamp, "result": result}
    atomic.write(path, json.dumps(kept, ensure_ascii=False))
    return result


def main(page: str) -> str:
    """Return a page's main part."""
    return page[page.index("<main") : page.rindex("</main>") + len("</main>")]


def texts(app: Sphinx) -> dict[str, str]:
    """Return the pages that are there, by their names, in order.

    A first build of one chapter writes its pages alone.
    """
    files = {name: Path(app.outdir) / f"{name}.html" for name in app.env.found_docs}
    return {
        name: files[name].read_text(encoding="utf-8")
        for name in sorted(files)
        if files[name].exists()
    }
