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
from ...auditing import noise_map
from ...grading.calling import Unknown
from ...grading.ladder import found_noise
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
from .descent import check_descent

Check = Callable[[Program, Part, np.random.Generator], None]


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
            "A row with an entry that isn't finite is all zeros. One gradient that "
            "overflows would make a whole release NaN, and so tell everybody that its "
            "record is there.",
        )


def _batch(program: Program, part: Part, rng: np.random.Generator) -> None:
    answer, student = program.names["poisson_batch"], program.student(part)
    for n in [6] * 5 + [1] * 20:  # of one record half of the samples are empty
        draws = np.random.default_rng(int(rng.integers(2**62)))
        _demand_indices(part, student.call(n, 0.5, draws))

    def stacked(n: int, q: float, steps: int, rng: np.random.Generator) -> np.ndarray:
        return np.stack(
            [np.bincount(answer(n, q, rng), minlength=n) for _ in range(steps)]
        )

    program.pass_exercise(part, "poisson_batches", stacked, rng)


def _demand_indices(part: Part, found: Any) -> None:
    """Demand a list or an array of integers, which an array can be indexed by."""
    if isinstance(found, list) and all(isinstance(k, int | np.integer) for k in found):
        return
    if isinstance(found, np.ndarray) and found.ndim == 1 and found.dtype.kind in "iu":
        return
    seen = f"{found}" if isinstance(found, Unknown) else "something else"
    hint = "A list of integers will do, too."
    if isinstance(found, tuple):
        seen = "a tuple"
        hint = "np.where returns a tuple, and its first entry is the array of indices."
    elif isinstance(found, np.ndarray):
        seen = f"an array of {found.dtype}, of shape {found.shape}"
        if found.dtype.kind == "b":
            hint = "That is a yes or no for each record. np.flatnonzero says which."
        elif not found.size:
            hint = "np.array([]) holds floats, which are no indices: give it dtype=int."
    raise Fault(
        f"the result of {part.name}", seen, "indices, in an array of integers", hint
    )


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
    return (
        "The larger of both directions, to four digits: a bound or a limit for many "
        "steps has fewer."
    )


def _epsilon(program: Program, part: Part, _: np.random.Generator) -> None:
    student, runs = program.student(part), [(2.0, 0.05, 100)]
    for scale, delta in ((1.0, 1e-6), (0.05, 1e-5), (40.0, 1e-9), (1.0, 0.7)):

        def curve(epsilon: float, given: Any, scale: float = scale) -> float:
            same = list(map(tuple, given)) == runs
            return 0.5 * float(np.exp(-epsilon / scale)) if same else np.nan

        shown = f"where δ(ε) is exp(−ε/{scale:g})/2"
        try:
            with program.replaced(delta=curve) as calls:
                found = student.number(delta, runs)
        except Fault as fault:
            fault.quantity = f"{fault.quantity.removesuffix(':')}, {shown}"
            fault.hint = f"The check lets this curve stand in for delta. {fault.hint}"
            raise
        demand_calls(part, calls)
        wanted = max(0.0, scale * float(np.log(0.5 / delta)))
        if abs(found - wanted) > 1e-5 * wanted + 1e-6:
            raise Fault(
                f"ε for δ = {delta:g}, {shown}",
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
        if isinstance(found, str):
            draws = np.random.default_rng(0)
            demand_full_precision(part, student.call(n, p, 2.0, draws))
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
    gradients, start = squares(rng, n, p), rng.normal(size=p)
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
            _leader_hint(found, wanted, start, L, lam),
        )


def _leader_hint(
    found: np.ndarray, wanted: np.ndarray, start: np.ndarray, L: float, lam: float
) -> str:
    """Explain wrong models by the first of them that depends on a gradient."""
    if not lam:
        if np.allclose(found[1], wanted[1] - start):
            return "Sums are subtracted from `start`, which need not be 0."
        return (
            "Record t's gradient is taken at model t. All gradients are clipped, added "
            "up, and divided by Lam."
        )
    return (
        "Each model is start minus the noisy sum of all gradients so far, over Lam. "
        f"The noise of a node has deviation L · lam = {L * lam:g}, and the noise of an "
        "earlier sum is in no later one."
    )


def _audit(program: Program, part: Part, rng: np.random.Generator) -> None:
    answer = program.names["audit"]

    def bound(k1: int, n1: int, k0: int, n0: int, delta: float, alpha: float) -> Any:
        found = answer(k1, n1, k0, n0, delta, alpha)
        return found if found is None else np.maximum(0.0, found)

    program.pass_exercise(part, "audit_epsilon", bound, rng)


def _label(program: Program, part: Part, _: np.random.Generator) -> None:
    student = program.student(part)
    for runs, delta, least, most in (
        ([(1.0, 0.05, 400)], 1e-6, 7.5941, 0.45791),
        ([(4.0, 1.0, 1), (2.0, 0.01, 10)], 1e-5, 0.12344, 0.09876),
    ):
        below = {
            "epsilon": lambda *_, least=least: least,
            "delta": lambda *_, most=most: most,
        }
        with program.replaced(**below) as calls:
            found = student.call(runs, delta)
        demand_calls(part, calls)
        wanted = of_the_book("label", **below)(runs, delta)
        if found != wanted:
            raise Fault(
                f"the label where ε is {least:g} and δ(0) is {most:g}",
                repr(found),
                repr(wanted),
                _label_hint(found, wanted),
            )


def _label_hint(found: Any, wanted: str) -> str:
    """Say what of a label differs: its kind, a line, or a number."""
    if not isinstance(found, str):
        return "Return one string, with a line break between the lines."
    if found.split() == wanted.split():
        return "Two lines, with one line break between them and no other space."
    if found.splitlines()[1:] == wanted.splitlines()[1:]:
        return "The second line is right. In the first, :.4g writes four digits."
    return "A guesser at even odds is right 50 · (1 + δ(0)) times of 100."


CHECKS: dict[str, Check] = {
    "clip": _clip,
    "poisson_batch": _batch,
    "dp_sgd": check_descent,
    "delta": _delta,
    "epsilon": _epsilon,
    "tree_noise": _tree,
    "dp_ftrl": _leader,
    "audit": _audit,
    "label": _label,
}
