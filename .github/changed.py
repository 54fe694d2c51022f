"""Say whether code changed since a commit, or texts alone: changed.py [COMMIT].

Prints ``code=true`` or ``code=false``, as a workflow reads it. A text is a file whose
words alone matter, or the Markdown cells of a notebook. Without a commit that is known,
code changed.
"""

import json
import subprocess
import sys
from typing import Any

TEXTS = (".md", ".bib", ".cff", "LICENSE", "LICENSE-prose")


def git(*words: str) -> str | None:
    """Return what git prints, or None where it fails."""
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def code_cells(text: str | None) -> Any:
    """Return what runs in a notebook; None where there is none."""
    if text is None:
        return None
    cells = json.loads(text)["cells"]
    return [cell for cell in cells if cell["cell_type"] != "markdown"]


def is_text(path: str, since: str) -> bool:
    """Say whether only words of a file differ from those of a commit."""
    if not path.endswith(".ipynb"):
        return path.endswith(TEXTS)
    before, now = (git("show", f"{where}:{path}") for where in (since, "HEAD"))
    return code_cells(before) == code_cells(now) is not None


def code_changed(since: str) -> bool:
    """Say whether anything but texts differs from a commit."""
    listed = git("diff", "--name-only", "-z", since, "HEAD") if since else None
    if listed is None:
        return True
    return not all(is_text(path, since) for path in listed.split("\0") if path)


if __name__ == "__main__":
    changed = code_changed(sys.argv[1] if len(sys.argv) > 1 else "")
    print(f"code={str(changed).lower()}")
