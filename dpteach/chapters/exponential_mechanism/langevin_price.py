"""A figure of the chapter on the exponential mechanism: what noisy steps cost."""

from functools import cache
from math import sqrt

import numpy as np

from ... import checks
from ...accounting import gaussian_mu
from ...algorithms.pure.exponential import exponential_mechanism_exponent
from ...constraints import L2Ball
from ...data.synthetic import planted_logistic
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...losses import logistic
from ...privacy import Gaussian, Relation
from ...problem import Problem

DELTA, STEP_SIZE, RADIUS, CHAINS = 1e-6, 0.003, 3.0, 100
STEPS = (1, 3, 10, 30, 100, 300, 1000)


def exponent_for(epsilon: float, steps: int) -> float:
    """Compute the exponent that T noisy steps may have for a budget.

    Examples
    --------
    >>> round(exponent_for(1.0, 30), 3), round(exponent_for(1.0, 300), 3)
    (1.116, 0.353)
    """
    return gaussian_mu(epsilon, DELTA) / sqrt(STEP_SIZE * checks.count(steps=steps) / 2)


def walk(
    problem: Problem,
    *,
    exponent: float,
    steps: int,
    rng: np.random.Generator,
    runs: int,
) -> np.ndarray:
    """Take projected gradient steps with normal noise: a Langevin chain without a test.

    Examples
    --------
    >>> from dpteach.data import example
    >>> walk(example(), exponent=1.0, steps=2, rng=np.random.default_rng(0),
    ...      runs=3).shape
    (3, 10)
    """
    checks.positive(exponent=exponent)
    D, theta = problem, problem.zeros(checks.count(runs=runs))
    for _ in range(checks.count(steps=steps)):
        noise = sqrt(2 * STEP_SIZE) * rng.standard_normal(theta.shape)
        theta = theta - STEP_SIZE * exponent * D.gradient(theta) + noise
        theta = D.constraint.project(theta)
    return theta


@cache
def _problem() -> tuple[Problem, np.ndarray, float]:
    """Make records in the plane, the risk on a fine grid of the disk, and its least."""
    drawn = planted_logistic(n=300, p=2, strength=3.0, rng=1)
    D = Problem(drawn.X, drawn.y, logistic, L2Ball(RADIUS))
    side = np.linspace(-RADIUS, RADIUS, 301)
    points = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    risk = D.risk(points[np.linalg.norm(points, axis=1) <= RADIUS])
    return D, risk, float(risk.min())


@cache
def _exact(exponent: float) -> float:
    """Compute the mean excess risk per record of an exact draw, on the grid."""
    D, risk, least = _problem()
    weight = np.exp(-exponent * (risk - least))
    return float(weight @ (risk - least) / weight.sum()) / D.n


@cache
def _walked(epsilon: float, steps: int) -> float:
    D, _, least = _problem()
    rng, c = np.random.default_rng(0), exponent_for(epsilon, steps)
    ends = walk(D, exponent=c, steps=steps, rng=rng, runs=CHAINS)
    return (float(np.mean(D.risk(ends))) - least) / D.n


@figure(
    axes=Axes(
        "steps T of the chain",
        "mean excess risk per record",
        xlim=(1, 1000),
        ylim=(1e-4, 1),
        xscale="log",
        yscale="log",
        xticks=STEPS,
    ),
    title="What a chain may cost, and what it finds",
    alt=(
        "The risk of the chain falls with its steps, then rises again, where it joins "
        "the rising line of exact draws with the same exponent. A level line is an "
        "exact draw for the same pure epsilon."
    ),
    caption=(
        "Logistic loss, 300 synthetic records, a disk of radius 3; noisy projected "
        "steps from 0 with η = 0.003, δ = 10⁻⁶. Means of 100 chains; exact draws by a "
        "fine grid. Move any slider, and another one follows."
    ),
    identity="chain-price",
    linked=Linked(("exponent", "epsilon", "steps"), exponent_for),
    epsilon=Slider((0.1, 0.2, 0.3, 0.5, 1, 2, 3), start=1),
    exponent=Slider(),
    steps=Slider(STEPS, start=30),
)
def chain_price(epsilon: float, exponent: float, steps: int) -> list[Mark]:
    """Measure the risk of a Langevin chain whose every step is paid for.

    Examples
    --------
    >>> chain, same, pure, *_ = chain_price(1.0, exponent_for(1.0, 30), 30)
    >>> bool(chain.y[3] < chain.y[0] / 5), bool(chain.y[3] < pure.y[3] / 2)
    (True, True)
    """
    checks.positive(exponent=exponent)
    steps = int(steps)
    checks.one_of(STEPS, steps=steps)
    chain = [_walked(epsilon, T) for T in STEPS]
    same = [_exact(exponent_for(epsilon, T)) for T in STEPS]
    c = exponential_mechanism_exponent(epsilon, lipschitz=1.0, diameter=2 * RADIUS)
    at, pure = STEPS.index(steps), _exact(c)
    lam = sqrt(2 / STEP_SIZE) / exponent
    return [
        Line(STEPS, chain, "chain, all T steps paid for", "private"),
        Line(STEPS, same, "exact draw with the chain’s c", "reference"),
        Line(STEPS, [pure] * len(STEPS), "exact draw for pure ε", "bound"),
        Points([steps], [chain[at]], "your T", "private", moves="steps"),
        Sentence(
            f"At ε = {{epsilon}}, T = {{steps}} allows the exponent c = {{exponent}}: "
            f"each step hides the gradient under {write(lam)} times L. The chain’s "
            f"excess risk is {write(chain[at])}, that of an exact draw with this c "
            f"{write(same[at])}; an exact draw for pure ε has c = {write(c)} and "
            f"{write(pure)}."
        ),
        Spent(Gaussian(lam, releases=steps, relation=Relation.ADD_REMOVE), DELTA),
    ]
