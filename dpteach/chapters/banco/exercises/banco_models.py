"""Exercise: BANCO's whole pass over the users, from their noisy reports to models."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(100)
_Case = tuple[np.ndarray, np.ndarray, np.ndarray, float, float]


def _bet(x: float, y: float, a: float) -> float:
    beta = a * _NODES
    return float((beta * np.exp(beta * x - beta * beta * y)) @ _WEIGHTS) / 2


def _models(
    X: np.ndarray, y: np.ndarray, xi: np.ndarray, a: float, h: float, wrong: str = ""
) -> np.ndarray:
    """Run the pass; ``wrong`` names a mistake that many make."""
    n, p = X.shape
    w, q, won, squares, path = np.zeros(p), np.zeros(p), 0.0, 0.0, []
    for t in range(n):
        path.append(w)
        slope = np.sign(X[t] @ w - y[t]) * X[t]
        report = xi[t] + (slope if wrong == "uphill" else -slope)
        squares += report @ report
        size = squares if wrong == "no root" else np.sqrt(squares)
        size = np.sqrt(t + 1) if wrong == "counts" else size
        new = q + report / size if size else q
        length = np.linalg.norm(new)
        if wrong != "leaves the ball" and (length > 1 or wrong == "always 1"):
            new = new / length if length else new
        along = new if wrong == "new direction" else q
        won += float((-slope if wrong == "bare coin" else report) @ along)
        spread = {"one report": h, "late": t * h}.get(wrong, (t + 1) * h)
        w, q = _bet(won, spread, a) * new, new
    return np.array([*path[1:], w] if wrong == "early" else path).reshape(n, p)


def _told(wrong: str):
    return lambda *case: _models(*case, wrong=wrong)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        _told("bare coin"),
        "The coin was taken from the gradient without its noise. Models are public: "
        "from them everybody could compute that coin, and so the record's gradient.",
    ),
    (
        _told("new direction"),
        "Which direction did the user's model have: the one before her report came, or "
        "the one after it? A bet is placed before the coin falls.",
    ),
    (_told("leaves the ball"), "The direction leaves the unit ball."),
    (
        _told("always 1"),
        "The direction is stretched to length 1. Only what is longer is cut.",
    ),
    (
        _told("one report"),
        "The variance is that of one report. It adds up over all that came.",
    ),
    (_told("late"), "The variance is one report behind. How many have come by now?"),
    (
        _told("no root"),
        "The step falls like 1/t. Divide by the root of the sum of squares.",
    ),
    (
        _told("counts"),
        "The step counts the reports. It should measure how long they were.",
    ),
    (
        _told("uphill"),
        "The models walk uphill. What is the sign of the gradient in a report?",
    ),
    (
        _told("early"),
        "Everything is one row early: which model is user 1 sent?",
    ),
)


def _compare(student: Student, case: _Case, what: str, hint: str) -> None:
    X = case[0]
    found, wanted = student.array(X.shape, *case), _models(*case)
    if np.allclose(found, wanted, rtol=1e-6, atol=1e-9):
        return
    row = int(np.argmax(np.abs(found - wanted).max(axis=1) > 1e-9))
    raise Fault(
        f"{what}: the model of user {row + 1}, of {len(X)} users in {X.shape[1]} "
        f"dimensions, a = {case[3]:.3g}, h = {case[4]:.3g}",
        np.array2string(found[row][:4], precision=5),
        np.array2string(wanted[row][:4], precision=5),
        matching_hint(found, _MISREAD, case, hint, wanted),
    )


def _users(
    rng: np.random.Generator, n: int, p: int, noise: float = 1.0, far: float = 3.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X = rng.standard_normal((n, p))
    X /= np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1.0)
    return X, far * X[:, 0], noise * rng.standard_normal((n, p))


def _first_users(student: Student, rng: np.random.Generator) -> None:
    for n in (1, 2, 5):
        case = *_users(rng, n, 3), 0.5, 1.5
        _compare(student, case, "the first users", "Follow one user by hand first.")


def _many_users(student: Student, rng: np.random.Generator) -> None:
    for n, p, noise, a, h in (
        (33, 3, 0.3, 0.6838, 1.1), (64, 7, 2.0, 0.4, 12.0), (64, 1, 0.5, 0.5, 2.0),
        (3, 400, 0.5, 0.5, 2.0),
    ):  # fmt: skip
        case = *_users(rng, n, p, noise), a, h
        _compare(student, case, "a longer pass", "Is anything forgotten on the way?")


def _strong_noise(student: Student, rng: np.random.Generator) -> None:
    case = *_users(rng, 64, 2, 30.0), 0.05, 500.0
    _compare(student, case, "much noise", "Reports may be long; directions are not.")
    case = *_users(rng, 64, 2, 0.01, far=100.0), 0.6838, 1.0
    _compare(student, case, "hardly any noise", "Nothing bounds a model's length.")


def _special(student: Student, rng: np.random.Generator) -> None:
    X, y, xi = _users(rng, 12, 2)
    X[3:5], xi[:2], y[:2] = 0.0, 0.0, 0.0
    _compare(
        student, (X, y, xi, 0.5, 2.0), "two reports of 0 at the start",
        "While every report is 0, the direction stays 0.",
    )  # fmt: skip
    X, y, xi = _users(rng, 12, 2)
    X, y = (3 * X).astype(int) // 3, 2 * np.rint(y).astype(int) + 1  # never a tie
    whole = X, y, np.rint(2 * xi).astype(int)
    _compare(student, (*whole, 0.5, 2.0), "whole numbers", "X may hold integers.")


EXERCISE = Exercise(
    name="banco_models",
    parameters=("X", "y", "xi", "a", "h"),
    title="One pass of BANCO",
    statement="""\
User $t$ holds a row of `X`, of shape $(n, p)$ and norm at most 1, and a label from `y`,
of shape $(n,)$. Her loss is $|\\langle w, x_t\\rangle - y_t|$, whose gradient is
$g_t = \\mathrm{sign}(\\langle w_t, x_t\\rangle - y_t)\\,x_t$, with $\\mathrm{sign}(0)
= 0$. No gradient is longer than 1, so nothing has to be clipped. She reports
$\\hat g_t = -g_t + \\xi_t$, where $\\xi_t$ is a row of `xi`, of shape $(n, p)$.

Write `banco_models(X, y, xi, a, h)`. It returns an array of shape $(n, p)$ whose row
$t$ is the model $w_t$ that user $t$ was **sent**. Start with $w_1 = q_1 = 0$. After the
report of user $t$, in this order:

1. $x_t = \\sum_{s\\le t}\\langle\\hat g_s, q_s\\rangle$ and $m = m(x_t,\\ t\\,h,\\ a)$;
2. $q_{t+1}$ is $q_t + \\hat g_t/\\sqrt{\\sum_{s\\le t}\\lVert\\hat g_s\\rVert^2}$,
   cut to norm 1 if it is longer; while all reports are 0, it stays 0;
3. $w_{t+1} = m\\,q_{t+1}$.

The bet $m(x, y, a)$ is written below for you. Leave the arguments as they are.
`X`, `y` and `xi` may hold whole numbers.""",
    starter="""\
import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(100)


def bet(x, y, a):
    beta = a * NODES
    return (beta * np.exp(beta * x - beta**2 * y)) @ WEIGHTS / 2


def banco_models(X, y, xi, a, h):
    w = np.zeros(X.shape[1])
    path = []
    for t in range(len(X)):
        path.append(w)
        w = w + xi[t]  # your code here
    return np.array(path)""",
    worked=(
        """\
banco_models(
    np.array([[1.0], [1.0], [1.0]]),
    np.array([2.0, 2.0, 2.0]),
    np.array([[0.5], [-0.25], [0.0]]),
    0.5,
    2.0,
)""",
        "[[0.0], [0.0], [0.0359688]]",
        "One dimension, and every label is above every model, so each gradient is −1. "
        "The reports are 1.5, 0.75 and 1. The first coin is 1.5 · 0 = 0: nothing is "
        "won, and the bet is 0. The direction becomes 1.5/1.5 = 1. The second coin is "
        "0.75, so x = 0.75, and the bet at y = 4 is 0.03597. The direction would "
        "become more than 1, and is cut to 1. So user 3 is sent 0.03597.",
    ),
    hints=(
        "Five things change from user to user: the model, the direction, what was won, "
        "the sum of squares, and how many have reported.",
        "The coin of user t needs the direction that her own model had. So compute it "
        "before the direction moves.",
        "What may the server look at? Only reports: the gradient itself never leaves "
        "the user's phone.",
    ),
    checks=(
        ("one, two and five users", _first_users),
        ("many users, in 1, 3 and 7 dimensions", _many_users),
        ("much noise, and hardly any", _strong_noise),
        ("reports of 0, rows of 0, and whole numbers", _special),
    ),
    praise="Nobody told your server a learning rate, or how far away the best model "
    "is. And all that it used were reports, so every model is private.",
)

EXPLANATION = """\
The pass keeps five things: the model $w$, the direction $q$, the sum $x$ of coins, the
sum of squared reports, and the number of reports. One user changes each of them once.

```python
import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(100)


def bet(x, y, a):
    beta = a * NODES
    return (beta * np.exp(beta * x - beta**2 * y)) @ WEIGHTS / 2


def banco_models(X, y, xi, a, h):
    n, p = X.shape
    w, q = np.zeros(p), np.zeros(p)
    won = squares = 0.0
    path = []
    for t in range(n):
        path.append(w)
        gradient = np.sign(X[t] @ w - y[t]) * X[t]  # never leaves the phone
        report = xi[t] - gradient
        won += report @ q  # the coin, along the direction that she was sent
        m = bet(won, (t + 1) * h, a)
        squares += report @ report
        if squares > 0:
            q = q + report / np.sqrt(squares)
        q = q / max(1.0, np.linalg.norm(q))
        w = m * q
    return np.array(path).reshape(n, p)
```

**Why in this order.** A bet is placed before the coin falls. User $t$ was sent the
direction $q_t$, so her coin is $\\langle\\hat g_t, q_t\\rangle$, and $q$ may move
only afterward. With the new direction in its place the coin would always look good,
because the direction was just bent toward the report, and the gambler would bet on
its own luck.

**Why the noisy report.** It is tempting to use the clean gradient for the coin, since
only one number is computed from it. But that number can be computed back from the
models, which are public. So the coin has to be made from what the user sent, noise
included; then everything that the server does is post-processing.

**Why $t\\,h$.** Each report adds variance, whatever it says. The bet is careful in
proportion to all the noise that has come so far, and not only to that of the last user.
"""
