"""Files that are whole or not there: whoever reads one never sees half of it."""

import os
import tempfile
from pathlib import Path


def write(path: Path, content: str | bytes) -> None:
    """Put a file in place of what was there, in one step."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    unfinished = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        unfinished.chmod(path.stat().st_mode if path.exists() else 0o644)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
