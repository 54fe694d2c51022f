"""Exercise: the loop of DP-SGD for least squares, all of it."""

import numpy as np

from .....grading.distributions import RUNS
from .....grading.exercise import Exercise
from .....grading.ladder import (
    demand_fresh_noise,
    demand_measured_noise,
    found_noise,
    matching_hint,
    ratio_hint,
)
from .....grading.report import Fault
from .....grading.student import Student
from ..private_step import cut
from .misreadings import FACTORS, PATHS, noiseless, pull

_FAR = 1e6  # a radius that no model reaches
_NEAR = 1e-4  # single precision will do, and so will C / (norm + 1e-6)


def _data(rng: np.random.Generator, n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw records whose gradients at 0 are about half below 0.8, and half above."""
    X = rng.normal(size=(n, p))
    goal = np.where(np.arange(n) % 2, 0.3, 4.0) * rng.uniform(0.7, 1.4, n)
    y = rng.choice([-1.0, 1.0], n) * np.sqrt(goal)
    return X * (np.sqrt(goal) / np.linalg.norm(X, axis=1))[:, None], y


def _compare(student: Student, X, y, C: float, R: float, T: int, lr: float) -> None:
    draws = np.random.default_rng(5)
    found = student.array((T, X.shape[1]), X, y, C, R, T, 0.0, lr, draws)
    wanted = noiseless(X, y, C, R, T, lr)
    off = np.abs(found - wanted).max(axis=1)
    near = _NEAR * max(1.0, np.abs(wanted).max())
    if off.max() > near:
        row = int(np.argmax(off > near))
        raise Fault(
            f"model {row + 1} of {T} at sigma = 0, for {len(X)} records, C = {C:g}, "
            f"R = {R:g}, lr = {lr:g}",
            _shown(found[row]),
            _shown(wanted[row]),
            matching_hint(
                found, PATHS, (X, y, C, R, T, lr),
                "Write down the first two models by hand, and compare. Is θ_0 left "
                "out, is each row an array of its own, and do the steps go downhill?",
                wanted,
            ),
        )  # fmt: skip


def _shown(model: np.ndarray) -> str:
    return f"({', '.join(f'{each:.4g}' for each in model)})"


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for n, p, T, C, lr in (
        (6, 2, 1, 0.8, 0.1), (1, 3, 4, 0.8, 0.3), (2, 1, 5, 1.7, 0.2),
        (33, 7, 6, 0.8, 0.02), (5, 2, 3, 9.0, 0.1), (2, 400, 2, 0.8, 0.1),
    ):  # fmt: skip
        _compare(student, *_data(rng, n, p), C, _FAR, T, lr)


def _ball(student: Student, rng: np.random.Generator) -> None:
    for n, p, T, R in ((5, 2, 8, 0.4), (8, 3, 6, 0.2), (3, 1, 5, 0.1)):
        _compare(student, *_data(rng, n, p), 0.8, R, T, 0.3)


def _zeros(student: Student, _: np.random.Generator) -> None:
    """Nothing pulls; whole numbers, as they come from a table, are records too."""
    _compare(student, np.zeros((3, 2)), np.zeros(3), 1.0, 2.0, 4, 0.5)
    _compare(student, np.eye(3, 2, dtype=int), np.array([1, 2, 0]), 0.7, 2.0, 4, 0.5)


def _fresh(student: Student, rng: np.random.Generator) -> None:
    X, y = _data(rng, 5, 3)
    demand_fresh_noise(student, (4, 3), rng, X, y, 1.0, _FAR, 4, 1.0, 0.1)


def _noise(student: Student, rng: np.random.Generator) -> None:
    for T, p, C, sigma, lr, stages in (
        (4, 8, 1.3, 0.7, 0.2, RUNS),
        (3, 2, 0.6, 2.5, 0.05, RUNS[:1]),
        (3, 1, 0.6, 2.5, 0.05, RUNS[:1]),
    ):
        _noise_at(student, rng, T, p, C, sigma, lr, stages)


def _noise_at(student, rng, T: int, p: int, C, sigma, lr, stages) -> None:
    """Where no record pulls, the steps are the noise."""
    goal = lr * C * sigma
    arguments = np.zeros((4, p)), np.zeros(4), C, _FAR, T, sigma, lr
    case = f"the noise of the steps at C = {C}, sigma = {sigma}, lr = {lr}"
    found = found_noise(student, (T, p), *arguments)
    if isinstance(found, str):

        def normals(paths: np.ndarray) -> np.ndarray:
            steps = np.diff(paths, axis=1, prepend=0.0) / goal
            return steps.reshape(len(paths), T * p)

        demand_measured_noise(
            student, (T, p), rng, arguments, normals, case, found, stages
        )
        return
    apart = np.eye(T * p) - np.eye(T * p, k=-p)  # from models to steps
    covariance = apart @ found.covariance @ apart.T / goal**2
    if np.abs(covariance - np.eye(T * p)).max() > 1e-6:
        raise _noise_fault(case, covariance, goal, (C, sigma, lr, T))


def _noise_fault(case: str, covariance, goal: float, known) -> Fault:
    sizes = np.sqrt(np.diag(covariance).clip(min=0.0))
    if np.abs(covariance - np.diag(np.diag(covariance))).max() > 1e-6:
        return Fault(
            f"{case}: are its numbers independent?",
            "numbers of noise that depend on each other",
            "a number of its own for each step and each coordinate",
            "Draw afresh in every step, and one number for each coordinate.",
        )
    ratio = float(sizes[np.argmax(np.abs(sizes - 1))])
    side = "That protects nobody." if ratio < 1 else "That is more than is needed."
    return Fault(
        f"the standard deviation of {case}",
        f"{ratio * goal:.4g}, which is {ratio:.3g} times what is asked for",
        f"lr · C · sigma = {goal:.4g} in every step",
        ratio_hint(ratio, FACTORS, known, side, 1.0),
    )


def _together(student: Student, rng: np.random.Generator) -> None:
    for n, p, T, R in ((6, 2, 6, _FAR), (6, 2, 6, 0.5), (4, 1, 5, 0.3)):
        X, y = _data(rng, n, p)
        _compare_noisy(student, X, y, R, T, int(rng.integers(2**62)))


def _compare_noisy(student: Student, X, y, R: float, T: int, seed: int) -> None:
    """One seed draws the same noise for records of zeros: then all can be compared."""
    C, sigma, lr = 0.9, 1.1, 0.4

    def run(X: np.ndarray, y: np.ndarray, R: float) -> np.ndarray:
        draws = np.random.default_rng(seed)
        return student.array((T, X.shape[1]), X, y, C, R, T, sigma, lr, draws)

    noise = np.diff(run(0 * X, 0 * y, _FAR), axis=0, prepend=0.0)
    found = run(X, y, R)
    before = np.concatenate([np.zeros((1, X.shape[1])), found[:-1]])
    pulls = np.stack([pull(w, X, y, C) for w in before])
    wanted = cut(before - lr * pulls + noise, R)
    off = np.abs(found - wanted).max(axis=1)
    if off.max() > _NEAR:
        row = int(np.argmax(off > _NEAR))
        raise Fault(
            f"model {row + 1} of {T} at sigma = {sigma}, R = {R:g}, made from the "
            f"model that you released before it",
            _shown(found[row]),
            _shown(wanted[row]),
            "The gradient is taken at the newest model, with its noise, and the "
            "ball cuts the model that has the noise already.",
        )


EXERCISE = Exercise(
    name="dp_sgd_path",
    parameters=("X", "y", "C", "R", "steps", "sigma", "lr", "rng"),
    title="The whole loop",
    statement="""\
Write `dp_sgd_path`, which runs DP-SGD for least squares and returns all its models
$\\theta_1, \\dots, \\theta_T$ as an array of shape $(T, p)$, where $T$ is `steps`. The
records are the rows $x_i$ of `X`, of shape $(n, p)$, and the entries $y_i$ of `y`; the
loss of a record is $\\frac12(\\langle x_i, \\theta\\rangle - y_i)^2$. Begin at
$\\theta_0 = 0$, and take the steps

$$\\theta_{t+1} = \\Pi_R\\Big(\\theta_t - \\texttt{lr}\\,\\Big(\\sum_{i=1}^n
\\mathrm{clip}_C\\big(\\nabla\\ell(\\theta_t; d_i)\\big)
+ \\mathcal N(0,\\ C^2\\sigma^2 I_p)\\Big)\\Big).$$

Here $\\mathrm{clip}_C$ shortens a vector to norm $C$ if it is longer, and $\\Pi_R$ does
the same with the norm $R$. All randomness must come from `rng`, a NumPy
`Generator`. `X` and `y` may hold whole numbers.""",
    starter="""\
import numpy as np


def dp_sgd_path(X, y, C, R, steps, sigma, lr, rng):
    theta = np.zeros(X.shape[1])
    path = []
    for _ in range(steps):  # gradient descent; your code here
        theta = theta - lr * X.T @ (X @ theta - y)
        path.append(theta)
    return np.array(path)""",
    worked=(
        """\
dp_sgd_path(
    np.array([[1.0, 0.0], [0.0, 2.0]]),
    np.array([0.5, 1.0]),
    C=1.0,
    R=0.5,
    steps=2,
    sigma=0.0,
    lr=0.4,
    rng=np.random.default_rng(0),
)""",
        "[[0.2, 0.4], [0.24807, 0.43412]]",
        "Without noise. The gradients at 0 are (−0.5, 0) and (0, −2), which is cut to "
        "(0, −1). So the first model is (0.2, 0.4), of norm 0.447, in the ball. There "
        "the gradients are (−0.3, 0) and (0, −0.4), and the step leads to (0.32, "
        "0.56), of norm 0.645. The factor 0.5/0.645 brings it back.",
    ),
    hints=(
        "Which of the five operations (gradient, clip, sum, noise, projection) look at "
        "one record, which at the sum, and which at the model?",
        "At `theta`, the gradients of all records are `(X @ theta - y)[:, None] * X`, "
        "a row each. What has to happen to them before they are added up?",
        "How many numbers of noise does one step need, and how many all steps?",
    ),
    checks=(
        ("without noise, the steps are those of clipped gradients", _without_noise),
        ("each model is brought back to the ball", _ball),
        ("records of zeros, and of whole numbers", _zeros),
        ("the noise is fresh, and drawn from rng", _fresh),
        ("the noise of every step has the right size", _noise),
        ("noise, gradients and the ball work together", _together),
    ),
    praise="This is DP-SGD. All models together are √T/sigma-GDP, and you may publish "
    "every one of them.",
)

EXPLANATION = r"""Five operations make a step, and each has its place. The gradients and
the clip look at one record at a time. The sum is the only quantity in which the records
meet, so it is where the noise goes. The projection works on the model, which holds the
noise already.

```python
import numpy as np


def dp_sgd_path(X, y, C, R, steps, sigma, lr, rng):
    theta, path = np.zeros(X.shape[1]), []
    for _ in range(steps):
        G = (X @ theta - y)[:, None] * X
        G = G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1.0)
        noisy = G.sum(axis=0) + C * sigma * rng.standard_normal(theta.shape)
        theta = theta - lr * noisy
        theta = theta / max(np.linalg.norm(theta) / R, 1.0)
        path.append(theta)
    return np.array(path)
```

*Why all models may be published.* Given the model before, a record moves the sum by at
most $C$, and the noise has $\sigma$ times that size in every direction. So one step is
$1/\sigma$-GDP. The projection, and whatever is done with the models later, is
post-processing. The steps compose: $T$ of them are $\sqrt T/\sigma$-GDP.

*What wrong answers overlook.* If the sum is clipped instead of the gradients, one long
gradient can turn the whole sum. If the gradients are taken at models without noise,
then each released model is private only by luck: the noise of earlier steps is missing
from what later steps see, so the path is no longer a chain of Gaussian mechanisms. And
if the ball is used only at the end, the gradients of the steps are not those of the
algorithm, so the theorem about the risk does not speak about this run."""
