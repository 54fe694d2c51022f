"""Exercise: how much noise a report needs if a shuffler hides whose it is."""

from collections.abc import Callable
from math import exp, expm1, log, log10, sqrt

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import ratio_hint
from ....grading.report import Fault
from ....grading.student import Student

_TOLERANCE = 1e-6
_Case = tuple[float, float, int]


def _bound(e0: float, delta: float, n: int) -> float:
    step = exp(1.5 * e0) * expm1(e0) / sqrt(n)
    return step * sqrt(2 * log(1 / delta)) + step * step / 2


def _root(bound: Callable[[float], float], eps: float) -> float:
    """Find where an increasing function reaches eps."""
    low, high = 0.0, 40.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if bound(middle) <= eps else (low, middle)
    return low


def _wanted(eps: float, delta: float, n: int) -> float:
    return max(eps, _root(lambda e0: _bound(e0, delta, n), eps))


def _first(e0: float, delta: float, n: float) -> float:
    return exp(1.5 * e0) * expm1(e0) * sqrt(2 * log(1 / delta) / n)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda eps, delta, n: min(_bound(eps, delta, n), eps),
        "That is the ε of n reports which have eps each. Asked is the way back.",
    ),
    (
        lambda eps, delta, n: _bound(eps, delta, n),
        "That is the ε of n reports which have eps each. Asked is the way back.",
    ),
    (
        lambda eps, delta, n: _root(lambda e0: _bound(e0, delta, n), eps),
        "Less than eps is never needed: each report alone has its ε₀, shuffled or not.",
    ),
    (
        lambda eps, delta, n: max(eps, _root(lambda e0: _first(e0, delta, n), eps)),
        "That leaves out the second term, which counts where ε is not small.",
    ),
    (
        lambda eps, delta, n: max(eps, _root(lambda e0: _first(e0, delta, n * n), eps)),
        "The bound falls with the root of n, not with n.",
    ),
    (
        lambda eps, delta, n: max(
            eps, _root(lambda e0: _bound(e0, sqrt(delta), n), eps)
        ),
        "Under the root stands twice the logarithm.",
    ),
    (
        lambda eps, delta, n: max(
            eps, _root(lambda e0: _bound(e0, exp(-log10(1 / delta)), n), eps)
        ),
        "The logarithm is natural, not that of base 10.",
    ),
    (
        lambda eps, delta, n: max(
            eps,
            _root(
                lambda e0: (
                    expm1(e0) * sqrt(2 * log(1 / delta) / n) + expm1(e0) ** 2 / (2 * n)
                ),
                eps,
            ),
        ),
        "The powers of e before the brackets are missing.",
    ),
)


def _compare(student: Student, case: _Case, hint: str) -> None:
    found, wanted = student.number(*case), _wanted(*case)
    if abs(found - wanted) <= _TOLERANCE * wanted:
        return
    if found > wanted * (1 + _TOLERANCE) and found < wanted * 1.001:
        hint = "It is a little too large, so the bound exceeds eps by a little."
    elif abs(found - wanted) < 1e-3 * wanted:
        hint = "It is nearly right: search longer, or more finely."
    raise Fault(
        f"the ε₀ of a report at eps = {case[0]:.4g}, delta = {case[1]:.3g}, "
        f"n = {case[2]}",
        f"{found:.9g}",
        f"{wanted:.9g}, to a relative error of 1e-6",
        ratio_hint(found, _MISREAD, case, hint, wanted),
    )


def _usual(student: Student, _: np.random.Generator) -> None:
    for case in ((2.0, 1e-6, 10**8), (0.1, 1e-6, 10_000), (0.3, 1e-8, 3_000_000)):
        _compare(
            student,
            case,
            "Does your ε₀, put into the bound, give eps? Where eps "
            "itself is larger, it counts.",
        )


def _few(student: Student, _: np.random.Generator) -> None:
    for case in ((1.0, 1e-6, 1), (0.5, 1e-6, 2), (2.0, 1e-9, 33), (0.01, 1e-3, 100)):
        _compare(student, case, "What holds for a report that nobody hides?")


def _ends(student: Student, rng: np.random.Generator) -> None:
    for case in ((1e-3, 1e-10, 10**9), (3.2, 1e-2, 10**9), (3.0, 1e-12, 64)):
        _compare(student, case, "How large may ε₀ become? Does the search reach it?")
    for _ in range(12):
        case = (
            float(10 ** rng.uniform(-3, 0.5)),
            float(10 ** rng.uniform(-12, -2)),
            int(10 ** rng.uniform(0, 9)),
        )
        _compare(
            student,
            case,
            "Does your ε₀, put into the bound, give eps? Where eps "
            "itself is larger, it counts.",
        )


EXERCISE = Exercise(
    name="shuffled_budget",
    parameters=("eps", "delta", "n"),
    title="How much may a shuffled report tell?",
    statement="""\
Each of $n$ clients sends one report that is $\\varepsilon_0$-private by itself, and a
shuffler forgets the order. Two things are then proved. The shuffled reports are
$(\\varepsilon, \\delta)$-private with

$$
\\varepsilon =
e^{1.5\\varepsilon_0}(e^{\\varepsilon_0}-1)\\sqrt{\\frac{2\\ln(1/\\delta)} {n}} +
\\frac{e^{3\\varepsilon_0}(e^{\\varepsilon_0}-1)^2}{2n},
$$

and they are $\\varepsilon_0$-private anyway. Write `shuffled_budget(eps, delta, n)`,
which returns the **largest** $\\varepsilon_0$ for which one of the two proves
$(\\mathtt{eps}, \\mathtt{delta})$-privacy, to a relative error of $10^{-6}$. Here
$10^{-3} \\le \\mathtt{eps} \\le 3.2$, $10^{-12} \\le \\mathtt{delta} \\le 10^{-2}$ and
$1 \\le n \\le 10^9$.""",
    starter="""\
import numpy as np


def shuffled_budget(eps, delta, n):
    return eps * np.sqrt(n)  # your code here""",
    worked=(
        "round(shuffled_budget(0.5, 0.01, 1), 6)",
        "0.5",
        "One report has nobody to hide among. At ε₀ = 0.5 the formula says 5.1, far "
        "above 0.5, so it proves nothing for ε₀ this large; but the report is "
        "0.5-private by itself.",
    ),
    hints=(
        "The formula grows with ε₀, from 0 on. So there is one place where it is eps.",
        "Is the answer ever below eps?",
        "Halve an interval that surely contains the answer. How large can it be at "
        "the largest n?",
    ),
    checks=(
        ("thousands of clients, and millions", _usual),
        ("few clients", _few),
        ("the ends of the range, and twelve cases inside", _ends),
    ),
    praise="With 100,000 clients a report may have about ε₀ = 1.7 where ε = 1 is asked "
    "for. Sharper bounds allow more: replace the formula, and keep the search.",
)

EXPLANATION = """\
The formula grows with $\\varepsilon_0$, so there is one $\\varepsilon_0$ at which it
equals `eps`. Halving an interval finds it. Because each report is private by itself,
the answer is never below `eps`.

```python
from math import exp, expm1, log, sqrt


def shuffled_budget(eps, delta, n):
    def bound(e0):
        step = exp(1.5 * e0) * expm1(e0) / sqrt(n)
        return step * sqrt(2 * log(1 / delta)) + step**2 / 2

    low, high = 0.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        if bound(middle) <= eps:
            low = middle
        else:
            high = middle
    return max(eps, low)
```

**One quantity in two places.** Both terms contain $u = e^{1.5\\varepsilon_0}
(e^{\\varepsilon_0}-1)/\\sqrt n$: the bound is $u\\sqrt{2\\ln(1/\\delta)} + u^2/2$. So
one could also solve the quadratic for $u$ first, and then search for
$\\varepsilon_0$.

**The lower end of the answer.** With few clients the formula proves less than the local
promise. Code that returns its root alone then asks every client for more noise than an
unshuffled report would need.

**The upper end of the search.** At $n = 10^9$ and $\\varepsilon = 3.2$ the answer is
about 4. An interval that ends at 1 would be found out only by a large $n$.
"""
