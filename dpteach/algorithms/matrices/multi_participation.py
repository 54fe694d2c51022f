"""Beyond trees. One call for many passes: the best noise that fits into a memory."""

from collections.abc import Iterator

from ... import checks
from .factorization import Factorization
from .matrix_mechanism import MatrixMechanism
from .optimal_bands import optimal_banded_factorization, optimal_bands
from .optimal_buffers import optimal_buffers
from .optimal_inverse_bands import optimal_inverse_bands
from .optimal_participation import optimal_epochs_factorization
from .participation_bound import participation_lower_bound
from .separated_certificate import separated_certificate
from .toeplitz_encoder import InverseBands, ToeplitzEncoder

DENSE_STEPS = 256  # up to which every entry of an encoder is optimized
LAG_STEPS = 100_000  # up to which every lag is; the work for buffers does not grow


def multi_participation_factorization(
    steps: int,
    *,
    epochs: int | None = None,
    participations: int | None = None,
    separation: int | None = None,
    memory: int | None = None,
) -> tuple[MatrixMechanism, float]:
    r"""Find the noise of least mean error for records that take part several times.

    Parameters
    ----------
    steps : int
        :math:`T`, the sums of all passes. Up to 256 the entries of C are optimized one
        by one; above, one coefficient per lag; above 10⁵, buffers alone.
    epochs : int, optional
        :math:`E`, a divisor of T, for passes in one and the same order.
    participations : int, optional
        :math:`k`, how often a record may take part at most, in place of ``epochs``.
    separation : int, optional
        :math:`d`, the least number of steps between two participations.
    memory : int, optional
        How many vectors a stream may keep for its noise; None is no limit. With 0, the
        last draws are drawn again.

    Returns
    -------
    tuple of MatrixMechanism and float
        The best of what was tried, and a lower bound on the mean error of every
        factorization under this rule, whatever its memory.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or not exactly one rule is given.

    Notes
    -----
    Tried are up to 16 bands of C⁻¹, up to three buffers, as many bands of C as fit into
    the memory and the separation, and for epochs the dense optimum.

    Examples
    --------
    >>> best, bound = multi_participation_factorization(64, epochs=4)
    >>> round(best.mean_error, 5), round(bound, 5)
    (4.40785, 4.40785)
    >>> phone, bound = multi_participation_factorization(
    ...     2000, participations=6, separation=314, memory=2)
    >>> round(phone.mean_error, 2), type(phone.encoder).__name__
    (9.24, 'Buffers')
    """
    rule = _rule(steps, epochs, participations, separation)
    most = rule["steps"] - 1 if memory is None else checks.count(0, memory=memory)
    tried = (MatrixMechanism(encoder, **rule) for encoder in _encoders(most, **rule))
    best = min(tried, key=lambda mechanism: mechanism.mean_error)
    return best, _lower_bound(**rule)


def _rule(
    steps: int, epochs: int | None, participations: int | None, separation: int | None
) -> dict:
    """Return the arguments of a MatrixMechanism, but for its encoder."""
    steps = checks.count(2, steps=steps)
    if epochs is not None and participations is None and separation is None:
        k = checks.count(epochs=epochs)
        if steps % k:
            raise ValueError(f"`epochs` must divide `steps`={steps}, got {epochs}.")
        rule = {"participations": k, "separation": steps // k, "equally_spaced": True}
    elif epochs is None and participations is not None and separation is not None:
        k, d = checks.count(participations=participations, separation=separation)
        # One participation has no spacing: any step, once
        once = {"participations": 1, "separation": steps, "equally_spaced": True}
        rule = {"participations": k, "separation": d} if k > 1 else once
    else:
        raise ValueError(
            "`epochs` must be given, or both `participations` and `separation`, got "
            f"{epochs}, {participations} and {separation}."
        )
    return {"steps": steps, **rule}


def _encoders(
    memory: int,
    *,
    steps: int,
    participations: int,
    separation: int,
    equally_spaced: bool = False,
) -> Iterator[Factorization | ToeplitzEncoder]:
    """Make the encoders that fit into the memory."""
    if memory:
        yield optimal_buffers(
            steps,
            buffers=min(memory, 3),
            participations=participations,
            separation=separation,
        )
        if steps > LAG_STEPS:
            return
    lags = optimal_inverse_bands(
        steps,
        bands=min(1 + (min(memory, 15) or 3), steps),
        participations=participations,
        separation=separation,
    )
    yield InverseBands(lags.coefficients, redraw=not memory)
    bands = min(memory + 1, separation, steps)
    if bands > 1 and steps > DENSE_STEPS:
        yield optimal_bands(steps, bands=bands)
    elif bands > 1:
        yield optimal_banded_factorization(
            steps, bands=bands, participations=participations, separation=separation
        )
    if equally_spaced and memory >= steps - 1 and steps <= DENSE_STEPS:
        yield optimal_epochs_factorization(steps, epochs=participations)[0]


def _lower_bound(
    *, steps: int, participations: int, separation: int, equally_spaced: bool = False
) -> float:
    rules = {"participations": participations, "separation": separation}
    bound = participation_lower_bound(steps, **rules)
    if steps > DENSE_STEPS:
        return bound
    if equally_spaced:
        proof = optimal_epochs_factorization(steps, epochs=participations)[1]
    else:
        proof = separated_certificate(steps, **rules)
    return max(bound, proof.lower_bound)
