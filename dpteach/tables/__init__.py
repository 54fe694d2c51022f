"""Floor 4. Your own table: from a public schema to a labeled private model.

A schema says in public what would otherwise be read from the data: columns, limits,
categories, labels, what means "missing", and whose privacy is kept. As commands:

    python -m dpteach.tables preview SCHEMA.json --target NAME --epsilon E --rows N
    python -m dpteach.tables fit TABLE.csv SCHEMA.json --target NAME --epsilon E --out D
    python -m dpteach.tables predict D TABLE.csv
"""

from .fitting import UnreadableColumn, fit
from .models import Model, predict
from .previewing import preview
from .schema import Schema

__all__ = [
    "Model",
    "Schema",
    "UnreadableColumn",
    "fit",
    "predict",
    "preview",
]
