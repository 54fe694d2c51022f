"""On the host a ``DeviceGenerator`` is NumPy's; tests/backends tries libraries."""

import copy
import pickle

import numpy as np
import pytest

from dpteach import dp_sgd
from dpteach.data import example
from dpteach.device_noise import DeviceGenerator

SETTINGS = {
    "clip_norm": 1.0, "noise_multiplier": 4.0, "steps": 5, "learning_rate": 1e-3,
}  # fmt: skip


def test_a_seed_repeats_a_run_and_none_does_not():
    one, other = (dp_sgd(example(), rng=DeviceGenerator(3), **SETTINGS) for _ in "ab")
    assert np.array_equal(one.path, other.path)
    fresh = [DeviceGenerator().normal_like((4,), np.zeros(1)) for _ in range(2)]
    assert not np.array_equal(*fresh)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_hosts_noise_is_numpys(dtype):
    rng, like = DeviceGenerator(3), np.zeros(2, dtype)
    numpys = np.random.Generator(np.random.PCG64(np.random.SeedSequence(3).spawn(2)[0]))
    drawn = rng.normal_like((3, 2), like)
    assert drawn.dtype == dtype
    assert np.array_equal(drawn, numpys.standard_normal((3, 2), dtype=dtype))


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda rng: pickle.loads(pickle.dumps(rng))]
)
def test_a_copy_goes_on_where_its_original_was(copied):
    """Mechanisms that draw their noise again from a copy rest on it."""
    rng = DeviceGenerator(3)
    rng.standard_normal(7)
    same = copied(rng)
    assert type(same) is DeviceGenerator
    assert np.array_equal(same.standard_normal(5), rng.standard_normal(5))


def test_a_seed_is_a_number():
    with pytest.raises((TypeError, ValueError)):
        DeviceGenerator(-1)
