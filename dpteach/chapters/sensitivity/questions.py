"""Questions of the chapter on mechanisms: predict first, then read why."""

from ...figures.quiz import Choice, Question

SUM_OR_MEAN = Question(
    "noise-on-a-mean",
    "1,000 numbers lie in [0, 1]; that there are 1,000 is public. You publish their "
    "mean at ε = 1, where a neighbor replaces one number. Which scale must the Laplace "
    "noise on the mean have?",
    [
        Choice(
            "1",
            False,
            "That is the noise of the sum. The mean moves a thousand times less, so "
            "this is a thousand times too much: private, and useless.",
        ),
        Choice(
            "0.001",
            True,
            "One number moves the sum by 1 at most, so the mean by 1/1,000.",
        ),
        Choice(
            "0.000001",
            False,
            "The mean was divided by n already, and so was its noise. Dividing it "
            "twice leaves a thousandth of the noise, and that costs ε = 1,000.",
        ),
    ],
    reveal="Noise is added to a sum or to a mean, and its scale depends on which.",
)

RANDOM_COUNT = Question(
    "who-is-counted",
    "Now a neighbor has one record more or one record less, so n itself is private. "
    "You publish (sum + noise)/n, with the true n and the noise of the sum. Is that "
    "private?",
    [
        Choice(
            "yes, because the sum was protected",
            False,
            "The sum was protected, but the divisor was not. If all numbers are 0, "
            "the published noise has the scale 1/(nε), so its size reveals n.",
        ),
        Choice(
            "no, because the divisor depends on who is in the data",
            True,
            "Divide by a public number, or publish a noisy count as well and pay for "
            "both.",
        ),
        Choice(
            "yes, if n is large",
            False,
            "Then the leak is small, but no theorem covers it any more.",
        ),
    ],
)

TWICE = Question(
    "two-c",
    "Vectors are clipped to norm L and added up. A neighbor replaces one record by "
    "another. How far can the sum move?",
    [
        Choice(
            "L",
            False,
            "That is one vector going away. The one that takes its place may point "
            "the opposite way.",
        ),
        Choice("2L", True, "From v to −v with ‖v‖ = L; nothing moves it farther."),
        Choice(
            "√2 L",
            False,
            "That is for two vectors at a right angle. Opposite ones are worse.",
        ),
    ],
)

CLASSICAL = Question(
    "classical-formula",
    "The classical formula σ = √(2 ln(1.25/δ))/ε is proved for ε up to 1. What is "
    "wrong with its noise at ε = 0.1 and at ε = 15?",
    [
        Choice(
            "too little at both",
            False,
            "At ε = 0.1 it has more noise than is needed, by 46% at δ = 10⁻⁶.",
        ),
        Choice(
            "too much at 0.1, too little at 15",
            True,
            "It keeps its promise up to ε = 8.7 at δ = 10⁻⁶, without a proof past 1. "
            "Just below 8.8 it breaks.",
        ),
        Choice(
            "too much at both, because old formulas are cautious",
            False,
            "Its noise falls as 1/ε. For large ε, what is needed falls only as 1/√ε.",
        ),
    ],
)

PUBLISHED_SCORES = Question(
    "noisy-scores",
    "Report noisy max publishes which of 1,000 candidates has the largest noisy score. "
    "May you publish all noisy scores too, at the same price?",
    [
        Choice(
            "yes, because they are noisy",
            False,
            "Each noisy score is a mechanism of its own. If one record moves all "
            "1,000 scores, the price is 1,000 times as high.",
        ),
        Choice(
            "no, because only the index is that cheap",
            True,
            "The price does not depend on the number of candidates because only the "
            "winner is published.",
        ),
    ],
)
