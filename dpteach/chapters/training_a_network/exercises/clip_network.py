"""Exercise: the sum of clipped gradients of a network with two layers."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import Misreadings, matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _layers(
    X: np.ndarray, y: np.ndarray, A: np.ndarray, B: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute each record's gradient in A and in B."""
    h = np.tanh(X @ A)
    g = _softmax(h @ B)
    g[np.arange(len(y)), y] -= 1
    back = (g @ B.T) * (1 - h * h)
    return X[:, :, None] * back[:, None, :], h[:, :, None] * g[:, None, :]


def _softmax(z: np.ndarray) -> np.ndarray:
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _flat(*parts: np.ndarray) -> np.ndarray:
    rows = (V.reshape(len(V), V.shape[1] * V.shape[2]) for V in parts)
    return np.concatenate([*rows], axis=1)


def _cut(V: np.ndarray, C: float) -> np.ndarray:
    norms = np.linalg.norm(V, axis=1, keepdims=True)
    return V / np.maximum(norms / C, 1.0)


def _sum(
    X: np.ndarray, y: np.ndarray, A: np.ndarray, B: np.ndarray, C: float
) -> np.ndarray:
    return _cut(_flat(*_layers(X, y, A, B)), C).sum(axis=0)


def _slopeless(X: np.ndarray, y: np.ndarray, A: np.ndarray, B: np.ndarray):
    h = np.tanh(X @ A)
    g = _softmax(h @ B)
    g[np.arange(len(y)), y] -= 1
    return X[:, :, None] * (g @ B.T)[:, None, :], h[:, :, None] * g[:, None, :]


def _by_layer(X, y, A, B, C) -> np.ndarray:
    return np.concatenate(
        [
            _cut(V.reshape(len(V), V[0].size if len(V) else 0), C).sum(axis=0)
            for V in _layers(X, y, A, B)
        ]
    )


# Wrong answers that many give, and what they reveal.
_MISREAD: Misreadings = (
    (
        lambda X, y, A, B, C: _flat(*_layers(X, y, A, B)).sum(axis=0),  # noqa: ARG005  (the slip)
        "Nothing was clipped.",
    ),
    (
        lambda X, y, A, B, C: _cut(
            _flat(*_layers(X, y, A, B)).sum(axis=0, keepdims=True), C
        )[0],
        "Only the sum was clipped. Then one record can still change all of it.",
    ),
    (
        _by_layer,
        "Each layer is clipped by itself, so a record may pull with √2 · C. Its norm "
        "is that of both layers together.",
    ),
    (
        lambda X, y, A, B, C: _sum(X, y, A, B, C) / len(X),
        "That is a mean. Noise is made for a sum.",
    ),
    (
        lambda X, y, A, B, C: _cut(_flat(*_slopeless(X, y, A, B)), C).sum(axis=0),
        "On its way back through tanh the gradient is multiplied by its slope, "
        "1 − tanh².",
    ),
    (
        lambda X, y, A, B, C: -_sum(X, y, A, B, C),
        "The sign is turned: that points downhill.",
    ),
    (
        lambda X, y, A, B, C: (
            lambda V: (C * V / np.linalg.norm(V, axis=1, keepdims=True)).sum(axis=0)
        )(_flat(*_layers(X, y, A, B))),
        "Each gradient got norm C. Those that are shorter stay as they are.",
    ),
    (
        lambda X, y, A, B, C: _cut(_flat(*_layers(X, y, A, B)[::-1]), C).sum(axis=0),
        "The gradient in A comes first, then that in B.",
    ),
)


def _draw(rng: np.random.Generator, n: int, d: int, m: int, K: int):
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-1, 0.5, size=(n, 1))
    return X, rng.integers(0, K, n), rng.normal(size=(d, m)), rng.normal(size=(m, K))


def _compare(student: Student, case: tuple, C: float, words: str, hint: str) -> None:
    X, y, A, B = case
    found = student.array((A.size + B.size,), X, y, A, B, C)
    wanted = _sum(X, y, A, B, C)
    if not np.allclose(found, wanted, rtol=2e-4, atol=1e-6):
        j = int(np.argmax(np.abs(found - wanted)))
        raise Fault(
            f"entry {j} of the sum for {words}, {X.shape[1]} inputs, {A.shape[1]} units"
            f" and {B.shape[1]} classes, with C = {C:g}",
            f"{found[j]:.5g}",
            f"{wanted[j]:.5g}",
            matching_hint(found, _MISREAD, (X, y, A, B, C), hint, wanted),
        )


def _gradient(student: Student, rng: np.random.Generator) -> None:
    _compare(
        student, _draw(rng, 1, 3, 2, 4), 1e6, "one record",
        "Here nothing is clipped. The gradient in the scores is the vector of "
        "probabilities, less 1 at the class of the record.",
    )  # fmt: skip
    _compare(
        student, _draw(rng, 5, 4, 3, 2), 1e6, "five records",
        "Here nothing is clipped, and gradients are added up.",
    )  # fmt: skip


def _clipped(student: Student, rng: np.random.Generator) -> None:
    for n, d, m, K, C in ((1, 4, 3, 3, 0.1), (12, 3, 4, 5, 0.7), (30, 1, 1, 2, 0.3)):
        _compare(
            student, _draw(rng, n, d, m, K), C,
            f"{n} records" if n > 1 else "one record",
            "Take the norm of one record's whole gradient, over A and B. If it is above"
            " C, multiply by C over the norm.",
        )  # fmt: skip


def _large_scores(student: Student, rng: np.random.Generator) -> None:
    X, y, A, B = _draw(rng, 6, 3, 4, 3)
    _compare(
        student, (X, y, A, 5000 * B), 1.0, "six records, large scores",
        "The exponential of 1000 is infinite. Take each record's largest score away "
        "from all its scores first: the probabilities stay the same.",
    )  # fmt: skip


def _edges(student: Student, rng: np.random.Generator) -> None:
    X, y, A, B = _draw(rng, 5, 3, 2, 3)
    X[1] = 0.0  # tanh(0) = 0: such a record pulls at nothing
    _compare(
        student, (X, y, A, B), 0.5, "five records, one of zeros",
        "A record of zeros has gradient 0 here, and 0/0 is no number.",
    )  # fmt: skip
    _compare(
        student, (X[:0], y[:0], A, B), 0.5, "no record",
        "Random batches are sometimes empty, and the sum is then 0.",
    )  # fmt: skip


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    X = rng.integers(-2, 3, (4, 3))
    A, B = rng.integers(-1, 2, (3, 2)), rng.integers(-2, 3, (2, 3))
    A[0, 0] = X[0, 0] = 1
    _compare(
        student, (X, np.array([0, 2, 1, 1]), A, B), 0.5,
        "four records, all in integers",
        "An array that is made like such an argument, or is a copy of it, holds "
        "integers too: what is written into it loses its fraction.",
    )  # fmt: skip


EXERCISE = Exercise(
    name="clip_network",
    parameters=("X", "y", "A", "B", "C"),
    title="Clip a network",
    statement="""\
A network with weights `A`, of shape $(d, m)$, and `B`, of shape $(m, K)$, gives the
record $x$ the scores $\\tanh(x^\\top A)\\,B$. Its loss is that of softmax,
$-\\ln p_y$ with $p_k = e^{z_k}/\\sum_j e^{z_j}$ for the scores $z$ and the class $y$.

Rows of `X`, of shape $(n, d)$, are records, and `y` holds their classes, from 0 to
$K - 1$. Return the sum over all records of their gradients, each clipped to norm at
most `C`: one vector of length $dm + mK$, first the gradient in $A$, row by row, then
that in $B$. The norm is that of the **whole** gradient. A batch may be empty, and `X`,
`A` and `B` may hold whole numbers. Use NumPy alone.""",
    starter="""\
import numpy as np


def clip_network(X, y, A, B, C):
    h = np.tanh(X @ A)
    p = np.exp(h @ B)
    p = p / p.sum(axis=1, keepdims=True)
    # go back through both layers, and clip; your code here
    return np.concatenate([(0 * A).ravel(), (0 * B).ravel()])""",
    worked=(
        """\
clip_network(
    np.array([[0.0, 1.0]]),
    np.array([0]),
    np.zeros((2, 1)),
    np.array([[3.0, -1.0]]),
    C=1.0,
)""",
        "[-0.0, -1.0, 0.0, 0.0]",
        "All scores are 0, so p = (½, ½), and the gradient in the scores is (−½, ½). "
        "Back through B it is 3 · (−½) − ½ = −2, and tanh has slope 1 at 0. So the "
        "gradient in A is (0, −2), that in B is 0, and the clip makes it (0, −1).",
    ),
    hints=(
        "Write down one record first. The gradient in the scores is $g = p - e_y$.",
        "With $h = \\tanh(x^\\top A)$, the gradient in $B$ is $h g^\\top$, and that in "
        "$A$ is $x r^\\top$ with $r = (B g) \\odot (1 - h^2)$.",
        "These are products of two vectors, and the norm of such a product is the "
        "product of the norms. Both parts together make the squared norm of the whole. "
        "Scale $r$ and $g$ by each record's factor, and multiply once.",
    ),
    checks=(
        ("the gradient, where nothing is clipped", _gradient),
        ("long gradients are clipped as a whole", _clipped),
        ("large scores", _large_scores),
        ("a record of zeros, and no record", _edges),
        ("whole numbers", _whole_numbers),
    ),
    praise="Add noise of deviation C · λ to this sum, and you have trained a network "
    "in private, without a library.",
)

EXPLANATION = r"""
Let $g = p - e_y$ be a record's gradient in its scores. Back through $B$ and tanh it is
$r = (Bg) \odot (1 - h^2)$. The gradients in both layers are products of two vectors,
$x r^\top$ and $h g^\top$, so no matrix is needed for the norm: it is the root of
$\lVert x\rVert^2\lVert r\rVert^2 + \lVert h\rVert^2\lVert g\rVert^2$.

```python
import numpy as np


def clip_network(X, y, A, B, C):
    h = np.tanh(X @ A)
    z = h @ B
    g = np.exp(z - z.max(axis=1, keepdims=True))
    g /= g.sum(axis=1, keepdims=True)
    g[np.arange(len(y)), y] -= 1
    r = (g @ B.T) * (1 - h * h)
    squares = (X**2).sum(axis=1) * (r**2).sum(axis=1)
    squares = squares + (h**2).sum(axis=1) * (g**2).sum(axis=1)
    k = 1 / np.maximum(np.sqrt(squares) / C, 1.0)
    parts = X.T @ (k[:, None] * r), h.T @ (k[:, None] * g)
    return np.concatenate([part.ravel() for part in parts])
```

**One factor for both layers.** A factor for each layer would let a record pull with
$\sqrt2\,C$. **The largest score goes first.** Without it, one record with large scores
turns the whole sum into `nan`. **What is cheap.** The last line costs as much as the
gradient of the sum, which ordinary training computes. So a clip costs hardly anything
in dense layers.
"""
