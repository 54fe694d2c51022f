"""Noise that cannot exceed some bound, found by replaying draws that exceed any.

Many runs would be needed to see that Gaussian noise is cut at 4 deviations, or that it
is a sum of 12 uniform numbers. Chosen draws show it in a few calls, without chance.
"""

from collections.abc import Callable
from math import prod

import numpy as np

from ..auditing import NotGaussian, Tape
from ..auditing.tape import of_kind
from .report import Fault

_UNIFORM = ("random", "uniform")


class _Uniforms(np.random.Generator):
    """Replay uniform numbers in the order in which they are drawn; then others.

    The others differ from each other, so that code which rejects some comes to an end.
    """

    def __init__(self, numbers: np.ndarray) -> None:
        super().__init__(np.random.PCG64(0))
        self.numbers, self.draws = numbers, 0

    def random(self, size=None, dtype=np.float64, out=None):
        like = super().random(size, dtype, out)  # refuses what NumPy refuses
        shape = np.shape(like)
        first, self.draws = self.draws, self.draws + prod(shape)
        found = self.numbers[first : self.draws]
        others = super().random(prod(shape) - found.size)
        draw = np.concatenate([found, others]).reshape(shape)
        if out is None:
            return of_kind(like, draw)
        out[...] = draw
        return out

    def uniform(self, low=0.0, high=1.0, size=None):
        like = super().uniform(low, high, size)
        low, high = np.asarray(low, float), np.asarray(high, float)
        draw = low + (high - low) * self.random(np.shape(like))
        return of_kind(like, draw)


class Laplaces(np.random.Generator):
    """Replay Laplace draws of given standard sizes, in order; then zeros."""

    def __init__(self, sizes: np.ndarray) -> None:
        super().__init__(np.random.PCG64(0))
        self.sizes, self.draws = sizes, 0

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Replay loc + scale · z."""
        like = super().laplace(loc, scale, size)  # refuses what NumPy refuses
        many = np.size(like)
        found = self.sizes[self.draws : self.draws + many]
        self.draws += many
        z = np.concatenate([found, np.zeros(many - found.size)]).reshape(np.shape(like))
        draw = np.asarray(loc, float) + np.asarray(scale, float) * z
        return of_kind(like, draw)


def demand_uncut_laplace(
    run: Callable[[np.random.Generator], np.ndarray], what: str
) -> None:
    """Demand that noise from ``rng.laplace`` is not cut; other noise is not looked at.

    A cut at 8 scales concerns a draw in 3,000: no sample of usual size shows it.
    """

    def play(sizes: np.ndarray) -> tuple[np.ndarray, int]:
        replayed = Laplaces(sizes)
        tape = Tape(others=replayed)
        found = run(tape)
        alone = not tape.draws and set(tape.other) == {"laplace"}
        return found, replayed.draws if alone else 0

    try:
        still, draws = play(np.zeros(0))
        signs = np.random.default_rng(7).choice([-1.0, 1.0], size=draws)
        near, far, farther = (play(size * signs)[0] for size in (1, 50, 100))
    except NotGaussian:
        return
    if np.allclose(near, still, rtol=1e-12, atol=0):  # no draw gets through
        return
    if np.allclose(far - still, farther - still, rtol=1e-3, atol=0):
        raise Fault(
            f"{what}, when all Laplace numbers that you draw are 50 scales from 0",
            "the same as when they are 100 from 0",
            "twice as much",
            "Is the noise cut, or drawn again where it is large? Laplace noise has no "
            "bound, and where its tails end, an output gives the data away. Or is the "
            "result cut? At public limits that is private, but it is not the number "
            "that is asked for.",
        )


def demand_unbounded(
    run: Callable[[np.random.Generator], np.ndarray], what: str
) -> None:
    """Demand that noise is not cut, and is no sum of uniform numbers.

    ``run`` takes a generator. Noise that is drawn in other ways is not looked at.
    """
    uniforms = _Uniforms(np.zeros(0))
    tape = Tape(others=uniforms)
    try:
        run(tape)
        if tape.draws and not tape.other:
            _demand_uncut(run, tape.draws, what)
        elif tape.other and set(tape.other) <= set(_UNIFORM) and not tape.draws:
            _demand_no_sum(run, uniforms.draws, what)
    except NotGaussian:
        return


def _demand_uncut(run: Callable, draws: int, what: str) -> None:
    signs = np.random.default_rng(7).choice([-1.0, 1.0], size=draws)
    far, farther = run(Tape(50 * signs)), run(Tape(100 * signs))
    if np.allclose(far, farther, rtol=1e-9):
        raise Fault(
            f"{what}, when all normals that you draw are 50 deviations from 0",
            "the same as when they are 100 from 0",
            "twice as much",
            "Is the noise cut, or drawn again where it is large? Gaussian noise has no "
            "bound, and the guarantee needs its tails.",
        )


def _demand_no_sum(run: Callable, draws: int, what: str) -> None:
    # What is affine in the uniform numbers, along random lines, is a weighted sum.
    for u, v in np.random.default_rng(7).random((4, 2, draws)):
        start, end, middle = (
            run(Tape(others=_Uniforms(each))) for each in (u, v, (u + v) / 2)
        )
        if np.allclose(start, end) or not np.allclose(2 * middle, start + end):
            return
    raise Fault(
        f"the distribution of {what}",
        "a weighted sum of the uniform numbers that you draw",
        "Gaussian noise",
        "Such a sum has a largest possible value, however many numbers it has, and "
        "where its tails end, an output gives the data away. Draw from rng.normal.",
    )
