"""Above-threshold: many looks at private numbers, and one price for all of them."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from .. import checks
from ..arrays import Array, Rng, as_rng, namespace, to_numpy
from ..privacy import Pure, Relation, Release
from ._noise import LARGEST_IN_SCALES


def above_threshold(
    answers: Iterable[float],
    *,
    threshold: float,
    sensitivity: float,
    epsilon: float,
    looks: int,
    rng: Rng,
    relation: Relation,
    monotone: bool = False,
) -> Release:
    r"""Stop at the first answer that lies above a threshold, roughly: ε-private.

    Parameters
    ----------
    answers : iterable of float
        :math:`q_1, q_2, \dots`, read one at a time. Each may depend on the data and on
        the fact that no answer before it was the last.
    threshold : float
        :math:`\tau`, a public number.
    sensitivity : float
        :math:`\Delta`, the most that any one answer changes between neighbors.
    epsilon : float
        :math:`\varepsilon`, for all looks together. The noise on the threshold has the
        scale :math:`2\Delta/\varepsilon`, that on answers :math:`4\Delta/\varepsilon`.
    looks : int
        :math:`T`, how many answers are read at most: a public number.
    monotone : bool, optional
        Whether a record moves all answers the same way, as counts and sums of losses
        do. Then answers need noise of scale :math:`2\Delta/\varepsilon` only.

    Returns
    -------
    Release
        ``theta``, an integer: the place of the answer at which it stopped, from 0, or
        the number of answers if it never did. The noisy answer itself is not published.

    References
    ----------
    * Dwork, Naor, Reingold, Rothblum and Vadhan (2009), On the Complexity of
      Differentially Private Data Release.
    * Lyu, Su and Li (2017), Understanding the Sparse Vector Technique for Differential
      Privacy.

    Examples
    --------
    >>> counts = [3.0, 40.0, 12.0, 900.0, 7.0]
    >>> out = above_threshold(counts, threshold=500.0, sensitivity=1.0, epsilon=0.1,
    ...                       looks=5, rng=0, relation=Relation.ADD_REMOVE)
    >>> int(out.theta), out.event.epsilon
    (3, 0.1)
    """
    threshold = checks.finite(threshold=threshold)
    sensitivity, epsilon = checks.moderate(sensitivity=sensitivity, epsilon=epsilon)
    looks = checks.count(looks=looks)
    checks.flag(monotone=monotone)
    answers = _one_by_one(answers)
    rng, event = as_rng(rng), Pure(epsilon, relation=relation)
    tau, T, stopped = threshold, looks, None
    b1, b2 = 2 * sensitivity / epsilon, (2 if monotone else 4) * sensitivity / epsilon
    far, t = LARGEST_IN_SCALES * b1, -1

    # 1: r ← Lap(b₁)
    r = b1 * rng.laplace()
    # 2: for t = 0, …, T−1 do
    for t, q in enumerate(islice(answers, T)):
        # 3: if q_t + Lap(b₂) ≥ τ + r then return t
        nu = b2 * rng.laplace()
        above = _above(q, tau, far)
        if above + nu >= r:
            stopped = t
            break
    # 4: end for;  return T
    theta = np.asarray(t + 1 if stopped is None else stopped)
    return Release(theta=theta, path=theta[None], event=event)


def _one_by_one(answers: Any) -> Iterator[float]:
    if hasattr(answers, "dtype"):
        checks.array(answers=answers)
        real = ("integral", "real floating")
        if namespace(answers).isdtype(answers.dtype, real) and answers.ndim == 1:
            return iter(answers)
    elif isinstance(answers, Iterable) and not isinstance(
        answers, Mapping | memoryview
    ):
        return iter(answers)
    raise TypeError(
        "`answers` must give one number after the other, got "
        f"{type(answers).__name__}. Hand over a list, a generator or a vector."
    )


def _above(answer: float, threshold: float, far: float) -> float:
    # How far the answer lies above; cut where rounding would swallow the noise.
    answer = checks.answer(answers=answer)
    return min(max(answer - threshold, -far), far)


def above_threshold_probabilities(
    answers: Array, *, threshold: float, threshold_scale: float, answer_scale: float
) -> np.ndarray:
    r"""Compute the probability to stop at each answer, and that of not stopping.

    Parameters
    ----------
    answers : Array
        :math:`q_t`, shape ``(T,)``.
    threshold : float
        :math:`\tau`.
    threshold_scale, answer_scale : float
        :math:`b_1` and :math:`b_2`, the scales of the Laplace noise on the threshold
        and on answers. A scale of 0 for the threshold, no noise, is wrong and allowed.

    Returns
    -------
    ndarray
        Probabilities, shape ``(T + 1,)``, by quadrature over the threshold's noise,
        to 1e-12.

    Examples
    --------
    >>> stops = above_threshold_probabilities(np.array([0.0, 0.0]), threshold=0.0,
    ...                                       threshold_scale=2.0, answer_scale=4.0)
    >>> stops.round(3)
    array([0.5  , 0.208, 0.292])
    """
    checks.finite_array(answers=answers, ndim=1)
    threshold = checks.finite(threshold=threshold)
    b1 = checks.nonnegative(threshold_scale=threshold_scale)
    b1 = checks.moderate(threshold_scale=b1) if b1 else 0.0
    b2 = checks.moderate(answer_scale=answer_scale)
    q = to_numpy(answers).astype(float) - threshold
    rho, weights = _nodes(b1, b2, q)
    x = (rho[:, None] - q) / b2
    half = np.exp(-np.abs(x)) / 2
    stays, stops = np.where(x < 0, half, 1 - half), np.where(x < 0, 1 - half, half)
    alive = np.cumprod(stays, axis=1)
    before = np.hstack([np.ones((len(rho), 1)), alive[:, :-1]])
    last = alive[:, -1:] if q.size else np.ones((len(rho), 1))
    return weights @ np.hstack([before[:, : q.size] * stops, last])


def _nodes(b1: float, b2: float, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    # Gauss–Legendre for the threshold's noise, on pieces between all kinks.
    if b1 == 0:
        return np.zeros(1), np.ones(1)
    reach = 45 * b1
    ends = np.arange(-45, 46) * min(b1, b2)
    ends = np.concatenate([ends, [-reach, 0.0, reach], q]).clip(-reach, reach)
    ends = np.unique(ends)
    nodes, weights = np.polynomial.legendre.leggauss(24)
    half = np.diff(ends)[:, None] / 2
    rho = (ends[:-1, None] + half * (1 + nodes)).ravel()
    mass = (half * weights).ravel() * np.exp(-np.abs(rho) / b1) / (2 * b1)
    return rho, mass / np.sum(mass)
