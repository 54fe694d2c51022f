"""Floor 1. What an algorithm spends (an event) and what it publishes (a Release)."""

from .composed import Composed
from .discrete import DiscreteGaussian, DiscreteLaplace, SampledDiscreteGaussian
from .events import (
    Approximate,
    Concentrated,
    Gaussian,
    NotPrivate,
    Pure,
    RandomizedResponse,
    Selection,
)
from .relation import Event, Relation
from .release import Release, Trace
from .samples import (
    AllocatedGaussian,
    FixedSizeGaussian,
    MixtureOfGaussians,
    SampledGaussian,
    SampledLaplace,
    TruncatedSampledGaussian,
)

# The kinds of events that can be priced
EVENTS = (
    Pure,
    Selection,
    Gaussian,
    SampledGaussian,
    SampledLaplace,
    DiscreteGaussian,
    SampledDiscreteGaussian,
    DiscreteLaplace,
    RandomizedResponse,
    MixtureOfGaussians,
    FixedSizeGaussian,
    TruncatedSampledGaussian,
    AllocatedGaussian,
    Concentrated,
    Approximate,
    NotPrivate,
    Composed,
)

__all__ = [
    "EVENTS",
    "AllocatedGaussian",
    "Approximate",
    "Composed",
    "Concentrated",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Event",
    "FixedSizeGaussian",
    "Gaussian",
    "MixtureOfGaussians",
    "NotPrivate",
    "Pure",
    "RandomizedResponse",
    "Relation",
    "Release",
    "SampledDiscreteGaussian",
    "SampledGaussian",
    "SampledLaplace",
    "Selection",
    "Trace",
    "TruncatedSampledGaussian",
]
