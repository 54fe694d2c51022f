"""The pages of the API reference: one for each package of algorithms, and others.

A new module of a package is on its page by itself. A new package of algorithms needs a
line in ``book/_toc.yml``; a new floor, a place in ``PAGES`` too.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from dpteach import algorithms

FOLDER = Path(__file__).resolve().parents[1] / "api"

# Name of the page: title, description, packages and modules.
PAGES = {
    "privacy": (
        "Privacy, problems and data",
        "Relations and events, their prices, losses, networks, constraint sets, "
        "problems and data.",
        "privacy accounting mechanisms problem clipping losses any_loss networks "
        "constraints data arrays device_noise numerics checks",
    ),
    "beyond": (
        "Audits, lower bounds and samplers",
        "Audits, lower bounds, exact samplers, tuning, labels, sweeps and your tables.",
        "lower_bounds auditing secure tuning labels sweeps tables",
    ),
    "figures": (
        "Figures and questions",
        "How a figure with sliders is declared, and how a question is asked.",
        "figures",
    ),
    "grading": (
        "Grading",
        "How an exercise is declared, checked and explained to the student.",
        "grading",
    ),
}
PAGE = """\
---
description: "{description}"
---

# {title}

```{{api}} {modules}
```
"""
INDEX = """\
---
description: The reference of dpteach, made from its docstrings.
---

# API reference

This reference is made from the docstrings of `dpteach`, whose examples run in every \
test.

The names that a reader needs most can be imported from `dpteach` itself, as in \
`from dpteach import dp_sgd, Problem, explore, show`; each is explained on the page of \
its module.

{rows}
"""


def pages() -> dict[str, tuple[str, str, str]]:
    """Return the title, the description and the modules of each page."""
    found = {}
    for each in iter_modules(algorithms.__path__):
        if each.ispkg:
            name = f"{algorithms.__name__}.{each.name}"
            words = (import_module(name).__doc__ or "").strip()
            found[each.name] = (f"Algorithms: {each.name}", words, name)
    for page, (title, words, modules) in PAGES.items():
        whole = " ".join(f"dpteach.{module}" for module in modules.split())
        found[page] = (title, words, whole)
    return found


def files() -> dict[Path, str]:
    """Return the text that each page should have."""
    made = {
        FOLDER / f"{page}.md": PAGE.format(title=t, description=d, modules=m)
        for page, (t, d, m) in pages().items()
    }
    rows = "\n".join(f"- {{doc}}`{page}`. {d}" for page, (_, d, _) in pages().items())
    return {**made, FOLDER / "index.md": INDEX.format(rows=rows)}
