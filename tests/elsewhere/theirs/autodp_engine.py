"""dpteach in the place of autodp's mechanisms, for autodp's own tests."""

from stand_in import module

from dpteach.accounting import calibrate, epsilon_of, renyi_divergence
from dpteach.privacy import Composed, Gaussian, Relation, SampledGaussian

RELATION = {"relation": Relation.ADD_REMOVE}


class Mechanism:
    """An event, with autodp's questions to it."""

    def __init__(self, event, **params):
        self.event, self.params = event, params

    def get_RDP(self, order):
        """Return the divergence."""
        return renyi_divergence(self.event, order)

    def get_approxDP(self, delta):
        """Return the price."""
        return epsilon_of(self.event, delta)


class ExactGaussianMechanism(Mechanism):
    """One Gaussian release."""

    def __init__(self, sigma, name=""):
        super().__init__(Gaussian(float(sigma), **RELATION), sigma=sigma, name=name)


class AmplificationBySampling:
    """Poisson sampling of one Gaussian release."""

    def __init__(self, **_):
        pass

    def __call__(self, mechanism, q):
        noise = mechanism.event.noise_multiplier
        return Mechanism(SampledGaussian(noise, rate=q, **RELATION))


class Composition:
    """Several mechanisms, each so often."""

    def __call__(self, mechanisms, counts):
        return Mechanism(
            Composed(
                tuple(
                    one.event
                    for one, count in zip(mechanisms, counts, strict=True)
                    for _ in range(count)
                )
            )
        )


class OneParameter:
    """Calibrates a Gaussian release, or so many."""

    def __call__(self, kind, eps, delta, bounds, params=None, **_):
        del kind, bounds
        releases = (params or {"coeff": 1})["coeff"]
        noise = calibrate(
            lambda sigma: Gaussian(sigma, releases=releases, **RELATION), eps, delta
        )
        return Mechanism(None, sigma=noise)


NOT_TRIED = dict.fromkeys(
    ("PureDP_Mechanism", "SubsampleGaussianMechanism", "GaussianMechanism",
     "ComposedGaussianMechanism", "LaplaceMechanism"))  # fmt: skip
module("autodp")
module(
    "autodp.mechanism_zoo", ExactGaussianMechanism=ExactGaussianMechanism, **NOT_TRIED
)
module(
    "autodp.transformer_zoo",
    AmplificationBySampling=AmplificationBySampling,
    Composition=Composition,
)
module(
    "autodp.calibrator_zoo",
    eps_delta_calibrator=OneParameter,
    generalized_eps_delta_calibrator=OneParameter,
    ana_gaussian_calibrator=OneParameter,
)
