"""A trained model, what it predicts, and the folder that holds it."""

import ast
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .. import checks
from ..labels import PrivacyLabel, privacy_label
from ..privacy import EVENTS, Event, Relation
from . import reading
from .encoding import encode, width_of
from .publishing import label_page, notebook, registry_entry, weights_in_words
from .schema import Schema


@dataclass(frozen=True)
class Model:
    """A private linear model of a table, as ``fit`` returns it.

    Parameters
    ----------
    schema : Schema
        What is public about the columns.
    target : str
        The column that it predicts.
    theta : ndarray
        The weights of the encoding, shape ``(p,)``, or ``(p, K)`` for K > 2 classes.
    event : Event
        What was spent.
    epsilon, delta : float
        The budget that was asked for; ``event`` costs no more.
    n : int
        The number of rows, which is public.
    plan : dict
        The algorithm and its numbers, chosen without the data.
    """

    schema: Schema
    target: str
    theta: np.ndarray
    event: Event
    epsilon: float
    delta: float
    n: int
    plan: dict[str, Any]

    @cached_property
    def label(self) -> PrivacyLabel:
        """The privacy label of the whole run."""
        return privacy_label(
            self.event,
            unit=self.schema.unit,
            deltas=[self.delta],
            not_covered=["the schema and the number of rows, which are public"],
        )

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Compute the scores of encoded rows, shape ``(n,)`` or ``(n, K)``."""
        return X @ self.theta

    def answers(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Return what is predicted for encoded rows, and the probabilities of labels.

        Of two labels it is the probability of the second, of several that of the one
        that is predicted; numbers have none.
        """
        goal, z = self.schema.column(self.target), self.scores(X)
        if goal.kind == "number":
            middle, half = (goal.high + goal.low) / 2, (goal.high - goal.low) / 2
            return middle + half * np.clip(z, -1, 1), None
        if z.ndim == 1:
            z = np.stack([0 * z, z], axis=1)
        odds = np.exp(z - z.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        chosen = odds.argmax(axis=1)
        sure = odds[:, 1] if odds.shape[1] == 2 else odds.max(axis=1)
        return np.array(goal.levels, dtype=object)[chosen], sure

    def reading(self) -> list[dict[str, Any]]:
        """Say what each column adds to the score, in the table's own units."""
        return weights_in_words(self.schema, self.target, self.theta)

    def save(self, folder: str | Path) -> None:
        """Write the model, its label, a registry entry and a notebook into a folder."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        budget = {"epsilon": self.epsilon, "delta": self.delta}
        entry = registry_entry(
            self.schema, self.target, self.event, **budget, plan=self.plan,
            weights=len(self.theta),
        )  # fmt: skip
        for name, text in {
            "model.json": _json(self._kept()),
            "schema.json": _json(self.schema.source),
            "label.json": _json(_label(self)),
            "label.html": label_page(self.label, self.target),
            "registry.yaml": entry,
            "run.ipynb": _json(notebook(self.target, **budget, n=self.n)),
        }.items():
            (folder / name).write_text(text, "utf-8")

    def _kept(self) -> dict[str, Any]:
        return {
            "target": self.target,
            "weights": self.theta.tolist(),
            "reading": self.reading(),
            "classes": list(self.schema.column(self.target).levels),
            "epsilon": self.epsilon,
            "delta": self.delta,
            "rows": self.n,
            "plan": self.plan,
            "event": repr(self.event),
            "schema": self.schema.source,
        }

    @classmethod
    def load(cls, folder: str | Path) -> "Model":
        """Read a model back from its folder."""
        path = Path(folder, "model.json")
        try:
            kept = json.loads(path.read_text("utf-8"))
            schema = Schema.parse(kept["schema"])
            theta = np.array(kept["weights"], dtype=float)
            model = cls(
                schema, kept["target"], theta, event_of(kept["event"]),
                kept["epsilon"], kept["delta"], kept["rows"], kept["plan"],
            )  # fmt: skip
            shapes = _shapes(schema, model.target)
        except _UNREADABLE as error:
            raise ValueError(
                f"`folder` must hold a model.json that fit has written, got {folder}: "
                f"{error}."
            ) from None
        if theta.shape not in shapes or not np.isfinite(theta).all():
            raise ValueError(
                f"`folder` must hold finite weights of shape {shapes[0]}, got others "
                f"in {path}."
            )
        return model


_UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, SyntaxError, RecursionError, MemoryError,
)  # fmt: skip


def _shapes(schema: Schema, target: str) -> list[tuple[int, ...]]:
    """List the shapes that weights may have: one score, or one for each label."""
    p, K = width_of(schema.features(target)), len(schema.column(target).levels)
    return [(p,)] * (K <= 2) + [(p, K)] * (K >= 2)


def event_of(text: str) -> Event:
    """Read an event as it is printed, and nothing else: no code is run."""

    def read(node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Tuple):
            return tuple(map(read, node.elts))
        if isinstance(node, ast.Attribute):
            return Relation[node.attr]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            kinds = {kind.__name__: kind for kind in EVENTS}
            named = {str(each.arg): read(each.value) for each in node.keywords}
            return kinds[node.func.id](*map(read, node.args), **named)
        raise ValueError(f"an event is no {type(node).__name__}")

    return read(ast.parse(text, mode="eval").body)


def predict(
    model: Model, table: Any, progress: Callable[[int], None] | None = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Predict the target of each row of a table.

    Parameters
    ----------
    model : Model
        As ``fit`` returns it, or ``Model.load`` reads it.
    table : path or data frame
        A table with the model's columns; it needs no target. Cells that are missing or
        unknown are treated as in ``fit``.
    progress : callable, optional
        Called with the number of rows that were read.

    Returns
    -------
    tuple of ndarray
        The predictions, one for each row, and the probabilities: of the second of two
        labels, or of the predicted one of several. Numbers have none.

    Raises
    ------
    ValueError, TypeError
        If an argument is of the wrong kind, or the header lacks a column.

    Examples
    --------
    >>> from dpteach.chapters.choosing.recipe import PATIENTS, PATIENT_SCHEMA
    >>> from dpteach.tables import fit
    >>> model = fit(PATIENTS, PATIENT_SCHEMA, target="progression", epsilon=2.0, rng=0)
    >>> said, _ = predict(model, PATIENTS)
    >>> len(said), bool((said >= 25).all() and (said <= 346).all())
    (442, True)
    """
    checks.instance(Model, model=model)
    none = model.answers(np.zeros((0, len(model.theta))))  # what no row becomes
    parts = [none, *predicted_blocks(model, table, progress)]
    said = [part for part, _ in parts]
    sure = [part for _, part in parts if part is not None]
    return np.concatenate(said), np.concatenate(sure) if sure else None


def predicted_blocks(
    model: Model, table: Any, progress: Callable[[int], None] | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
    """Predict block by block, so that a long table needs little memory."""
    features = model.schema.features(model.target)
    names = [column.name for column in features]
    for block in reading.blocks(table, model.schema, names, progress):
        yield model.answers(encode(block, features)[0])


def _json(thing: Any) -> str:
    return json.dumps(thing, indent=1, ensure_ascii=False, default=np.ndarray.tolist)


def _label(model: Model) -> dict[str, Any]:
    label = model.label
    return {
        "unit": label.unit,
        "neighbors": str(label.relation and label.relation.value),
        "epsilon": label.prices[0].epsilon,
        "delta": label.prices[0].delta,
        "mu": label.mu,
        "mu_slack": label.slack,
        "right_guesses": label.right_guesses,
        "event": repr(label.event),
        "not_covered": list(label.not_covered),
        "rows": [list(row) for row in label.rows],
    }
