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
            "There is one client for each slot, but nobody deals them out. Some slots "
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
            "Then the other 500 would hold two clients each. The empty share is "
            "(1 − 1/n)ⁿ: 1/4 with two slots, and no more than 1/e = 0.368 with many.",
        ),
    ],
)

ASSUMED = Question(
    "assumed-coins",
    "A training loop shuffles the records once an epoch and cuts the list into "
    "batches. Its privacy was computed for batches that each record joins by a coin "
    "of its own. What is that ε?",
    [
        Choice(
            "right: shuffled batches are random too",
            False,
            "Random, but with another distribution. In an epoch every record comes "
            "exactly once, and an attacker who knows that learns more from a batch.",
        ),
        Choice(
            "the ε of another algorithm",
            True,
            "The theorem prices coins. Shuffled batches have prices of their own, "
            "sometimes much higher ones. Toss the coins, or price what you do.",
        ),
        Choice(
            "too high: a shuffle hides more than coins",
            False,
            "With coins nobody knows how often a record came. After a shuffle everyone "
            "does.",
        ),
    ],
)

CLIP = Question(
    "clip-at-one-report",
    "A check-in run is repeated 20 times on the same clients, with reports of ε₀ = 3. "
    "A bound says 17. May we say 3, since each report is 3-private?",
    [
        Choice(
            "Yes: nobody ever sends anything that is less private.",
            False,
            "True of each report. But a client may send up to 20 of them.",
        ),
        Choice(
            "No: a client may report once in each run.",
            True,
            "What holds for sure is 20 · 3. The code above finds an instance whose "
            "exact ε is 4.33.",
        ),
        Choice(
            "Yes, if every client is lucky enough to be used once at most.",
            False,
            "Luck is no guarantee: the unlucky have been promised 3 as well.",
        ),
    ],
)
