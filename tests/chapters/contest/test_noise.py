"""The price that the contest certifies is the package's own, and no lower than true."""

import numpy as np
import pytest

from dpteach.algorithms import multi_participation_factorization
from dpteach.auditing import NotGaussian
from dpteach.chapters.contest import noise
from dpteach.grading.report import Fault
from dpteach.grading.student import Here, Student


def certify(draw):
    """Certify noise that is drawn from the number of steps and a generator."""

    def drawn(steps, epochs, rng):
        assert (steps, epochs) == (64, 4)
        return draw(steps, rng)

    student = Student(Here(drawn), noise.NAME, noise.PARAMETERS, 20.0)
    return noise.certify(student)


def certified(B):
    """Certify noise that is Bz, from a function that draws it."""
    return certify(lambda steps, rng: B[:steps] @ rng.standard_normal(B.shape[1]))


@pytest.fixture(scope="module")
def best():
    mechanism, certificate = multi_participation_factorization(
        steps=noise.STEPS, epochs=noise.EPOCHS
    )
    return mechanism.encoder.decoder, certificate


def test_noise_on_each_vector_costs_the_root_of_the_passes():
    found = certified(np.tri(64) * 2.0)
    assert found.mu == pytest.approx(1.0, rel=1e-9)
    assert found.error == pytest.approx(2 * np.sqrt(65 / 2), rel=1e-9)


def test_the_best_noise_meets_the_bound_and_nothing_is_below_it(best):
    decoder, certificate = best
    found = certified(decoder)
    assert found.error == pytest.approx(certificate.lower_bound, rel=1e-5)
    assert found.error >= noise.least_error() * (1 - 1e-9)
    rng = np.random.default_rng(0)
    for _ in range(20):
        B = decoder + 0.05 * rng.standard_normal((64, 64))
        assert certified(B).error > noise.least_error()


def test_no_signs_of_a_records_vectors_cost_more(best):
    """All signs of every record, for noise of no special form."""
    rng = np.random.default_rng(1)
    B = best[0] + 0.1 * rng.standard_normal((64, 64))
    moved = np.linalg.solve(B, np.tri(64))
    signs = np.array(np.meshgrid(*[[1, -1]] * 4)).reshape(4, -1)
    worst = max(
        np.linalg.norm(moved[:, range(j, 64, 16)] @ signs, axis=0).max()
        for j in range(16)
    )
    found = certified(B).mu
    assert worst <= found * (1 + 1e-9)
    assert found <= 1.1 * worst


def test_the_scale_does_not_matter():
    B = np.tri(64) + np.eye(64)
    assert certified(1e-8 * B).error == pytest.approx(certified(1e6 * B).error)


@pytest.mark.parametrize(
    "function",
    [
        lambda steps, rng: 0 * rng.normal(size=steps),
        lambda steps, rng: np.repeat(rng.normal(), steps),
        lambda steps, rng: 1 + rng.normal(size=steps),
        lambda steps, rng: np.append(rng.normal(size=steps - 1), 0),
        lambda steps, rng: rng.normal(size=steps - 1),
        lambda steps, rng: np.nan * rng.normal(size=steps),
        lambda steps, rng: rng.normal(size=(steps, 100)).sum(axis=1),
    ],
    ids=[
        "none",
        "one draw",
        "not centered",
        "last exact",
        "too short",
        "nan",
        "many",
    ],
)
def test_what_protects_nobody_is_refused(function):
    with pytest.raises((Fault, NotGaussian)):
        certify(function)


@pytest.mark.parametrize(
    "function",
    [
        lambda steps, rng: rng.laplace(size=steps),
        lambda steps, rng: rng.normal(size=steps) ** 3,
        lambda steps, rng: np.clip(rng.normal(size=steps), -1, 1),
    ],
    ids=["laplace", "cubed", "clipped"],
)
def test_what_is_not_gaussian_is_refused(function):
    with pytest.raises(NotGaussian):
        certify(function)


def test_less_noise_reads_more_hidden_images(best):
    better, worse = (noise.accuracy(certified(B), 3) for B in (best[0], np.eye(64)))
    assert 0.85 < better < 0.93
    assert worse < better - 0.2
    assert noise.accuracy(certified(best[0] * 7), 3) == pytest.approx(better, abs=1e-3)
