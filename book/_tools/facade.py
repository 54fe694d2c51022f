"""Write the names that dpteach.algorithms hands out.

Every public function and class of its modules is one of them. Type checkers and editors
read them as imports, and Python as a table, from which they load on first use.
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "dpteach" / "algorithms"
START = "# --- written by book/_tools/facade.py\n"
END = "# --- end of what is written\n"


def homes(package: Path = PACKAGE) -> dict[str, str]:
    """Return the module of each public function and class, such as ``streams.tree``."""
    found: dict[str, str] = {}
    packages = {path.parent.name for path in package.glob("*/__init__.py")}
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).with_suffix("").parts
        if any(part.startswith("_") for part in inside):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            is_public = isinstance(
                node, ast.FunctionDef | ast.ClassDef
            ) and not node.name.startswith("_")
            if not is_public:
                continue
            module = ".".join(inside)
            if node.name in found or node.name in packages:
                other = found.get(node.name, node.name)
                sys.exit(f"{node.name} stands in {module} and in {other}: rename one.")
            found[node.name] = module
    return found


def _import(module: str, names: list[str]) -> str:
    line = f"    from .{module} import {', '.join(names)}\n"
    if len(line) <= 89:  # as ruff formats it
        return line
    rows = "".join(f"        {name},\n" for name in names)
    return f"    from .{module} import (\n{rows}    )\n"


def table(homes: dict[str, str]) -> str:
    """Write the imports and the table."""
    modules: dict[str, list[str]] = {}
    for name in sorted(homes, key=lambda name: (name.islower(), name)):
        modules.setdefault(homes[name], []).append(name)
    imports = "".join(_import(module, modules[module]) for module in sorted(modules))
    rows = "".join(f'    "{name}": "{homes[name]}",\n' for name in sorted(homes))
    return f"if TYPE_CHECKING:\n{imports}\n_HOME = {{\n{rows}}}\n"


def written(text: str) -> str:
    """Return the source of the package with the names of today in their place."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{table(homes())}{END}{after}"


def files() -> dict[Path, str]:
    """Return the text that the package's ``__init__`` should have."""
    path = PACKAGE / "__init__.py"
    return {path: written(path.read_text(encoding="utf-8"))}
