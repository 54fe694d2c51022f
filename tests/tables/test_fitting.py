"""A model of a table: its price, its neighbors, its power."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from dpteach.accounting import epsilon_of
from dpteach.privacy import Composed, Gaussian, Pure
from dpteach.tables import Schema, UnreadableColumn, fit, fitting, predict
from dpteach.tables.fitting import check_epsilon, planned
from tests.tables.examples import HEADER, HOSTILE, SCHEMA, SMALL, households, write


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rows, _ = households(3000)
    return write(tmp_path_factory.mktemp("table"), rows)


KIND = {"epsilon": 1.0, "rng": 0}


def accuracy(model, path, truth):
    said, _ = predict(model, path)
    return float(np.mean((said == "yes") == truth))


@pytest.mark.parametrize("target", ["moved", "heating", "area"])
@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_the_event_costs_what_was_asked_for_at_most(table, target, m, epsilon):
    schema = replace(SCHEMA, contributions=m)
    model = fit(table, schema, target=target, epsilon=epsilon, rng=0)
    price = epsilon_of(model.event, model.delta)
    assert price <= epsilon * (1 + 1e-9)
    assert price >= 0.93 * epsilon
    assert model.delta == 1e-6
    assert model.label.unit == "one household"


def test_several_rows_of_a_unit_have_as_much_more_noise():
    """What m rows together move the sum by, over its noise, is what the event says."""
    plan = planned(SCHEMA.column("heating"), 3000, 12, 1.0, 1e-6, 1)
    three = planned(SCHEMA.column("heating"), 3000, 12, 1.0, 1e-6, 3)
    assert plan["steps"] == three["steps"]
    assert plan["noise_multiplier"] == three["noise_multiplier"]
    X, y = np.zeros((10, 12)), np.zeros(10)
    goal = SCHEMA.column("heating")
    rough = {}
    for name, numbers in (("one", plan), ("three", three)):
        fixed = {**numbers, "learning_rate": 1.0}
        theta, event = fitting.trained(X, y, goal, fixed, np.random.default_rng(0))
        rough[name] = np.abs(theta).mean()
        assert event == Gaussian(
            plan["noise_multiplier"], releases=plan["steps"], relation=fitting.ZERO_OUT
        )
    assert rough["three"] == pytest.approx(3 * rough["one"])


@pytest.mark.parametrize("target", ["moved", "heating", "area"])
def test_a_neighbor_changes_the_encoded_row_alone(tmp_path, table, target):
    """Nothing else of what the training is given, and no warning."""
    features, goal = SCHEMA.features(target), SCHEMA.column(target)
    lines = table.read_bytes().split(b"\n")[1:101]

    def read(name, rows):
        path = write(tmp_path, rows, name)
        return fitting._load(path, SCHEMA, features, goal, None)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X, y, before = read("empty.csv", [b"", *lines[1:]])
        assert not X[0].any()
        for k, hostile in enumerate(HOSTILE):
            Z, t, counts = read(f"{k}.csv", [hostile, *lines[1:]])
            assert np.array_equal(X[1:], Z[1:])
            assert np.array_equal(y[1:], t[1:])
            assert (np.linalg.norm(Z, axis=1) <= 1).all()
            assert np.isfinite(t).all()
            assert set((counts - before).tolist()) <= {0, 1}


def test_a_row_without_a_target_pulls_nothing(tmp_path, table):
    lines = table.read_bytes().split(b"\n")[1:-1]
    unknown = [b'3,80.0,gas,true,"so, so",perhaps', b"1,1,gas,true,x,", b"4"]
    models = [
        fit(write(tmp_path, [*lines, row]), SCHEMA, target="moved", **KIND)
        for row in (b"", *unknown)
    ]
    for model in models[1:]:
        assert np.array_equal(model.theta, models[0].theta)
        assert model.event == models[0].event


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_no_row_raises_or_warns(tmp_path, hostile):
    rows, _ = households(300)
    path = write(tmp_path, [*rows, hostile, hostile])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for target in ("moved", "area"):
            model = fit(path, SCHEMA, target=target, **KIND)
            assert model.n == 302
            assert np.isfinite(model.theta).all()


def test_a_table_of_gaps_is_a_model_of_nothing_and_no_error(tmp_path):
    rows = ["n/a,,,,," for _ in range(2000)]
    model = fit(write(tmp_path, rows), SCHEMA, target="moved", **KIND)
    assert np.isfinite(model.theta).all()


def test_a_target_of_one_class_is_no_error(tmp_path):
    rows, _ = households(2000)
    rows = [row.rpartition(",")[0] + ",no" for row in rows]
    path = write(tmp_path, rows)
    model = fit(path, SCHEMA, target="moved", **KIND)
    assert np.mean(predict(model, path)[0] == "no") > 0.95


# ------------------------------------------------- columns that are not as declared


def swapped(rows, column, cell):
    """Replace a column by one cell in each row."""
    at = HEADER.split(",").index(column)
    if column == "moved":
        return [row.rpartition(",")[0] + f",{cell}" for row in rows]
    return [",".join([*row.split(",")[:at], cell, *row.split(",")[at + 1 :]])
            for row in rows]  # fmt: skip


@pytest.mark.parametrize(
    ("column", "cell"),
    [("area", "large"), ("rooms", '"3,5"'), ("heating", "Gas"), ("moved", "1")],
)
def test_a_column_of_words_is_told_and_paid_for(tmp_path, column, cell):
    rows, _ = households(3000)
    path = write(tmp_path, swapped(rows, column, cell))
    with pytest.raises(UnreadableColumn, match=f"'{column}'") as caught:
        fit(path, SCHEMA, target="moved", **KIND)
    assert caught.value.column == column
    assert caught.value.event == Pure(0.05, relation=fitting.ZERO_OUT)


def test_a_declared_gap_is_not_unreadable(tmp_path):
    rows, _ = households(3000)
    path = write(tmp_path, swapped(rows, "area", "n/a"))
    fit(path, SCHEMA, target="moved", **KIND)


@pytest.mark.parametrize(("n", "epsilon"), [(1000, 1.0), (10_000, 0.1), (10**6, 1.0)])
def test_the_check_errs_seldom(n, epsilon):
    """Where nothing is unreadable: 20,000 columns' worst cannot pass half of n."""
    share = check_epsilon(n, epsilon)
    assert 0 < share <= 0.05 * epsilon
    # ½ exp(−(n/2)·share/2), the tail of the Laplace noise
    assert 0.5 * np.exp(-n / 2 * share / 2) < 1e-5


def test_few_rows_are_not_asked(table):
    assert check_epsilon(999, 1.0) == 0
    rows = table.read_bytes().split(b"\n")[1:500]
    path = write(table.parent, rows, "few.csv")
    model = fit(path, SCHEMA, target="moved", **KIND)
    assert not isinstance(model.event, Composed)


def test_the_check_is_as_private_as_it_says():
    """The exact odds of a refusal, for counts that one row moves, within e^ε."""
    from scipy.stats import laplace

    from dpteach.mechanisms import noisy_max_probabilities

    n, epsilon = 200, 1.0

    def refusals(counts):
        chosen = noisy_max_probabilities(
            np.array(counts, dtype=float), exponent=epsilon / 2
        )
        return chosen * laplace.sf(n / 2, loc=np.array(counts), scale=2 / epsilon)

    worst = 0.0
    for counts in ([100.0, 99, 0], [100, 100, 100], [101, 99, 98]):
        for up in ([1, 0, 0], [0, 1, 0], [1, 1, 1], [0, 1, 1]):
            a, b = refusals(counts), refusals(np.add(counts, up))
            worst = max(worst, np.abs(np.log(a / b)).max())
            rest = np.log((1 - a.sum()) / (1 - b.sum()))
            worst = max(worst, abs(rest))
    assert worst <= epsilon
    assert worst > epsilon / 4  # and the budget is in use


# ------------------------------------------------------------------- public numbers


def test_too_small_a_table_is_refused_whatever_is_in_it(tmp_path):
    messages = set()
    for row in ("3,80,gas,true,x,yes", "", "x", '"'):
        with pytest.raises(ValueError, match="`n`, the number of rows") as caught:
            fit(write(tmp_path, [row] * 20), SCHEMA, target="moved", epsilon=0.1, rng=0)
        messages.add(str(caught.value))
    assert len(messages) == 1
    with pytest.raises(ValueError, match="got 0"):
        fit(write(tmp_path, []), SCHEMA, target="moved", **KIND)


def test_a_plan_needs_no_data():
    plan = planned(SCHEMA.column("moved"), 3000, 12, 1.0, 1e-6, 1)
    assert plan["W"] == pytest.approx(
        plan["noise_multiplier"] * 12**0.5 / plan["regularization"]
    )
    assert planned(SCHEMA.column("heating"), 3000, 12, 8.0, 1e-6, 1)["steps"] == 200
    assert planned(SCHEMA.column("heating"), 300, 12, 0.3, 1e-6, 1)["steps"] == 50


def test_a_seed_repeats_a_run(table):
    one, other, third = (
        fit(table, SCHEMA, target="moved", epsilon=1.0, rng=seed) for seed in (3, 3, 4)
    )
    assert np.array_equal(one.theta, other.theta)
    assert not np.array_equal(one.theta, third.theta)


# ------------------------------------------------------------------------------ power


@pytest.mark.parametrize(("epsilon", "least"), [(0.3, 0.75), (1.0, 0.82), (8.0, 0.83)])
def test_words_and_gaps_are_learned_from(tmp_path, epsilon, least):
    """The best possible accuracy is about 0.84; words as zeros reach 0.75 at most."""
    fresh, truth = households(4000, seed=1)
    rows, _ = households(3000)
    train, test = write(tmp_path, rows), write(tmp_path, fresh, "fresh.csv")
    model = fit(train, SCHEMA, target="moved", epsilon=epsilon, rng=0)
    assert accuracy(model, test, truth) >= least


def test_a_rare_class_and_several_classes(tmp_path):
    """Five classes, one of them with 2 rows in 100."""
    rng, n = np.random.default_rng(0), 6000
    kinds = rng.choice(5, size=n, p=[0.4, 0.3, 0.18, 0.1, 0.02])
    centers = 2 * rng.standard_normal((5, 6))
    X = centers[kinds] + rng.standard_normal((n, 6))
    limits = {"minimum": -6, "maximum": 6}
    fields = [
        {"name": f"x{j}", "type": "number", "constraints": limits} for j in range(6)
    ]
    names = ["fox", "owl", "elk", "bat", "a rare one"]
    schema = Schema.parse({"fields": [*fields, {"name": "kind", "categories": names}]})
    header = ",".join([*(f"x{j}" for j in range(6)), "kind"])
    rows = [",".join([*map(str, x), names[k]]) for x, k in zip(X, kinds, strict=True)]
    path = write(tmp_path, rows, header=header)
    model = fit(path, schema, target="kind", epsilon=2.0, rng=0)
    said, sure = predict(model, path)
    right = said == np.array(names, dtype=object)[kinds]
    assert right.mean() > 0.9
    assert right[kinds == 4].mean() > 0.4
    assert ((sure > 0) & (sure <= 1)).all()


def test_three_hundred_columns(tmp_path):
    rng, n, d = np.random.default_rng(0), 1500, 300
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    y = X @ w > 0
    limits = {"minimum": -3, "maximum": 3, "required": True}
    fields = [
        {"name": f"x{j}", "type": "number", "constraints": limits} for j in range(d)
    ]
    fields.append({"name": "y", "type": "boolean"})
    header = ",".join(column["name"] for column in fields)
    rows = [",".join([*(f"{v:.3f}" for v in x), str(bool(t)).lower()])
            for x, t in zip(X, y, strict=True)]  # fmt: skip
    path = write(tmp_path, rows, header=header)
    model = fit(path, Schema.parse({"fields": fields}), target="y", epsilon=8.0, rng=0)
    assert np.mean((predict(model, path)[0] == "true") == y) > 0.8


def test_numbers_are_predicted_in_the_tables_units(tmp_path):
    rng, n = np.random.default_rng(0), 3000
    a, b = rng.uniform(0, 10, n), rng.uniform(0, 10, n)
    price = 100 + 30 * a - 20 * b + 10 * rng.standard_normal(n)
    fields = [
        {
            "name": name,
            "type": "number",
            "constraints": {"minimum": low, "maximum": high},
        }
        for name, low, high in (("a", 0, 10), ("b", 0, 10), ("price", -200, 500))
    ]
    rows = [f"{x:.3f},{y:.3f},{z:.2f}" for x, y, z in zip(a, b, price, strict=True)]
    path = write(tmp_path, rows, header="a,b,price")
    model = fit(
        path, Schema.parse({"fields": fields}), target="price", epsilon=1.0, rng=0
    )
    said, sure = predict(model, path)
    assert sure is None
    assert np.sqrt(np.mean((said - price) ** 2)) < 0.4 * price.std()


BAD_INPUT = {
    fit: {
        "table": SMALL, "schema": SCHEMA, "target": "heating", "epsilon": 4.0,
        "rng": 0, "delta": 1e-6, "progress": hash,
    },
}  # fmt: skip
