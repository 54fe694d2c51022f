"""A fleet of devices. One call from who takes part to the noise and its price."""

from dataclasses import dataclass

from ... import checks
from ...accounting import epsilon_of, noise_multiplier
from ...privacy import Gaussian, Relation
from ..matrices.matrix_mechanism import MatrixMechanism
from ..matrices.multi_participation import multi_participation_factorization


@dataclass(frozen=True)
class FleetPlan:
    r"""What a fleet's training will cost each device, and how much noise it has.

    Parameters
    ----------
    mechanism : MatrixMechanism
        The noise, and the rule by which devices take part.
    event : Gaussian
        What all rounds together cost one device.
    epsilon, delta : float
        Its price, :math:`(\varepsilon, \delta)`.
    average_noise : float
        The deviation of a coordinate of the sum of all rounds' averages so far, in clip
        norms: root mean square over the rounds.
    least_noise : float
        A lower bound on the mean noise of every factorization, at this price and rule.

    Examples
    --------
    >>> plan_fleet(1000, cohort=20, steps=400, separation=50, memory=1, epsilon=8.0,
    ...            delta=1e-6).mechanism.participations
    8
    """

    mechanism: MatrixMechanism
    event: Gaussian
    epsilon: float
    delta: float
    average_noise: float
    least_noise: float

    @property
    def noise_multiplier(self) -> float:
        r""":math:`\lambda`, of all rounds together."""
        return self.event.noise_multiplier


def plan_fleet(
    devices: int,
    *,
    cohort: int,
    steps: int,
    separation: int,
    epsilon: float,
    delta: float,
    participations: int | None = None,
    memory: int | None = None,
    relation: Relation = Relation.ZERO_OUT,
) -> FleetPlan:
    r"""Plan noise and price for a fleet whose devices return after d rounds or more.

    Parameters
    ----------
    devices : int
        :math:`N`, how many devices there are: enough for the rounds.
    cohort : int
        :math:`m`, how many of them a round expects.
    steps : int
        :math:`T`, the rounds.
    separation : int
        :math:`d`, the least number of rounds between two turns of a device.
    epsilon, delta : float
        The privacy of each device, :math:`(\varepsilon, \delta)`, for all rounds.
    participations : int, optional
        :math:`k`, the turns of a device at most; by default all that fit,
        :math:`\lceil T/d\rceil`.
    memory : int, optional
        How many vectors the server may keep for its noise; None is no limit.
    relation : Relation, optional
        Whether a device's records are taken away or replaced.

    Returns
    -------
    FleetPlan
        The mechanism and the event that ``federated_ftrl`` will have.

    Examples
    --------
    >>> plan = plan_fleet(10_000, cohort=30, steps=2000, separation=314, memory=1,
    ...                   participations=6, epsilon=8.0, delta=1e-10)
    >>> round(plan.noise_multiplier, 3), round(plan.average_noise, 3)
    (0.834, 0.274)
    """
    N, m, T, d = checks.count(
        devices=devices, cohort=cohort, steps=steps, separation=separation
    )
    d = min(d, T)
    most = -(-T // d)
    k = most if participations is None else checks.count(participations=participations)
    k = min(k, most)
    if m * d > N or m * T > k * N:
        raise ValueError(
            f"`devices` must be at least {max(m * d, -(-m * T // k))}, got {N}: {T} "
            f"rounds of {m} devices, with turns {d} rounds apart and no more than {k} "
            "for each, need so many. Take smaller cohorts, fewer rounds or a shorter "
            "separation."
        )
    delta = checks.probability(delta=delta)
    lam = noise_multiplier(epsilon, delta, relation=relation)
    mechanism, certificate = multi_participation_factorization(
        T, participations=k, separation=d, memory=memory
    )
    event = mechanism.event(lam, relation=relation)
    return FleetPlan(
        mechanism,
        event,
        epsilon_of(event, delta),
        delta,
        lam * mechanism.mean_error / m,
        lam * certificate.lower_bound / m,
    )
