"""What the loop of DP-SGD must do, on given batches: without noise, alone, and both."""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ... import tiny
from ...auditing import Tape
from ...grading.ladder import found_noise, matching_hint
from ...grading.report import Fault
from .calls import (
    Part,
    Program,
    demand_calls,
    demand_full_precision,
    demand_same,
    of_the_book,
    squares,
)

# How the steps of DP-SGD go wrong, as functions of (gradients, start, batches, n, q, L,
# eta): the sum over a batch, and what it is multiplied by.
Sum = Callable[[np.ndarray, float], np.ndarray]
Factor = Callable[[float, int, int, float], float]


def _wrong(total: Sum, factor: Factor) -> Callable[..., np.ndarray]:
    def path(gradients, start, batches, n, q, L, eta):
        theta, rows = start, []
        for batch in batches:
            step = factor(eta, len(batch), n, q) * total(gradients(theta)[batch], L)
            theta = theta - step
            rows.append(theta)
        return np.array(rows)

    return path


def _clipped(G: np.ndarray, L: float) -> np.ndarray:
    return tiny.clip(G, L).sum(axis=0)


_MISREAD = (
    (
        _wrong(_clipped, lambda eta, size, *_: eta / max(size, 1)),
        "You divide by the number of records that came, which is secret. The rate q "
        "is public.",
    ),
    (
        _wrong(_clipped, lambda eta, *_: eta),
        "A sample holds a share q of the records, so its sum is too small by 1/q.",
    ),
    (
        _wrong(_clipped, lambda eta, _, n, q: eta / (q * n)),
        "That is a step along the mean. Here eta multiplies the sum over all records.",
    ),
    (
        _wrong(
            lambda G, L: _clipped(G.sum(axis=0)[None], L),
            lambda eta, _, __, q: eta / q,
        ),
        "Only the sum is clipped, so one record may turn all of it.",
    ),
    (
        _wrong(lambda G, _: G.sum(axis=0), lambda eta, _, __, q: eta / q),
        "Nothing is clipped.",
    ),
    (
        _wrong(_clipped, lambda eta, _, __, q: -eta / q),
        "This climbs. A step goes against the gradient.",
    ),
)
_ONE_ARRAY = (
    "All rows are the same: does the path hold one array many times? An operator such "
    "as -= writes into the array that is in the path already. Compute a new one."
)


def check_descent(program: Program, part: Part, rng: np.random.Generator) -> None:
    """Try samples, one of them empty, and all records."""
    for n, p, q, steps in ((9, 3, 0.4, 5), (4, 2, 1.0, 4)):
        batches = [np.flatnonzero(rng.random(n) < q) for _ in range(steps)]
        if q < 1:
            batches[1] = batches[1][:0]  # a sample may be empty
        trial = _Descent(program, part, q, batches, rng.normal(size=p))
        gradients, seed = squares(rng, n, p), int(rng.integers(2**62))
        trial.demand_steps(gradients, n, seed)
        trial.demand_noise(n)
        trial.demand_both(gradients, n, seed)


class _Descent:
    """The reader's loop and the book's on given batches."""

    L, lam, eta = 0.8, 1.3, 0.2

    def __init__(self, program, part, q: float, batches: list, start) -> None:
        self.program, self.part, self.q = program, part, q
        self.batches, self.start = batches, start
        self.name, self.shape = part.name, (len(batches), len(start))
        self.noise = self.L * self.lam * self.eta / q  # in a model

    def _coins(self) -> Callable[..., np.ndarray]:
        left = iter(self.batches)
        return lambda *_: next(left, self.batches[-1]).copy()

    def run(self, gradients: Callable, n: int, lam: float, draws: Any) -> np.ndarray:
        """Return the reader's models."""
        student, T = self.program.student(self.part), len(self.batches)
        below = {"poisson_batch": self._coins(), "clip": tiny.clip}
        with self.program.replaced(**below) as calls:
            found = student.array(
                self.shape, *self._arguments(gradients, n, lam, draws)
            )
        if self.q < 1:
            demand_calls(self.part, calls)
            if (drawn := calls.count("poisson_batch")) < T:
                raise Fault(
                    f"what {self.name} calls in {T} steps",
                    f"poisson_batch, but not in each step ({drawn} of {T})",
                    f"{T} calls of poisson_batch",
                    "The price counts on a fresh sample in each step.",
                )
        return found

    def _result(self, n: int) -> Any:
        """Return what the reader's loop returns, as it is."""
        below = {"poisson_batch": self._coins(), "clip": tiny.clip}
        given = self._arguments(_still(n), n, self.lam, np.random.default_rng(0))
        with self.program.replaced(**below):
            return self.program.student(self.part).call(*given)

    def _arguments(self, gradients: Callable, n: int, lam: float, draws: Any) -> tuple:
        T = len(self.batches)
        return gradients, self.start, n, self.q, self.L, lam, T, self.eta, draws

    def books(self, gradients: Callable, n: int, lam: float, rng: Any) -> np.ndarray:
        """Return the book's models."""
        book = of_the_book("dp_sgd", poisson_batch=self._coins())
        return book(
            gradients, self.start, n=n, q=self.q, L=self.L, lam=lam,
            steps=len(self.batches), eta=self.eta, rng=rng,
        )  # fmt: skip

    def demand_steps(self, gradients: Callable, n: int, seed: int) -> None:
        """Demand the right models where there is no noise."""
        found = self.run(gradients, n, 0.0, np.random.default_rng(seed))
        wanted = self.books(gradients, n, 0.0, Tape([]))
        case = gradients, self.start, self.batches, n, self.q, self.L, self.eta
        hint = "Each step goes against the sum of the clipped gradients of one sample."
        hint = matching_hint(found, _MISREAD, case, hint, wanted)
        if np.ptp(found, axis=0).max() == 0 < np.ptp(wanted, axis=0).max():
            hint = _ONE_ARRAY
        demand_same(found, wanted, f"the models at q = {self.q:g} and lam = 0", hint)

    def demand_noise(self, n: int) -> None:
        """Demand one normal draw a step and coordinate, where no record pulls."""
        found = found_noise(self, self.shape, _still(n), n, self.lam)  # pyright: ignore[reportArgumentType]
        if isinstance(found, str):
            demand_full_precision(self.part, self._result(n))
            raise Fault(
                "the noise of dp_sgd",
                found,
                "draws of rng.standard_normal or rng.normal",
                "Such draws can be replayed, so that the noise is measured exactly.",
            )
        size, p = prod(self.shape), self.shape[1]
        apart = np.eye(size) - np.eye(size, k=-p)  # from models to steps
        covariance = apart @ found.covariance @ apart.T / self.noise**2
        if np.abs(covariance - np.eye(size)).max() > 1e-6:
            sizes = self.noise * np.sqrt(np.diag(covariance).clip(min=0.0))
            raise Fault(
                "the standard deviation of the noise in the steps",
                np.array2string(sizes, precision=4),
                f"{self.noise:.4g} everywhere, and for each number a draw of its own",
                "The sum gets noise of L · lam in each coordinate. Then both are "
                "multiplied by the same factor.",
            )

    def array(self, _: Any, gradients: Callable, n: int, lam: float, rng: Any) -> Any:
        """Run it for ``found_noise``."""
        return self.run(gradients, n, lam, rng)

    def demand_both(self, gradients: Callable, n: int, seed: int) -> None:
        """Demand the right models with noise, which a run without pull has shown."""
        alone = self.run(_still(n), n, self.lam, np.random.default_rng(seed))
        steps = np.diff(alone, axis=0, prepend=self.start[None])
        demand_same(
            self.run(gradients, n, self.lam, np.random.default_rng(seed)),
            self.books(gradients, n, self.lam, Tape(-steps / self.noise)),
            f"the models at q = {self.q:g} and lam = {self.lam:g}",
            "Gradients are taken at the newest model, with its noise.",
        )


def _still(n: int) -> Callable[..., np.ndarray]:
    return lambda theta: np.zeros((n, len(theta)))
