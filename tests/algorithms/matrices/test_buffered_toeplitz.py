"""Buffered factorizations: parameters, and the stream that they make."""

import numpy as np
import pytest

from dpteach.algorithms.matrices.buffered_toeplitz import (
    BufferedStream,
    Buffers,
    optimal_buffers,
)
from dpteach.auditing import noise_map

BUFFERED = {
    (128, 1): (2.4793, 2.7726),
    (128, 2): (2.3993, 2.6175),
    (128, 3): (2.3979, 2.6103),
    (128, 4): (2.3979, 2.6101),
    (1024, 1): (3.4568, 3.8649),
    (1024, 2): (3.0840, 3.3298),
    (1024, 3): (3.0587, 3.2776),
    (1024, 4): (3.0574, 3.27294),
}


@pytest.mark.parametrize(("T", "m"), BUFFERED)
def test_buffered_errors(T, m):
    mean, largest = BUFFERED[T, m]
    got = optimal_buffers(T, buffers=m).factorization(T).mean_error
    assert got == pytest.approx(mean, rel=3e-5)
    got = optimal_buffers(T, buffers=m, objective="max").factorization(T).max_error
    assert got == pytest.approx(largest, rel=3e-5)


def test_buffered_parameters_and_their_stationarity():
    """T = 1024: the decays and weights. T = 128: moving any of them makes it worse."""
    best = optimal_buffers(1024)
    assert best.decay == pytest.approx((0.996244, 0.873194), abs=2e-6)
    assert best.weights == pytest.approx((0.090282, 0.330697), abs=2e-6)
    best = optimal_buffers(128)
    least = best.factorization(128).mean_error
    for i in range(2):
        for factor in (0.999, 1.001):
            scale = tuple(factor if j == i else 1.0 for j in range(2))
            decay = tuple(d * f for d, f in zip(best.decay, scale, strict=True))
            weights = tuple(w * f for w, f in zip(best.weights, scale, strict=True))
            for moved in (Buffers(decay, best.weights), Buffers(best.decay, weights)):
                assert moved.factorization(128).mean_error > least


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
        source = BufferedStream(buffers, sigma=2.0, shape=(1,), rng=rng)
        return np.stack([source.add(np.ones(1)) for _ in range(T)])

    found = noise_map(stream)
    assert np.allclose(found.matrix, 2 * buffers.factorization(T).decoder, atol=1e-12)
    assert np.allclose(found.mean.ravel(), np.arange(1, T + 1))
    source = BufferedStream(buffers, sigma=1.0, shape=(2,), rng=0)
    with pytest.raises(ValueError, match="`v` must have the stream's shape"):
        source.add(np.ones(3))


BAD_INPUT = {
    Buffers: {"decay": (0.5,), "weights": (0.2,)},
    optimal_buffers: {"steps": 4, "buffers": 2, "objective": "mean"},
    BufferedStream: {
        "buffers": Buffers((0.5,), (0.2,)),
        "sigma": 1.0,
        "shape": (2,),
        "rng": 0,
    },
}
