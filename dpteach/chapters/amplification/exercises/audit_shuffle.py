"""Exercise: what the largest of an epoch's sums says about a shuffled record."""

from functools import partial
from math import exp, log

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student
from ..audits import shuffle_chances

_RELATIVE, _ABSOLUTE = 1e-6, 1e-9  # either error is small enough


def _above(shift: float, steps: int, sigma: float, c: float) -> float:
    """Return how likely some sum is above c, if one of them is raised by shift."""
    from math import erfc, expm1, log1p, sqrt

    def out(x: float) -> float:
        return 0.5 * erfc(x / sqrt(2))

    inside = (steps - 1) * log1p(-out(c / sigma)) + log1p(-out((c - shift) / sigma))
    return -expm1(inside)


def _gain(eps: float, with_it: float, without: float) -> float:
    return max(0.0, with_it - exp(eps) * without)


def _delta(eps: float, steps: int, sigma: float, c: float) -> float:
    with_it, without = shuffle_chances(sigma, steps, c)
    return _gain(eps, float(with_it), float(without))


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda eps, T, s, c: _gain(eps, _above(1, T, s, c), _above(0, T, s, c)),
        "That is the record among others whose gradients are 0. Here the others pull "
        "down, and the record also takes the place that one of them would have had.",
    ),
    (
        lambda eps, T, s, c: _gain(eps, _above(2, T, s, c), _above(0, T, s, c)),
        "Without the record its batch has a record less, not one more of the others: "
        "how high is its sum then?",
    ),
    (
        lambda eps, T, s, c: _gain(eps, _above(2, T + 1, s, c), _above(1, T + 1, s, c)),
        "There are T sums in all, and the one with the record is among them.",
    ),
    (
        lambda eps, _, s, c: _gain(eps, _above(2, 1, s, c), _above(1, 1, s, c)),
        "That watches one sum, as if the order were fixed. The attacker does not know "
        "which of the T it is.",
    ),
    (
        lambda _, T, s, c: _gain(0.0, _above(2, T, s, c), _above(1, T, s, c)),
        "The probability without the record counts e^ε times.",
    ),
    (
        lambda eps, T, s, c: _gain(
            eps, _above(2, T, s**0.5, c), _above(1, T, s**0.5, c)
        ),
        "sigma is the standard deviation of the noise, not its variance.",
    ),
    (
        lambda eps, T, s, c: (
            _above(2, T, s, c) - exp(eps) * _above(1, T, s, c)
        ),
        "A bound below 0 says nothing more than 0 does: δ is never negative.",
    ),
    (
        lambda eps, T, s, c: _gain(
            eps, 1 - (1 - _above(2, 1, s, c)) ** T, 1 - (1 - _above(1, 1, s, c)) ** T
        ),
        "Only one of the T batches has the record in it; the others hold none but −1.",
    ),
)  # fmt: skip


def _compare(
    student: Student, eps: float, steps: int, sigma: float, c: float, hint: str
) -> None:
    given = (eps, steps, sigma, c)
    found, wanted = student.number(*given), _delta(*given)
    if abs(found - wanted) <= _RELATIVE * wanted + _ABSOLUTE:
        return
    told = matching_hint(np.asarray(found), _MISREAD, given, hint, wanted)
    if wanted and found < 1e-9:
        told = (
            "So small a number proves nothing. Is your claim more likely with you in "
            "the data than without, as it should be?"
        )
    elif wanted and abs(found / wanted - 1) < 5e-3:
        told = "Close, but six digits are asked for. Is something rounded, or drawn?"
    raise Fault(
        f"your δ at eps = {eps:.4g}, steps = {steps}, sigma = {sigma:.4g}, c = {c:.4g}",
        f"{found:.6g}",
        f"{wanted:.6g}",
        told,
    )


def _points(
    student: Student,
    _: np.random.Generator,
    points: tuple[tuple[float, int, float, float], ...],
    hint: str,
) -> None:
    for point in points:
        _compare(student, *point, hint)


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(6):
        steps, sigma = int(rng.integers(2, 5000)), exp(rng.uniform(log(0.3), log(3)))
        c = float(rng.uniform(0.5, 2.0)) + sigma * float(rng.uniform(0, 3))
        _compare(
            student, float(rng.uniform(0, 3)), steps, sigma, c,
            "Which of the T sums are independent of the record, and how high is the "
            "one that is not?",
        )  # fmt: skip


EXERCISE = Exercise(
    name="audit_shuffle",
    parameters=("eps", "steps", "sigma", "c"),
    title="Audit a shuffle that was priced as Poisson",
    statement="""\
A list of records is shuffled and cut into $T$ (`steps`) batches of $m$ records each.
Every step publishes the sum of its batch's gradients plus $\\mathcal{N}(0, \\sigma^2)$.
All records but yours have gradient $-1$. Yours has gradient $+1$; in the neighboring
data set it is zeroed out, so that it has gradient $0$.

The attacker claims that you are there if **some** of the $T$ published sums is above
$c - m$. Write `audit_shuffle(eps, steps, sigma, c)`, which returns what this attack
proves about $\\delta$ at $\\varepsilon$ (`eps`):

$$\\max\\bigl\\{0,\\; P[\\text{claim} \\mid \\text{you are there}] - e^{\\varepsilon}
P[\\text{claim} \\mid \\text{zeroed out}]\\bigr\\}.$$

Compute it, draw nothing. A relative error of $10^{-6}$ is small enough, or an absolute
one of $10^{-9}$.""",
    starter="""\
from math import erfc, sqrt


def audit_shuffle(eps, steps, sigma, c):
    # how likely a sum of mean -m is above c - m; your code here
    return 0.5 * erfc(c / (sigma * sqrt(2)))""",
    worked=(
        "audit_shuffle(0.0, 1, 1.0, 1.5)",
        "0.3829249",
        "With a single batch its sum has mean −m + 2 with you, and −m + 1 without. "
        "The claim is right with probability Φ(0.5), and wrong with 1 − Φ(0.5).",
    ),
    hints=(
        "What is the mean of a batch's sum, counted from $-m$, if all of its records "
        "have gradient $-1$? And with yours in it? And with yours zeroed out?",
        "*Some* sum is above the threshold unless *all* are below it. Given the "
        "shuffle, the $T$ sums are independent.",
        "$\\Phi(x)$ is `0.5 * erfc(-x / sqrt(2))`. It does not matter which of the "
        "batches has your record.",
    ),
    checks=(
        (
            "two usual audits",
            partial(
                _points,
                points=((0.15, 10, 0.9, 2.2), (0.05, 100, 1.3, 4.0)),
                hint="How likely is it that all T sums stay below the threshold?",
            ),
        ),
        (
            "a single batch, and ε = 0",
            partial(
                _points,
                points=((0.7, 1, 1.0, 1.8), (0.0, 25, 0.6, 2.0)),
                hint="With one batch nothing is hidden: two normals are compared.",
            ),
        ),
        (
            "an attack that proves nothing",
            partial(
                _points,
                points=((3.0, 1000, 2.0, 1.0), (5.0, 5, 1.5, 0.0)),
                hint="If the claim is made almost always, what does it prove?",
            ),
        ),
        (
            "the shuffle of this chapter's first figure",
            partial(
                _points,
                points=((7.0, 1000, 0.6972, 4.6), (7.3, 1000, 0.6972, 5.0)),
                hint="With few steps your answer is right. What changes with many?",
            ),
        ),
        ("six audits anywhere", _anywhere),
    ),
    praise="No accountant was asked, and no random number drawn: this is what the "
    "published sums themselves give away. Look for the ε at which the best c still "
    "proves more than 10⁻⁶.",
)

EXPLANATION = r"""
Count all sums from $-m$, so that the threshold is $c$.

**Step 1. What a batch's sum is.** A batch without your record has $m$ gradients of
$-1$: its mean is 0. Your batch has only $m - 1$ of them. With your gradient $+1$ its
mean is $+2$, and zeroed out it is $+1$.

**Step 2. All below.** The claim is made unless *all* sums stay below the threshold.
Given the shuffle the noise of the $T$ sums is independent. So they all stay below with
probability $\Phi(c/\sigma)^{T-1}\,\Phi((c - k)/\sigma)$, where $k$ is 2 or 1. It does
not matter which batch is yours, so the shuffle itself drops out.

**Step 3. What it proves.** Privacy would demand that the claim with you is at most
$e^{\varepsilon}$ times as probable as without you, plus $\delta$. So $\delta$ is at
least the difference. If it is negative, nothing is proved, and the bound is 0.

```python
from math import erf, exp, sqrt


def audit_shuffle(eps, steps, sigma, c):
    def phi(x):
        return 0.5 * (1 + erf(x / (sigma * sqrt(2))))

    others_below = phi(c) ** (steps - 1)
    with_you = 1 - others_below * phi(c - 2)
    zeroed_out = 1 - others_below * phi(c - 1)
    return max(0.0, with_you - exp(eps) * zeroed_out)
```

**What wrong answers overlook.** A batch from which your record was *zeroed out* is not
like the other batches: it still lacks one of the $-1$. So its mean is 1, and not 0.
Multiplying the chance of one sum by `steps` is a union bound, which is too large; a
bound of the wrong direction proves nothing.
"""
