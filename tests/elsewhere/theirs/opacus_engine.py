"""dpteach in the place of Opacus's accountants, for Opacus's own tests; no PyTorch."""

from stand_in import module

from dpteach.accounting import calibrate, epsilon_of
from dpteach.privacy import Composed, Relation, SampledGaussian


def event(noise, rate, steps):
    """Say some steps of DP-SGD."""
    public = {"rate": rate, "releases": int(steps), "relation": Relation.ADD_REMOVE}
    return SampledGaussian(noise, **public)


class Accountant:
    """Collects steps, and prices them."""

    accountant = "best"

    def __init__(self):
        self.history = []

    def step(self, *, noise_multiplier, sample_rate):
        """Note a step."""
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            last = self.history.pop()
            self.history.append((*last[:2], last[2] + 1))
        else:
            self.history.append((noise_multiplier, sample_rate, 1))

    def get_epsilon(self, delta, **_):
        """Price all steps."""
        spent = Composed(tuple(event(*each) for each in self.history))
        return epsilon_of(spent, delta, accountant=self.accountant)

    def __len__(self):
        return sum(steps for _, _, steps in self.history)


class RenyiAccountant(Accountant):
    """The same by Rényi divergences."""

    accountant = "renyi"


def noise_for(*, target_epsilon, target_delta, sample_rate, epochs=None, steps=None,
              accountant="rdp", **_):  # fmt: skip
    """Calibrate the noise of DP-SGD."""
    if accountant == "gdp":
        raise NotImplementedError(Refused.__doc__)
    steps = int(epochs / sample_rate) if steps is None else steps
    return calibrate(
        lambda noise: event(noise, sample_rate, steps),
        target_epsilon,
        target_delta,
        accountant="renyi" if accountant == "rdp" else "best",
    )


class Refused:
    """There is no central-limit accountant here: its price is no upper bound."""

    def __init__(self):
        raise NotImplementedError(self.__doc__)


KINDS = {"rdp": RenyiAccountant, "prv": Accountant, "gdp": Refused}


class IAccountant:
    """What tests of the registry derive from; the registry is not a price."""


registry = module("opacus.accountants.registry")
accountants = module(
    "opacus.accountants",
    PRVAccountant=Accountant,
    RDPAccountant=RenyiAccountant,
    GaussianAccountant=Refused,
    IAccountant=IAccountant,
    create_accountant=lambda mechanism: KINDS[mechanism](),
    register_accountant=None,
    registry=registry,
)
accountants.__path__ = []
module("opacus.accountants.utils", get_noise_multiplier=noise_for)
module("opacus", accountants=accountants).__path__ = []
