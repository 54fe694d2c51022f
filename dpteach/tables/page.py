"""What the page "Your own table" asks of Python: JSON in, JSON out.

The page puts a table into the file ``TABLE`` first. Nothing here reads anything else.
"""

import base64
import csv
import io
import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from .command import predictions
from .fitting import UnreadableColumn, fit
from .models import Model
from .previewing import preview
from .schema import Schema

TABLE = Path("/tmp/table.csv")  # of the browser's Python, which has no other disk
COMMUTERS = {
    "fields": [
        {"name": "age", "type": "integer",
         "constraints": {"minimum": 18, "maximum": 70}},
        {"name": "kilometers", "type": "number",
         "constraints": {"minimum": 0, "maximum": 60}},
        {"name": "work", "type": "string",
         "categories": ["office", "school", "shop", "factory"]},
        {"name": "car", "type": "boolean"},
        {"name": "remarks", "type": "string", "dpteach:use": "ignored"},
        {"name": "bicycle", "type": "string", "categories": ["no", "yes"],
         "constraints": {"required": True}},
    ],
    "missingValues": ["", "n/a"],
    "privacy": {"privacyUnit": "one commuter", "maxContributions": 1},
}  # fmt: skip


def answer(request: str) -> str:
    """Do what the page asks for, and say in JSON what came of it.

    Parameters
    ----------
    request : str
        JSON with the ``action``: ``"sample"``, ``"preview"``, ``"fit"`` or
        ``"predict"``, and what it needs: the text of the ``schema``, ``target``,
        ``epsilon``, ``delta`` or null, ``rows``, the text of the ``model``.

    Returns
    -------
    str
        JSON: what is ``said``, in words, the ``error`` or null, whether the budget is
        ``spent``, or a part of it, ``html`` to show,
        ``files`` by name, and all of them as a ZIP ``archive`` in base 64.

    Examples
    --------
    >>> told = json.loads(answer(json.dumps({"action": "sample"})))
    >>> told["files"]["table.csv"].splitlines()[0]
    'age,kilometers,work,car,remarks,bicycle'
    """
    told = {"said": "", "error": None, "spent": False, "html": "", "files": {}}
    told["archive"] = ""
    asked = json.loads(request)
    try:
        told |= ACTIONS[asked["action"]](asked)
    except (ValueError, TypeError) as error:
        told["error"] = str(error)
        told["spent"] = isinstance(error, UnreadableColumn)
    except MemoryError:
        told["error"] = "The browser's memory is full. Use the command line for it."
        told["spent"] = asked["action"] == "fit"
    return json.dumps(told)


def _schema(asked: dict[str, Any]) -> Schema:
    try:
        return Schema.parse(json.loads(asked["schema"]))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"The schema is no JSON: {error}.") from None


def _budget(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: asked[name] for name in ("target", "epsilon", "delta")}


def _sample(_: dict[str, Any]) -> dict[str, Any]:
    """Draw 5,000 commuters: nobody, so that everything can be tried."""
    rng, n = np.random.default_rng(0), 5000
    age, far = rng.integers(18, 71, n), np.minimum(rng.exponential(9, n), 60)
    work, car = rng.integers(4, size=n), rng.random(n) < 0.6
    score = 1.5 - 0.02 * (age - 40) - 0.15 * far + 0.8 * (work == 1) - 1.2 * car
    rides = rng.random(n) < 1 / (1 + np.exp(-score))
    kinds, lines = COMMUTERS["fields"][2]["categories"], io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow([field["name"] for field in COMMUTERS["fields"]])
    gaps = rng.random((n, 2)) < 0.04
    for k in range(n):
        rows.writerow([
            age[k], "n/a" if gaps[k, 0] else f"{far[k]:.1f}",
            "" if gaps[k, 1] else kinds[work[k]], str(car[k]).lower(),
            "late, often" if k % 7 == 0 else "", "yes" if rides[k] else "no",
        ])  # fmt: skip
    schema = json.dumps(COMMUTERS, indent=1)
    return {"files": {"table.csv": lines.getvalue(), "schema.json": schema}}


def _preview(asked: dict[str, Any]) -> dict[str, Any]:
    said = preview(_schema(asked), n=asked["rows"], rng=None, **_budget(asked))
    return {"said": said}


def _fit(asked: dict[str, Any]) -> dict[str, Any]:
    model = fit(TABLE, _schema(asked), rng=None, **_budget(asked))
    with TemporaryDirectory() as folder:
        model.save(folder)
        files = {path.name: path.read_text("utf-8") for path in Path(folder).iterdir()}
    said = "\n".join(row["says"] for row in model.reading())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            archive.writestr(f"model/{name}", text)
    return {
        "said": said,
        "spent": True,
        "html": model.label._repr_html_(),
        "files": files,
        "archive": base64.b64encode(packed.getvalue()).decode(),
    }


def _predict(asked: dict[str, Any]) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        Path(folder, "model.json").write_text(asked["model"], "utf-8")
        model = Model.load(folder)
    lines = io.StringIO()
    rows = predictions(model, TABLE, lines)
    return {
        "said": f"{rows:,} predictions.",
        "files": {"predictions.csv": lines.getvalue()},
    }


ACTIONS = {"sample": _sample, "preview": _preview, "fit": _fit, "predict": _predict}
