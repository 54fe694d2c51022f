"""Floor 2. The kind of release that an event holds, and what it is at the least."""

import math
from typing import Any

from ...privacy import (
    AllocatedGaussian,
    DiscreteGaussian,
    DiscreteLaplace,
    FixedSizeGaussian,
    Gaussian,
    MixtureOfGaussians,
    Pure,
    RandomizedResponse,
    Relation,
    SampledDiscreteGaussian,
    SampledGaussian,
    SampledLaplace,
    TruncatedSampledGaussian,
)
from .allocation import OneOfSteps
from .discrete_noise import LISTED, DiscreteNoise, SampledDiscreteNoise
from .finite_noise import DiscreteLaplaceNoise, RandomAnswer
from .fixed_size import FixedBatch
from .mixtures import MixedGaussian
from .sampled_gaussian import GaussianOnSample
from .sampled_laplace import LaplaceOnSample
from .truncated import TruncatedSample, truncated_sample

Kind = (
    GaussianOnSample
    | LaplaceOnSample
    | DiscreteNoise
    | SampledDiscreteNoise
    | DiscreteLaplaceNoise
    | RandomAnswer
    | FixedBatch
    | OneOfSteps
    | MixedGaussian
    | TruncatedSample
)
# Losses of a single release that a list may hold, and moves over λ
LARGEST_LOSS, FARTHEST = 500.0, 10.0


def simplest(one: Any) -> Any:
    """Write full samples as what they are; None for what spends nothing."""
    empty = (
        getattr(one, "noise_multiplier", 1.0) == math.inf
        or getattr(one, "rate", 1.0) == 0
        or getattr(one, "batch_size", 1) == 0
        or getattr(one, "epsilon", 1.0) == 0 == getattr(one, "delta", 0)
        or (isinstance(one, MixtureOfGaussians) and one.largest_move == 0)
    )
    if empty:
        return None
    same = {"releases": getattr(one, "releases", 1), "relation": one.relation}
    match one:
        case SampledGaussian(rate=1) | AllocatedGaussian(steps=1):
            return Gaussian(one.noise_multiplier, **same)
        case FixedSizeGaussian() if one.batch_size == one.n:
            return Gaussian(one.noise_multiplier, **same)
        case TruncatedSampledGaussian() if one.batch_size >= one.n:
            coins = SampledGaussian(one.noise_multiplier, rate=one.rate, **same)
            return simplest(coins)
        case SampledDiscreteGaussian(rate=1):
            moved = one.sensitivity
            return DiscreteGaussian(one.noise_multiplier, sensitivity=moved, **same)
        case RandomizedResponse(categories=2):
            return Pure(one.epsilon, **same)
    return one


def kind_of(one: Any) -> Kind:
    """Return the kind of release of an event."""
    match one:
        case RandomizedResponse():
            return RandomAnswer(one.epsilon, one.categories)
        case SampledGaussian() | SampledLaplace() | MixtureOfGaussians():
            return _sampled(one)
        case DiscreteGaussian():
            return DiscreteNoise(one.noise_multiplier, one.sensitivity)
        case SampledDiscreteGaussian():
            return SampledDiscreteNoise(one.noise_multiplier, one.sensitivity, one.rate)
        case DiscreteLaplace():
            return DiscreteLaplaceNoise(one.noise_multiplier, one.sensitivity)
        case FixedSizeGaussian():
            replaced = one.relation is Relation.REPLACE
            return FixedBatch(one.noise_multiplier, one.batch_size / one.n, replaced)
        case TruncatedSampledGaussian():
            return truncated_sample(
                one.noise_multiplier, one.rate, one.batch_size, one.n
            )
        case _:
            return OneOfSteps(one.noise_multiplier, one.steps)


def _sampled(one: Any) -> Kind:
    noise, replaced = one.noise_multiplier, one.relation is Relation.REPLACE
    if isinstance(one, MixtureOfGaussians):
        return MixedGaussian(noise, one.sensitivities, one.probabilities, replaced)
    if isinstance(one, SampledLaplace):
        if replaced and one.rate < 1:
            raise ValueError(
                f"`event` must not replace a record that is sampled, got {one!r}. "
                "Which replacement is worst is not proved here, so price it under "
                "Relation.ADD_REMOVE, then restate (ε, δ) by group_privacy(size=2)."
            )
        return LaplaceOnSample(noise, one.rate)
    if replaced:
        return MixedGaussian(noise, (0.0, 1.0), (1 - one.rate, one.rate), True)
    return GaussianOnSample(noise, one.rate)


def accurate(one: Any) -> bool:
    """Whether the accountants are accurate for so much noise."""
    if isinstance(one, RandomizedResponse):
        return one.epsilon <= LARGEST_LOSS
    noise = one.noise_multiplier
    match one:
        case DiscreteLaplace():
            return one.sensitivity / LARGEST_LOSS <= noise <= 1e8 * one.sensitivity
        case MixtureOfGaussians():
            return one.largest_move / FARTHEST <= noise <= 1e8 * one.largest_move
        case DiscreteGaussian() | SampledDiscreteGaussian() if not 0.1 <= noise <= 1e8:
            raise ValueError(
                "`event` must have a noise multiplier between 0.1 and 1e8 where its "
                f"noise is discrete, got {one!r}. Outside of that range no accountant "
                "here is accurate. Choose other noise."
            )
        case SampledDiscreteGaussian():
            return noise <= LISTED and one.sensitivity <= 2 * FARTHEST * noise
    most = 1e4 if isinstance(one, AllocatedGaussian) else 1e8
    return 0.1 <= noise <= most
