"""The benchmark's four data sets as files with a schema, and how well models do."""

import csv
from functools import cache

import numpy as np

from dpteach.chapters.choosing import benchmark, recipe
from dpteach.data._copies import copy_of
from dpteach.data.real import BREAST_CANCER_LIMITS
from dpteach.tables import Schema


def field(name, low, high):
    limits = {"minimum": low, "maximum": high, "required": True}
    return {"name": name, "type": "number", "constraints": limits}


def write(path, X, y, limits, labels):
    """Write a table with columns x0, x1, …, y; return its path and its schema."""
    names = [f"x{j}" for j in range(X.shape[1])]
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow([*names, "y"])
        lines.writerows([*row, labels[k]] for row, k in zip(X.tolist(), y, strict=True))
    fields = [field(name, *ends) for name, ends in zip(names, limits, strict=True)]
    fields.append({"name": "y", "type": "string", "categories": labels})
    return path, Schema.parse({"fields": fields}), y


def of_task(name, folder):
    """Write a task of the benchmark; the numbers of its true labels come last."""
    path = folder / f"{name}.csv"
    if name == "diabetes":
        _, y = copy_of("diabetes")
        return recipe.PATIENTS, recipe.PATIENT_SCHEMA, y
    if name == "breast cancer":
        X, y = copy_of("breast_cancer")
        return write(path, X, y.astype(int), BREAST_CANCER_LIMITS, ["bad", "good"])
    X, y = copy_of("digits")
    y = y.astype(int)
    if name == "digits 3 or 8":
        here = (y == 3) | (y == 8)
        X, y = X[here], (y[here] == 8).astype(int)
        return write(path, X, y, [(0, 16)] * 64, ["three", "eight"])
    if name == "digits odd or even":
        return write(path, X, y % 2, [(0, 16)] * 64, ["even", "odd"])
    return write(path, X, y, [(0, 16)] * 64, [f"the {k}" for k in range(10)])


def best_row(name, epsilon):
    """Find what lost least in the stored benchmark, at its best factor."""
    at = benchmark.EPSILONS.index(epsilon)
    rows = benchmark.four_data_sets()[name]
    return min(
        (summaries[at][0], algorithm, float(factor))
        for algorithm, factors in rows.items()
        for factor, summaries in factors.items()
    )


@cache
def best_accuracy(name, epsilon, runs=10):
    """Run the rows that do well at each of their factors, and take the most accurate.

    Accuracy is not stored. The others lose more than these everywhere.
    """
    task, best = benchmark.task(name), 0.0
    D = task.problem
    for algorithm in ("objective, normal noise", "bolt-on SGD", "DP-SGD"):
        for factor in benchmark.FACTORS:
            kind = {"rng": np.random.default_rng(0), "runs": (runs,)}
            kind["relation"] = benchmark.ZERO_OUT
            theta = benchmark._RUN[algorithm](task, epsilon, factor, kind)
            scores = D.scores(D.constraint.project(theta))
            best = max(best, float(np.mean((scores > 0) == (D.y > 0))))
    return best
