"""Encoders with one coefficient per lag: columns, errors, and the rows they stream."""

from itertools import islice

import numpy as np
import pytest

from dpteach.algorithms.matrices.buffered_toeplitz import Buffers
from dpteach.algorithms.matrices.factorization import tree_factorization
from dpteach.algorithms.matrices.optimal_bands import optimal_banded_factorization
from dpteach.algorithms.matrices.toeplitz_encoder import Bands, InverseBands
from dpteach.auditing import Tape

ENCODERS = (
    Bands((1.0,)),
    Bands((2.0, 0.9, 0.4)),
    Bands((1.0, -0.4, 0.2)),
    InverseBands((1.0, -0.8)),
    InverseBands((1.0, -0.5, -0.2, 0.1)),
    Buffers((0.9,), (0.3,)),
    Buffers((0.99, 0.3), (0.2, 0.5)),
)
T = 12


@pytest.mark.parametrize("encoder", ENCODERS)
def test_columns_and_errors_are_those_of_the_matrices(encoder):
    f = encoder.factorization(T)  # checks that B C = A
    C, B = f.encoder, f.decoder
    assert np.allclose(C @ np.linalg.inv(C), np.eye(T), atol=1e-12)
    mean, largest = encoder.variances(T)
    assert mean == pytest.approx(np.sum(B * B) / T, rel=1e-12)
    assert largest == pytest.approx(np.sum(B[-1] ** 2), rel=1e-12)
    assert encoder.sensitivity(T).value == pytest.approx(f.sensitivity, rel=1e-12)
    assert encoder.mean_error(T) == pytest.approx(f.mean_error, rel=1e-12)
    assert encoder.max_error(T) == pytest.approx(f.max_error, rel=1e-12)
    rules = {"participations": 3, "separation": 4}
    ratio = encoder.sensitivity(T, **rules).value / encoder.sensitivity(T).value
    assert encoder.mean_error(T, **rules) == pytest.approx(
        ratio * encoder.mean_error(T), rel=1e-12
    )
    assert encoder.max_error(T, **rules) == pytest.approx(
        ratio * encoder.max_error(T), rel=1e-12
    )


def streams():
    yield from ENCODERS
    yield optimal_banded_factorization(T, bands=3, participations=4, separation=3)
    yield tree_factorization(T, estimator="honaker")


@pytest.mark.parametrize("encoder", list(streams()))
def test_the_rows_add_up_to_the_decoder(encoder):
    """With unit draws: the sums of the rows are the columns of B."""
    f = encoder if hasattr(encoder, "decoder") else encoder.factorization(T)
    rows = np.stack(list(encoder.increments(np.eye(len(f.encoder)))))
    assert np.allclose(np.cumsum(rows, axis=0), f.decoder, atol=1e-12)


@pytest.mark.parametrize("encoder", list(streams()))
def test_noise_is_drawn_step_by_step(encoder):
    """A stream draws one vector for each row, and keeps the dtype of the data."""
    tape = Tape([1.0])
    rows = encoder.noise(tape, (2,), like=np.zeros(2, np.float32))
    for t in range(1, T + 1):
        assert next(rows).dtype == np.float32
        if not hasattr(encoder, "decoder") or encoder.memory < T:
            assert tape.draws == 2 * t


@pytest.mark.parametrize("bands", [1, 2, 5])
def test_draws_that_are_made_again_are_the_same(bands):
    r = tuple([1.0, -0.5, -0.2, -0.1, -0.05][:bands])
    kept, again = InverseBands(r), InverseBands(r, redraw=True)
    assert (kept.memory, again.memory) == (bands - 1, 0)
    one, two = (
        np.stack(
            list(islice(e.noise(np.random.default_rng(7), (3,), like=np.zeros(3)), 9))
        )
        for e in (kept, again)
    )
    assert np.array_equal(one, two)


def test_memory_is_what_a_stream_keeps():
    assert [encoder.memory for encoder in ENCODERS] == [0, 2, 2, 1, 3, 1, 2]
    f = optimal_banded_factorization(T, bands=3, participations=4, separation=3)
    assert f.memory == 2
    assert tree_factorization(8).memory == 15


def test_ten_million_steps_by_closed_forms():
    """Beside the stream's own recursion over 10⁶ steps; and no NaN at 10⁷."""
    buffers = Buffers((0.9999999, 0.99999, 0.999, 0.9), (1e-5, 5e-4, 0.01, 0.2))
    state, total, sums, n = [0.0] * 4, 0.0, 0.0, 10**5
    for t in range(n):
        x = (t == 0) - sum(w * s for w, s in zip(buffers.weights, state, strict=True))
        state = [h * s + x for h, s in zip(buffers.decay, state, strict=True)]
        total += x
        sums += (n - t) * total * total / n
    assert buffers.variances(n)[0] == pytest.approx(sums, rel=1e-9)
    rules = {"participations": 1000, "separation": 10**4}
    assert 100 < buffers.mean_error(10**7, **rules) < 1e4


def test_noise_that_grows_is_refused():
    with pytest.raises(ValueError, match="stays below 1e150 for 2000"):
        Bands((1.0, 3.0)).variances(2000)
    with pytest.raises(ValueError, match="the noise does not grow for ever"):
        Buffers((0.5,), (2.0,)).variances(10)
    with pytest.raises(ValueError, match="at least one entry"):
        Bands(())
    with pytest.raises(ValueError, match="`coefficients` must be a finite number"):
        InverseBands((-1.0, 0.5))


BAD_INPUT = {
    Bands: {"coefficients": (1.0, 0.5)},
    InverseBands: {"coefficients": (1.0, -0.5), "redraw": True},
}
