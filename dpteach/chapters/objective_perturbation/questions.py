"""Questions of the chapter on objective perturbation: predict, then read why."""

from ...figures.quiz import Choice, Question

GATHER = Question(
    "objective-gather",
    "A regularized risk is tilted at random, and its minimum is published. Which makes "
    "the published minima gather: a larger ε, or a larger Λ?",
    [
        Choice(
            "a larger ε only",
            False,
            "It does, because the tilts are smaller. But what does the same tilt do to "
            "a steeper bowl?",
        ),
        Choice(
            "a larger Λ only",
            False,
            "It does, because the bowl is steeper. But the size of the tilts counts "
            "as well.",
        ),
        Choice(
            "both",
            True,
            "The minimum moves by about the tilt over the curvature. A larger ε "
            "shrinks the first, a larger Λ raises the second.",
        ),
    ],
)

AGAINST = Question(
    "objective-against-output",
    "1,000 records in ten dimensions, ε = 1, each method at its best Λ. Which has the "
    "smaller excess risk: a tilt, or noise on the minimum?",
    [
        Choice(
            "noise on the minimum",
            False,
            "Its noise goes in all directions alike, also where the risk is steep.",
        ),
        Choice(
            "they are nearly the same",
            False,
            "They would be if all directions were equally curved. Here they are not.",
        ),
        Choice(
            "the tilt, by several times",
            True,
            "The tilt makes its errors where the risk is flat, and needs less "
            "regularization.",
        ),
    ],
)

REGULARIZE = Question(
    "objective-regularize",
    "You keep the noise of the tilt and let the regularization go to 0. What happens "
    "to ε?",
    [
        Choice(
            "nothing, because the noise is what hides a record",
            False,
            "The noise hides how a record tilts the bowl. It does not hide how much "
            "more curved the record makes it.",
        ),
        Choice(
            "it grows without bound",
            True,
            "A record changes the curvature by up to β. Relative to a curvature of Λ, "
            "that is a factor of 1 + β/Λ in the density.",
        ),
        Choice(
            "it falls, because the minimum then moves farther",
            False,
            "Without the record it does. With the record the bowl is curved, so the "
            "minimum moves less, and that difference shows.",
        ),
    ],
)

STOPPED = Question(
    "objective-stopped",
    "The theorem is about the exact minimum. Your solver stops when the gradient’s "
    "norm is below 0.1, and you publish where it stopped. Is that ε-private?",
    [
        Choice(
            "yes, because it is post-processing of the minimum",
            False,
            "It was not computed from the minimum, but from the data.",
        ),
        Choice(
            "yes, nearly, with a slightly larger ε",
            False,
            "Then some points are reached with the record and never without it. No ε "
            "covers that.",
        ),
        Choice(
            "no, not by this theorem",
            True,
            "The map from tilt to model is no longer one-to-one and smooth. Where the "
            "solver stops depends on the data in a way that the tilt does not hide.",
        ),
    ],
    reveal="Fix a small tolerance γ in advance, and add a second noise that covers "
    "2γ/Λ, because two solvers may err in opposite directions.",
)

PROJECT = Question(
    "objective-project",
    "The best model must have norm at most 1. You minimize without that constraint, "
    "and then project. What is lost?",
    [
        Choice(
            "privacy",
            False,
            "A projection does not look at the data: it is post-processing.",
        ),
        Choice(
            "the bound on the risk",
            True,
            "The projection of the minimum is not the minimum under the constraint, "
            "and Theorem 6.9 is about the latter.",
        ),
        Choice(
            "nothing",
            False,
            "On a unit disk there is a quadratic with −2.48 at the projection and "
            "−7.00 at its minimum.",
        ),
    ],
)
