"""Beyond trees. Which sampling, with which noise: all of them at one price."""

from collections.abc import Callable, Iterator

import numpy as np

from ... import checks
from ...accounting import calibrate, noise_multiplier
from ...arrays import Rng, as_rng
from ...privacy import Approximate, Gaussian, Relation, SampledGaussian
from ._random_visits import Bins, Separated
from ._weighed_draws import delta_bound, visits_of
from .multi_participation import multi_participation_factorization
from .optimal_bands import optimal_bands
from .sampled_mechanism import SampledMechanism
from .toeplitz_encoder import Bands

KEPT = Relation.ZERO_OUT
FAILURE = 1e-9  # how likely one simulated price may be wrong


def sampled_mechanisms(
    steps: int,
    *,
    epochs: int,
    epsilon: float,
    delta: float,
    memory: int | None = None,
    draws: int = 1 << 18,
    rng: Rng,
) -> tuple[SampledMechanism, ...]:
    r"""Compare ways to draw batches, each with its best noise, at one (ε, δ).

    A batch has E/T of the records: exactly in a fixed order, elsewhere on average.

    Parameters
    ----------
    steps : int
        :math:`T`.
    epochs : int
        :math:`E`, a divisor of T: how often a record comes on average.
    epsilon, delta : float
        :math:`(\varepsilon, \delta)`, for all steps together, if a record is zeroed
        out.
    memory : int, optional
        How many vectors a stream may keep for its noise; None is no limit.
    draws : int, optional
        Of each simulated price. More of them prove smaller noise.
    rng : int, Generator or None
        Where simulated outcomes come from. No record has a part in them.

    Returns
    -------
    tuple of SampledMechanism
        One for each sampling, that of the least mean error first.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or ``epochs`` does not divide ``steps``.

    Notes
    -----
    Prices by coins and of a fixed order are exact. Those of balls and bins and of
    b-min-sep are upper bounds from ``simulated_delta``, each wrong with probability
    10⁻⁹ at most, and say no more than (ε, δ). Tried are 1, 2, 4, … optimized bands.

    References
    ----------
    * Choquette-Choo and others (2023), (Amplified) Banded Matrix Factorization: A
      Unified Approach to Private Training.

    Examples
    --------
    >>> budget = {"epsilon": 4.0, "delta": 1e-4}
    >>> for each in sampled_mechanisms(32, epochs=2, **budget, draws=2**14, rng=0):
    ...     print(f"{each.sampling}: {each.mean_error:.1f}")
    balls and bins: 2.0
    b-min-sep: 2.2
    fixed order: 2.6
    cyclic Poisson: 2.6
    Poisson: 3.1
    """
    T, E = checks.count(2, steps=steps), checks.count(epochs=epochs)
    if T % E:
        raise ValueError(f"`epochs` must divide `steps`={T}, got {E}.")
    epsilon, delta = (
        checks.positive(epsilon=epsilon),
        checks.probability(delta=delta),
    )
    most = T - 1 if memory is None else checks.count(0, memory=memory)
    draws, rng = checks.count(draws=draws), as_rng(rng)
    widths = [b for b in (2**j for j in range(54)) if b <= min(most + 1, T // E)]
    encoders = [optimal_bands(T, bands=b) for b in widths]
    mechanisms = [
        _fixed_order(T, E, memory, epsilon, delta),
        *_by_coins(T, E, encoders, epsilon, delta),
        *_simulated(T, E, encoders, epsilon, delta, draws, rng),
    ]
    return tuple(sorted(mechanisms, key=lambda each: each.mean_error))


def _fixed_order(
    T: int, E: int, memory: int | None, epsilon: float, delta: float
) -> SampledMechanism:
    best, _ = multi_participation_factorization(T, epochs=E, memory=memory)
    multiplier = noise_multiplier(epsilon, delta, relation=KEPT)
    sigma = multiplier * best.sensitivity.value
    event = Gaussian(multiplier, relation=KEPT)
    return SampledMechanism("fixed order", best.encoder, T, T // E, 1.0, sigma, event)


def _by_coins(
    T: int, E: int, encoders: list[Bands], epsilon: float, delta: float
) -> Iterator[SampledMechanism]:
    """Yield that of Poisson sampling, and the best of cyclic Poisson sampling."""
    tried = []
    for C in encoders:
        b = len(C.coefficients)
        rate, turns = b * E / T, -(-T // b)
        multiplier = calibrate(
            lambda z, q=rate, k=turns: SampledGaussian(
                z, rate=q, releases=k, relation=KEPT
            ),
            epsilon,
            delta,
        )
        event = SampledGaussian(multiplier, rate=rate, releases=turns, relation=KEPT)
        sigma = multiplier * float(np.linalg.norm(C.coefficients))
        name = "cyclic Poisson" if b > 1 else "Poisson"
        tried.append(SampledMechanism(name, C, T, b, rate, sigma, event))
    yield tried[0]
    if tried[1:]:
        yield min(tried[1:], key=lambda each: each.mean_error)


def _simulated(
    T: int,
    E: int,
    encoders: list[Bands],
    epsilon: float,
    delta: float,
    draws: int,
    rng: np.random.Generator,
) -> Iterator[SampledMechanism]:
    """Yield the best of balls and bins, and of b-min-sep sampling."""
    event, bins = Approximate(epsilon, delta, relation=KEPT), T // E
    multiplier = noise_multiplier(epsilon, delta, relation=KEPT)
    for name in ("balls and bins", "b-min-sep"):
        tried = []
        for C in encoders:
            b = bins if name == "balls and bins" else len(C.coefficients)
            p = None if name == "balls and bins" else 1 / (bins - b + 1)
            if b == 1 or p == 1.0:
                continue  # Poisson sampling, or balls and bins

            def visits(sigma: float, C: Bands = C, b: int = b, p: float | None = p):
                return visits_of(C.encoder_column(T) / sigma, b, p)

            # If all knew the visits, this would be enough
            enough = multiplier * visits(1.0).largest() ** 0.5
            sigma = _pilot(visits, enough, epsilon, delta, draws, rng)
            candidate = SampledMechanism(name, C, T, b, p or 1.0, sigma, event)
            tried.append((candidate, visits, enough))
        if tried:
            best, visits, enough = min(tried, key=lambda each: each[0].mean_error)
            sigma = best.noise_multiplier
            sigma = _proved(visits, sigma, enough, epsilon, delta, draws, rng)
            yield SampledMechanism(
                name, best.encoder, T, best.separation, best.probability, sigma, event
            )


def _pilot(
    visits_at: Callable[[float], Bins | Separated],
    enough: float,
    epsilon: float,
    delta: float,
    draws: int,
    rng: np.random.Generator,
) -> float:
    """Guess, from few outcomes, which noise will be proved to suffice."""
    low, high = enough / 30, enough
    few = -(-draws // 32)
    for _ in range(8):
        middle = (low * high) ** 0.5
        if delta_bound(visits_at(middle), epsilon, few, draws, FAILURE, rng) <= delta:
            high = middle
        else:
            low = middle
    return high


def _proved(
    visits_at: Callable[[float], Bins | Separated],
    sigma: float,
    enough: float,
    epsilon: float,
    delta: float,
    draws: int,
    rng: np.random.Generator,
) -> float:
    """Return the first of ever larger noises that fresh outcomes prove to suffice."""
    beta = FAILURE  # all tries together fail with no larger probability
    while sigma < enough:
        beta = beta / 2
        if delta_bound(visits_at(sigma), epsilon, draws, draws, beta, rng) <= delta:
            return sigma
        sigma *= 1.01 * (FAILURE / beta) ** 0.01
    return enough
