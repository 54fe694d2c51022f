"""One record of extreme numbers: each algorithm ends, in silence, in finite models.

What a record adds is bounded whatever it holds, so neither an error nor a warning nor a
NaN may tell of it.
"""

import numpy as np
import pytest

from dpteach import Problem, losses
from tests.algorithms.case import cases

ROOMS = ("gradients", "streams", "matrices", "local")
CASES = {
    name: case
    for name, case in cases().items()
    if case.algorithm.__module__.split(".")[2] in ROOMS
}
LARGEST = {np.float32: 3.4028235e38, np.float64: 1e150}


def rows(dtype):
    """Rows of limits, nodata fills, the tiniest numbers, and mixtures of them."""
    top, tiny = LARGEST[dtype], float(np.finfo(dtype).smallest_subnormal)
    yield from ([each] * 3 for each in (top, -top, 9.96921e36, -9999.0, 1e30, tiny))
    yield from ([top, -top, tiny], [1e30, 1e-30, -0.0], [0.0, -tiny, 9.96921e36])


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: d.__name__)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_no_record_stops_a_run_or_spoils_its_models(case, dtype):
    """Any warning is an error in these tests."""
    D = case.problem(lambda a: a.astype(dtype) if a.dtype.kind == "f" else a)
    labels = [None]
    if case.loss.classes is None and case.loss.labels is losses.NUMBERS:
        labels += [LARGEST[dtype], -1e30]
    for row in rows(dtype):
        for label in labels:
            X, y = D.X.copy(), D.y.copy()
            X[3, : D.X.shape[1]] = row[: D.X.shape[1]]
            if label is not None:
                y[3] = label
            out = case.run(Problem(X, y, case.loss, case.constraint), 1)
            assert np.isfinite(out.theta).all()
            assert np.isfinite(out.path).all()
            assert out.path.dtype == dtype
