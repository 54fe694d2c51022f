"""A caller's vectors in a stream: no total moves by more than L, in any library."""

import warnings

import numpy as np
import pytest

from dpteach.algorithms import BufferedStream, Buffers, RestartedTree, StreamingTree
from dpteach.arrays import to_numpy
from dpteach.auditing import Tape
from tests.algorithms.streams.test_exact_totals import callers, whole

pytestmark = pytest.mark.backends
KIND = {"clip_norm": 1.0, "sigma": 1.0}


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: d.__name__)
@pytest.mark.parametrize("p", [1, 3])
@pytest.mark.parametrize("L", [1e-30, 1.0, 7.3, 1e30])
def test_a_callers_vector_moves_no_sum_by_more_than_l(put, dtype, p, L):
    kind = {"clip_norm": L, "sigma": L, "shape": (p,), "rng": Tape()}
    for stream in (
        StreamingTree(30, **kind),
        RestartedTree(30, restart_every=30, **kind),
        BufferedStream(30, Buffers((0.5,), (0.25,)), **kind),
    ):
        total = stream._total if hasattr(stream, "_total") else stream._tree._total
        for v in callers(L, p, dtype):
            if sum(whole(a) ** 2 for a in v) > whole(L * (1 + 1e-6)) ** 2:
                continue
            before = np.zeros(p) + to_numpy(total._units)
            out = stream.add(put(v))
            assert out.dtype == put(v).dtype
            moved = [int(a) for a in to_numpy(total._units) - before]
            assert sum(a * a for a in moved) * whole(total.grid) ** 2 <= whole(L) ** 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_sum_leads_back_to_no_vector(put, library, dtype):
    v = put(np.array([0.6, 0.8], dtype))
    if library == "torch":
        v.requires_grad_(True)
    stream = StreamingTree(3, shape=(2,), rng=0, **KIND)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        out = stream.add(v)
    assert getattr(out, "grad_fn", None) is None


def test_what_is_longer_is_refused_and_a_scalar_is_a_vector(put):
    with pytest.raises(ValueError, match="`v` must have norm at most"):
        StreamingTree(3, shape=(2,), rng=0, **KIND).add(put(np.ones(2)))
    out = StreamingTree(3, shape=(), rng=Tape(), **KIND).add(put(np.array(0.5)))
    assert float(out) == 0.5
