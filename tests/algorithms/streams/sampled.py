"""A mechanism for random batches, of each kind of sampling."""

from dpteach import Relation
from dpteach.algorithms.matrices.sampled_mechanism import SampledMechanism
from dpteach.algorithms.matrices.toeplitz_encoder import Bands
from dpteach.privacy import Approximate

CLAIM = Approximate(2.0, 1e-3, relation=Relation.ZERO_OUT)
C = Bands((1.0, 0.6, 0.3))


def mechanism(sampling, *, encoder=C, event=CLAIM):
    d, p = (1 if sampling == "Poisson" else 3), 0.5
    if sampling in ("fixed order", "balls and bins"):
        p = 1.0
    return SampledMechanism(sampling, encoder, 9, d, p, 2.0, event)
