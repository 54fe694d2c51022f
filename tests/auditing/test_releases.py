"""How exact audits read what was released."""

import numpy as np
import pytest

from dpteach.auditing._releases import flat, tolerance


@pytest.mark.parametrize(
    ("released", "kind"),
    [
        ([[1, 2], [3, 4]], np.float64),
        (np.arange(3, dtype=np.int8), np.float64),  # whose differences would overflow
        (np.ones(2, dtype=np.float16), np.float64),
        (np.ones((2, 3), dtype=np.float32), np.float32),
    ],
)
def test_a_release_becomes_one_vector_in_double_precision_or_stays_single(
    released, kind
):
    out = flat(released)
    assert out.dtype == kind
    assert out.tolist() == np.ravel(released).tolist()
    assert (tolerance(out) > 1e-7) == (kind is np.float32)
