"""Exercise: score people by how much a published mean remembers them."""

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _wanted(a: np.ndarray, X: np.ndarray, P: np.ndarray) -> np.ndarray:
    spread = np.sqrt(np.sum((a - P) ** 2 * (1 - P**2)))
    return (X - P) @ (a - P) / spread


def _over(scores: np.ndarray, variance: np.ndarray | float) -> np.ndarray:
    return scores / np.sqrt(np.sum(variance))


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda a, X, P: (X - P) @ (a - P),
        "The score is not in units of its deviation yet.",
    ),
    (
        lambda a, X, P: (X - P) @ (a - P) / np.sum((a - P) ** 2 * (1 - P**2)),
        "That divides by the variance; a deviation is its root.",
    ),
    (
        lambda a, X, P: _over((X - P) @ (a - P), (a - P) ** 2),
        "A sign with mean P does not have variance 1: what is it at P = 1?",
    ),
    (
        lambda a, X, P: _over((X - P) @ (a - P), 1 - P**2),
        "The entries of a − P weight the signs, so their squares weight the variances.",
    ),
    (
        lambda a, X, P: _over((X - P) @ a, (a - P) ** 2 * (1 - P**2)),
        "The mean is not centered: only what differs from P is evidence.",
    ),
    (
        lambda a, X, P: _over(X @ (a - P), (a - P) ** 2 * (1 - P**2)),
        "The people are not centered: a stranger's score has mean ⟨a − P, P⟩, not 0.",
    ),
    (
        lambda a, X, P: _over(X @ a, a**2 * (1 - P**2)),
        "Nothing is centered: strangers agree with the mean, too.",
    ),
    (
        lambda a, X, P: -_over((X - P) @ (a - P), (a - P) ** 2 * (1 - P**2)),
        "The sign is reversed: people who agree with the mean should score high.",
    ),
    (
        lambda a, X, P: (
            (X - P) @ (a - P) / np.maximum(np.std((X - P) @ (a - P)), 1e-300)
        ),
        "You measure the deviation over the people at hand, who may all be records. "
        "That of a stranger follows from a and P alone.",
    ),
    (
        lambda a, X, P: _over(
            (X - X.mean(axis=0)) @ (a - P), (a - P) ** 2 * (1 - P**2)
        ),
        "The people at hand are centered by their own mean, which may be that of the "
        "records. The population's mean is P.",
    ),
)


def _compare(
    student: Student, a: np.ndarray, X: np.ndarray, P: np.ndarray, hint: str
) -> None:
    found, wanted = student.array((len(X),), a, X, P), _wanted(a, X, P)
    if np.allclose(found, wanted, rtol=2e-4, atol=1e-7):
        return
    k = int(np.argmax(np.abs(found - wanted)))
    raise Fault(
        f"the score of person {k}, among {len(X)} with {X.shape[1]} signs each",
        f"{found[k]:.5g}",
        f"{wanted[k]:.5g}, in deviations of a stranger's score",
        matching_hint(found, _MISREAD, (a, X, P), hint, wanted),
    )


def _people(
    rng: np.random.Generator, k: int, p: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw people of whom some signs are rare, and a mean with noise."""
    P = rng.uniform(-0.95, 0.95, p)
    X = np.where(rng.random((k, p)) < (1 + P) / 2, 1.0, -1.0)
    return P + 0.3 * rng.normal(size=p), X, P


def _few_signs(student: Student, rng: np.random.Generator) -> None:
    for p in (4, 3):
        a, X, P = _people(rng, 5, p)
        _compare(student, a, X, P, "What is the variance of a sign whose mean is P?")


def _many_signs(student: Student, rng: np.random.Generator) -> None:
    a, X, P = _people(rng, 8, 400)
    _compare(student, a, X, P, "Add up over signs; each person has one score.")


def _strangers(student: Student, rng: np.random.Generator) -> None:
    a, X, P = _people(rng, 1500, 40)
    found = student.array((len(X),), a, X, P)
    # Means of 1,500 scores are all but normal: 6 standard errors, less than 1e-6.
    mean, spread = float(found.mean()), float(found.std())
    if abs(mean) > 6 / np.sqrt(1500) or abs(spread - 1) > 0.12:
        raise Fault(
            "the scores of 1,500 strangers",
            f"mean {mean:.3g}, deviation {spread:.3g}",
            "mean 0, deviation 1, up to chance",
            matching_hint(found, _MISREAD, (a, X, P), "Center first, then scale."),
        )


def _edges(student: Student, rng: np.random.Generator) -> None:
    a, X, P = _people(rng, 1, 1)
    _compare(student, a, X, P, "One person with one sign.")
    a, X, P = _people(rng, 6, 5)
    P[0], X[:, 0] = 1.0, 1.0
    _compare(student, a, X, P, "One sign is the same for everybody: it tells nothing.")
    a, X, P = _people(rng, 6, 5)
    _compare(student, a, X.astype(int), P, "X may hold integers.")
    a, _, P = _people(rng, 1, 100)
    X = np.array([1.0, -1.0])[:, None] * np.sign(a - P)
    _compare(student, a, X, P, "Nothing bounds a score, high or low.")


EXERCISE = Exercise(
    name="membership_scores",
    parameters=("a", "X", "P"),
    title="Whom does the mean remember?",
    statement="""\
A server published `a`, of shape $(p,)$: the noisy mean of the signs of some records. In
the population sign $j$ has mean `P[j]`, and signs are independent. The rows of `X`, of
shape $(k, p)$, are the signs, $-1$ or $+1$, of $k$ people. Were they among the records?

Return a score for each person $x$, shape $(k,)$: the tracing score
$\\langle a - P,\\ x - P\\rangle$, divided by the standard deviation that it has for a
**stranger**, somebody drawn from the population who was not among the records. Here `a`
  and `P` are fixed numbers. So a stranger's score has mean 0 and deviation 1, and a
  high score is suspicious. `X` may hold whole numbers.""",
    starter="""\
import numpy as np


def membership_scores(a, X, P):
    return X @ a  # your code here""",
    worked=(
        """\
membership_scores(
    np.array([0.5, 0.5]),
    np.array([[1.0, 1.0], [-1.0, 1.0]]),
    np.zeros(2),
)""",
        "[1.414214, 0.0]",
        "P is 0, so each sign has variance 1. The scores are 1 and 0. A stranger's has "
        "variance 0.5² + 0.5² = 0.5, so they are divided by 0.7071.",
    ),
    hints=(
        "What would a stranger's $\\langle a, x\\rangle$ be on average? Subtract it.",
        "A sign that is $+1$ with probability $(1 + P)/2$: what is its variance?",
        "The variance of a sum of independent terms $c_j s_j$ is the sum of "
        "$c_j^2$ times the variance of $s_j$.",
    ),
    checks=(
        ("five people with four signs", _few_signs),
        ("many signs", _many_signs),
        ("strangers have mean 0 and deviation 1", _strangers),
        ("one sign, a sign that all share, and integers", _edges),
    ),
    praise="Records score about √(2p/3)/(nα) on average. So if p is large enough, an "
    "error of α hides nobody.",
)

EXPLANATION = """\
The score of person $x$ is $\\sum_j (a_j - P_j)(x_j - P_j)$. For a stranger the $x_j$
are independent signs with means $P_j$, so each term has mean 0, and its variance is
$(a_j - P_j)^2$ times the variance $1 - P_j^2$ of a sign.

```python
import numpy as np


def membership_scores(a, X, P):
    centered = a - P
    spread = np.sqrt(np.sum(centered**2 * (1 - P**2)))
    return (X - P) @ centered / spread
```

**Why both are centered.** A stranger agrees with the mean as well, wherever the
population does. Only what goes beyond $P$ is evidence. If the people are not centered,
a stranger's score has the mean $\\langle a - P, P\\rangle$ instead of 0.

**Why not the measured deviation.** The people at hand may all be records. Their scores
then spread around a large mean, and dividing by their own deviation hides what you were
looking for. A stranger's deviation follows from $a$ and $P$ alone.

**A sign that everybody shares** has $P_j = \\pm1$ and variance 0. It drops out of both
sums, so nothing is divided by 0 as long as some sign varies.
"""
