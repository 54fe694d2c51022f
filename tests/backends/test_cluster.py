"""A sweep on a Dask cluster of this machine: the same table, and each setting once.

Where ``DPTEACH_BACKENDS`` names ``dask``. Needs distributed, pandas and polars.
"""

import os
import re

import joblib
import nbformat
import numpy as np
import pandas
import polars
import pytest
from distributed import Client, LocalCluster

from dpteach import Problem, constraints, data, dp_sgd, losses, sweep
from tests.public import ROOT

DRAWN = data.planted_logistic(n=200, p=3, strength=5.0, rng=0)
GRID = {"noise_multiplier": [1.0, 5.0, 25.0], "steps": [5, 10]}


def private_risk(*, noise_multiplier, steps, seeds):
    D = Problem(DRAWN.X, DRAWN.y, losses.logistic, constraints.L2Ball(1.0))
    out = dp_sgd(
        D, clip_norm=1.0, steps=steps, noise_multiplier=noise_multiplier,
        learning_rate=0.1, rng=seeds[0], runs=(len(seeds),),
    )  # fmt: skip
    return D.risk(out.theta)


def process(*, task, seed):
    return os.getpid() + 0 * task * seed


@pytest.fixture(scope="module")
def cluster():
    """Two workers, which are processes of their own."""
    sizes = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**sizes) as started, Client(started):
        yield started


@pytest.mark.usefixtures("cluster")
def test_the_table_is_that_of_one_process(capsys):
    with joblib.parallel_config(n_jobs=1):
        expected = sweep(private_risk, GRID, seeds=3)
    with joblib.parallel_config(backend="dask"):
        assert sweep(private_risk, GRID, seeds=3, progress=True) == expected
    assert "6/6" in capsys.readouterr().err


def test_the_workers_do_the_work(cluster):
    with joblib.parallel_config(backend="dask"):
        found = {row["result"] for row in sweep(process, {"task": range(8)}, seeds=1)}
    assert found <= {worker.process.pid for worker in cluster.workers.values()}


@pytest.mark.usefixtures("cluster")
def test_what_one_machine_began_a_cluster_ends(tmp_path):
    file = tmp_path / "finished.jsonl"
    begun = {**GRID, "noise_multiplier": [5.0]}
    with joblib.parallel_config(n_jobs=1):
        sweep(private_risk, begun, seeds=3, resume=file)
    with joblib.parallel_config(backend="dask"):
        table = sweep(private_risk, GRID, seeds=3, resume=file)
    lines = file.read_text().splitlines()
    assert len(lines) == len(set(lines)) == 6
    with joblib.parallel_config(n_jobs=1):
        assert table == sweep(private_risk, GRID, seeds=3)


def test_a_table_opens_in_pandas_and_in_polars():
    with joblib.parallel_config(n_jobs=1):
        table = sweep(private_risk, GRID, seeds=3)
    results = np.array([row["result"] for row in table])
    for frame in (pandas.DataFrame(table), polars.DataFrame(table)):
        assert list(frame.columns) == ["noise_multiplier", "steps", "seed", "result"]
        np.testing.assert_array_equal(frame["result"].to_numpy(), results)
        assert frame["steps"].to_numpy().dtype.kind == "i"


# Its `Client()` takes the usual port of the dashboard, which may be in use.
@pytest.mark.filterwarnings("ignore:Port:UserWarning")
def test_the_lines_of_the_chapter_run_as_they_stand(tmp_path, monkeypatch):
    """The cells of the section on one machine, then its block on a cluster."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    chapter = nbformat.read(ROOT / "chapters" / "24-choosing.ipynb", as_version=4)
    cells = [cell.source for cell in chapter.cells if cell.cell_type == "code"]
    names = (
        "import PATIENT_SCHEMA",
        "import fit, plan",
        "import sweep",
        "sweep(error,",
    )
    (block,) = (
        found[1]
        for cell in chapter.cells
        if (found := re.search(r"```python\n(from dask.*?)```", cell.source, re.S))
    )
    # As in a notebook: workers get a function of __main__ whole, not by its name.
    space = {"__name__": "__main__"}
    for name in names:
        (source,) = (each for each in cells if name in each)
        exec(source, space)
    one = space["table"]
    space["file"].unlink()
    exec(block, space)
    assert len(one) == 120
    for here, there in zip(one, space["table"], strict=True):
        # Another process holds X at another address, so that sums round otherwise.
        assert here == {**there, "result": pytest.approx(there["result"], rel=1e-12)}
