"""Exercise: DP-FTRL in several passes over batches, with correlated noise."""

from functools import partial

import numpy as np

from .....algorithms.matrices.factorization import tree_factorization
from .....algorithms.matrices.toeplitz import square_root_factorization
from .....grading.exercise import Exercise
from .....grading.ladder import demand_fresh_noise, matching_hint
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import (
    PATHS,
    cut,
    models,
    noiseless,
)
from .noise import (
    counted,
    demand_noise,
    place,
    shown,
)


def _data(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Draw rows whose norms lie between 0.4 and 1."""
    X = rng.normal(size=(n, p))
    return X * (rng.uniform(0.4, 1, n) / np.linalg.norm(X, axis=1))[:, None]


def _without_noise(
    student: Student,
    rng: np.random.Generator,
    cases: tuple[tuple[int, int, int, float], ...],
) -> None:
    for T, rows, epochs, gamma in cases:
        for p in (2, 400):
            X, B, reg = _data(rng, T * rows, p), np.tri(T), 1.7
            _compare(student, X, B, epochs, reg, gamma)


def _compare(
    student: Student,
    X: np.ndarray,
    B: np.ndarray,
    epochs: int,
    reg: float,
    gamma: float,
    other: str = "Write down s, v and θ after each batch by hand, and compare.",
) -> None:
    T, shape = len(B), (epochs * len(B) + 1, X.shape[1])

    def run(seed: int) -> np.ndarray:
        draws = np.random.default_rng(seed)
        return student.array(shape, X, B, epochs, 0.0, reg, gamma, draws)

    found, wanted = run(1), noiseless(X, B, epochs, reg, gamma)
    off = np.abs(found - wanted).max(axis=1)
    if off.max() > 1e-8:
        row = int(np.argmax(off > 1e-8))
        hint = matching_hint(found, PATHS, (X, B, epochs, reg, gamma), other, wanted)
        if not np.array_equal(found, run(2)):
            hint = (
                "Another rng gives another result, although sigma is 0. Is the order "
                "of the records drawn? It is fixed."
            )
        raise Fault(
            f"model {place(row, T)}, at sigma = 0; {counted(len(X), T)}, "
            f"epochs = {epochs}, reg = {reg:g}, gamma = {gamma:g}",
            shown(found[row]),
            shown(wanted[row]),
            hint,
        )


def _whole_numbers(student: Student, _: np.random.Generator) -> None:
    hint = "X holds integers here. Do your arrays of zeros hold integers too?"
    _compare(student, np.eye(3, 2, dtype=int), np.tri(3), 1, 1.7, 0.5, hint)


def _far_models(student: Student, _: np.random.Generator) -> None:
    """With so little regularization some ⟨x, θ⟩ are far from 0, on both sides."""
    hint = "Some ⟨x, θ⟩ are large here. Is one cut off, or 1 + exp(…) approximated?"
    X = np.array([[1.0, 0.0], [-0.8, 0.6], [-0.3, -0.9]])
    _compare(student, X, np.tri(3), 2, 0.05, 0.5, hint)


def _fresh(student: Student, rng: np.random.Generator) -> None:
    X = _data(rng, 4, 2)
    demand_fresh_noise(student, (5, 2), rng, X, np.tri(2), 2, 1.0, 2.0, 0.5)


_HIDDEN = (
    "The gradients are taken at models without noise. Then no later step can repair "
    "what the noise did to a model."
)
_OTHER_NOISE = (
    "Records of zeros get other noise at this seed: does it depend on the data? Or are "
    "some gradients taken at other models?"
)


def _together(student: Student, rng: np.random.Generator) -> None:
    """One seed draws the same noise for records of zeros: then all can be compared."""
    T, epochs, p, reg, gamma = 3, 2, 2, 1.2, 0.5
    X, B = _data(rng, 2 * T, p), square_root_factorization(T).decoder
    arguments, shape = (B, epochs, 1.5, reg, gamma), (epochs * T + 1, p)
    seed = int(rng.integers(2**62))
    found, noise = (
        student.array(shape, each, *arguments, np.random.default_rng(seed))
        for each in (X, 0 * X)
    )
    wanted = noise + _given(found, X, T, epochs, reg, gamma)
    off = np.abs(found - wanted).max(axis=1)
    if off.max() > 1e-8:
        row = int(np.argmax(off > 1e-8))
        hidden = np.allclose(found - noise, noiseless(X, B, epochs, reg, gamma))
        raise Fault(
            f"model {place(row, T)}, at sigma = 1.5, with gradients at the models "
            f"that you released before it; {counted(len(X), T)}, epochs = "
            f"{epochs}, reg = {reg:g}, gamma = {gamma:g}",
            shown(found[row]),
            shown(wanted[row]),
            _HIDDEN if hidden else _OTHER_NOISE,
        )


def _given(
    path: np.ndarray, X: np.ndarray, T: int, epochs: int, reg: float, gamma: float
) -> np.ndarray:
    """Return the part of each model that gradients at the released models make."""
    none = np.zeros((epochs, T, X.shape[1]))
    return models(
        cut(X, T), none, reg, gamma, look=lambda before: path[len(before) - 1]
    )


EXERCISE = Exercise(
    name="ftrl_passes",
    parameters=("X", "B", "epochs", "sigma", "reg", "gamma", "rng"),
    title="Pass after pass",
    statement="""\
DP-FTRL trains a model by logistic loss, in several passes and with momentum. A record
$x$ is a row of `X`, of shape $(n, p)$: features of norm at most 1, multiplied by their
label, $-1$ or $1$. Its loss is $\\ln(1 + e^{-\\langle x, \\theta\\rangle})$. So its
gradient has norm at most 1, and nothing needs to be clipped.

`B` has $T$ rows. Cut the rows of `X`, in their order, into $T$ batches of $n/T$ rows,
and go through all of them `epochs` times. In each pass the noise of the sums is
$b_1, \\dots, b_T$, the rows of $Bz$. Here $z$ is drawn anew for each pass; it has $p$
columns, and entries from $\\mathcal N(0, \\texttt{sigma}^2)$.

Begin with $s = v = 0$ and $\\theta_1 = 0$. Batch $t$ of a pass, $D_t$, makes the next
model, with the gradients at the newest one:

$$s \\leftarrow s + \\sum_{x \\in D_t} \\nabla\\ell(\\theta; x), \\qquad
v \\leftarrow \\gamma v + (s + b_t), \\qquad
\\theta \\leftarrow -v/\\Lambda .$$

`gamma` is $\\gamma$ and `reg` is $\\Lambda$. Both $s$ and $v$ go on from pass to pass.
But the records come back: so what a pass hands on as $s$ is its last *noisy* sum, not
the exact one. Write `ftrl_passes`, which returns **all** models, $\\theta_1$ too, as an
array of shape $(\\texttt{epochs}\\cdot T + 1, p)$. All randomness must come from `rng`,
a NumPy `Generator`. Leave `X` and `B` as they are. `X` may hold whole numbers.""",
    starter="""\
import numpy as np


def ftrl_passes(X, B, epochs, sigma, reg, gamma, rng):
    path = [np.zeros(X.shape[1])]
    for batch in np.split(X, len(B)):
        g = -batch.T @ (1 / (1 + np.exp(batch @ path[-1])))
        g = g + sigma * rng.standard_normal(g.shape)
        path.append(path[-1] - g / reg)
    return np.array(path)  # noisy descent, one pass; your code here""",
    worked=(
        """\
ftrl_passes(
    np.array([[1.0, 0.0], [0.0, 1.0]]),
    np.array([[1.0, 0.0], [0.5, 1.0]]),
    epochs=1,
    sigma=0.0,
    reg=1.0,
    gamma=0.5,
    rng=np.random.default_rng(0),
)""",
        "[[0, 0], [0.5, 0], [0.75, 0.5]]",
        "Both records are met by a model at right angles to them, so the gradients are "
        "−x/2. After the first, s = v = (−0.5, 0). After the second, s = (−0.5, −0.5) "
        "and v = 0.5 · (−0.5, 0) + s = (−0.75, −0.5). The models are −v.",
    ),
    hints=(
        "What depends on records: s, v or θ? Only that needs noise; the rest is made "
        "of what is released.",
        "Keep the exact sum and the noise apart within a pass. Which of them is in the "
        "sum for good when the pass is over?",
        "B need not be square. Its columns count the draws of a pass, for each of the "
        "p coordinates.",
    ),
    checks=(
        (
            "one pass without noise and momentum",
            partial(
                _without_noise, cases=((3, 1, 1, 0.0), (4, 3, 1, 0.0), (3, 11, 1, 0.0))
            ),
        ),
        ("momentum", partial(_without_noise, cases=((5, 2, 1, 0.6),))),
        (
            "several passes",
            partial(_without_noise, cases=((3, 2, 3, 0.6), (1, 2, 2, 0.6))),
        ),
        ("models far from 0", _far_models),
        ("the noise is fresh, and drawn from rng", _fresh),
        (
            "the noise of one pass is that of the sums",
            partial(
                demand_noise,
                factors=tree_factorization(3),
                epochs=1,
                p=3,
                gamma=0.4,
                runs=3000,
            ),
        ),
        (
            "the noise of several passes keeps every record private",
            partial(
                demand_noise,
                factors=square_root_factorization(2),
                epochs=3,
                p=1,
                gamma=0.6,
                runs=1000,
            ),
        ),
        ("gradients are taken at the released models", _together),
        ("whole numbers", _whole_numbers),
    ),
    praise="Only a sum touches the records, so only the sums need noise: momentum, "
    "steps and models are post-processing. E passes cost √E times the μ of one.",
)

EXPLANATION = """\


```python
import numpy as np


def ftrl_passes(X, B, epochs, sigma, reg, gamma, rng):
    T, p = len(B), X.shape[1]
    s = v = np.zeros(p)
    path = [np.zeros(p)]
    for _ in range(epochs):
        b = B @ rng.normal(0.0, sigma, (B.shape[1], p))
        for t, batch in enumerate(np.split(X, T)):
            s = s - batch.T @ (1 / (1 + np.exp(batch @ path[-1])))
            v = gamma * v + s + b[t]
            path.append(-v / reg)
        s = s + b[-1]
    return np.array(path)
```

**Step 1. The gradient.** The loss $\\ln(1 + e^{-\\langle x, \\theta\\rangle})$ has the
gradient $-x/(1 + e^{\\langle x, \\theta\\rangle})$. It is taken at the newest
*released* model, so that nothing exact leaks into later steps.

**Step 2. Sum and noise.** Within a pass the exact sum $s$ and the noise $b_t$ are kept
apart, because $b_t$ replaces $b_{t-1}$ and is not added to it. Only $s + b_t$ leaves.

**Step 3. Momentum.** $v$ is made of noisy sums alone, so it is post-processing, and it
goes on from pass to pass.

**Step 4. The restart.** After a pass, the last noise becomes part of the sum. The next
pass draws fresh noise. So a record meets each draw once, and $E$ passes cost $\\sqrt E$
times the $\\mu$ of one.

**What wrong answers overlook.** Adding up $b_1 + b_2 + \\dots$ counts noise of sums as
if it were noise of vectors. Keeping the exact $s$ releases all old gradients again. And
the same noise in each pass can be subtracted.
"""
