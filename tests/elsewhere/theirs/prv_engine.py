"""dpteach in the place of prv_accountant, for its own tests."""

from types import SimpleNamespace

from stand_in import module

from dpteach.accounting import price_of
from dpteach.privacy import Composed, Relation, SampledGaussian


def sampled(sampling_probability, noise_multiplier):
    """Keep the two numbers of a sampled Gaussian release."""
    return {"rate": sampling_probability, "noise_multiplier": noise_multiplier}


class Accountant:
    """Prices how often each release was made, from both sides."""

    def __init__(self, prvs, max_self_compositions, **_):
        self.prvs, self.most = prvs, max_self_compositions

    def event(self, counts):
        """Say all releases."""
        if any(n > most for n, most in zip(counts, self.most, strict=True)):
            raise ValueError("more compositions than were announced")
        return Composed(
            tuple(
                SampledGaussian(**one, releases=n, relation=Relation.ADD_REMOVE)
                for one, n in zip(self.prvs, counts, strict=True)
            )
        )

    def compute_composition(self, num_self_compositions):
        """Refuse what was not announced."""
        self.event(num_self_compositions)

    def compute_delta(self, eps, counts):
        """Price at an ε: lower, estimate, upper."""
        price = price_of(self.event(counts), epsilon=float(eps))
        return price.lower, price.delta, price.delta

    def compute_epsilon(self, delta, num_self_compositions):
        """Price at a δ: lower, estimate, upper."""
        price = price_of(self.event(num_self_compositions), delta=delta)
        return price.lower, price.epsilon, price.epsilon


module(
    "prv_accountant",
    PRVAccountant=Accountant,
    privacy_random_variables=SimpleNamespace(
        PoissonSubsampledGaussianMechanism=sampled
    ),
)
