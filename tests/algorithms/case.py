"""One algorithm with arguments with which it runs, for the common properties."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpteach import Problem, losses
from dpteach.losses import Loss
from dpteach.privacy import Release
from tests.registered import registered


@dataclass(frozen=True)
class Case:
    """An algorithm and what is known of its runs beforehand.

    ``arguments`` are all but ``problem``, ``rng`` and ``runs``; ``path`` is the length
    of the path; the event must cost at most ``epsilon`` at ``delta``.
    """

    algorithm: Callable[..., Release]
    loss: Loss
    constraint: Any
    arguments: Mapping[str, Any]
    path: int
    epsilon: float
    delta: float
    n: int = 12
    d: int = 3
    # Whether leading axes are independent runs, and all noise is normal.
    batched: bool = True
    normal: bool = True
    # Whether the constraint set holds every model that is published.
    inside: bool = True
    # How near two array libraries come; a solver stops within its own tolerance.
    rtol: float = 1e-12
    # Array libraries that it cannot run on, each with the reason.
    not_on: Mapping[str, str] = field(default_factory=dict)

    def problem(
        self, put: Callable[[np.ndarray], Any] = lambda array: array
    ) -> Problem:
        """Make the problem from a fixed seed; ``put`` hands arrays to a library."""
        rng = np.random.default_rng(5)
        X = rng.standard_normal((self.n, self.d))
        X /= np.maximum(1, np.linalg.norm(X, axis=1, keepdims=True))
        y = {
            losses.SIGNS: np.where(rng.random(self.n) < 0.5, -1.0, 1.0),
            losses.NUMBERS: rng.uniform(-1, 1, self.n),
            losses.BOUNDED: rng.uniform(-1, 1, self.n),
            self.loss.classes: rng.integers(0, self.loss.classes or 1, self.n),
        }[self.loss.classes or self.loss.labels]
        return Problem(put(X), put(y), self.loss, self.constraint)

    def run(self, problem: Problem, rng: Any, runs: tuple[int, ...] = ()) -> Release:
        """Run the algorithm."""
        batch = {"runs": runs} if self.batched else {}
        return self.algorithm(problem, **self.arguments, rng=rng, **batch)


def cases() -> dict[str, Case]:
    """Collect the cases that test modules register as ``COMMON``, by their names."""
    found: dict[str, Case] = {}
    for module in registered("COMMON"):
        twice = found.keys() & module.COMMON.keys()
        if twice:
            raise ValueError(f"Two cases have one name: {twice}, in {module.__name__}.")
        found |= module.COMMON
    return found
