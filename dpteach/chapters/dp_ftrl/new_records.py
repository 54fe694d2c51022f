"""Figure of the chapter on DP-FTRL: noise in steps, in sums, or in phases."""

from functools import cache
from math import sqrt

import numpy as np
from scipy.special import expit

from ...accounting import gaussian_mu
from ...algorithms.gradients.convex_bounds import best_learning_rate, regret_bound
from ...algorithms.gradients.phased_localization import (
    phased_localization,
    phased_localization_learning_rate,
    phased_localization_risk_bound,
)
from ...algorithms.streams.ftrl import dp_ftrl_noise_multiplier
from ...algorithms.streams.regret import dp_ftrl_regret_bound, dp_ftrl_regularization
from ...constraints import L2Ball
from ...data import planted_logistic
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...losses import logistic
from ...privacy import Gaussian, Relation
from ...problem import Problem
from .regret_and_noise import DELTA, EPSILONS

RADIUS, SMOOTHNESS = 3.0, 0.25
LENGTHS = tuple(2**k for k in range(4, 17))
MEASURED = (64, 256, 1024)


def _noise_in_each_step(n: int, p: int, noise_multiplier: float) -> float:
    # One pass of descent: the noise is a part of each record's gradient.
    known = {"lipschitz": sqrt(1 + p * noise_multiplier**2), "distance": RADIUS}
    rate = best_learning_rate(steps=n, **known)
    return regret_bound(steps=n, learning_rate=rate, **known)


@cache
def _noise_in_sums(n: int, p: int, epsilon: float) -> float:
    known = {
        "steps": n,
        "p": p,
        "noise_multiplier": dp_ftrl_noise_multiplier(epsilon, DELTA, steps=n),
        "lipschitz": 1.0,
        "distance": RADIUS,
    }
    best = dp_ftrl_regularization(**known)
    return dp_ftrl_regret_bound(**known, regularization=best)["total"]


def _noise_in_phases(n: int, p: int, noise_multiplier: float) -> tuple[float, float]:
    """Compute the best rate and its bound."""
    known = {
        "lipschitz": 1.0,
        "distance": RADIUS,
        "n": n,
        "p": p,
        "noise_multiplier": noise_multiplier,
    }
    rate = phased_localization_learning_rate(**known, smoothness=SMOOTHNESS)
    return rate, phased_localization_risk_bound(**known, learning_rate=rate)


@cache
def _new(p: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make new rows, the chances of their labels, and the model that made them."""
    new = planted_logistic(n=2000, p=p, strength=RADIUS, rng=10**6)
    star = np.asarray(new.planted)
    return new.X, expit(new.X @ star), star


def _risk(theta: np.ndarray, p: int) -> np.ndarray:
    X, yes, _ = _new(p)
    scores = theta @ X.T
    no_loss, yes_loss = logistic.value(-scores, 1.0), logistic.value(scores, 1.0)
    return np.mean(no_loss + (yes_loss - no_loss) * yes, axis=-1)


@cache
def _measured(n: int, p: int, epsilon: float) -> float:
    """Compute the mean excess risk of 50 runs on one draw of the records."""
    drawn = planted_logistic(n=n, p=p, strength=RADIUS, rng=n)
    noise_multiplier = 1 / gaussian_mu(epsilon, DELTA)
    model = phased_localization(
        Problem(drawn.X, drawn.y, logistic, L2Ball(RADIUS)),
        lipschitz=1.0,
        smoothness=SMOOTHNESS,
        learning_rate=_noise_in_phases(n, p, noise_multiplier)[0],
        noise_multiplier=noise_multiplier,
        rng=0,
        runs=(50,),
    ).theta
    return float(np.mean(_risk(model, p)) - _risk(_new(p)[2], p))


@figure(
    axes=Axes(
        "records n",
        "excess risk on new records",
        xlim=(16, 65536),
        ylim=(0.001, 300),
        xscale="log",
        yscale="log",
    ),
    title="Where noise costs least",
    alt=(
        "On logarithmic axes four bounds fall as records become more. Those of noise "
        "in each step and of noise in sums fall alike, far above the one without "
        "noise. That of noise in phases falls faster and nears it. The measured risk "
        "lies far below."
    ),
    caption=(
        "Logistic loss on a ball of radius 3; records planted, one pass, one record "
        "zeroed out. Lines are bounds for all data; points are means of 50 runs on one "
        "draw of the records."
    ),
    identity="new-records",
    epsilon=Slider(EPSILONS, start=1),
    p=Slider((5, 8, 12, 20, 30, 50), start=50),
)
def new_records(epsilon: float, p: int) -> list[Mark]:
    """Compare what one pass pays on new records if noise is in steps, sums, or phases.

    Examples
    --------
    >>> steps, sums, phases, plain, measured, *_ = new_records(1.0, 50)
    >>> bool(phases.y[-1] < 0.1 * sums.y[-1]), bool(phases.y[-1] < 2 * plain.y[-1])
    (True, True)
    """
    lam, n = 1 / gaussian_mu(epsilon, DELTA), np.array(LENGTHS)
    steps = [_noise_in_each_step(k, p, lam) for k in LENGTHS]
    sums = [_noise_in_sums(k, p, epsilon) for k in LENGTHS]
    phases = [_noise_in_phases(k, p, lam)[1] for k in LENGTHS]
    found = [_measured(k, p, epsilon) for k in MEASURED]
    return [
        Line(n, steps, "noise in each step", "reference"),
        Line(n, sums, "noise in sums, DP-FTRL", "bound"),
        Line(n, phases, "noise in phases", "private"),
        Line(n, RADIUS / np.sqrt(n), "no noise", "non_private"),
        Points(MEASURED, found, "noise in phases, measured", "measured"),
        Sentence(
            f"With 65,536 records in {{p}} dimensions the bounds are "
            f"{write(steps[-1])} for noise in each step, {write(sums[-1])} in sums, "
            f"{write(phases[-1])} in phases, and {write(RADIUS / 256)} without noise."
        ),
        Spent(Gaussian(lam, relation=Relation.ZERO_OUT), DELTA),
    ]
