"""Beyond trees. One call for many passes: the best noise that fits into a memory."""

from collections.abc import Iterator
from dataclasses import dataclass

from ... import checks
from .dual_certificate import DualCertificate
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


@dataclass(frozen=True)
class ErrorCertificate:
    r"""What no factorization's mean error is below, and how that was proved.

    Parameters
    ----------
    lower_bound : float
        At noise multiplier 1, under the rule by which records take part.
    method : str
        How it was computed, in words.
    proof : DualCertificate or None
        The random record that proves it, to be checked by anybody: one singular value
        decomposition gives the bound again. None if a formula gives it.

    Examples
    --------
    >>> _, certificate = multi_participation_factorization(64, epochs=4)
    >>> certificate.method
    'the best random record for passes in one order'
    >>> certificate.proof.lower_bound == certificate.lower_bound
    True
    """

    lower_bound: float
    method: str
    proof: DualCertificate | None = None


def multi_participation_factorization(
    steps: int,
    *,
    epochs: int | None = None,
    participations: int | None = None,
    separation: int | None = None,
    memory: int | None = None,
) -> tuple[MatrixMechanism, ErrorCertificate]:
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
    tuple of MatrixMechanism and ErrorCertificate
        The best of what was tried: its encoder is the factorization, and its ``event``
        what training with it costs. And what bounds the mean error of every
        factorization under this rule from below, whatever its memory.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or not exactly one rule is given.

    Notes
    -----
    Tried are up to 16 bands of C⁻¹, up to three buffers, as many bands of C as fit into
    the memory and the separation, and for epochs the dense optimum. What comes within
    10⁻⁵ of the lower bound ends the search.

    Examples
    --------
    >>> best, certificate = multi_participation_factorization(64, epochs=4)
    >>> round(best.mean_error, 5), round(certificate.lower_bound, 5)
    (4.40785, 4.40785)
    >>> best.event(4.0)
    Gaussian(noise_multiplier=4.0, releases=1, relation=Relation.ZERO_OUT)
    >>> phone, _ = multi_participation_factorization(
    ...     2000, participations=6, separation=314, memory=2)
    >>> round(phone.mean_error, 2), type(phone.encoder).__name__
    (9.24, 'Buffers')
    """
    rule = _rule(steps, epochs, participations, separation)
    most = rule["steps"] - 1 if memory is None else checks.count(0, memory=memory)
    dense, certificate = _certified(**rule)
    best = None
    for encoder in _encoders(most, dense, **rule):
        tried = MatrixMechanism(encoder, **rule)
        if best is None or tried.mean_error < best.mean_error:
            best = tried
        if best.mean_error <= (1 + 1e-5) * certificate.lower_bound:
            break
    assert best is not None  # bands of C⁻¹ fit into any memory
    return best, certificate


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
    dense: Factorization | None,
    *,
    steps: int,
    participations: int,
    separation: int,
    equally_spaced: bool = False,  # noqa: ARG001  (then there is the dense optimum)
) -> Iterator[Factorization | ToeplitzEncoder]:
    """Make the encoders that fit into the memory."""
    if dense is not None and memory >= dense.memory:
        yield dense
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


def _certified(
    *, steps: int, participations: int, separation: int, equally_spaced: bool = False
) -> tuple[Factorization | None, ErrorCertificate]:
    """Return the dense optimum, where it is computed, and the highest lower bound."""
    rules = {"participations": participations, "separation": separation}
    dense = None
    bound = ErrorCertificate(
        participation_lower_bound(steps, **rules),
        "the formula of participation_lower_bound",
    )
    if steps > DENSE_STEPS:
        return dense, bound
    if equally_spaced:
        dense, proof = optimal_epochs_factorization(steps, epochs=participations)
        method = "the best random record for passes in one order"
    else:
        proof = separated_certificate(steps, **rules)
        method = "a random record for separated participations"
    if proof.lower_bound >= bound.lower_bound:
        bound = ErrorCertificate(proof.lower_bound, method, proof)
    return dense, bound
