"""Exercise: all prefix sums of a stream, with the noise of a binary tree."""

from math import sqrt

import numpy as np

from ....auditing import exact_mu
from ....grading.distributions import RUNS
from ....grading.exercise import Exercise
from ....grading.ladder import (
    demand_fresh_noise,
    demand_measured_noise,
    demand_whole_numbers,
    found_noise,
    matching_hint,
)
from ....grading.report import Fault
from ....grading.student import Student

_LENGTHS = (
    (5, 2),
    (1, 1),
    (2, 1),
    (8, 1),
    (13, 3),
    (16, 2),
    (21, 1),
    (33, 1),
    (64, 2),
    (3, 400),
)


def _rows(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Draw rows much shorter than 1: what they might be sets the noise."""
    return rng.uniform(-0.5, 0.5, (n, p)) / sqrt(p)


def _sums(x: np.ndarray) -> np.ndarray:
    return np.cumsum(x, axis=0)


def _last_nodes(x: np.ndarray) -> np.ndarray:
    return np.array([x[t & (t - 1) : t].sum(axis=0) for t in range(1, len(x) + 1)])


# Wrong sums that many give, and what they reveal.
_MISREAD = (
    (
        lambda x: _sums(x) - x,
        "Row t holds the sum of the first t rows, the t-th included.",
    ),
    (lambda x: x, "These are the rows themselves, not their sums."),
    (
        _last_nodes,
        "That is one node of the tree. [1, t] is made of one node for each 1 in the "
        "binary digits of t.",
    ),
    (lambda x: _sums(x)[::-1], "The rows are in the reverse order."),
    (lambda x: _sums(x[::-1])[::-1], "These are sums to the end of the stream."),
    (lambda x: 0 * x + _sums(x)[-1], "That is the sum of the whole stream."),
    (
        lambda x: _sums(x) / np.arange(1, len(x) + 1)[:, None],
        "These are averages; sums are asked for.",
    ),
    (lambda x: np.cumsum(x, axis=1), "The sums run along the wrong axis."),
)


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for n, p in _LENGTHS:
        x = _rows(rng, n, p)
        x[2:3] = 0.0  # a row of zeros
        found = student.array((n, p), x, 0.0, np.random.default_rng(n))
        wanted = np.cumsum(x, axis=0)
        off = np.abs(found - wanted).max(axis=1)
        if off.max() > 1e-5:  # single precision will do
            t = int(np.argmax(off > 1e-5))
            raise Fault(
                f"the prefix sum at t = {t + 1} of n = {n}, at sigma = 0",
                np.array2string(found[t], precision=4),
                np.array2string(wanted[t], precision=4),
                matching_hint(
                    found,
                    _MISREAD,
                    (x,),
                    "Which nodes of the tree make up [1, t]?",
                    wanted,
                ),
            )


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    rows = np.eye(4, dtype=int)[rng.integers(4, size=5)]
    demand_whole_numbers(student, (5, 4), rows, 0.7)


def _fresh(student: Student, rng: np.random.Generator) -> None:
    demand_fresh_noise(student, (5, 2), rng, _rows(rng, 5, 2), 1.0)


def _privacy(student: Student, rng: np.random.Generator) -> None:
    # never a single number: in single precision two of 250 draws agree now and then
    for n, p, sigma in (
        (1, 2, 1.0), (3, 7, 0.4), (8, 1, 1.7), (13, 1, 1.7), (33, 1, 0.8),
    ):  # fmt: skip
        x = _rows(rng, n, p)
        found = found_noise(student, (n, p), x, sigma)
        if isinstance(found, str):
            _demand_measured(student, x, sigma, rng, found)
            continue
        most = sqrt(n.bit_length()) / sigma
        for i in range(n):
            # Record i may change in any direction of length 1; it moves S_i, S_{i+1}, …
            move = np.kron((np.arange(n) >= i).astype(float)[:, None], np.eye(p))
            mu = exact_mu(found.matrix, move)
            if mu > most * (1 + 1e-6):
                raise _privacy_fault(found.matrix, n, p, i, mu, most, sigma)


def _demand_measured(
    student: Student, x: np.ndarray, sigma: float, rng: np.random.Generator, hint: str
) -> None:
    def nodes(samples: np.ndarray) -> np.ndarray:
        # [1, t] is the node that ends at t and an earlier prefix: their difference is
        # the noise of that one node, N(0, σ² I) and independent of all others.
        noise = np.pad(samples - np.cumsum(x, axis=0), ((0, 0), (1, 0), (0, 0)))
        t = np.arange(1, len(x) + 1)
        return (noise[:, t] - noise[:, t & (t - 1)]).reshape(len(noise), -1) / sigma

    stages = RUNS if x.shape == (3, 7) else RUNS[:1]  # a close look where it is quick
    what = f"the noise of single nodes, at n = {len(x)}"
    demand_measured_noise(student, x.shape, rng, (x, sigma), nodes, what, hint, stages)


def _privacy_fault(
    B: np.ndarray, n: int, p: int, i: int, mu: float, most: float, sigma: float
) -> Fault:
    levels = n.bit_length()
    nodes = "one node" if levels == 1 else f"{levels} nodes"
    return Fault(
        f"the privacy of record {i + 1} of {n}, at sigma = {sigma}",
        f"μ = {mu:.4g}",
        f"μ of at most √{levels}/sigma = {most:.4g}, as it is part of {nodes} at most",
        _privacy_hint(B.reshape(n, p, -1), mu, sigma),
    )


def _privacy_hint(B: np.ndarray, mu: float, sigma: float) -> str:
    deviation = np.sqrt((B**2).sum(axis=2)).ravel()
    flat = B.reshape(len(deviation), -1)
    if not flat.any(axis=1).all():
        return "Some sums carry no noise at all."
    if len(B) > 1 and np.allclose(B, B[:1]):
        return "One draw serves all sums, so their differences have no noise."
    if B.shape[1] > 1 and np.allclose(B, B[:, :1]):
        return "All coordinates share one draw, so their differences have no noise."
    if mu == np.inf:
        return (
            "Some combination of the sums has no noise: do several nodes share a draw?"
        )
    if len(B) > 1 and np.allclose(flat @ flat.T, np.diag(deviation**2)):
        return (
            "Each sum gets noise of its own, so up to n noisy sums reveal one record. "
        )
        "Share the nodes."
    if abs(deviation[0] / sigma**2 - 1) < 1e-6:
        return "The noise is sigma squared: rng.normal takes a standard deviation."
    if abs(deviation[0] / sigma - 1) > 1e-6:
        return "The noise of a node is sigma in each coordinate, whatever the rows are."
    return "Is each node noised once, by its own draw, and then used again and again?"


def _accuracy(student: Student, rng: np.random.Generator) -> None:
    for n, p, sigma in ((8, 1, 1.7), (13, 2, 0.6)):
        x = _rows(rng, n, p)
        found = found_noise(student, (n, p), x, sigma)
        if isinstance(found, str):
            continue  # measured together with privacy
        variance = (found.matrix**2).sum(axis=1).reshape(n, p).max(axis=1) / sigma**2
        nodes = np.array([t.bit_count() for t in range(1, n + 1)])
        if (variance > nodes * (1 + 1e-6)).any():
            raise _accuracy_fault(variance, nodes, n, sigma)
        if not np.allclose(found.mean, np.cumsum(x, axis=0).ravel()):
            raise Fault(
                f"the sums at n = {n}, sigma = {sigma}, with noise of zero",
                "other sums than at sigma = 0",
                "the same",
                "Is the data part different when there is noise?",
            )


def _accuracy_fault(
    variance: np.ndarray, nodes: np.ndarray, n: int, sigma: float
) -> Fault:
    t, steps = int(np.argmax(variance / nodes)), np.arange(1, n + 1)
    hint = "Each 1 in the binary digits of t stands for one node; add just those."
    if np.allclose(variance, steps):
        hint = (
            "The variance grows with t: does a node get more noise, the longer it is?"
        )
    elif np.allclose(variance, nodes * variance[0]):
        hint = "Every node has too much noise: is the standard deviation sigma?"
    elif np.allclose(variance, variance[0]):
        hint = "All sums have the same noise; most need less."
    return Fault(
        f"the noise at t = {t + 1} of n = {n}, at sigma = {sigma}",
        f"variance {variance[t]:.4g} sigma²",
        f"{nodes[t]} sigma² at most: {t + 1} is {t + 1:b} in binary, a node for each 1",
        hint,
    )


EXERCISE = Exercise(
    name="tree_prefix_sums",
    parameters=("x", "sigma", "rng"),
    title="Private prefix sums with a binary tree",
    statement="""\
The rows $x_1, \\dots, x_n$ of the array `x`, of shape $(n, p)$, arrive one after the
other; each has Euclidean norm at most 1. Write `tree_prefix_sums(x, sigma, rng)`, which
returns an array of shape $(n, p)$ whose row $t$ is a private version of
$x_1 + \\dots + x_t$.

Use the binary tree. A node is a block of $2^j$ rows that begins after a multiple of
$2^j$ rows: $[1], [2], [1,2], [3], [4], [3,4], [1,4], \\dots$ The noisy sum of a node is
the sum of its rows plus a **single** draw of $\\mathcal N(0, \\sigma^2 I_p)$, and that
noisy sum is used wherever the node is needed. The prefix $[1, t]$ is made of one node
for each 1 in the binary digits of $t$: $[1,6]$ of $[1,4]$ and $[5,6]$, as $6$ is $110$.

The number of rows need not be a power of 2. All randomness must come from `rng`, a
NumPy `Generator`. Leave `x` as it is. `x` may hold whole numbers.""",
    starter="""\
import numpy as np


def tree_prefix_sums(x, sigma, rng):
    noise = rng.normal(0.0, sigma, size=x.shape)
    return np.cumsum(x, axis=0) + noise  # your code here""",
    worked=(
        """\
tree_prefix_sums(
    np.array([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6]]), 0.0, np.random.default_rng(0)
)""",
        "[[0.1], [0.3], [0.6], [1.0], [1.5], [2.1]]",
        "Without noise these are the sums 0.1, 0.1 + 0.2, and so on. With noise the "
        "last, 2.1, carries that of two nodes, [1,4] and [5,6]; the fourth that of "
        "one.",
    ),
    hints=(
        "At time t, which nodes end exactly there? (For t = 6: [6] and [5,6].) Only "
        "one of them will be needed in prefixes from now on.",
        "The lowest 1 in the binary digits of t is `t & -t`. A block of that many rows "
        "ends at t; what is left of [1, t] is a prefix that you have already released.",
        "A dictionary of noisy nodes, keyed by first and last row and filled when a "
        "node is first needed, makes sure that each is noised once.",
    ),
    checks=(
        ("without noise, the sums are exact", _without_noise),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("rows of whole numbers", _whole_numbers),
        ("every record is as private as the tree promises", _privacy),
        ("no sum has more noise than its nodes", _accuracy),
    ),
    praise="In a stream of a million rows a record is in only 20 nodes, and no sum has "
    "the noise of more than 19.",
)

EXPLANATION = r"""At time $t$ exactly one node is needed that was not needed before: the
one that *ends* at $t$ and has as many rows as the lowest 1 of $t$ says, `t & -t`. What
is left of $[1, t]$ is a prefix that was released before, with its noise.

```python
import numpy as np


def tree_prefix_sums(x, sigma, rng):
    n, p = x.shape
    out = np.zeros((n + 1, p))
    for t in range(1, n + 1):
        first = t - (t & -t)
        node = x[first:t].sum(axis=0) + rng.normal(0.0, sigma, p)
        out[t] = out[first] + node
    return out[1:]
```

*Why it is private.* Row $t$ lies in one node of each size $1, 2, 4, \dots$ up to the
largest power of two that is at most $n$. These are at most $\lfloor\lg n\rfloor + 1$
nodes. Each moves by at most 1 and has noise of its own, so all of them together are
$\sqrt{\lfloor\lg n\rfloor + 1}/\sigma$-GDP. The sums are computed from the nodes.

*Why it is accurate.* Sum $t$ adds up one node for each 1 in the binary digits of $t$.

*What wrong answers overlook.* Fresh noise for each *sum* reveals a record up to $n$
times. Noise on each *row* is private, but the sum of $t$ rows then has $t$ draws. And a
node must keep its one draw: if it is drawn again whenever it is used, an attacker
averages the draws away."""
