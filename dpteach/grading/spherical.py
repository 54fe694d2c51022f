"""Noise of density ∝ exp(−‖z‖₂/s): replayed where that is possible, else measured.

Its direction is uniform, and its length is gamma distributed with shape p. Code that
draws the one from p normals and the other from gamma variables is read exactly.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..auditing import NotGaussian, Tape
from ..auditing.tape import of_kind
from .distributions import demand_standard_normal, distance_by_chance, normal_distance
from .report import Fault

# The methods of rng that draw gamma variables, up to a scale: they are replayed.
_GAMMA = ("gamma", "standard_gamma", "exponential", "standard_exponential", "chisquare")

_MOST_NORMALS = 1000  # those beyond are replayed as zeros, and give no direction
# So many signs are alike with probability 2^-63.
SIGNS = 64
_STEP = 1e-12  # keeps a uniform number away from 0 and 1, where normals are infinite


def demand_both_signs(noise: np.ndarray, what: str) -> None:
    """Demand noise on both sides of 0 in one dimension: in so many runs it is sure.

    Noise that is always 0 is on neither.
    """
    if (noise >= 0).all() or (noise <= 0).all():
        raise Fault(
            f"the sign of {what}",
            f"the same in {noise.size} runs",
            "either sign, with probability 1/2",
            "In one dimension there are two directions. Is one of them left out?",
        )


def mean_length_by_chance(rows: int, p: int, rate: float) -> tuple[float, float]:
    """Bound the mean length of ``rows`` draws at s = 1, on both sides."""
    # A sum of gamma variables of shape p is one of shape rows · p: this is exact.
    from scipy.special import gammaincinv

    low, high = (gammaincinv(rows * p, q) for q in (rate / 2, 1 - rate / 2))
    return float(low) / rows, float(high) / rows


def uniform_as_normal(u: np.ndarray) -> np.ndarray:
    """Turn uniform numbers into standard normals."""
    from scipy.special import ndtri

    return ndtri(np.clip(u, _STEP, 1 - _STEP))


def length_as_normal(length: np.ndarray, p: int) -> np.ndarray:
    """Turn lengths of the noise at s = 1 into standard normals."""
    from scipy.special import gammainc

    return uniform_as_normal(gammainc(p, length))


def unit_rows(z: np.ndarray, what: str) -> np.ndarray:
    """Scale each row to length 1; demand that none is 0."""
    length = np.linalg.norm(z, axis=1, keepdims=True)
    if not length.all():
        raise Fault(
            what,
            "a vector of length 0",
            "none: that happens with probability 0",
            "Is some of the noise rounded, or left out?",
        )
    return z / length


def demand_uniform_angle(unit: np.ndarray, told: str, rate: float) -> None:
    """Demand that rows of length 1 in the plane prefer no direction.

    With 3,000 rows a distribution at a distance of 0.08 is caught, also one that
    prefers the diagonals to the axes, and entries of correlation 0.25.
    """
    x, y = unit.T
    quarter = np.arctan2(np.abs(y), np.abs(x)) / (np.pi / 2)
    eighth = 2 * np.minimum(quarter, 1 - quarter)  # uneven for a square
    most = distance_by_chance(len(unit), rate / 4)
    for angle, name in (
        (np.arctan2(y, x) / (2 * np.pi) + 0.5, "angle"),
        (eighth, "angle, folded into an eighth"),
    ):
        distance = normal_distance(uniform_as_normal(angle))
        if distance > most:
            raise Fault(
                f"the {name}, of {told}",
                f"Kolmogorov distance {distance:.3f} from a uniform angle",
                f"at most {most:.3f}, which is chance",
                "No direction may be more likely than another.",
            )
    _demand_no_axis(x, y, told, rate / 4)


def _demand_no_axis(x: np.ndarray, y: np.ndarray, told: str, rate: float) -> None:
    """Demand that twice the angle has no mean direction; correlation gives it one."""
    t = math.log(2 / rate) / len(x)
    most = t / 3 + math.sqrt((t / 3) ** 2 + t)  # Bernstein's bound, at variance 1/2
    for mean in ((x**2 - y**2).mean(), (2 * x * y).mean()):
        if abs(mean) > most:
            raise Fault(
                f"the axis, of {told}",
                f"a mean of {mean:.3f} of the doubled angle's cosine or sine",
                f"{-most:.3f} to {most:.3f}, which is chance",
                "No axis may be more likely than another: are the entries of a vector "
                "drawn independently of each other?",
            )


class _Sizes(np.random.Generator):
    """Replay gamma variables of scale 1 by given sizes, in order; then by ones.

    ``shapes`` lists the shapes that were asked for. An exponential variable has shape
    1, and half of a chi-square variable with k degrees of freedom has shape k/2.
    """

    def __init__(self, sizes: np.ndarray) -> None:
        super().__init__(np.random.PCG64(0))
        self.sizes, self.shapes = sizes, []

    def gamma(self, shape, scale=1.0, size=None):
        like = super().gamma(shape, scale, size)  # refuses what NumPy refuses
        many, first = np.size(like), len(self.shapes)
        shapes = np.broadcast_to(np.asarray(shape, float), np.shape(like))
        self.shapes += shapes.ravel().tolist()
        found = self.sizes[first : len(self.shapes)]
        draw = np.concatenate([found, np.ones(many - found.size)])
        draw = np.asarray(scale, float) * draw.reshape(np.shape(like))
        return of_kind(like, draw)

    def standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
        like = super().standard_gamma(shape, size, dtype, out)
        draw = self.gamma(shape, 1.0, np.shape(like))
        if out is not None:
            out[...] = draw
            return out
        return of_kind(like, np.asarray(draw, dtype))

    def exponential(self, scale=1.0, size=None):
        super().exponential(scale, size)
        return self.gamma(1.0, scale, size)

    def standard_exponential(
        self, size=None, dtype: Any = np.float64, method: Any = "zig", out=None
    ):
        super().standard_exponential(size, dtype, method, out)
        return self.standard_gamma(1.0, size, dtype, out)

    def chisquare(self, df, size=None):
        super().chisquare(df, size)
        return self.gamma(np.asarray(df, float) / 2, 2.0, size)


@dataclass(frozen=True)
class Radial:
    """Noise of uniform direction and of length ``scale`` times a gamma variable.

    Parameters
    ----------
    scale : float
        What multiplies the variable.
    shape : float
        Of the variable: p if the density is ∝ exp(−‖z‖/scale).
    """

    scale: float
    shape: float


def found_radial(noise_of: Callable[[Any], np.ndarray], p: int) -> Radial | str:
    """Find the noise's distribution by replaying chosen draws; else say why not.

    ``noise_of`` takes a generator, and returns noise of shape (p,).
    """
    replayed = _Sizes(np.zeros(0))
    # Ones for all normals: a direction may be made of others than the first p.
    tape = Tape(np.ones(_MOST_NORMALS), others=replayed)
    try:
        noise_of(tape)
        reason = _not_replayable(tape, replayed, p)
        if reason:
            return reason

        def run(normals: np.ndarray, sizes: np.ndarray) -> np.ndarray:
            return noise_of(Tape(normals, others=_Sizes(sizes)))

        return _read(run, p, np.asarray(replayed.shapes))
    except NotGaussian as error:
        return str(error)


def _read(run: Callable, p: int, shapes: np.ndarray) -> Radial | str:
    """Demand the scale times a sum of gamma variables, and the normals' direction."""
    rng, ones = np.random.default_rng(7), np.ones(shapes.size)
    (g, h), sizes = rng.normal(size=(2, p)), rng.exponential(size=shapes.size)
    noise = run(g, ones)
    plain = float(np.linalg.norm(noise))
    if not np.isclose(np.linalg.norm(run(3 * g, ones)), plain):
        return "The length grows with that of the normals. Is your direction of norm 1?"
    parts = np.linalg.norm([run(g, ones + row) for row in np.diag(ones)], axis=1)
    parts, long = parts - plain, np.linalg.norm(run(h, sizes))
    used = np.abs(parts) > 1e-9 * plain
    scale = float(parts[used].mean()) if used.any() else 0.0
    sums = np.isclose(plain, parts.sum()) and np.isclose(long, parts @ sizes)
    if not sums or not used.any() or not np.allclose(parts[used], scale):
        return "The length is not a sum of gamma variables, times a scale."
    M = np.array([run(row, ones) for row in np.eye(p)]).T
    turned = np.allclose(noise * np.linalg.norm(g), M @ g)
    if not turned or not np.allclose(M.T @ M, plain**2 * np.eye(p)):
        return "The direction is not that of the normals that you draw."
    return Radial(scale, float(shapes[used].sum()))


def _not_replayable(tape: Tape, replayed: _Sizes, p: int) -> str:
    other = [name for name in tape.other if name not in _GAMMA]
    if other:
        return f"You draw from rng.{other[0]}, so the noise was measured."
    if not replayed.shapes and tape.draws == p:
        return "You draw normals alone. Do their lengths fit the density?"
    if tape.draws != p or not 0 < len(replayed.shapes) <= 20:
        return (
            f"In p = {p} dimensions you draw {tape.draws} normals and "
            f"{len(replayed.shapes)} sizes, so the noise was measured."
        )
    return ""


def demand_measured_radial(z: np.ndarray, told: str, hint: str, rate: float) -> None:
    """Demand rows of noise of density ∝ exp(−‖z‖), by their lengths and directions.

    ``hint`` explains lengths that are not right. Correct code fails at ``rate``.
    """
    length, rate = np.linalg.norm(z, axis=1), rate / 4
    _demand_length(length, z.shape[1], told, hint, rate)
    unit = unit_rows(z, told)
    if z.shape[1] == 2:
        demand_uniform_angle(unit, f"the direction of {told}", rate)
    rng = np.random.default_rng(11)
    normal = unit * np.linalg.norm(rng.normal(size=z.shape), axis=1, keepdims=True)
    try:
        rows = np.c_[length_as_normal(length, z.shape[1]), normal]
        demand_standard_normal(rows, "", "", rate)
    except Fault as found:
        raise Fault(
            f"length and direction of {told}, each turned into normal numbers",
            found.seen,
            found.wanted,
            "No direction may be more likely than another, or come with longer noise.",
        ) from None


def _demand_length(
    length: np.ndarray, p: int, told: str, hint: str, rate: float
) -> None:
    runs = length.size
    low, high = mean_length_by_chance(runs, p, rate)
    if not low <= length.mean() <= high:
        raise Fault(
            f"the mean length of {told}",
            f"about {length.mean() / p:.3g} times what it should be, over {runs} runs",
            f"{low / p:.3g} to {high / p:.3g} times it, which is chance",
            hint,
        )
    distance = normal_distance(length_as_normal(length, p))
    most = distance_by_chance(runs, rate)
    if distance > most:
        raise Fault(
            f"the distribution of the length of {told}",
            f"Kolmogorov distance {distance:.3f} from the right one, over {runs} runs",
            f"at most {most:.3f}, which is chance",
            hint,
        )
