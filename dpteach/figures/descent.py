"""More figures of the chapter on DP-SGD: what models do on their way down.

Beside each experiment stands what ``explore`` has to know of it, in capitals:
``explore(cloud, **CLOUD, epsilon=Slider(...))``.
"""

from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np

from .. import checks
from ..accounting import gaussian_mu
from ..algorithms.sgd import (
    dp_sgd,
    dp_sgd_learning_rate,
    dp_sgd_risk_bound,
)
from ..arrays import clip
from ..auditing import Tape
from ..constraints import L2Ball
from ..data import breast_cancer, diabetes, mean_estimation
from ..losses import linear, logistic, squared
from ..privacy import Gaussian
from ..problem import Problem
from .axes import Axes
from .marks import Band, Line, Mark, Points, Sentence, Spent
from .sgd import DELTA, least_risk, minimizer, noise_for, problem, tied
from .style import write

# A public count of records: the size that the set was published with.
N_TUMORS = 569


@cache
def _plane() -> Problem:
    """Pose it with two measurements, so that a model is a point of the plane."""
    data = breast_cancer()
    return Problem(clip(3 * data.X[:, [27, 21]], 1.0), data.y, logistic, L2Ball(10.0))


@cache
def _best_of_plane() -> np.ndarray:
    return minimizer(_plane())


@cache
def _plane_without_one() -> Problem:
    """Leave out the record that the best model gets most wrong."""
    D = _plane()
    keep = np.arange(D.n) != np.argmin(D.y * (D.X @ _best_of_plane()))
    return Problem(D.X[keep], D.y[keep], D.loss, D.constraint)


# ---------------------------------------------------------------- the picture


def cloud(epsilon: float) -> list[Mark]:
    """Train 100 private models with one record, and 100 without it.

    Parameters
    ----------
    epsilon : float
        The privacy budget of one run, at δ = 10⁻⁶.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> with_record, without, *_ = cloud(1.0)
    >>> len(with_record.x), len(without.x)
    (100, 100)
    """
    steps, settings = 20, {"clip_norm": 1.0, "learning_rate": 0.02, "runs": (100,)}
    lam = noise_for(epsilon, steps)
    having, lacking = (
        dp_sgd(D, steps=steps, noise_multiplier=lam, rng=seed, **settings)
        for D, seed in ((_plane(), 0), (_plane_without_one(), 1))
    )
    best, mu = _best_of_plane(), gaussian_mu(epsilon, DELTA)
    right = NormalDist().cdf(mu / 2)
    accuracy = np.mean(np.sign(having.theta @ _plane().X.T) == _plane().y)
    score = np.linspace(-4, 8, 121)
    bell = NormalDist().pdf
    return [
        Points(*having.theta.T, "with the record", "private"),
        Points(*lacking.theta.T, "without it", "reference"),
        Points(best[:1], best[1:], "best model, no privacy", "non_private"),
        Line(
            score, [bell(s - mu) for s in score], "with the record", "private", panel=1
        ),
        Line(score, [bell(s) for s in score], "without it", "reference", panel=1),
        Sentence(
            f"At ε = {{epsilon}}, nobody who sees all models of a run can say whether "
            f"the record was there and be right more than {100 * right:.0f} times in "
            f"100. A coin is right 50 times. The average model sorts "
            f"{100 * accuracy:.0f} of 100 tumors correctly."
        ),
        Spent(having.event, DELTA),
    ]


CLOUD: dict[str, Any] = {
    "axes": (
        Axes(
            "weight of concave points",
            "weight of texture",
            xlim=(-9.5, -1.5),
            ylim=(-5, 2),
            title="100 models each",
        ),
        Axes(
            "best score that tells the two apart",
            "how often",
            xlim=(-4, 8),
            ylim=(0, 0.45),
            yticks=(),
            title="What the attacker sees",
        ),
    ),
    "title": "What one record changes",
    "alt": (
        "Left, two clouds of models that shrink as epsilon grows. Right, two bell "
        "curves that lie on each other at small epsilon and move apart as it grows."
    ),
    "caption": (
        "Logistic regression on two measurements of 569 tumors, 20 steps, clip norm 1, "
        "learning rate 0.02. The record left out is the one that the best model gets "
        "most wrong. The bell curves are exact: whatever an attacker computes from the "
        "released path tells no more than these two."
    ),
    "identity": "cloud",
}

# ---------------------------------------------------------------- how good it is


def _spread(theta: np.ndarray) -> np.ndarray:
    """Tenth, fiftieth and ninetieth percentile of the mean excess risk of runs."""
    excess = problem().risk(theta) / problem().n - least_risk()
    return np.quantile(np.maximum(excess, 1e-9), [0.1, 0.5, 0.9])


@cache
def _tight(epsilon: float, steps: int) -> tuple[float, float, Gaussian]:
    n, p, radius = 500, 20, 1.0
    X = mean_estimation(n=n, p=p, bias=1.0, rng=0).X
    D, lam = Problem(X, np.ones(n), linear, L2Ball(radius)), noise_for(epsilon, steps)
    known = {
        "n": n,
        "p": p,
        "steps": steps,
        "noise_multiplier": lam,
        "lipschitz": 1.0,
        "distance": radius * np.sqrt(1 + 1 / steps),
    }
    release = dp_sgd(
        D,
        clip_norm=1.0,
        steps=steps,
        noise_multiplier=lam,
        learning_rate=dp_sgd_learning_rate(**known),
        rng=0,
        runs=(100,),
    )
    least = -radius * np.linalg.norm(X.sum(axis=0))
    measured = float(np.mean(D.risk(release.theta) - least)) / n
    return measured, dp_sgd_risk_bound(**known) / n, release.event


def tight_instance(epsilon: float) -> list[Mark]:
    """Measure risk where every record pulls the same way, beside the bound.

    Parameters
    ----------
    epsilon : float
        The privacy budget of one run, at δ = 10⁻⁶.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> bound, measured, *_ = tight_instance(1.0)
    >>> bool((measured.y < bound.y).all())
    True
    """
    steps = (3, 10, 30, 100, 300, 1000)
    measured, bounds, events = zip(*[_tight(epsilon, T) for T in steps], strict=True)
    ratio = np.divide(bounds, measured)
    return [
        Line(steps, bounds, "bound of Theorem 6.11", "bound"),
        Line(steps, measured, "measured, mean of 100 runs", "measured"),
        Sentence(
            f"At ε = {{epsilon}} and 1,000 steps the bound is {ratio[-1]:.1f} times "
            f"what we measure; over all T shown, at least {ratio.min():.1f} times."
        ),
        Spent(events[-1], DELTA),
    ]


TIGHT: dict[str, Any] = {
    "axes": Axes(
        "steps T",
        "excess risk per record",
        xlim=(3, 1000),
        ylim=(0.01, 1),
        xscale="log",
        yscale="log",
    ),
    "title": "Where the bound is nearly met",
    "alt": "Measured excess risk and the bound run close to each other, both falling.",
    "caption": (
        "Linear losses on the unit ball in 20 dimensions; 500 records, all alike."
    ),
    "identity": "tight-instance",
}

# ---------------------------------------------------------------- one choice of three


@cache
def _paths(epsilon: float, steps: int) -> tuple[np.ndarray, Gaussian]:
    D, lam = _plane(), noise_for(epsilon, steps)
    known = {"n": N_TUMORS, "p": 2, "steps": steps, "noise_multiplier": lam}
    eta = dp_sgd_learning_rate(**known, lipschitz=1.0, distance=10.0)
    release = dp_sgd(
        D,
        clip_norm=1.0,
        steps=steps,
        noise_multiplier=lam,
        learning_rate=eta,
        rng=0,
        runs=(8,),
    )
    start = np.zeros((1, *release.path.shape[1:]))
    path = np.concatenate([start, release.path])
    # The same number of points for every T: places along the way, between models.
    place = np.linspace(0, steps, 60)
    left = np.minimum(place.astype(int), steps - 1)
    part = (place - left)[:, None, None]
    return (1 - part) * path[left] + part * path[left + 1], release.event


def fan(epsilon: float, noise_multiplier: float, steps: int) -> list[Mark]:
    """Follow eight private runs through the plane of weights.

    Parameters
    ----------
    epsilon : float
        The privacy budget of one run, at δ = 10⁻⁶.
    noise_multiplier : float
        λ, ``noise_for(epsilon, steps)``.
    steps : int
        T.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> first, *_ = fan(1.0, noise_for(1.0, 10), 10)
    >>> float(first.x[0]), float(first.y[0])  # every run starts at zero
    (0.0, 0.0)
    """
    paths, event = _paths(epsilon, int(steps))
    best = _best_of_plane()
    return [
        *[Line(*run.T, "private runs", "private") for run in paths.swapaxes(0, 1)],
        Points(*paths[-1].T, "where they end", "private"),
        Points(best[:1], best[1:], "best model, no privacy", "non_private"),
        Sentence(
            f"{{steps}} steps at ε = {{epsilon}}: each step hides the gradients under "
            f"noise {write(noise_multiplier)} times the clip norm."
        ),
        Spent(event, DELTA),
    ]


FAN: dict[str, Any] = {
    "axes": Axes(
        "weight of concave points", "weight of texture", xlim=(-10, 2), ylim=(-5, 3)
    ),
    "title": "Eight runs, with the same privacy",
    "alt": "Paths from the origin toward the best model, more ragged with more noise.",
    "caption": (
        "Logistic regression on two measurements of 569 tumors, in a ball of radius "
        "10, at the theorem's learning rate. Take any slider: the two others follow."
    ),
    "identity": "fan",
    "linked": tied,
}

VALLEY_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@cache
def _fixed_rate(
    epsilon: float, learning_rate: float, steps: int
) -> tuple[np.ndarray, Gaussian]:
    release = dp_sgd(
        problem(),
        clip_norm=1.0,
        steps=steps,
        noise_multiplier=noise_for(epsilon, steps),
        learning_rate=learning_rate,
        rng=0,
        runs=(20,),
    )
    return _spread(release.path[-1]), release.event


def best_steps(epsilon: float, learning_rate: float) -> list[Mark]:
    """Measure the last model against T, at a learning rate that stays fixed.

    Parameters
    ----------
    epsilon : float
        The privacy budget of one run, at δ = 10⁻⁶.
    learning_rate : float
        η, the same for every T.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> _, line, best, *_ = best_steps(1.0, 0.003)
    >>> float(best.x[0])  # neither 1 nor 1,000
    50.0
    """
    spreads, events = zip(
        *[_fixed_rate(epsilon, learning_rate, T) for T in VALLEY_STEPS], strict=True
    )
    low, middle, high = np.transpose(spreads)
    best = int(np.argmin(middle))
    return [
        Band(VALLEY_STEPS, low, high, "measured", "measured"),
        Line(VALLEY_STEPS, middle, "measured", "measured"),
        Points([VALLEY_STEPS[best]], [middle[best]], "best number of steps", "private"),
        Sentence(
            f"At ε = {{epsilon}} and learning rate {{learning_rate}}, the best number "
            f"of steps is about {VALLEY_STEPS[best]}; with 1,000 the last model is "
            f"{middle[-1] / middle[best]:.1f} times as far from the best."
        ),
        Spent(events[best], DELTA),
    ]


VALLEY: dict[str, Any] = {
    "axes": Axes(
        "steps T",
        "excess risk per record",
        xlim=(1, 1000),
        ylim=(0.01, 3),
        xscale="log",
        yscale="log",
    ),
    "title": "With a fixed learning rate there is a best T",
    "alt": "A valley: excess risk falls with the steps, then rises again.",
    "caption": (
        "The last model of 20 runs on 569 tumors, all with the same total ε. Found on "
        "the private records themselves, as you must not: the search is not paid for."
    ),
    "identity": "best-steps",
}

# ---------------------------------------------------------------- clipping

CLIP_NORMS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)


@cache
def _center() -> Problem:
    """Find one number near 442 targets: the mean, were it not for the clip."""
    y = diabetes().y
    return Problem(np.ones((len(y), 1)), y, squared, L2Ball(1.0))


@cache
def _clipped(clip_norm: float) -> tuple[float, np.ndarray, Gaussian]:
    """Where clipped descent ends without noise; how far private runs end from mean."""
    D, steps, lam = _center(), 100, noise_for(1.0, 100)
    settings: dict[str, Any] = {"clip_norm": clip_norm, "steps": steps}
    exact = dp_sgd(
        D, **settings, noise_multiplier=lam, learning_rate=1 / 442, rng=Tape([])
    )
    noisy = dp_sgd(
        D,
        **settings,
        noise_multiplier=lam,
        learning_rate=0.3 / (442 * min(1.0, clip_norm)),
        rng=0,
        runs=(100,),
    )
    # The last half of the path, when the start is forgotten.
    ends = noisy.path[steps // 2 :].mean(axis=0)[..., 0]
    spread = np.quantile(np.abs(ends - D.y.mean()), [0.1, 0.5, 0.9])
    return float(exact.path[-1][0]), spread, noisy.event


def clipping(clip_norm: float) -> list[Mark]:
    """Set the sum of clipped gradients beside the gradient.

    Parameters
    ----------
    clip_norm : float
        L, one of ``CLIP_NORMS``.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If a value is out of its range.

    Examples
    --------
    >>> _, _, mean, median, *_ = clipping(0.05)
    >>> bool(median.x[0] < mean.x[0])  # they vanish at different models
    True
    """
    checks.one_of(CLIP_NORMS, clip_norm=clip_norm)
    D = _center()
    mean = float(D.y.mean())
    ends, spreads, events = zip(*[_clipped(L) for L in CLIP_NORMS], strict=True)
    low, middle, high = np.transpose(spreads)
    here = CLIP_NORMS.index(clip_norm)
    theta = np.linspace(-1, 1, 81)[:, None]
    shortened = np.mean(np.abs(mean - D.y) > clip_norm)
    away = np.abs(np.subtract(ends, mean))
    return [
        Line(theta[:, 0], D.gradient(theta)[:, 0] / D.n, "gradient", "non_private"),
        Line(
            theta[:, 0],
            D.clipped_gradient(theta, clip_norm)[:, 0] / D.n,
            "clipped gradients",
            "private",
        ),
        Points([mean], [0], "where descent ends", "non_private"),
        Points([ends[here]], [0], "where clipped descent ends", "private"),
        Band(CLIP_NORMS, low, high, "clipped, with noise", "measured", panel=1),
        Line(CLIP_NORMS, middle, "clipped, with noise", "measured", panel=1),
        Line(CLIP_NORMS, away, "clipped, no noise", "private", panel=1),
        Points([clip_norm], [middle[here]], "your choice", "private", panel=1),
        Sentence(
            f"L = {{clip_norm}} shortens {100 * shortened:.0f} of 100 gradients at the "
            f"mean. Clipping alone ends {write(float(away[here]))} from the mean; "
            f"clipping with noise for ε = 1 ends {write(float(middle[here]))} from it."
        ),
        Spent(events[here], DELTA),
    ]


CLIPPING: dict[str, Any] = {
    "axes": (
        Axes(
            "model θ",
            "average pull on θ",
            xlim=(-1, 1),
            ylim=(-0.8, 1.2),
            title="Which way is down?",
        ),
        Axes(
            "clip norm L",
            "distance from the mean",
            xlim=(0.05, 2),
            ylim=(0, 0.12),
            xscale="log",
            title="Where it ends",
        ),
    ),
    "title": "Clipping moves the goal",
    "alt": (
        "Left, two rising curves that cross zero at different models. Right, distance "
        "from the mean: high for small clip norms because of the clip, and rising "
        "again for large ones because of the noise."
    ),
    "caption": (
        "Squared loss in one dimension: find one number near the disease targets of "
        "442 patients. Without a clip that is their mean; with a small clip, their "
        "median. "
        "100 steps; median and 8 in 10 of 200 runs. No search is paid for."
    ),
    "identity": "clipping",
}
