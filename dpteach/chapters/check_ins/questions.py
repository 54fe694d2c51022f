"""Questions of the chapter on shuffling and check-ins: predict, then read why."""

from ...figures.quiz import Choice, Question

EMPTY = Question(
    "empty-slots",
    "1000 clients each pick one of 1000 slots at random. About how many slots stay "
    "empty?",
    [
        Choice(
            "none, or very few",
            False,
            "There is one client for each slot, but nobody assigns them. Some slots "
            "get two or three.",
        ),
        Choice(
            "368",
            True,
            "One client misses a slot with probability 1 − 1/n, and all n do with "
            "(1 − 1/n)ⁿ, which is about 1/e.",
        ),
        Choice(
            "500",
            False,
            "Then the other 500 slots would hold two clients each. The empty share is "
            "(1 − 1/n)ⁿ: 1/4 with two slots, and no more than 1/e = 0.368 with many.",
        ),
    ],
)

ASSUMED = Question(
    "assumed-coins",
    "A training loop shuffles the records once per epoch and cuts the list into "
    "batches. Its privacy was computed for batches that each record joins "
    "independently, by its own coin. What is that ε?",
    [
        Choice(
            "right, because shuffled batches are random too",
            False,
            "They are random, but with a different distribution. In an epoch every "
            "record comes exactly once, and an attacker who knows that learns more "
            "from a batch.",
        ),
        Choice(
            "the ε of another algorithm",
            True,
            "The theorem is about independent coins. Shuffled batches have their own "
            "prices, which are sometimes much higher. Toss the coins, or price what "
            "you do.",
        ),
        Choice(
            "too high, because a shuffle hides more than coins",
            False,
            "With coins nobody knows how often a record came. After a shuffle everyone "
            "does.",
        ),
    ],
)

CLIP = Question(
    "clip-at-one-report",
    "A check-in run is repeated 20 times on the same clients, with reports of ε₀ = 3. "
    "A bound says 17. May we say 3, because each report is 3-private?",
    [
        Choice(
            "Yes: nobody ever sends anything that is less private.",
            False,
            "That is true of each report. But a client may send up to 20 of them.",
        ),
        Choice(
            "No: a client may report once in each run.",
            True,
            "Only 20 · 3 certainly holds. The code above finds an instance whose "
            "exact ε is 4.33.",
        ),
        Choice(
            "Yes, if every client is lucky enough to be used once at most.",
            False,
            "Luck is not a guarantee: unlucky clients were promised 3 as well.",
        ),
    ],
)

COINS_SAVE = Question(
    "coins-save",
    "A run of 1,000 slots may have ε = 0.1 in all. Without coins each report would "
    "need "
    "noise of scale λ = 2/ε = 20 clip norms. Clients come with probability 0.1. How "
    "much noise does a report need if the coins are secret?",
    [
        Choice(
            "about 18: a tenth less, because a tenth of the clients come",
            False,
            "The coins hide far more: an observer knows neither who came nor where.",
        ),
        Choice(
            "about 1",
            True,
            "Each slot holds her report with probability 0.0001 only, and what 1,000 "
            "slots tell adds up like a random walk.",
        ),
        Choice(
            "none, because nobody knows whose report it is",
            False,
            "An observer may know all other records. Then a report without noise that "
            "fits nobody else is hers.",
        ),
    ],
)
