"""The certificate of ``train_digits`` finds the price of a run, and no other one."""

from math import sqrt

import numpy as np
import pytest

from dpteach.accounting import gaussian_epsilon
from dpteach.auditing import NotGaussian, Tape
from dpteach.chapters.training_a_network.exercises.train_digits import certificate
from dpteach.grading.report import Fault
from dpteach.grading.student import Here, Student
from tests.chapters.banks import bank

STEPS, DELTA = 4, 1e-5
NAMES = ("X", "y", "A", "B", "eps", "delta", "rng")


def run(clip_norm, lam):
    """Train with momentum; the noise is ``lam`` whatever the clip norm is."""
    answers = bank("train_digits")

    def train(X, y, A, B, eps, delta, rng):  # noqa: ARG001  (as every answer)
        def total(X, y, A, B, C):  # noqa: ARG001
            return answers._total(X, y, A, B, clip_norm)

        return answers._descend(X, y, A, B, rng, lam, T=STEPS, total=total)

    return Student(Here(train), "train_digits", NAMES, 5.0)


def images(mu):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)) / 3, rng.integers(0, 4, 40)
    X[7], y[7] = 0.0, 0
    A, B = rng.normal(size=(6, 5)) / 3, rng.normal(size=(5, 4)) / 2
    return certificate.Images(X, y, A, B, gaussian_epsilon(mu, DELTA), DELTA)


def records():
    v = np.random.default_rng(1).normal(size=6)
    return [(7, size * v / np.linalg.norm(v), 2) for size in (3.0, 30.0)]


def certify(mu, clip_norm=0.3, lam=2.0):
    return certificate.certified(run(clip_norm, lam), images(mu), records(), seed=3)


def test_the_price_is_that_of_the_theorem():
    """Both sides: a hair more budget is enough, and a hair less is not."""
    mu = 0.3 * sqrt(STEPS) / 2.0
    assert certify(mu * 1.001).shape == (STEPS, 50)
    with pytest.raises(Fault, match="so there is a clip"):
        certify(mu * 0.999)


def test_a_larger_clip_norm_costs_more():
    """Power: the same noise hides no pull that is longer."""
    with pytest.raises(Fault, match="what all 4 models cost"):
        certify(0.3 * sqrt(STEPS) / 2.0, clip_norm=0.33)


def test_a_function_that_flees_from_the_tape_is_not_excused():
    """A judge that passes ordinary generators alone is believed, and nobody else."""

    def train(X, y, A, B, eps, delta, rng):  # noqa: ARG001
        if isinstance(rng, Tape):
            raise NotGaussian("no tape, please", "other distribution")
        return rng.normal(size=(1, A.size + B.size))

    student = Student(Here(train), "train_digits", NAMES, 5.0)
    with pytest.raises(Fault, match="raises NotGaussian"):
        certificate.certified(student, images(1.0), records(), 1)
