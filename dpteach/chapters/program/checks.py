"""What each part of the program must do: as the book's, above the same parts.

A part that calls earlier ones is tried with others in their place, which the book's
part is given as well. So a fault is that of the part in which it is, and a part that
does not call the reader's own is found out.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ... import tiny
from ...auditing import Tape, noise_map
from ...grading.ladder import found_noise, matching_hint
from ...grading.report import Fault
from .calls import Part, Program, of_the_book

Check = Callable[[Program, Part, np.random.Generator], None]


def demand_calls(part: Part, calls: list[str]) -> None:
    """Demand that all earlier parts were called on which a part stands."""
    for name in part.uses:
        if name not in calls:
            raise Fault(
                f"what {part.name} calls",
                f"no call of {name}",
                f"{name}, which stands earlier in your file",
                "In a program each thing stands once, so that it is mended once.",
            )


def demand_same(
    found: np.ndarray, wanted: np.ndarray, what: str, hint: str, near: float = 1e-5
) -> None:
    """Demand the book's models, one a row; the first row that differs is shown."""
    off = np.abs(found - wanted).max(axis=-1)
    if (rows := np.flatnonzero(off > near * max(1.0, np.abs(wanted).max()))).size:
        row = rows[0]
        raise Fault(
            f"row {row} of {what}",
            np.array2string(found[row], precision=4),
            f"{np.array2string(wanted[row], precision=4)}, as in the book's program",
            hint,
        )


def _clip(program: Program, part: Part, rng: np.random.Generator) -> None:
    answer = program.names["clip"]
    program.pass_exercise(part, "clip", lambda G, C: answer(G, C), rng)
    rows = np.array([[np.inf, 1.0], [3.0, 4.0], [np.nan, 0.0], [0.3, 0.4]])
    student = program.caller(part, lambda L: answer(rows.copy(), L), ("L",))
    found, wanted = np.asarray(student.call(1.0)), tiny.clip(rows, 1.0)
    if not (found.shape == wanted.shape and np.allclose(found, wanted)):
        raise Fault(
            "the rows (inf, 1), (3, 4), (nan, 0) and (0.3, 0.4), clipped to norm 1",
            np.array2string(found, precision=4),
            np.array2string(wanted, precision=4),
            "One gradient that overflows would make a whole release NaN, and so tell "
            "everybody that its record is there.",
        )


def _batch(program: Program, part: Part, rng: np.random.Generator) -> None:
    answer = program.names["poisson_batch"]

    def stacked(n: int, q: float, steps: int, rng: np.random.Generator) -> np.ndarray:
        return np.stack(
            [np.bincount(answer(n, q, rng), minlength=n) for _ in range(steps)]
        )

    program.pass_exercise(part, "poisson_batches", stacked, rng)


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
)


def _squares(rng: np.random.Generator, n: int, p: int) -> Callable[..., np.ndarray]:
    """Return the gradients of a least-squares loss; most are longer than 1."""
    X, y = 2 * rng.normal(size=(n, p)), 3 * rng.normal(size=n)
    return lambda theta: (X @ theta - y)[:, None] * X


def _descent(program: Program, part: Part, rng: np.random.Generator) -> None:
    for n, p, q, steps in ((9, 3, 0.4, 5), (4, 2, 1.0, 4)):
        batches = [np.flatnonzero(rng.random(n) < q) for _ in range(steps)]
        if q < 1:
            batches[1] = batches[1][:0]  # a sample may be empty
        trial = _Descent(program, part, q, batches, rng.normal(size=p))
        gradients, seed = _squares(rng, n, p), int(rng.integers(2**62))
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
                self.shape, gradients, self.start, n, self.q, self.L, lam, T, self.eta,
                draws,
            )  # fmt: skip
        if self.q < 1:
            demand_calls(self.part, calls)
        return found

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
        demand_same(found, wanted, f"the models at q = {self.q:g} and lam = 0", hint)

    def demand_noise(self, n: int) -> None:
        """Demand one normal draw a step and coordinate, where no record pulls."""
        found = found_noise(self, self.shape, _still(n), n, self.lam)  # pyright: ignore[reportArgumentType]
        if isinstance(found, str):
            raise Fault(
                "the noise of dp_sgd",
                found,
                "draws of rng.standard_normal or rng.normal",
                "Such draws can be replayed, so that the noise is measured exactly.",
            )
        size, p = np.prod(self.shape), self.shape[1]
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


_PRICED = [
    [(1.0, 1.0, 1)], [(10.0, 1.0, 10)], [(2.0, 0.05, 100)], [(1.1, 0.01, 1000)],
    [(2.0, 0.05, 100), (10.0, 1.0, 10)],
]  # fmt: skip


def _delta(program: Program, part: Part, _: np.random.Generator) -> None:
    student = program.student(part)
    for runs in _PRICED:
        for epsilon in (0.0, 0.5):
            found, wanted = student.number(epsilon, runs), tiny.delta(epsilon, runs)
            if abs(found - wanted) > 1e-4 * wanted:
                raise Fault(
                    f"δ at ε = {epsilon:g} of the runs (λ, q, T) = {runs}",
                    f"{found:.7g}",
                    f"{wanted:.7g}",
                    _price_hint(found, epsilon, runs),
                )


def _price_hint(found: float, epsilon: float, runs: list) -> str:
    known = (
        ([(lam, q, 1) for lam, q, _ in runs], "T is forgotten: each is one release."),
        ([(lam, 1.0, T) for lam, _, T in runs], "The sampling is forgotten."),
        (runs[:1], "Only the first of the runs is counted."),
    )
    for others, hint in known:
        if others != runs and abs(found / tiny.delta(epsilon, others) - 1) < 1e-3:
            return hint
    return "Take the larger of both directions, and four digits of it."


def _epsilon(program: Program, part: Part, _: np.random.Generator) -> None:
    student, runs = program.student(part), [(2.0, 0.05, 100)]
    for scale, delta in ((1.0, 1e-6), (0.05, 1e-5), (40.0, 1e-9), (1.0, 0.7)):

        def curve(epsilon: float, given: Any, scale: float = scale) -> float:
            same = list(map(tuple, given)) == runs
            return 0.5 * float(np.exp(-epsilon / scale)) if same else np.nan

        with program.replaced(delta=curve) as calls:
            found = student.number(delta, runs)
        demand_calls(part, calls)
        wanted = max(0.0, scale * float(np.log(0.5 / delta)))
        if abs(found - wanted) > 1e-5 * wanted + 1e-6:
            raise Fault(
                f"ε for δ = {delta:g}, where δ(ε) is exp(−ε/{scale:g})/2",
                f"{found:.7g}",
                f"{wanted:.7g}",
                "δ(ε) falls as ε grows. Is the interval that you search long enough, "
                "and halved often enough?",
            )


def _tree(program: Program, part: Part, rng: np.random.Generator) -> None:
    answer, student = program.names["tree_noise"], program.student(part)

    def sums(x: np.ndarray, sigma: float, rng: np.random.Generator) -> np.ndarray:
        return np.cumsum(x, axis=0) + answer(len(x), x.shape[1], sigma, rng)

    program.pass_exercise(part, "tree_prefix_sums", sums, rng)
    for n, p in ((1, 2), (6, 1), (8, 2), (11, 1)):
        right = noise_map(partial(tiny.tree_noise, n, p, 2.0))
        found = found_noise(student, (n, p), n, p, 2.0)
        if isinstance(found, str) or not np.allclose(
            found.covariance, right.covariance, atol=1e-6
        ):
            raise Fault(
                f"the noise in {n} prefix sums of {p} numbers",
                found if isinstance(found, str) else "another covariance",
                "that of the binary tree",
                "For each 1 in the binary digits of t there is one node in sum t.",
            )


def _leader(program: Program, part: Part, rng: np.random.Generator) -> None:
    for n, p, L, Lam in ((7, 3, 0.8, 3.0), (1, 2, 1.4, 2.0)):
        _leader_by(program, part, rng, (n, p, L, Lam))


def _leader_by(program, part, rng, case) -> None:
    n, p, L, Lam = case
    gradients, start = _squares(rng, n, p), rng.normal(size=p)
    student, seed = program.student(part), int(rng.integers(2**62))

    def tree(n: int, p: int, sigma: float, _: Any) -> np.ndarray:
        return tiny.tree_noise(n, p, sigma, np.random.default_rng(seed))

    for lam in (0.0, 1.3):
        draws = np.random.default_rng(seed)
        with program.replaced(tree_noise=tree, clip=tiny.clip) as calls:
            found = student.array((n + 1, p), gradients, start, n, L, lam, Lam, draws)
        demand_calls(part, calls)
        wanted = of_the_book("dp_ftrl", tree_noise=tree)(
            gradients, start, n=n, L=L, lam=lam, Lam=Lam, rng=draws
        )
        demand_same(
            found,
            wanted,
            f"the models, for n = {n}, L = {L:g}, lam = {lam:g}, Lam = {Lam:g}",
            "Each model is start minus the noisy sum of all gradients so far, over "
            "Lam. The noise of an earlier sum is in no later one."
            if lam
            else "Record t's gradient is taken at model t. All gradients are clipped, "
            "added up, and divided by Lam.",
        )


def _audit(program: Program, part: Part, rng: np.random.Generator) -> None:
    answer = program.names["audit"]

    def bound(k1: int, n1: int, k0: int, n0: int, delta: float, alpha: float) -> Any:
        return np.maximum(0.0, answer(k1, n1, k0, n0, delta, alpha))

    program.pass_exercise(part, "audit_epsilon", bound, rng)


def _label(program: Program, part: Part, _: np.random.Generator) -> None:
    student = program.student(part)
    for runs, delta, least, most in (
        ([(1.0, 0.05, 400)], 1e-6, 7.5941, 0.45791),
        ([(4.0, 1.0, 1), (2.0, 0.01, 10)], 1e-5, 0.12344, 0.09876),
    ):
        below = {"epsilon": lambda *_: least, "delta": lambda *_: most}  # noqa: B023
        with program.replaced(**below) as calls:
            found = student.call(runs, delta)
        demand_calls(part, calls)
        wanted = of_the_book("label", **below)(runs, delta)
        if found != wanted:
            raise Fault(
                f"the label where ε is {least:g} and δ(0) is {most:g}",
                repr(found),
                repr(wanted),
                "Who guesses at even odds is right 50 · (1 + δ(0)) times of 100.",
            )


CHECKS: dict[str, Check] = {
    "clip": _clip,
    "poisson_batch": _batch,
    "dp_sgd": _descent,
    "delta": _delta,
    "epsilon": _epsilon,
    "tree_noise": _tree,
    "dp_ftrl": _leader,
    "audit": _audit,
    "label": _label,
}
