"""Exercise: the exact δ of one release on a random sample of the records."""

from functools import partial
from math import exp, expm1, log, log1p, sqrt

import numpy as np

from ....accounting import delta_of, gaussian_delta
from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student
from ....privacy import Relation, SampledGaussian

_RELATIVE, _ABSOLUTE = 1e-6, 1e-12  # either error is small enough


def _delta(eps: float, lam: float, q: float) -> float:
    event = SampledGaussian(lam, rate=q, relation=Relation.ADD_REMOVE)
    return delta_of(event, eps)


def _inner(eps: float, q: float) -> float:
    """Return the ε of the release without sampling: ln(1 + (e^ε − 1)/q)."""
    return log1p(expm1(eps) / q)


def _adding(eps: float, lam: float, q: float) -> float:
    """Return the milder direction: what only the side without the record gives."""
    left = -expm1(eps + log1p(-q))
    return left * gaussian_delta(1 / lam, eps + log(q / left)) if left > 0 else 0.0


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        _adding,
        "That covers only the milder of the two directions: P against Q, and Q "
        "against P.",
    ),
    (
        lambda eps, lam, _: gaussian_delta(1 / lam, eps),
        "That is the price without sampling: your answer does not depend on q.",
    ),
    (
        lambda eps, lam, q: q * gaussian_delta(1 / lam, eps),
        "q times δ is a bound, but a loose one. An output that is evidence of the "
        "record may also come from a sample without it, so ε shrinks along with δ.",
    ),
    (
        lambda eps, lam, q: gaussian_delta(1 / lam, _inner(eps, q)),
        "Your inner ε is right, but the record is in only a part of the samples, and δ "
        "is that part of the inner δ.",
    ),
    (
        lambda eps, lam, q: q * gaussian_delta(1 / lam, log1p(q * expm1(eps))),
        "ln(1 + q(e^ε − 1)) leads from the ε without sampling to the one with it. You "
        "have the one with it, and need the way back.",
    ),
    (
        lambda eps, lam, q: gaussian_delta(q / lam, eps),
        "The mean of P is q, but P is not a single normal distribution: with "
        "probability q the output moves by 1, and otherwise not at all.",
    ),
    (
        lambda eps, lam, q: _delta(eps, sqrt(lam), q),
        "λ is the standard deviation of the noise, not its variance.",
    ),
    (
        lambda eps, lam, q: _delta(eps, lam**2, q),
        "λ² is the variance of the noise; the standard deviation is λ.",
    ),
    (
        lambda eps, lam, q: 2 * _delta(eps, lam, q) + expm1(eps),
        "Outputs that are less likely than allowed count as 0, not by their size.",
    ),
    (
        lambda eps, _, __: -expm1(eps),
        "Over all outputs together nothing is ever lost: both densities have the "
        "integral 1. Which outputs would an attacker choose?",
    ),
)  # fmt: skip
_NOT_EXACT = (
    "Close, but six digits are asked for. Is a grid too coarse, or too short? And "
    "what happens in a step of it where max{0, ·} begins?"
)


def _compare(
    student: Student, eps: float, lam: float, q: float, hint: str, known: bool = False
) -> None:
    found, wanted = student.number(eps, lam, q), _delta(eps, lam, q)
    if abs(found - wanted) <= _RELATIVE * wanted + _ABSOLUTE:
        return
    if abs(found - wanted) <= 0.01 * wanted:
        told = _NOT_EXACT
    else:
        misread = _MISREAD if known else ()
        told = matching_hint(np.asarray(found), misread, (eps, lam, q), hint, wanted)
    near = abs(found - wanted) <= 0.001 * wanted
    raise Fault(
        f"your δ at eps = {eps:.4g}, lam = {lam:.4g}, q = {q:.4g}",
        f"{found:.12g}" if near else f"{found:.4g}",
        f"{wanted:.12g}" if near else f"{wanted:.4g}",
        told,
    )


def _points(
    student: Student,
    _: np.random.Generator,
    points: tuple[tuple[float, float, float], ...],
    hint: str,
    known: bool = False,
) -> None:
    for eps, lam, q in points:
        _compare(student, eps, lam, q, hint, known)


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(5):
        eps, q = float(rng.uniform(0, 4)), 10 ** float(rng.uniform(-3, 0))
        lam = exp(rng.uniform(log(0.4), log(10)))
        _compare(
            student, eps, lam, q, "Where is P above e^ε Q, and is that in your range?"
        )  # fmt: skip


EXERCISE = Exercise(
    name="sampled_delta",
    parameters=("eps", "lam", "q"),
    title="What does one sampled release cost?",
    statement="""\
Each record enters a sample with probability $q$. The sum over the sample, which one
record moves by at most 1, is released with noise $\\mathcal{N}(0, \\lambda^2)$. At
worst the output has the distribution $P$ with the record, and $Q$ without it:

$$P = (1 - q)\\,\\mathcal{N}(0, \\lambda^2) + q\\,\\mathcal{N}(1, \\lambda^2), \\qquad
Q = \\mathcal{N}(0, \\lambda^2).$$

Write `sampled_delta(eps, lam, q)`, which returns the **least** $\\delta \\ge 0$ with
which this one release is $(\\varepsilon, \\delta)$-private if a record may be added
**or** removed: for every set $S$ of outputs,

$$P[S] \\le e^{\\varepsilon}\\, Q[S] + \\delta \\qquad\\text{and}\\qquad
Q[S] \\le e^{\\varepsilon}\\, P[S] + \\delta.$$

Integrate numerically, or find a closed form. A relative error of $10^{-6}$ is small
enough, or an absolute one of $10^{-12}$. It must work for $\\varepsilon$ from 0 to 4,
$\\lambda$ from 0.4 to 10 and $q$ from 0.001 to 1.""",
    starter="""\
import numpy as np


def sampled_delta(eps, lam, q):
    x = np.linspace(-10, 10, 1001)
    p = np.exp(-((x - 1) ** 2) / (2 * lam**2)) / np.sqrt(2 * np.pi * lam**2)
    return q * p.sum()  # your code here""",
    worked=(
        "sampled_delta(0.0, 1.0, 0.1)",
        "0.03829249",
        "At ε = 0 only 0.1 · N(1, 1) − 0.1 · N(0, 1) is left of P − Q. It is positive "
        "above x = 1/2. There it integrates to 0.1 · (Φ(1/2) − Φ(−1/2)) = "
        "0.1 · 0.3829249. Q − P is its mirror image.",
    ),
    hints=(
        "The best set for an attacker holds exactly the outputs at which P is above "
        "$e^{\\varepsilon} Q$. So δ is the integral of what is positive of "
        "$P - e^{\\varepsilon} Q$; and then the other way round.",
        "The integrand has a kink where $P = e^{\\varepsilon} Q$. Solve this for $x$: "
        "the ratio of the two normals is $e^{(2x - 1)/(2\\lambda^2)}$. Let a grid "
        "begin there, or make it very fine.",
        "How far must the grid reach? Count in units of λ, to both sides of 0 and 1.",
    ),
    checks=(
        (
            "two usual releases",
            partial(
                _points,
                points=((0.4, 0.8, 0.4), (1.0, 0.7, 0.2)),
                hint="At which outputs is P above e^ε Q, and by how much?",
                known=True,
            ),
        ),
        (
            "all records in the sample, and ε = 0",
            partial(
                _points,
                points=((1.0, 1.5, 1.0), (0.0, 2.0, 0.02)),
                hint="Here the price is known: for q = 1 it is that of Gaussian noise; "
                "for ε = 0 it is q times that.",
            ),
        ),
        (
            "little noise, and much",
            partial(
                _points,
                points=((4.0, 0.4, 0.3), (0.1, 10.0, 0.6)),
                hint="With λ near 1 your answer is right. Does your range of outputs, "
                "or its step, grow with λ?",
            ),
        ),
        (
            "small rates, far in the tail",
            partial(
                _points,
                points=((3.0, 0.5, 0.001), (0.05, 1.0, 0.001)),
                hint="Only outputs far above 1 are evidence of a record that is "
                "rarely in the sample. Does your range contain them?",
            ),
        ),
        ("five releases anywhere", _anywhere),
    ),
    praise="Removing the record was the worse direction each time. For one release it "
    "always is, and you can show that on paper.",
)

EXPLANATION = r"""
**Step 1. To remove the record.** The best set holds the outputs with
$P > e^{\varepsilon}Q$. Since $P/Q = 1 - q + q\,e^{(2x - 1)/(2\lambda^2)}$ rises with
$x$, these are all outputs above one point, the kink. There
$e^{(2x-1)/(2\lambda^2)} = (e^{\varepsilon} - 1 + q)/q$, so
$x_0 = \lambda^2\ln\bigl(1 + (e^{\varepsilon} - 1)/q\bigr) + \frac12$.

**Step 2. Two tails.** Above $x_0$, $P - e^{\varepsilon}Q$ is
$q\,\mathcal{N}(1, \lambda^2) - (e^{\varepsilon} - 1 + q)\,\mathcal{N}(0, \lambda^2)$.
Its integral consists of two tails of the normal distribution.

**Step 3. To add it.** In the other direction the best set lies *below* a point, and it
is empty where $e^{\varepsilon}(1 - q) \ge 1$. For one release it never costs more, but
the code need not know that: it takes the larger of the two.

```python
import math


def below(x, lam):
    return 0.5 * math.erfc(-x / (lam * math.sqrt(2)))


def sampled_delta(eps, lam, q):
    factor = math.expm1(eps) + q  # e^ε − 1 + q
    kink = lam**2 * math.log(factor / q) + 0.5
    remove = q * below(1 - kink, lam) - factor * below(-kink, lam)
    add, left = 0.0, 1 - math.exp(eps) * (1 - q)
    if left > 0:
        kink = lam**2 * math.log(left / (math.exp(eps) * q)) + 0.5
        add = left * below(kink, lam) - math.exp(eps) * q * below(kink - 1, lam)
    return max(remove, add)
```

**What wrong answers overlook.** A grid from $-10$ to $10$ is too short for
$\lambda = 10$, and too coarse for $\lambda = 0.4$, where the integrand has its kink.
$q$ times the price of the full release *at the same* $\varepsilon$ is proved, and too
large: the exact one is $q$ times its price at $\varepsilon_0$, with
$e^{\varepsilon_0} = 1 + (e^{\varepsilon} - 1)/q$.
"""
