"""What test modules register at their end, found without a list of them."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent


def registered(name: str) -> Iterator[ModuleType]:
    """Import each module of tests that assigns ``name`` at its top level."""
    assigns = re.compile(rf"^{name} = ", re.MULTILINE)
    for path in sorted(HERE.rglob("*.py")):
        if assigns.search(path.read_text(encoding="utf-8")):
            parts = path.relative_to(HERE.parent).with_suffix("").parts
            yield import_module(".".join(parts))
