"""Section 6.1. Randomized response: each person lies with a known probability."""

import math

import numpy as np

from .. import checks
from ..arrays import Rng, as_rng
from ..privacy import Pure, Relation, Release


def randomized_response_probabilities(classes: int, *, epsilon: float) -> np.ndarray:
    r"""Compute how probable each report is, given each true answer.

    Parameters
    ----------
    classes : int
        :math:`K`, how many answers there are, at least 2.

    Returns
    -------
    ndarray
        Shape ``(K, K)``: row = true answer, column = report. The truth has probability
        :math:`e^{\varepsilon}/(e^{\varepsilon} + K - 1)`, each other answer
        :math:`e^{-\varepsilon}` times as much.

    Examples
    --------
    >>> randomized_response_probabilities(2, epsilon=math.log(3))
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    classes = checks.count(2, classes=classes)
    checks.fits(classes**2, classes=classes)
    epsilon = checks.positive(epsilon=epsilon)
    lie = math.exp(-epsilon)
    table = np.full((classes, classes), lie)
    np.fill_diagonal(table, 1.0)
    return table / (1 + (classes - 1) * lie)


def randomized_response(
    answers: np.ndarray,
    *,
    classes: int,
    epsilon: float,
    rng: Rng,
    relation: Relation,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Report each person's answer or, sometimes, a different one: ε-private.

    Parameters
    ----------
    answers : ndarray
        Whole numbers from 0 to K − 1, shape ``(n,)``, one for each person.
    classes : int
        :math:`K`, how many answers there are, at least 2.
    epsilon : float
        :math:`\varepsilon`, for each person, who need not trust anybody else.
    rng : int, Generator or None
        The source of the lies.
    relation : Relation
        ``REPLACE``: one person's answer is changed to any other. A report shows that
        somebody answered, so other relations are refused.

    Returns
    -------
    Release
        ``theta``, int64, shape ``(*runs, n)``, the reports, with the event of one
        person.

    References
    ----------
    * Warner (1965), Randomized Response: A Survey Technique for Eliminating Evasive
      Answer Bias.

    Examples
    --------
    >>> truth = np.array([1, 1, 0, 1, 0, 0, 1, 1])
    >>> out = randomized_response(truth, classes=2, epsilon=1.0, rng=0,
    ...                           relation=Relation.REPLACE)
    >>> out.theta
    array([1, 1, 0, 1, 1, 1, 1, 1])
    """
    _check(answers, classes, epsilon)
    runs = checks.shape(answers.shape[0], runs=runs)
    classes = checks.count(2, classes=classes)
    epsilon = checks.positive(epsilon=epsilon)
    if relation is not Relation.REPLACE:
        checks.instance(Relation, relation=relation)
        raise ValueError(
            f"`relation` must be Relation.REPLACE, got {relation!r}. A report shows "
            "that somebody answered and hides only the answer."
        )
    rng, event = as_rng(rng), Pure(epsilon, relation=relation)
    K, shape = classes, (*runs, *answers.shape)

    # 1: π ← e^ε / (e^ε + K − 1)
    truth = 1 / (1 + (K - 1) * math.exp(-epsilon))
    # 2: each person tosses a coin: with probability 1 − π, lie
    lies = rng.random(shape) >= truth
    # 3: a lie is one of the K − 1 other answers, each as probable: 1 to K − 1 places
    # on from the true one, round the circle (which bytes would overflow)
    step = 1 + np.floor(rng.random(shape) * (K - 1)).astype(np.int64)
    # 4: return the reports
    theta = (answers.astype(np.int64) + lies * step) % K
    return Release(theta=theta, path=theta[None, ...], event=event)


def _check(answers: np.ndarray, classes: int, epsilon: float) -> None:
    classes = checks.count(2, classes=classes)
    epsilon = checks.positive(epsilon=epsilon)
    whole = isinstance(answers, np.ndarray) and answers.dtype.kind in "iu"
    # what is masked would stay so in what is published, and tell of itself
    if not whole or isinstance(answers, np.ma.MaskedArray):
        raise TypeError(
            f"`answers` must be a NumPy array of whole numbers, none of them masked, "
            f"got {checks.shown(answers)}. "
            "Convert it: numpy.asarray(answers, dtype=int)."
        )
    if answers.ndim != 1 or answers.size == 0:
        raise ValueError(
            f"`answers` must have shape (n,), n at least 1, got {answers.shape}. "
            "Reshape it first; without people there are no reports."
        )
    if answers.min() < 0 or answers.max() >= classes:
        raise ValueError(
            f"`answers` must be from 0 to {classes - 1}, got one that is not. Recode "
            "them, or raise `classes`."
        )
