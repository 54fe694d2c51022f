"""Exercise: train a network on digits, to a stated accuracy at a stated ε."""

import numpy as np

from .....data import digits
from .....grading.exercise import Exercise
from .....grading.report import Fault
from .....grading.student import Student
from .certificate import Images, OnlyOrdinary, certified, count_steps

_EPS, _DELTA, _IMAGES, _UNITS, _ACCURACY = 4.0, 1e-5, 500, 16, 60
# Records of these norms are priced: at 8 both layers pull hard, at 200 tanh is flat; a
# wrong norm may show at 1.5 alone.
_NORMS = (8.0, 200.0, 1.5)


def _draw(rng: np.random.Generator, n: int, d: int, m: int, K: int) -> Images:
    return Images(
        rng.normal(size=(n, d)) / np.sqrt(d), rng.integers(0, K, n),
        *_start(rng, d, m, K), 1.0, 1e-6,
    )  # fmt: skip


def _start(rng: np.random.Generator, d: int, m: int, K: int):
    A, B = rng.normal(size=(d, m)), rng.normal(size=(m, K))
    return A / np.sqrt(d), B / np.sqrt(m)


def _records(rng: np.random.Generator, images: Images, i: int) -> list[tuple]:
    """Empty the place i, and return what could stand there."""
    images.X[i], images.y[i] = 0.0, 0
    d, K = images.X.shape[1], images.B.shape[1]
    directions = [rng.normal(size=d) for _ in _NORMS]
    return [
        (i, size * v / np.linalg.norm(v), int(rng.integers(1, K)))
        for size, v in zip(_NORMS, directions, strict=True)
    ]


def _models(student: Student, rng: np.random.Generator) -> None:
    """Try one image, and several: no noise repeats itself."""
    for n, d, m, K in ((1, 2, 1, 2), (17, 3, 2, 4)):
        _demand_fresh(student, rng, _draw(rng, n, d, m, K))


def _demand_fresh(student: Student, rng: np.random.Generator, images: Images) -> None:
    seeds = [int(seed) for seed in rng.integers(2**62, size=2)]
    T = count_steps(student, images, np.random.default_rng(seeds[0]))
    one, again, two = (
        images.call(student, T, np.random.default_rng(seed))
        for seed in (seeds[0], *seeds)
    )
    if not np.array_equal(one, again):
        raise Fault(
            "two runs with the same seed in rng", "different models",
            "the same models twice",
            "Draw all noise from the argument rng, and keep nothing between calls.",
        )  # fmt: skip
    same = np.flatnonzero((one == two).all(axis=1))
    if len(same):
        raise Fault(
            f"model {same[0] + 1} of {T}, with two seeds in rng",
            "the same model twice",
            "noise that is fresh in each run",
            "Is noise added in each step, and drawn from the argument rng?",
        )  # fmt: skip


def _digits(student: Student, rng: np.random.Generator) -> None:
    """Price a run by tape, and let its last model read the others: the same run."""
    whole = digits()
    turned = np.linalg.qr(rng.normal(size=(whole.X.shape[1],) * 2))[0]
    X, y = whole.X @ turned, rng.permutation(10)[whole.y]
    train, test = np.split(rng.permutation(whole.n), [_IMAGES])
    start = _start(rng, X.shape[1], _UNITS, 10)
    images = Images(X[train], y[train], *start, _EPS, _DELTA)
    records = _records(rng, images, int(rng.integers(_IMAGES)))
    seed = int(rng.integers(2**62))
    try:
        path = certified(student, images, records, seed)
    except OnlyOrdinary:  # a judge, who has certified before, and looks again
        draws = np.random.default_rng(seed)
        T = count_steps(student, images, draws)
        path = images.call(student, T, draws)
    A, B = np.split(path[-1], [images.A.size])
    scores = np.tanh(X[test] @ A.reshape(images.A.shape)) @ B.reshape(_UNITS, 10)
    read = 100 * float(np.mean(scores.argmax(axis=1) == y[test]))
    if read < _ACCURACY:
        raise Fault(
            f"how many of {len(test):,} other digits the last model reads, after "
            f"training on {_IMAGES} with eps = {_EPS:g} and delta = {_DELTA:g}",
            f"{read:.1f} in 100", f"at least {_ACCURACY} in 100",
            "The budget is kept. Is all of it used? How far does a step go in all, and "
            "how far does its noise?",
        )  # fmt: skip


def _small(student: Student, rng: np.random.Generator) -> None:
    """Price few images of one pixel under another budget."""
    images = _draw(rng, 6, 1, 2, 3)
    records = _records(rng, images, int(rng.integers(6)))
    try:
        certified(
            student, images, records, int(rng.integers(2**62)),
            "Is the noise made for the eps and the delta that are given?",
        )  # fmt: skip
    except OnlyOrdinary:
        return


EXERCISE = Exercise(
    name="train_digits",
    parameters=("X", "y", "A", "B", "eps", "delta", "rng"),
    title="Train digits in private",
    statement="""\
Train the network of *Clip a network*: weights `A`, of shape $(d, m)$, and `B`, of shape
$(m, K)$, give the row $x$ the scores $\\tanh(x^\\top A)\\,B$. The rows of `X`, of shape
$(n, d)$ with $n \\ge 1$, are images, and `y` holds their classes, from 0 to $K - 1$.
Begin at the given `A` and `B`, which are public.

Return **all models that you publish**, one row after each step: an array of shape
$(T, dm + mK)$, in each row first the weights `A`, row by row, then `B`. You choose
$T \\le 20$, the loss, the clip norm and the rate. The number of images and $T$ are
public, the images are not.

**The price.** All rows together must be $(\\texttt{eps}, \\texttt{delta})$-DP if one
image, which may be a row of any length, and its class are replaced by zeros. A run that
is $\\mu$-GDP is that if

$$\\Phi\\Big(\\frac\\mu2 - \\frac{\\texttt{eps}}\\mu\\Big) - e^{\\texttt{eps}}\\,
\\Phi\\Big({-\\frac\\mu2} - \\frac{\\texttt{eps}}\\mu\\Big) \\le \\texttt{delta} .$$

**The quality.** On 500 digits, with `eps = 4` and `delta = 1e-5`, the last row must
read at least 60 in 100 of the other digits. The digits are yours from
`dpteach.data.digits()`; the check turns them by a secret rotation, and renames their
classes, so that weights from elsewhere read nothing.

**The tape.** All images take part in each step. Draw from `rng` nothing but normals,
with `rng.normal` or `rng.standard_normal`: one for each weight, step by step. Then the
check finds the exact price of your code. It calls your function about a hundred times,
so compute with arrays rather than image by image.""",
    starter="""\
import numpy as np


def train_digits(X, y, A, B, eps, delta, rng):
    path = []
    for _ in range(20):  # ordinary training; your code here
        h = np.tanh(X @ A)
        g = np.exp(h @ B)
        g = 8 / len(X) * (g / g.sum(1, keepdims=True) - np.eye(B.shape[1])[y])
        A, B = A - X.T @ ((g @ B.T) * (1 - h * h)), B - h.T @ g
        path.append(np.concatenate([A.ravel(), B.ravel()]))
    return np.array(path)""",
    worked=(
        """\
train_digits(
    np.array([[0.5, 0.0]]),
    np.array([1]),
    np.zeros((2, 3)),
    np.zeros((3, 2)),
    eps=4.0,
    delta=1e-5,
    rng=np.random.default_rng(0),
).shape[1]""",
        "12",
        "Each row holds 2 · 3 + 3 · 2 = 12 weights. What stands in them is yours, and "
        "the noise's.",
    ),
    hints=(
        "Work backward from the budget: the formula gives $\\mu$, for which you can "
        "halve an interval, and $T$ steps of noise multiplier $\\lambda$ cost "
        "$\\mu = \\sqrt T/\\lambda$.",
        "A step is the clipped sum of *Clip a network*, plus noise of deviation "
        "$C\\lambda$ in each weight, times a rate. The largest exponent of a row goes "
        "first, because a row may be long.",
        "Noise costs less in few steps. With clip norm 1, a dozen steps and momentum, "
        "try rates between 2 and 20, divided by $n$, on a split of the digits of your "
        "own: that search is on public data.",
    ),
    checks=(
        ("models after each step, with fresh noise from rng", _models),
        ("digits: the tape certifies eps = 4, and 60 in 100 others are read", _digits),
        ("a small run costs at most eps = 1, by tape", _small),
    ),
    praise="The tape has priced the very run that reads these digits, at every step "
    "and for the worst images that it tried.",
)

EXPLANATION = r"""
Three parts stand one upon the other. First the budget. The left side of the condition
grows with $\mu$, so halving an interval finds the largest $\mu$ that is allowed. Then
the noise: $T$ steps, each $1/\lambda$-GDP, are together $\sqrt T/\lambda$-GDP, so
$\lambda = \sqrt T/\mu$. Then the step: clip each image's whole gradient, add the
gradients up, add noise, and go downhill. Momentum is computed from what is published,
so it is free, and brings 12 steps as far as 20 would go without it.

```python
from math import erfc, exp, sqrt

import numpy as np


def train_digits(X, y, A, B, eps, delta, rng):
    def below(x):
        return erfc(-x / sqrt(2)) / 2

    low, high = 0.0, 10.0
    for _ in range(60):
        mu = (low + high) / 2
        spent = below(mu / 2 - eps / mu) - exp(eps) * below(-mu / 2 - eps / mu)
        low, high = (mu, high) if spent <= delta else (low, mu)
    T, C, rate, momentum = 12, 1.0, 6.0 / len(X), 0.6
    noise = C * sqrt(T) / low
    U, V, path = 0.0, 0.0, []
    for _ in range(T):
        h = np.tanh(X @ A)
        z = h @ B
        g = np.exp(z - z.max(axis=1, keepdims=True))
        g = g / g.sum(axis=1, keepdims=True) - np.eye(B.shape[1])[y]
        r = (g @ B.T) * (1 - h * h)
        squares = (X**2).sum(axis=1) * (r**2).sum(axis=1)
        squares = squares + (h**2).sum(axis=1) * (g**2).sum(axis=1)
        k = 1 / np.maximum(np.sqrt(squares) / C, 1.0)[:, None]
        U = momentum * U + X.T @ (k * r) + noise * rng.standard_normal(A.shape)
        V = momentum * V + h.T @ (k * g) + noise * rng.standard_normal(B.shape)
        A, B = A - rate * U, B - rate * V
        path.append(np.concatenate([A.ravel(), B.ravel()]))
    return np.array(path)
```

**What the tape does.** It runs your code with an image and without it. After each step
it moves the normals of the run that has the image until both publish the same model.
How far they had to move is the price of that step, and the root of the sum of squares
that of the run. Steps are priced by the worst of several images, among them one that is
two hundred times as long as a digit. No price of a sample of images is a proof. The
proof is the clip.

**Why it cannot be fooled by a good day.** The model that must read other digits is the
last one of the run that the tape has priced, and an ordinary generator with the same
normals must give the same models. In 1,000 runs this answer read 87.5 in 100 on
average, with a deviation of 1.6, and never less than 81.

**What wrong answers overlook.** A mean over the images is fine, because $n$ is public.
Standardized pixels, weights by class and an early stop look at all images at once, and
no clip bounds what one image changes there.
"""
