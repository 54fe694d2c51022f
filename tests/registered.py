"""What test modules register at their end, found without a list of them."""

import re
from collections.abc import Iterator
from importlib import import_module, reload
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent


def registered(name: str) -> Iterator[ModuleType]:
    """Import each module of tests that assigns ``name`` at its top level."""
    assigns = re.compile(rf"^{name} = ", re.MULTILINE)
    for path in sorted(HERE.rglob("*.py")):
        if assigns.search(path.read_text(encoding="utf-8")):
            parts = path.relative_to(HERE.parent).with_suffix("").parts
            module = import_module(".".join(parts))
            # pytest keeps a module of which it skipped the rest: skip here, too
            yield module if hasattr(module, name) else reload(module)
