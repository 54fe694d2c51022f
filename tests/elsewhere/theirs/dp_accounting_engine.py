"""dpteach in the place of dp_accounting's accountants, for dp_accounting's own tests.

Its events stay its own; ours are made from them. What we cannot say is unsupported.
"""

import logging
import math

import dp_accounting
import numpy as np
from dp_accounting import dp_event, gaussian_mechanism, privacy_accountant
from dp_accounting.pld import accountant, pld_privacy_accountant
from dp_accounting.rdp import rdp_privacy_accountant

from dpteach import accounting, privacy
from dpteach.accounting.pairs.releases import NoFiniteEpsilon
from dpteach.algorithms import separated_squared_sensitivity
from dpteach.privacy import Relation

NEIGHBORS = privacy_accountant.NeighboringRelation
RELATIONS = {
    NEIGHBORS.ADD_OR_REMOVE_ONE: Relation.ADD_REMOVE,
    NEIGHBORS.REPLACE_ONE: Relation.REPLACE,
    NEIGHBORS.REPLACE_SPECIAL: Relation.ZERO_OUT,
}
SIDES = (dp_event.LaplaceDpEvent, dp_event.DiscreteLaplaceDpEvent,
         dp_event.MixtureOfGaussiansDpEvent)  # fmt: skip


class CannotSayError(Exception):
    """An event, or a part of one, that has no counterpart here."""


def _response(event, relation):
    k, p = event.num_buckets, event.noise_parameter
    if relation is not Relation.REPLACE:
        raise CannotSayError("randomized response is priced under REPLACE alone", event)
    if k == 1 or p == 1:
        return None
    if p == 0:
        return privacy.NotPrivate(relation=relation)
    epsilon = math.log(1 + (1 - p) * k / p)
    return privacy.RandomizedResponse(epsilon, categories=k, relation=relation)


def _sampled(event, relation):
    q, inner = event.sampling_probability, event.event
    public = {"rate": q, "relation": relation}
    if q == 0:
        return None
    if q == 1:
        return translated(inner, relation)
    if isinstance(inner, dp_event.GaussianDpEvent):
        if inner.noise_multiplier == 0:
            return privacy.NotPrivate(relation=relation)
        return privacy.SampledGaussian(inner.noise_multiplier, **public)
    if isinstance(inner, dp_event.LaplaceDpEvent):
        if relation is Relation.REPLACE:
            raise CannotSayError("sampled Laplace noise under REPLACE", event)
        if inner.noise_multiplier == 0:
            return privacy.NotPrivate(relation=relation)
        return privacy.SampledLaplace(inner.noise_multiplier, **public)
    if isinstance(inner, dp_event.DiscreteGaussianDpEvent):
        return privacy.SampledDiscreteGaussian(
            inner.sigma, sensitivity=int(inner.sensitivity), **public
        )
    raise CannotSayError(f"a sample of {type(inner).__name__}", event)


def _tree(event, relation):
    if relation is not Relation.ZERO_OUT:
        raise CannotSayError("a tree is priced under REPLACE_SPECIAL alone", event)
    counts = event.step_counts
    counts = [counts] if isinstance(counts, int) else counts
    if event.noise_multiplier < 0 or min(counts) < 0:
        raise ValueError("noise and steps must be non-negative")
    squares = [
        separated_squared_sensitivity(
            steps=each, participations=1, separation=1, estimator="honaker"
        )
        for each in counts
    ]
    noise = event.noise_multiplier / math.sqrt(max(squares))
    return privacy.Gaussian(noise, relation=relation)


def _noise(kind, noise, relation, **more):
    if noise == 0:
        return privacy.NotPrivate(relation=relation)
    return kind(noise, relation=relation, **more)


def translated(event, relation):
    """Say an event of theirs as ours; None if it costs nothing."""
    e = dp_event
    if isinstance(event, SIDES) and relation is Relation.REPLACE:
        raise CannotSayError(f"{type(event).__name__} under REPLACE", event)
    match event:
        case e.NoOpDpEvent():
            return None
        case e.NonPrivateDpEvent():
            return privacy.NotPrivate(relation=relation)
        case e.ComposedDpEvent():
            parts = [translated(each, relation) for each in event.events]
            return privacy.Composed(tuple(each for each in parts if each is not None))
        case e.SelfComposedDpEvent():
            return repeated(translated(event.event, relation), event.count)
        case e.EpsilonDeltaDpEvent():
            if event.delta == 0 and event.epsilon == 0:
                return None
            if event.delta == 0:
                return privacy.Pure(event.epsilon, relation=relation)
            return privacy.Approximate(event.epsilon, event.delta, relation=relation)
        case e.GaussianDpEvent():
            if event.noise_multiplier < 0:
                raise ValueError("Noise multiplier must not be negative")
            return _noise(privacy.Gaussian, event.noise_multiplier, relation)
        case e.LaplaceDpEvent():
            return _noise(privacy.SampledLaplace, event.noise_multiplier, relation)
        case e.DiscreteLaplaceDpEvent():
            if event.noise_parameter == 0:
                return privacy.NotPrivate(relation=relation)
            return privacy.DiscreteLaplace(
                1 / event.noise_parameter,
                sensitivity=event.sensitivity,
                relation=relation,
            )
        case e.DiscreteGaussianDpEvent() if event.sensitivity == int(event.sensitivity):
            return privacy.DiscreteGaussian(
                event.sigma, sensitivity=int(event.sensitivity), relation=relation
            )
        case e.RandomizedResponseDpEvent():
            return _response(event, relation)
        case e.PoissonSampledDpEvent():
            if not 0 <= event.sampling_probability <= 1:
                raise ValueError("Sampling rate must be between 0 and 1")
            return _sampled(event, relation)
        case e.SampledWithoutReplacementDpEvent():
            return _fixed_size(event, relation)
        case e.MixtureOfGaussiansDpEvent():
            return _mixture(event, relation)
        case e.TruncatedSubsampledGaussianDpEvent():
            return privacy.TruncatedSampledGaussian(
                event.noise_multiplier,
                rate=event.sampling_probability,
                batch_size=event.truncated_batch_size,
                n=event.dataset_size,
                relation=relation,
            )
        case e.ZCDpEvent() if event.xi == 0:
            return privacy.Concentrated(event.rho, relation=relation)
        case e.ExponentialMechanismDpEvent():
            return privacy.Selection(event.epsilon, relation=relation)
        case e.SingleEpochTreeAggregationDpEvent():
            return _tree(event, relation)
    raise CannotSayError(f"{type(event).__name__} has no counterpart", event)


def _fixed_size(event, relation):
    if relation is not Relation.REPLACE:
        raise CannotSayError("fixed batches are priced under REPLACE alone", event)
    if not isinstance(event.event, dp_event.GaussianDpEvent):
        raise CannotSayError("a fixed batch of other noise than Gaussian", event)
    if event.sample_size == 0:
        return None
    return privacy.FixedSizeGaussian(
        event.event.noise_multiplier,
        batch_size=event.sample_size,
        n=event.source_dataset_size,
        relation=relation,
    )


def _mixture(event, relation):
    pairs = zip(event.sensitivities, event.sampling_probs, strict=True)
    moves = [(move, chance) for move, chance in pairs if chance]
    if not any(move for move, _ in moves):
        return None
    if event.standard_deviation == 0:
        return privacy.NotPrivate(relation=relation)
    sensitivities, probabilities = zip(*moves, strict=True)
    return privacy.MixtureOfGaussians(
        event.standard_deviation,
        sensitivities=tuple(map(float, sensitivities)),
        probabilities=tuple(map(float, probabilities)),
        relation=relation,
    )


def repeated(event, count):
    """Compose an event with itself."""
    if count <= 0:
        raise ValueError(f"an event happens at least once, got {count}")
    if event is None or count == 1:
        return event
    return privacy.Composed((event,) * count)


class Answers(privacy_accountant.PrivacyAccountant):
    """Prices of all events so far, by dpteach."""

    def __init__(self, neighboring_relation=NEIGHBORS.ADD_OR_REMOVE_ONE, **_):
        super().__init__(neighboring_relation)
        self.spent = ()

    @property
    def event(self):
        """All that was spent."""
        return privacy.Composed(self.spent)

    @property
    def _contains_non_dp_event(self):
        return any(isinstance(each, privacy.NotPrivate) for each in flat(self.event))

    def _maybe_compose(self, event, count, do_compose):
        """Take an event, or only say whether it can be."""
        try:
            found = translated(event, RELATIONS[self.neighboring_relation])
        except CannotSayError as error:
            return self.CompositionErrorDetails(
                invalid_event=error.args[1], error_message=error.args[0]
            )
        if do_compose and found is not None:
            self.spent += (repeated(found, count),)
        return None

    def get_epsilon(self, target_delta):
        """Price the events at a δ."""
        if self._contains_non_dp_event:
            return math.inf
        if target_delta == 1:
            return 0.0
        try:
            return accounting.epsilon_of(self.event, float(target_delta))
        except NoFiniteEpsilon:
            return math.inf
        except ValueError:
            if target_delta == 0:  # it is not pure
                return math.inf
            raise

    def get_delta(self, target_epsilon):
        """Price the events at an ε."""
        if self._contains_non_dp_event:
            return 1.0
        return accounting.delta_of(self.event, min(float(target_epsilon), 1e300))

    def get_true_positive_rates(self, false_positive_rates):
        """Bound what an attack finds."""
        if self._contains_non_dp_event:
            return 1.0
        if not self.spent:
            return false_positive_rates
        return accounting.true_positives(self.event, false_positive_rates)

    def get_gdp_parameter_estimate(self, **_):
        """Find μ."""
        if self._contains_non_dp_event:
            return math.inf
        return accounting.mu_of(self.event) if self.spent else 0.0


def flat(event):
    """List the parts of an event."""
    if isinstance(event, privacy.Composed):
        return [leaf for part in event.events for leaf in flat(part)]
    return [event]


class RenyiAnswers(Answers):
    """Rényi divergences by dpteach, and their conversion."""

    def __init__(self, orders=None, neighboring_relation=None):
        super().__init__(neighboring_relation or NEIGHBORS.ADD_OR_REMOVE_ONE)
        orders = DEFAULT_ORDERS if orders is None else orders
        self._orders = np.array(orders, float)
        self._known = (), np.zeros(len(self._orders))

    @property
    def _rdp(self):
        if self._known[0] != self.spent:
            found = np.array([self._divergence(order) for order in self._orders])
            self._known = self.spent, found
        return self._known[1]

    def _divergence(self, order):
        if not self.spent:
            return 0.0
        if self._contains_non_dp_event:
            return math.inf
        if order == 1:  # the limit
            order = 1 + 1e-7
        if math.isinf(order):
            try:
                return accounting.price_of(self.event, delta=0.0).epsilon
            except ValueError:
                return math.inf
        return accounting.renyi_divergence(self.event, float(order))

    def get_epsilon(self, target_delta):
        """Convert the divergences."""
        if target_delta in (0, 1) or self._contains_non_dp_event or not self.spent:
            return super().get_epsilon(target_delta)
        return best_epsilon(self._orders, self._rdp, target_delta)[0]

    def get_epsilon_and_optimal_order(self, target_delta):
        """Convert the divergences, and name the order that counts."""
        return best_epsilon(self._orders, self._rdp, target_delta)

    def get_delta(self, target_epsilon):
        """Convert the divergences."""
        if self._contains_non_dp_event or not self.spent:
            return super().get_delta(target_epsilon)
        return best_delta(self._orders, self._rdp, target_epsilon)[0]


ALMOST = 1 - 1e-16
DEFAULT_ORDERS = rdp_privacy_accountant.DEFAULT_RDP_ORDERS


def best_epsilon(orders, rdp, delta):
    """Convert divergences; name the order that counts."""
    orders, rdp = np.array(orders, float), np.array(rdp, float)
    known = np.isfinite(orders) & (orders > 1) & np.isfinite(rdp)
    if not known.any():
        return math.inf, None
    orders, rdp = orders[known], rdp[known]
    best = accounting.renyi_epsilon(orders, rdp, delta)
    at = np.log1p(-1 / orders) - np.log(delta * orders) / (orders - 1) + rdp
    return best, orders[int(np.argmin(at))]


def best_delta(orders, rdp, epsilon):
    """Find by bisection the δ at which the divergences give this ε."""
    low, high = math.log(1e-300), 0.0
    for _ in range(70):
        middle = (low + high) / 2
        if best_epsilon(orders, rdp, min(math.exp(middle), ALMOST))[0] > epsilon:
            low = middle
        else:
            high = middle
    return math.exp(high), best_epsilon(orders, rdp, min(math.exp(high), ALMOST))[1]


def log_a(q, sigma, order):
    """Compute the logarithm of the moment from our Rényi divergence."""
    divergence = accounting.sampled_gaussian_rdp(order, rate=q, noise_multiplier=sigma)
    return (order - 1) * divergence


def sampled_divergences(q, noise, orders):
    """Compute the divergences of one sampled release."""
    if noise == 0:
        return np.full(len(orders), math.inf)
    return np.array([
        math.inf if math.isinf(order) else accounting.sampled_gaussian_rdp(
            max(order, 1 + 1e-7), rate=q, noise_multiplier=noise)
        for order in orders
    ])  # fmt: skip


def sigma_of(eps, delta, tol=None):
    """Calibrate one Gaussian release."""
    del tol
    if delta == 1 or math.isinf(eps):
        return 0.0
    if delta == 0:
        return math.inf
    return accounting.noise_multiplier(eps, delta, relation=Relation.ADD_REMOVE)


def gaussian_epsilon(sigma, delta, tol=None):
    """Price one Gaussian release."""
    del tol
    if delta == 1 or math.isinf(sigma):
        return 0.0
    if delta == 0 or sigma == 0:
        return math.inf
    event = privacy.Gaussian(sigma, relation=Relation.ADD_REMOVE)
    return accounting.epsilon_of(event, delta)


def _smallest(kind, parameters, count, sensitivity=1, **more):
    def event(noise):
        return kind(noise, releases=count, relation=Relation.ADD_REMOVE, **more)

    if parameters.delta == 0:  # basic composition
        return sensitivity * count / parameters.epsilon
    noise = accounting.calibrate(event, parameters.epsilon, parameters.delta)
    return sensitivity * noise


def laplace(parameters, num_queries=1, sensitivity=1):
    """Find the least Laplace noise for a budget."""
    return _smallest(privacy.SampledLaplace, parameters, num_queries, sensitivity)


def discrete_laplace(parameters, num_queries=1, sensitivity=1):
    """Find the least discrete Laplace noise for a budget, as its parameter 1/b."""
    if parameters.delta == 0:
        return parameters.epsilon / num_queries / sensitivity
    return 1 / _smallest(
        lambda noise, **public: privacy.DiscreteLaplace(
            noise, sensitivity=sensitivity, **public
        ),
        parameters,
        num_queries,
    )


def gaussian(parameters, num_queries=1, sensitivity=1):
    """Find the least Gaussian noise for a budget."""
    return _smallest(privacy.Gaussian, parameters, num_queries, sensitivity)


def sampled_gaussian(parameters, num_queries=1, sensitivity=1, sampling_prob=1):
    """Find the least noise for sampled Gaussian releases."""
    return _smallest(
        privacy.SampledGaussian, parameters, num_queries, sensitivity,
        rate=sampling_prob,
    )  # fmt: skip


def composed(parameters, num_queries, total_delta):
    """Price k (ε, δ)-private releases."""
    one = privacy.Approximate(
        parameters.epsilon, parameters.delta, relation=Relation.ADD_REMOVE
    )
    one = one if parameters.delta else privacy.Pure(
        parameters.epsilon, relation=Relation.ADD_REMOVE)  # fmt: skip
    try:
        return accounting.epsilon_of(
            privacy.Composed((one,) * num_queries), total_delta
        )
    except ValueError:
        return None


def smallest_epsilon(total, num_queries, delta):
    """Find the ε of each of k (ε, δ)-private releases."""

    def event(inverse):
        one = privacy.Approximate(1 / inverse, delta, relation=Relation.ADD_REMOVE)
        one = one if delta else privacy.Pure(1 / inverse, relation=Relation.ADD_REMOVE)
        return privacy.Composed((one,) * num_queries)

    if total.delta == 0:
        return total.epsilon / num_queries
    try:
        return 1 / accounting.calibrate(event, total.epsilon, total.delta)
    except ValueError:
        return None


logging.getLogger("absl").setLevel(logging.ERROR)
for place in (pld_privacy_accountant, dp_accounting.pld):
    place.PLDAccountant = Answers
for place in (rdp_privacy_accountant, dp_accounting.rdp):
    place.RdpAccountant = RenyiAnswers
    place.compute_epsilon = best_epsilon
rdp_privacy_accountant.compute_delta = best_delta
rdp_privacy_accountant._compute_log_a = log_a
rdp_privacy_accountant._compute_rdp_poisson_subsampled_gaussian = sampled_divergences
gaussian_mechanism.get_sigma_gaussian = sigma_of
gaussian_mechanism.get_epsilon_gaussian = gaussian_epsilon
accountant.get_smallest_laplace_noise = laplace
accountant.get_smallest_discrete_laplace_noise = discrete_laplace
accountant.get_smallest_gaussian_noise = gaussian
accountant.get_smallest_subsampled_gaussian_noise = sampled_gaussian
accountant.advanced_composition = composed
accountant.get_smallest_epsilon_from_advanced_composition = smallest_epsilon
