"""The exact price of an optimizer whose gradients an adversary chooses."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from .. import checks, losses
from ..arrays import Array, clip
from ..constraints import Everywhere
from ..privacy import Relation
from ..problem import Problem
from .exact import exact_mu
from .tape import noise_map

# 2^16 sign patterns of the gradients take a second or so.
_MOST_STEPS = 16


class _Script(Problem):
    """One record whose gradient in each step is given, for every model."""

    def follow(self, gradients: np.ndarray) -> "_Script":
        object.__setattr__(self, "gradients", iter(gradients))
        return self

    def clipped_gradient(
        self,
        theta: Array,
        clip_norm: float,
        rows: Array | None = None,  # noqa: ARG002  (the record takes part each time)
    ) -> Array:
        given = next(self.__dict__["gradients"], None)
        if given is None:
            raise _wrong_steps("more")
        return clip(np.full(theta.shape, given), clip_norm)


def _wrong_steps(how: str) -> ValueError:
    return ValueError(
        "`steps` must be the number of times that `release` asks for a gradient, "
        f"which is {how}. Give both the same number of steps."
    )


def adaptive_audit(
    release: Callable[[Problem, np.random.Generator], Any],
    *,
    steps: int,
    relation: Relation,
    scale: float = 1.0,
) -> float:
    r"""Compute the μ of a Gaussian optimizer, over the gradients of one record.

    In each step the record's gradient is set by hand, so that the noise map and the
    effect of every step are recovered from the running code. From these follows the μ
    of the worst sequence of signs, because a record may pull one way now and the other
    way later. A sequence that never changes would miss noise that is used twice.

    For one weight this is the exact μ. For more weights it is exact if no two steps
    work against each other, as with independent or prefix-sum noise; otherwise it is a
    lower bound, because gradients at an angle can cost more than any signs (O-07).

    Parameters
    ----------
    release : callable
        Takes a ``Problem`` with one weight and a ``Generator``, returns all that is
        published: ``lambda D, rng: dp_sgd(D, ..., rng=rng).path``. It must ask the
        problem for its gradient once per step, and have no constraint.
    steps : int
        :math:`T`, at most 16: all :math:`2^T` sequences are tried.
    scale : float, optional
        How long the gradients are before clipping. At 10, a missing clip shows.

    Returns
    -------
    float
        :math:`\mu`, infinite if some difference carries no noise.

    Raises
    ------
    NotGaussian
        If the release is not affine in its noise.
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> from dpteach import Relation, dp_sgd
    >>> def path(D, rng):
    ...     return dp_sgd(D, clip_norm=1.0, steps=4, noise_multiplier=4.0,
    ...                   learning_rate=1.0, rng=rng).path
    >>> round(adaptive_audit(path, steps=4, relation=Relation.ADD_REMOVE), 9)  # √4/4
    0.5
    """
    _check(release, steps)
    checks.instance(Relation, relation=relation)
    scale = checks.moderate(scale=scale)
    record = _Script(np.ones((1, 1)), np.ones(1), losses.linear, Everywhere())

    def run(gradients: np.ndarray) -> Callable[[np.random.Generator], Any]:
        def mechanism(rng: np.random.Generator) -> Any:
            out = release(record.follow(gradients), rng)
            if next(record.__dict__["gradients"], None) is not None:
                raise _wrong_steps("less")
            return out

        return mechanism

    silent = noise_map(run(np.zeros(steps)))
    # Column t: how far the release moves when the record pulls in step t alone.
    effect = np.stack(
        [noise_map(run(scale * row)).mean - silent.mean for row in np.eye(steps)],
        axis=1,
    )
    # A sequence and its negative are equally far apart: the first sign may be fixed.
    patterns = (np.array((1, *signs)) for signs in product((1, -1), repeat=steps - 1))
    return relation.sensitivity * max(
        exact_mu(silent.matrix, effect @ signs) for signs in patterns
    )


def _check(release: Any, steps: Any) -> None:
    if not callable(release):
        raise TypeError(
            f"`release` must be a function of a problem and a generator, got "
            f"{release!r}. Wrap the call: lambda D, rng: dp_sgd(D, ..., rng=rng).path."
        )
    steps = checks.count(steps=steps)
    if steps > _MOST_STEPS:
        raise ValueError(
            f"`steps` must be at most {_MOST_STEPS}, got {steps}. All 2^steps "
            "sequences of gradients are tried; audit a shorter run."
        )
