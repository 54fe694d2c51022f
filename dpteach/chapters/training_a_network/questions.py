"""Questions of the chapter on networks: predict first, then read why."""

from ...figures.quiz import Choice, Question

NORMS = Question(
    "norms-in-training",
    "At the start all records' gradients have about the same norm. The network is then "
    "trained, without noise. What becomes of the norms?",
    [
        Choice(
            "all shrink alike",
            False,
            "Those of well-recognized images do. But descent ends where gradients "
            "cancel, not where each of them vanishes.",
        ),
        Choice(
            "most shrink, a few grow",
            True,
            "An image that is recognized hardly pulls any more. One that is still "
            "mistaken pulls harder than at the start, against all others.",
        ),
        Choice(
            "they stay as they are",
            False,
            "Then the sum could become short only by cancelling. It also becomes short "
            "because most records have nothing left to say.",
        ),
    ],
)

MIXING = Question(
    "mixing-layer",
    "Which of these layers must go before each record's gradient is clipped?",
    [
        Choice(
            "max pooling",
            False,
            "It takes the largest number of each window of one image. No other image "
            "plays a part.",
        ),
        Choice(
            "batch normalization",
            True,
            "It subtracts the mean of the batch. One record moves every other record's "
            "gradient, so a clip of each bounds nothing.",
        ),
        Choice(
            "group normalization",
            False,
            "Its means are over the channels of one image. It is what most people put "
            "in the place of batch normalization.",
        ),
    ],
)

BY_LAYER = Question(
    "clip-by-layer",
    "A network has four layers. Somebody clips the gradient of each layer to L by "
    "itself, and keeps noise of deviation Lλ. What does a step cost?",
    [
        Choice(
            "1/λ, as before",
            False,
            "Each part is at most L long. All four together may be longer.",
        ),
        Choice(
            "2/λ",
            True,
            "Four parts of norm L make a vector of norm √4 · L = 2L.",
        ),
        Choice(
            "4/λ",
            False,
            "Norms of parts that stand at right angles add up in squares.",
        ),
    ],
)

LAST_MODEL = Question(
    "last-network",
    "You train a network for T steps and show nobody but the last model. May you claim "
    "less than √T/λ?",
    [
        Choice(
            "yes, later noise covers early steps",
            False,
            "It does if steps bring models nearer to each other. Without convexity "
            "nothing makes them.",
        ),
        Choice(
            "not in general",
            True,
            "No theorem says so for networks, and for some losses the last model alone "
            "costs as much as the whole path.",
        ),
    ],
)
