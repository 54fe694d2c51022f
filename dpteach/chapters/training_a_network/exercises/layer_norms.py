"""Exercise: the norms of records' gradients in a layer, from what goes in and back."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import demand_whole_numbers, matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _norms(a: np.ndarray, g: np.ndarray) -> np.ndarray:
    W = np.matmul(np.swapaxes(a, 1, 2), g)
    return np.sqrt((W**2).sum(axis=(1, 2)) + (g.sum(axis=1) ** 2).sum(axis=1))


def _sizes(x: np.ndarray) -> np.ndarray:
    return np.linalg.norm(x, axis=2)


def _weights_alone(a: np.ndarray, g: np.ndarray) -> np.ndarray:
    return np.linalg.norm(np.matmul(np.swapaxes(a, 1, 2), g), axis=(1, 2))


def _constants_alone(g: np.ndarray) -> np.ndarray:
    return np.linalg.norm(g.sum(axis=1), axis=1)


_CROSS = (
    "The positions are added up before the norm is taken, and their products may "
    "cancel. Inner products of different positions are missing."
)
# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (lambda a, g: _weights_alone(a, g), "b has a gradient, too."),
    (lambda a, g: _norms(a, g) ** 2, "Those are squared norms: a root is missing."),
    (
        lambda a, g: _weights_alone(a, g) + _constants_alone(g),
        "W and b are parts of one vector. Norms of parts add up in squares.",
    ),
    (
        lambda a, g: np.sqrt(
            (_sizes(a) ** 2 * _sizes(g) ** 2).sum(axis=1) + _constants_alone(g) ** 2
        ),
        _CROSS,
    ),
    (
        lambda a, g: np.hypot((_sizes(a) * _sizes(g)).sum(axis=1), _constants_alone(g)),
        "That adds up the norms of the positions. It bounds the norm, and is not it: "
        + _CROSS,
    ),
    (
        lambda a, g: np.hypot(
            np.linalg.norm(a, axis=(1, 2)) * np.linalg.norm(g, axis=(1, 2)),
            _constants_alone(g),
        ),
        "A product of two norms is right for one position alone. " + _CROSS,
    ),
    (
        lambda a, g: np.hypot(_weights_alone(a, g), np.linalg.norm(g, axis=(1, 2))),
        "The gradient in b is the sum over positions; its norm is that of the sum.",
    ),
    (
        lambda a, g: _norms(a, g) / a.shape[1],
        "You take the mean over the positions. The gradient is their sum.",
    ),
    (
        lambda a, g: np.full(
            len(a),
            np.hypot(
                np.linalg.norm(np.matmul(np.swapaxes(a, 1, 2), g).sum(axis=0)),
                np.linalg.norm(g.sum(axis=(0, 1))),
            ),
        ),
        "That is the norm of the sum over all records. Each record has its own.",
    ),
    (
        lambda a, g: np.hypot(
            np.linalg.norm(a.sum(axis=1), axis=1) * _constants_alone(g),
            _constants_alone(g),
        ),
        "You add up positions before you multiply. Products come first, then the sum.",
    ),
)


def _compare(student: Student, a: np.ndarray, g: np.ndarray, hint: str) -> None:
    found, wanted = student.array((len(a),), a, g), _norms(a, g)
    off = np.abs(found - wanted) > 2e-4 * wanted + 1e-9
    if off.any():
        row = int(np.argmax(off))
        raise Fault(
            f"the norm of record {row}, with {a.shape[1]} "
            + ("position, " if a.shape[1] == 1 else "positions, ")
            + f"{a.shape[2]} inputs and {g.shape[2]} outputs",
            f"{found[row]:.5g}",
            f"{wanted[row]:.5g}",
            matching_hint(found, _MISREAD, (a, g), hint, wanted),
        )


def _draw(
    rng: np.random.Generator, n: int, S: int, d: int, k: int
) -> tuple[np.ndarray, np.ndarray]:
    size = 10.0 ** rng.uniform(-1, 1, size=(n, 1, 1))
    return rng.normal(0.4, 1.0, (n, S, d)), size * rng.normal(0.4, 1.0, (n, S, k))


def _dense(student: Student, rng: np.random.Generator) -> None:
    _compare(student, *_draw(rng, 33, 1, 5, 3), "With one position, W gets a gᵀ.")


def _positions(student: Student, rng: np.random.Generator) -> None:
    _compare(student, *_draw(rng, 6, 4, 5, 3), "Here the weights are used four times.")
    _compare(student, *_draw(rng, 3, 30, 2, 6), "Here they are used thirty times.")


def _cancelling(student: Student, rng: np.random.Generator) -> None:
    a, g = _draw(rng, 5, 6, 4, 3)
    a[:] = a[:, :1]
    g[:, 1] = g[:, 0] * 0.5 - g[:, 2:].sum(axis=1)
    _compare(student, a, g, "Here what the positions add nearly cancels.")


def _rounded(student: Student, rng: np.random.Generator) -> None:
    """Let all cancel: what is left of 64 sums of products is rounding, of either sign.

    Half of them lie below 0, whatever the order in which they are added up.
    """
    a = np.repeat(rng.normal(size=(64, 1, 4)), 6, axis=1)
    g = rng.normal(size=(64, 6, 3))
    g -= g.mean(axis=1, keepdims=True)
    try:
        found = student.array((64,), a, g)
    except Fault as fault:
        fault.hint = (
            "A sum of products that cancel can be rounded to a number a little below "
            "0, which has no root. " + fault.hint
        )
        raise
    if np.abs(found).max() > 0.01:
        raise Fault(
            "the largest norm of 64 records whose positions cancel",
            f"{np.abs(found).max():.3g}",
            "0, up to rounding",
            "Here what the positions add cancels.",
        )


def _small_shapes(student: Student, rng: np.random.Generator) -> None:
    _compare(student, *_draw(rng, 1, 1, 1, 1), "One record, and one number each.")
    a, g = _draw(rng, 3, 2, 4, 2)
    g[1] = 0.0
    _compare(student, a, g, "A record that pulls at nothing has norm 0.")
    try:
        _compare(student, np.zeros((0, 2, 3)), np.zeros((0, 2, 4)), "")
    except Fault as fault:
        fault.hint = "Random batches are sometimes empty. " + fault.hint
        raise


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    a, g = rng.integers(-4, 5, (4, 3, 2)), rng.integers(-4, 5, (4, 3, 5))
    a[0], g[0] = 3, 2
    demand_whole_numbers(student, (4,), a, g)


EXERCISE = Exercise(
    name="layer_norms",
    parameters=("a", "g"),
    title="Record norms of a layer, without its gradients",
    statement="""\
A layer computes $z_s = W^\\top a_s + b$ at each position $s = 1, \\dots, S$ of a
record. For $n$ records, `a`, of shape $(n, S, d)$, holds what goes in, and `g`, of
shape $(n, S, k)$, the gradients of the losses in what comes out. So the gradient of
record $i$ is

$$\\sum_s a_{is}\\,g_{is}^\\top \\ \\text{ in } W, \\qquad
\\sum_s g_{is} \\ \\text{ in } b.$$

Return the $n$ norms of these gradients, each over $W$ and $b$ together. Any way passes.
A good one never holds $n$ matrices of shape $(d, k)$: think of $d = k = 4000$.
`a` and `g` may hold whole numbers.""",
    starter="""\
import numpy as np


def layer_norms(a, g):
    # the norm of the sum over records; your code here
    W = np.einsum("nsd,nsk->dk", a, g)
    return np.full(len(a), np.linalg.norm(W))""",
    worked=(
        "layer_norms(np.array([[[1.0, 2.0], [0.0, 1.0]]]), "
        "np.array([[[2.0], [-1.0]]]))",
        "[3.7416573867739413]",
        "One record, two positions. In W: 2 · (1, 2) − 1 · (0, 1) = (2, 3). In b: "
        "2 − 1 = 1. The norm is √(4 + 9 + 1).",
    ),
    hints=(
        "Begin with one position. What is the norm of the matrix $a g^\\top$, in terms "
        "of the norms of $a$ and $g$?",
        "The squared norm of a sum is the sum of all inner products. What is the inner "
        "product of $a_s g_s^\\top$ and $a_t g_t^\\top$?",
        "It is $\\langle a_s, a_t\\rangle\\,\\langle g_s, g_t\\rangle$. "
        "`np.einsum` can take all inner products of one record's positions at once.",
    ),
    checks=(
        ("a dense layer: one position", _dense),
        ("several positions", _positions),
        ("positions that nearly cancel", _cancelling),
        ("positions that cancel but for rounding", _rounded),
        ("one record, a record without a pull, and no record", _small_shapes),
        ("whole numbers", _whole_numbers),
    ),
    praise="These are ghost norms. With them a network can be clipped without one "
    "record's gradient ever being formed.",
)

EXPLANATION = r"""
The squared norm of a sum of matrices is the sum of all their inner products, and the
inner product of $a_s g_s^\top$ and $a_t g_t^\top$ is
$\langle a_s, a_t\rangle\,\langle g_s, g_t\rangle$. So two tables of shape $(S, S)$ for
each record are enough. The gradient in $b$ is a sum of short vectors.

```python
import numpy as np


def layer_norms(a, g):
    of_a = np.einsum("nsd,ntd->nst", a, a)
    of_g = np.einsum("nsk,ntk->nst", g, g)
    squares = (of_a * of_g).sum(axis=(1, 2)) + (g.sum(axis=1) ** 2).sum(axis=1)
    return np.sqrt(np.maximum(squares, 0.0))
```

**One position.** In a dense layer the tables have one entry each, and the norm in $W$
is $\lVert a\rVert\,\lVert g\rVert$. **What wrong answers overlook.** With several
positions their products can cancel, so neither a product of two norms nor a sum over
positions will do. **Where to be careful.** In single precision the sum of the table can
lose all its digits, and the chapter shows what becomes of the clip then. That is also
why there is a maximum below the root.
"""
