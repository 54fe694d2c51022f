"""Questions of the chapter on fleets: predict first, then read why."""

from ...figures.quiz import Choice, Question

UNIT = Question(
    "device-or-sentence",
    "Each sentence's gradient is clipped to L, and the noise makes a round 0.1-GDP for "
    "one sentence. A phone holds 50 sentences of its owner, all in one round. What may "
    "be promised to her?",
    [
        Choice(
            "0.1, as for any record",
            False,
            "That is for one sentence, if all others stay. Hers go together.",
        ),
        Choice(
            "0.7",
            False,
            "Roots belong to parts at right angles, or to separate rounds. Her 50 "
            "gradients may all point one way, in one sum.",
        ),
        Choice(
            "5",
            True,
            "All 50 may pull one way, by 50 L in one sum. At μ = 5 the best guess is "
            "right 99 times in 100.",
        ),
    ],
)

SECURE = Question(
    "secure-sum",
    "With secure aggregation the server learns nothing but the exact sum of 1,000 "
    "updates. Is noise still needed?",
    [
        Choice(
            "no, a sum hides its parts",
            False,
            "Whoever knows the 999 other updates subtracts them. And a word that only "
            "one person types shows in the sum: nobody else moved its weight.",
        ),
        Choice(
            "yes, as before",
            True,
            "The sum is what gets published, in the model. Secure aggregation decides "
            "who sees the parts; noise, what the sum gives away.",
        ),
        Choice(
            "yes, but a thousandth of it",
            False,
            "Noise hides one device in the sum, and that moves it by L, however many "
            "others there are.",
        ),
    ],
)
