"""A network trains in view: its steps, its budget, and what an attacker gains."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from ... import checks
from ...accounting import gaussian_epsilon
from ...algorithms.gradients.sgd import dp_sgd
from ...arrays import Array, Rng
from ...networks import Network
from ...privacy import Gaussian, Relation, Trace
from ...problem import Problem
from ..cells import show

DELTA = 1e-6
_BAR = '<div style="height: .6em; width: {share}%; background: {color}"></div>'
_ROW = (
    '<div style="margin-top: .5em">{words}'
    '<div aria-hidden="true" style="max-width: 24em; border: 1px solid">{bar}</div>'
    "</div>"
)


@dataclass(frozen=True)
class Progress:
    """How far a training in private is, and what its models have told so far.

    Parameters
    ----------
    step, steps : int
        How many models are published, and how many will be.
    epsilon : float
        What these models cost together, at δ = 10⁻⁶.
    guesses : float
        Of 100 guesses whether a given record was there, how many are right at best.
    recognized : float
        Of 100 of its own images, how many the newest model recognizes.

    Examples
    --------
    >>> Progress(3, 60, 0.71, 57.2, 41.5)
    Step 3 of 60: ε = 0.71; 57 right guesses in 100; 42 of 100 images are recognized.
    """

    step: int
    steps: int
    epsilon: float
    guesses: float
    recognized: float

    def __repr__(self) -> str:
        """Say it in words."""
        return (
            f"Step {self.step} of {self.steps}: ε = {self.epsilon:.2f}; "
            f"{self.guesses:.0f} right guesses in 100; "
            f"{self.recognized:.0f} of 100 images are recognized."
        )

    def _repr_html_(self) -> str:
        rows = (
            (f"Step {self.step} of {self.steps}", 100 * self.step / self.steps, "gray"),
            (f"Images recognized, of 100: {self.recognized:.0f}", self.recognized,
             "#1b7a5a"),
            (f"Spent: ε = {self.epsilon:.2f} at δ = 10⁻⁶. What the attacker sees: "
             f"right guesses in 100: {self.guesses:.0f}", self.guesses, "#c2410c"),
        )  # fmt: skip
        html = [
            _ROW.format(words=words, bar=_BAR.format(share=f"{share:.1f}", color=color))
            for words, share, color in rows
        ]
        return "".join(html)


class _Watch(Trace):
    """Follows a run of ``dp_sgd``, and shows where it is after each step."""

    def __init__(self, problem: Problem, event: Gaussian, rate: float) -> None:
        super().__init__()
        self.problem, self.event, self.rate = problem, event, rate
        self.theta = problem.zeros()
        self.progress: Progress | None = None

    def record(self, *, t: int, gradient: Array, noise: Array) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Take the same step as the run, and show it."""
        self.theta = self.theta - self.rate * (gradient + noise)
        mu = (t + 1) ** 0.5 / self.event.noise_multiplier
        scores = self.problem.loss.scores_at(self.theta, self.problem.X)
        self.progress = Progress(
            t + 1,
            self.event.releases,
            gaussian_epsilon(mu, DELTA),
            100 * NormalDist().cdf(mu / 2),
            100 * float(np.mean(scores.argmax(axis=1) == self.problem.y)),
        )
        show(self.progress)


def train_in_view(
    problem: Problem,
    *,
    clip_norm: float,
    steps: int,
    noise_multiplier: float,
    learning_rate: float,
    rng: Rng,
) -> Progress:
    """Run ``dp_sgd`` on a network, and show on a page where it is after each step.

    The images that it recognizes are its own, so this count is no release; nor is what
    depends on it.

    Parameters
    ----------
    problem : Problem
        Images, classes, a ``Network`` and no constraint.

    Returns
    -------
    Progress
        That of the last step.

    Examples
    --------
    >>> from dpteach import constraints, networks
    >>> X, y = np.eye(2), np.array([0, 1])
    >>> loss = networks.Network((2,), [networks.Dense(2)])
    >>> D = Problem(X, y, loss, constraints.Everywhere())
    >>> train_in_view(D, clip_norm=1.0, steps=4, noise_multiplier=4.0,
    ...               learning_rate=1.0, rng=0).step
    4
    """
    checks.instance(Problem, problem=problem)
    checks.instance(Network, loss=problem.loss)
    event = Gaussian(noise_multiplier, releases=steps, relation=Relation.ADD_REMOVE)
    watch = _Watch(problem, event, learning_rate)
    dp_sgd(
        problem, clip_norm=clip_norm, steps=steps, noise_multiplier=noise_multiplier,
        learning_rate=learning_rate, path_every=steps, rng=rng, trace=watch,
    )  # fmt: skip
    assert watch.progress is not None  # there is at least one step
    return watch.progress
