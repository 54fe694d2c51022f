"""What goes with a model: weights in words, label, registry entry, notebook."""

import datetime
import html
import json
import re
from math import exp
from typing import Any

import numpy as np

from ..labels import PrivacyLabel
from ..privacy import Event
from .encoding import contributions
from .schema import Column, Schema

STYLE = """
body { font: 16px/1.5 Georgia, serif; max-width: 44rem; margin: 2rem auto;
       padding: 0 1rem; color: #111; background: #fff }
table { border-collapse: collapse; width: 100% }
caption { font-weight: bold; font-size: 1.3rem; text-align: left; padding: .5rem 0 }
th, td { text-align: left; vertical-align: top; border-top: 1px solid #999;
         padding: .35rem .8rem .35rem 0; overflow-wrap: anywhere }
th { width: 13rem }
@media print { body { margin: 0 } }
"""


def weights_in_words(
    schema: Schema, target: str, theta: np.ndarray
) -> list[dict[str, Any]]:
    """Add to each contribution what it means for the prediction."""
    goal, rows = schema.column(target), contributions(schema.features(target), theta)
    for row in rows:
        value = row.get("per_unit", row.get("adds"))
        if "per_unit" in row:
            when = f"one unit more of {row['column']}"
        elif row["column"] == "(constant)":
            when = "the constant"
        else:
            cell = "missing" if row.get("missing") else repr(row["level"])
            when = f"{row['column']} being {cell}"
        row["says"] = f"{when} {_effect(value, goal)}"
    return rows


def _effect(value: Any, goal: Column) -> str:
    if goal.kind == "number":
        return f"adds {value * (goal.high - goal.low) / 2:.3g} to {goal.name}"
    if np.ndim(value) == 0:
        return f"multiplies the odds of {goal.levels[1]!r} by {_odds(value)}"
    mean = float(np.mean(value))
    parts = [f"{level!r} by {_odds(v - mean)}"
             for level, v in zip(goal.levels, value, strict=True)]  # fmt: skip
    return "multiplies the odds of " + ", ".join(parts)


def _odds(value: float) -> str:
    return f"{exp(min(max(float(value), -700), 700)):.3g}"


def label_page(label: PrivacyLabel, target: str) -> str:
    """Write the label as a page to print."""
    title = html.escape(f"Privacy label of a model of {target}")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"{label._repr_html_()}\n</body>\n</html>\n"
    )


# The registry's schema allows no other fields. JSON's strings are strings of YAML.
REGISTRY = """\
url_slug: {slug}
status: Draft
tier: 3
deployment:
  basic:
    name: {name}
    data_curators:
      - "FILL IN: who publishes it"
    intended_use: "FILL IN: what it is for"
    data_product_type: Machine learning model
    data_product_region: "FILL IN: where the people live"
    description: {description}
    publication_date: "{today}"
  dp_variant:
    variant_name: Approximate DP
    data_domain: "Tables with the columns, limits and categories of schema.json."
    unprotected_quantities: "The schema and the number of rows, which are public."
  privacy_loss:
    privacy_unit: {unit}
    privacy_unit_details: {neighbors}
    privacy_parameters:
      epsilon: {epsilon}
      delta: {delta}
    privacy_parameters_details: {spent}
  deployment_model:
    model_name: Central
    model_name_details: ""
    actors: "The curator sees the table; everybody else sees the model."
    release_type: One release
    release_type_details: ""
    data_source_type: Static
    data_source_type_details: ""
    access_type: Non-interactive
    access_type_details: ""
  accounting:
    post_processing: "Predictions, and weights in the units of the table."
    composition: {composition}
  implementation:
    preprocessing_and_hyperparameter_tuning: "By public rules; none on the data."
    mechanisms: {mechanisms}
    justification: {justification}
  administrative:
    sources: ""
    notes: "Noise of floating-point numbers."
    registry_authors:
      - "FILL IN"
"""


def registry_entry(
    schema: Schema,
    target: str,
    event: Event,
    *,
    epsilon: float,
    delta: float,
    plan: dict[str, Any],
    weights: int,
) -> str:
    """Write a tier-3 entry of the registry of deployments, as its schema asks.

    What only people know is left to them: "FILL IN".
    """
    words = {
        "slug": f"private-model-of-{target}"[:60],
        "name": f"A private model of {target}",
        "description": _description(schema, target, weights),
        "unit": schema.unit,
        "neighbors": _neighbors(schema.contributions),
        "spent": f"The whole budget. Spent: {event!r}.",
        "composition": _composition(event),
        "mechanisms": f"{plan['algorithm']} on the loss {plan['loss']}, in 64 bits.",
        "justification": f"From public numbers alone: {numbers_of(plan)}.",
    }
    quoted = {key: _quoted(word) for key, word in words.items()}
    return REGISTRY.format(
        today=datetime.date.today().isoformat(), epsilon=f"{epsilon!r}",
        delta=f"{delta:.17f}".rstrip("0"), **quoted,
    )  # fmt: skip


def _quoted(word: str) -> str:
    """Write a text for YAML, which takes JSON's strings, but for some characters."""
    text = json.dumps(word, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f\ufeff\ufffe\uffff]", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _description(schema: Schema, target: str, weights: int) -> str:
    goal = schema.column(target)
    kind = "regression" if goal.kind == "number" else f"{len(goal.levels)} classes"
    return f"A linear model ({kind}) with {weights} encoded columns."


def _neighbors(m: int) -> str:
    rows = "one row" if m == 1 else f"at most {m} rows, those of one unit,"
    return (
        f"Two tables are adjacent if {rows} of one is replaced by an empty one, which "
        "contributes nothing; the number of rows is the same."
    )


def _composition(event: Event) -> str:
    if "Composed" not in repr(event):
        return "A single mechanism; nothing is composed."
    return "Sequential: a private check of the columns, then the training."


def numbers_of(plan: dict[str, Any]) -> str:
    """Write the numbers of a plan."""
    numbers = {k: v for k, v in plan.items() if isinstance(v, int | float)}
    return ", ".join(f"{name} {value:.4g}" for name, value in numbers.items())


def notebook(target: str, *, epsilon: float, delta: float, n: int) -> dict[str, Any]:
    """Make a notebook that repeats the run, with fresh noise."""
    quoted = json.dumps(target, ensure_ascii=False)
    cells = [
        ("markdown", f"# A private model of {target}\n\nPut your table beside "
         "this notebook. Each run of the second cell spends the budget again."),
        ("code", "from dpteach import tables\n\n"
         'schema = tables.Schema.read("schema.json")\n'
         f"print(tables.preview(schema, target={quoted}, epsilon={epsilon!r}, "
         f"delta={delta!r}, n={n}, rng=0))"),
        ("code", 'model = tables.fit(\n    "table.csv", schema, '
         f"target={quoted}, epsilon={epsilon!r}, delta={delta!r}, rng=None"
         '\n)\nmodel.save("model")\nmodel.label'),
        ("code", 'predictions, probabilities = tables.predict(model, "table.csv")\n'
         "predictions[:5]"),
    ]  # fmt: skip
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"language_info": {"name": "python"}},
        "cells": [_notebook_cell(k, *cell) for k, cell in enumerate(cells)],
    }


def _notebook_cell(k: int, kind: str, source: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"cell-{k}", "metadata": {}, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})
