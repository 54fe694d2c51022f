"""Misuses of randomized response, for audits to find. Nothing here is private."""

from collections.abc import Callable

import numpy as np

from .. import checks
from ..mechanisms import randomized_response
from ..privacy import Relation

Survey = Callable[[np.ndarray, np.random.Generator], np.ndarray]
TIMES = 5


def leaky_responses(epsilon: float) -> dict[str, Survey]:
    r"""List randomized response as it should be, and three ways to do it wrong.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, which each way claims.

    Returns
    -------
    dict of str to callable
        Functions of true answers 0 or 1, shape ``(n,)``, and a ``Generator``, by what
        they leave out. They return what a guesser sees about each person, shape
        ``(times, n)``: the reports, one row for each time that everybody was asked.

    Raises
    ------
    ValueError, TypeError
        If ε is not above 0.

    Examples
    --------
    >>> answers = np.ones(4, dtype=int)
    >>> for missing, ask in leaky_responses(1.0).items():
    ...     print(missing, ask(answers, np.random.default_rng(0)).shape)
    nothing (1, 4)
    a memory (5, 4)
    the lies of one side (1, 4)
    a secret (1, 4)
    """
    epsilon = checks.positive(epsilon=epsilon)

    def once(answers: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        release = randomized_response(
            answers, classes=2, epsilon=epsilon, rng=rng, relation=Relation.REPLACE
        )
        return release.theta[None]

    def many(answers: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        # everyone who is asked again tosses new coins, and forgets the old report
        return np.concatenate([once(answers, rng) for _ in range(TIMES)])

    def one_side(answers: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        # only "no" is ever changed: then a report of "no" is surely true
        return np.maximum(answers, once(answers, rng))

    def known(answers: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        # the coins come from a seed that anybody can read; undo them
        seed = int(rng.integers(2**32))
        lied = once(np.zeros_like(answers), np.random.default_rng(seed))
        return once(answers, np.random.default_rng(seed)) ^ lied

    return {
        "nothing": once,
        "a memory": many,
        "the lies of one side": one_side,
        "a secret": known,
    }
