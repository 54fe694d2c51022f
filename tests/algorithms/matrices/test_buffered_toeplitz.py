"""Buffered factorizations: parameters, and the stream that they make."""

import numpy as np
import pytest

from dpteach.algorithms.matrices.buffered_toeplitz import (
    BufferedStream,
    Buffers,
)
from dpteach.auditing import noise_map


@pytest.mark.claim(
    "15-matrix-factorization",
    "A stream with buffers releases the sums of its factorization.",
    order=7,
)
@pytest.mark.parametrize(("decay", "weights"), [((), ()), ((0.5,), (0.2, 0.1))])
def test_buffers_without_a_weight_each_are_refused(decay, weights):
    with pytest.raises(ValueError, match="one entry for each of `decay`"):
        Buffers(decay, weights)


def test_a_buffered_stream_is_its_factorization():
    buffers, T = Buffers((0.9, 0.5, 0.1), (0.2, 0.3, 0.1)), 40

    def stream(rng):
        source = BufferedStream(
            T, buffers, clip_norm=10.0, sigma=2.0, shape=(1,), rng=rng
        )
        return np.stack([source.add(np.ones(1)) for _ in range(T)])

    found = noise_map(stream)
    assert np.allclose(found.matrix, 2 * buffers.factorization(T).decoder, atol=1e-12)
    assert np.allclose(found.mean.ravel(), np.arange(1, T + 1))
    source = BufferedStream(9, buffers, clip_norm=1.0, sigma=1.0, shape=(2,), rng=0)
    with pytest.raises(ValueError, match="`v` must have the stream's shape"):
        source.add(np.ones(3))


BAD_INPUT = {
    Buffers: {"decay": (0.5,), "weights": (0.2,)},
    BufferedStream: {
        "steps": 4,
        "buffers": Buffers((0.5,), (0.2,)),
        "clip_norm": 1.0,
        "sigma": 1.0,
        "shape": (2,),
        "rng": 0,
    },
}
