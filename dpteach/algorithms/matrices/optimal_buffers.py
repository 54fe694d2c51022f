"""Beyond trees. The decays and weights of buffers that make the least error."""

from collections.abc import Iterator
from operator import itemgetter

import numpy as np

from ... import checks
from .buffered_toeplitz import Buffers


def optimal_buffers(
    steps: int,
    *,
    buffers: int = 2,
    participations: int = 1,
    separation: int = 1,
    objective: str = "mean",
) -> Buffers:
    r"""Choose the decays and weights of least error, by quasi-Newton steps.

    Parameters
    ----------
    steps : int
        :math:`T`, at least 2; 10⁷ take as long as 100.
    buffers : int, optional
        :math:`m`, at most 8: the stream needs memory for m vectors. Two buffers come
        within 5% of the optimum for T = 1024.
    participations : int, optional
        :math:`k`, how often a record may take part, at most.
    separation : int, optional
        :math:`d`, the least number of steps between two participations.
    objective : {"mean", "max"}, optional
        Which error to minimize: the root of the mean variance, or the largest.

    Returns
    -------
    Buffers
        The best of the local minima that five starts lead to (the problem is not
        convex).

    Notes
    -----
    BLT, buffered linear Toeplitz, is due to Dvijotham and others (2024); for
    phones and records that come again see McMahan and others (2024).

    References
    ----------
    * Dvijotham and others (2024), Efficient and Near-Optimal Noise Generation for
      Streaming Differential Privacy.
    * McMahan, Xu and Zhang (2024), A Hassle-free Algorithm for Private Learning in
      Practice: Don't Use Tree Aggregation, Use BLTs.

    Examples
    --------
    >>> best = optimal_buffers(128, buffers=2)
    >>> round(best.mean_error(128), 4)  # the best of all has 2.3110
    2.3993
    """
    steps = checks.count(2, steps=steps)
    buffers = checks.count(buffers=buffers)
    if buffers > 8:
        raise ValueError(f"`buffers` must be at most 8, got {buffers}. 3 or 4 suffice.")
    participations, separation = checks.count(
        participations=participations, separation=separation
    )
    checks.one_of(("mean", "max"), objective=objective)
    from scipy.optimize import minimize  # scipy here: importing stays fast

    def log_error(x: np.ndarray) -> float:
        if np.abs(x).max() > 30:  # there a decay is 1, but for rounding
            return 100.0
        made = _buffers(x)
        try:
            variance = made.variances(steps)[objective == "max"]
        except ValueError:  # weights that make the noise grow
            return 100.0
        moved = made.sensitivity(
            steps, participations=participations, separation=separation
        )
        return float(np.log(moved.value) + np.log(variance) / 2)

    def descend(x: np.ndarray, gtol: float) -> tuple[float, np.ndarray]:
        found = minimize(
            log_error, x, jac="3-point", method="BFGS", options={"gtol": gtol}
        )
        return found.fun, found.x

    horizon = min(steps, 3 * separation * participations)
    minima = [descend(x, 1e-3) for x in _starts(buffers, horizon)]
    return _buffers(descend(min(minima, key=itemgetter(0))[1], 1e-8)[1])


def _buffers(x: np.ndarray) -> Buffers:
    """Make buffers of logit θ and log ω; the slowest decay comes first."""
    half = len(x) // 2
    order = np.argsort(-x[:half])
    theta, omega = 1 / (1 + np.exp(-x[:half][order])), np.exp(x[half:][order])
    return Buffers(tuple(theta.tolist()), tuple(omega.tolist()))


def _starts(m: int, horizon: int) -> Iterator[np.ndarray]:
    for slow, fast, weight in (
        (1.0, 0.3, 0.0),
        (1.1, 0.3, 0.5),
        (0.8, -1.5, 0.3),
        (0.7, -1.0, 0.8),
        (1.0, -2.0, -0.5),
    ):
        decay = np.linspace(np.log(horizon) * slow, fast, m)
        yield np.concatenate([decay, np.full(m, weight - np.log(2 * m))])
