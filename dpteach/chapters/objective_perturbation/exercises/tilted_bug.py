"""Question: find the line that breaks the privacy of a tilted minimum."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="tilted_bug",
    title="Which line breaks it?",
    statement="""\
A colleague publishes a logistic regression by objective perturbation, for
$\\varepsilon = 1$ if a record is added or removed. Rows of `X` have norm at most 1.
`fit(X, y, Lam, b)` returns the exact minimum of the sum of losses plus
$\\frac\\Lambda2\\lVert\\theta\\rVert_2^2 + \\langle b, \\theta\\rangle$.

```
1  Lam = 2.0
2  lam = 1 / (1.0 - np.log(1 + 0.25 / Lam))
3  v = rng.standard_normal(p)
4  b = rng.gamma(p, lam) * v / np.linalg.norm(v)
5  theta = fit(X, y, Lam, b)
6  while np.linalg.norm(theta) > 10:
7      b = rng.gamma(p, lam) * v / np.linalg.norm(v)
8      theta = fit(X, y, Lam, b)
9  return np.round(theta, 2)
```

Which change is needed to make it private, and the only one that is?""",
    choices={
        "a": "line 2: lam must be 2, as in the source",
        "b": "line 4: the length must be exponential, not gamma",
        "c": "lines 6 to 8: no second draw that depends on the model",
        "d": "line 9: no rounding",
    },
    right="c",
    feedback={
        "a": "The source's noise is enough, but not needed. Line 2 is the noise of the "
        "theorem: what the determinant leaves of ε.",
        "b": "The density of the tilt falls like e to the −‖b‖/s. How much room is "
        "there at distance r from 0, in p dimensions?",
        "d": "Rounding what would be published anyway is post-processing.",
    },
    hints=(
        "Two lines are post-processing or arithmetic. For which of the others does the "
        "proof not hold any more?",
        "The loop ends when a condition holds. Does the probability of that condition "
        "depend on the data?",
    ),
    praise="Drawing again until the result looks fine divides the density by a "
    "probability that depends on the data. That factor has to be paid for as well.",
)

EXPLANATION = """\
Lines 1 to 5 are the algorithm of the chapter: $\\kappa = \\ln(1 + 0.25/2) = 0.118$, and
$\\lambda = 1/(1 - \\kappa)$. The tilt has a gamma length and a uniform direction. Line
9 is post-processing.

Lines 6 to 8 draw again until the model is short. Then the published model has the
density $f(\\theta)/P$ on the ball, where $P$ is the probability of the ball, and $P$
depends on the data. Between neighbors $f$ changes by a factor of at most
$e^{\\varepsilon}$, and so does $P$. The quotient may change by $e^{2\\varepsilon}$. So
the loop may double the price, and its running time tells about $P$ as well.

What to do instead: minimize over the ball, which the algorithm allows as its set
$\\mathcal C$, or publish the first model and let readers project it. That the loop also
keeps the old direction `v` is a second flaw, though not one of privacy: the tilts that
follow are not independent of the first.
"""
