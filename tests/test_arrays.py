"""Arrays and randomness: norms, clips, and noise that is drawn on the host."""

import subprocess
import sys
import types

import array_api_strict
import numpy as np
import pytest
from scipy.stats import gamma, kstest

from dpteach import arrays
from dpteach.auditing import Tape


def test_the_library_is_that_of_the_data():
    assert arrays.namespace(np.zeros(2), np.ones(3)) is np
    strict = array_api_strict.zeros(2)
    assert arrays.namespace(strict) is array_api_strict


OLD_NUMPY = """
import numpy as np
del np.cumulative_sum  # as in NumPy 2.0, which Colab has had
np.__all__.remove("cumulative_sum")
from dpteach import arrays
from dpteach.algorithms.geometry import _corners
from dpteach.algorithms.gradients import sampled_sgd
from dpteach.constraints import Simplex
from dpteach.mechanisms import _choices
xp = arrays.namespace(np.ones(2))
assert xp is not np and xp.cumulative_sum(np.ones(3))[-1] == 3
assert _corners.np is sampled_sgd.np is _choices.np is arrays.np is xp
print(Simplex().project(np.array([2.0, 0.0])))
"""


def test_an_older_numpy_is_wrapped():
    run = [sys.executable, "-c", OLD_NUMPY]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.stdout == "[1. 0.]\n", done.stderr


def test_mixed_libraries_are_refused():
    with pytest.raises(TypeError):
        arrays.namespace(np.zeros(2), array_api_strict.zeros(2))


def test_a_generator_is_made_of_an_int_or_kept():
    rng = np.random.default_rng(3)
    assert arrays.as_rng(rng) is rng
    first = np.random.default_rng(3).random()
    assert arrays.as_rng(3).random() == arrays.as_rng(np.int64(3)).random() == first
    assert arrays.as_rng(None).random() != arrays.as_rng(None).random()
    for bad, kind in ((-1, ValueError), (True, TypeError), (1.5, TypeError)):
        with pytest.raises(kind, match="`rng`"):
            arrays.as_rng(bad)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("library", [np, array_api_strict], ids=["numpy", "strict"])
def test_noise_has_the_dtype_and_library_of_its_model(dtype, library):
    like = library.asarray(np.zeros(2, dtype))
    draw = arrays.standard_normal(np.random.default_rng(0), (2, 3), like=like)
    assert type(draw) is type(like)
    assert draw.dtype == like.dtype
    same = np.random.default_rng(0).standard_normal((2, 3), dtype=dtype)
    np.testing.assert_array_equal(arrays.to_numpy(draw), same)


def test_an_array_of_the_right_library_passes_through():
    like = np.zeros(2)
    assert arrays.as_like(like, like) is like


def test_an_array_on_a_device_is_fetched_by_its_own_method():
    class OnDevice:
        def get(self):
            return np.ones(3)

    np.testing.assert_array_equal(arrays.to_numpy(OnDevice()), np.ones(3))


def test_a_tensor_leaves_its_graph_and_its_device(monkeypatch):
    """The calls that PyTorch needs, in order; tests/backends runs the real library."""

    class Tensor:
        def __init__(self):
            self.calls = []

        def detach(self):
            self.calls.append("detach")
            return self

        def cpu(self):
            self.calls.append("cpu")
            return self

        def numpy(self):
            assert self.calls == ["detach", "cpu"]
            return np.ones(2)

    fake = types.ModuleType("torch")
    fake.Tensor = Tensor
    monkeypatch.setitem(sys.modules, "torch", fake)
    np.testing.assert_array_equal(arrays.to_numpy(Tensor()), np.ones(2))


def test_norms_are_taken_along_the_last_axis():
    v = np.array([[3.0, 4.0], [0.0, 0.0]])
    np.testing.assert_array_equal(arrays.l2_norm(v), [[5.0], [0.0]])


def test_a_clip_shortens_long_vectors_and_keeps_every_bit_of_short_ones():
    rng = np.random.default_rng(0)
    v = rng.standard_normal((1000, 4)) * np.exp(3 * rng.standard_normal((1000, 1)))
    v[0] = 0.0
    clipped = arrays.clip(v, 0.7)
    norms = np.linalg.norm(v, axis=1)
    short = norms <= 0.7
    assert 100 < short.sum() < 900
    np.testing.assert_array_equal(clipped[short], v[short])
    np.testing.assert_allclose(np.linalg.norm(clipped[~short], axis=1), 0.7, rtol=1e-14)
    book = v[~short] * (0.7 / norms[~short])[:, None]
    np.testing.assert_allclose(clipped[~short], book, rtol=1e-14)


def test_l2_laplace_noise_has_the_stated_distribution():
    """Lengths are Gamma(p, scale), directions uniform. False alarm 1e-6 each; with
    20,000 draws a scale that is wrong by 5 % gives a p-value below 1e-20."""
    p, scale, count = 3, 0.4, 20_000
    z = arrays.l2_laplace(np.random.default_rng(0), scale, np.zeros((count, p)))
    lengths = np.linalg.norm(z, axis=1)
    assert kstest(lengths, gamma(p, scale=scale).cdf).pvalue > 1e-6
    assert kstest(lengths, gamma(p, scale=1.05 * scale).cdf).pvalue < 1e-20
    # In three dimensions each coordinate of a uniform direction is uniform.
    for j in range(p):
        assert kstest(z[:, j] / lengths, "uniform", args=(-1, 2)).pvalue > 1e-6


def test_l2_laplace_noise_of_a_tape_of_zeros_is_zero():
    z = arrays.l2_laplace(Tape([]), 1.0, np.zeros((2, 3)))
    np.testing.assert_array_equal(z, np.zeros((2, 3)))
