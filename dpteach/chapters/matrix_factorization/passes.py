"""Figure of the chapter on matrix factorization: the same records, pass after pass."""

from functools import cache
from math import sqrt

import numpy as np

from ... import checks
from ...accounting import gaussian_mu, guess_probability
from ...algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
)
from ...algorithms.matrices.sensitivity import participation_sensitivity
from ...algorithms.matrices.toeplitz import (
    banded_factorization,
    square_root_factorization,
)
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation
from ..shared.attackers_view import VIEW, bell
from ..shared.tied_noise import DELTA, EPSILONS

ONE_PASS = 64  # steps of one pass, and the bands that fit between two of its visits
STEPS = tuple(ONE_PASS * passes for passes in (1, 2, 3, 4, 6, 8, 12, 16))
METHODS = ("noise on each vector", "64 bands", "square root")


@cache
def _noise_for(epsilon: float, steps: int) -> float:
    """Compute λ: a record comes in steps/64 passes, each of which costs μ² alike."""
    return sqrt(steps / ONE_PASS) / gaussian_mu(epsilon, DELTA)


@cache
def _made(method: str, steps: int) -> Factorization:
    if method == METHODS[0]:
        return independent_factorization(steps)
    if method == METHODS[1]:
        return banded_factorization(steps, bands=ONE_PASS)
    return square_root_factorization(steps)


@cache
def noise_of_sums(method: str, steps: int) -> np.ndarray:
    """Compute the noise of each sum at μ = 1, if a record comes once in each pass.

    Examples
    --------
    >>> [round(float(noise_of_sums(each, 1024)[-1])) for each in METHODS]
    [128, 23, 25]
    """
    checks.one_of(METHODS, method=method)
    checks.one_of(STEPS, steps=steps)
    now = _made(method, steps)
    rules = {"participations": steps // ONE_PASS, "separation": ONE_PASS}
    moved = participation_sensitivity(now, **rules)
    return moved.value * np.linalg.norm(now.decoder, axis=1)


@figure(
    axes=(
        Axes(
            "step t",
            "noise of a sum, in clip norms",
            xlim=(1, 1024),
            ylim=(0.5, 3000),
            xscale="log",
            yscale="log",
            xticks=(1, 64, 256, 1024),
            yticks=(1, 10, 100, 1000),
            title="Noise of each sum",
        ),
        VIEW,
    ),
    title="The same records in each pass",
    alt=(
        "In the panel “Noise of each sum”, three curves over the steps. Noise on each "
        "vector rises as a straight line, while 64 bands and the square root begin "
        "higher and rise slowly. In the panel “What the attacker sees”, three bell "
        "curves: without the record, after its first pass, and, farther off, after "
        "all passes."
    ),
    caption="A pass has 64 steps, and a record comes once in each. No sampling.",
    identity="pass-after-pass",
    linked=Linked(("noise_multiplier", "epsilon", "steps"), _noise_for),
    epsilon=Slider(EPSILONS, start=1),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=256),
)
def pass_after_pass(epsilon: float, noise_multiplier: float, steps: int) -> list[Mark]:
    """Compare the noise of sums over several passes, at one price.

    Examples
    --------
    >>> vector, bands, root, *_ = pass_after_pass(1.0, 8.45, 256)
    >>> bool(vector.y[-1] > 4 * bands.y[-1]), bool(vector.y[0] < bands.y[0])
    (True, True)
    """
    checks.one_of(STEPS, steps=steps)
    checks.positive(epsilon=epsilon, noise_multiplier=noise_multiplier)
    mu, passes = gaussian_mu(epsilon, DELTA), steps // ONE_PASS
    t = np.unique(np.geomspace(1, ONE_PASS, 30).round()).astype(int)
    t = np.r_[t[:-1], np.linspace(ONE_PASS, steps, 30).round().astype(int)]
    noise = {each: noise_of_sums(each, steps) / mu for each in METHODS}
    last = {each: write(float(y[-1])) for each, y in noise.items()}
    many = "1 pass" if passes == 1 else f"{passes} passes"
    event = Gaussian(noise_multiplier, releases=passes, relation=Relation.ZERO_OUT)
    return [
        Line(t, noise[METHODS[0]][t - 1], METHODS[0], "reference"),
        Line(t, noise[METHODS[1]][t - 1], METHODS[1], "private"),
        Line(t, noise[METHODS[2]][t - 1], METHODS[2], "bound"),
        Points([steps], [noise[METHODS[1]][-1]], "your T", "private", moves="steps"),
        bell(0.0, "without the record", "reference"),
        bell(1 / noise_multiplier, "after its first pass", "measured"),
        bell(event.mu, "after all passes", "private"),
        Sentence(
            f"ε = {{epsilon}} and T = {{steps}}, or {many}, need λ = "
            f"{{noise_multiplier}}. The last sum has noise {last[METHODS[1]]} with 64 "
            f"bands, {last[METHODS[2]]} with the square root, {last[METHODS[0]]} with "
            "noise on each vector. The best guess about a record is right "
            f"{write(100 * guess_probability(event, 0.5))} times in 100."
        ),
        Spent(event, DELTA),
    ]
