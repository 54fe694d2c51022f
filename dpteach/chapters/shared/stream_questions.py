"""Questions of the chapters on prefix sums and DP-FTRL: predict, then read why."""

from ...figures.quiz import Choice, Question

# ------------------------------------------------------------------- prefix sums

NOISIEST = Question(
    "noisiest-sum",
    "Of the sums 1 to 1000 of a stream, which has the most noise?",
    [
        Choice(
            "sum 1000, the longest",
            False,
            "1000 is 1111101000 in binary: six nodes. A tall node has as little noise "
            "as a small one.",
        ),
        Choice(
            "sum 511",
            True,
            "511 is 111111111 in binary: nine nodes. The sum after it, 512, reads a "
            "single one.",
        ),
        Choice(
            "sum 512",
            False,
            "512 is a power of two: a single node covers all its records.",
        ),
        Choice(
            "all have the same",
            False,
            "All nodes have the same noise. But one sum reads a single node, and "
            "another reads nine.",
        ),
    ],
)

ADAPTIVE = Question(
    "adaptive-stream",
    "A mechanism is proved private for every stream that is fixed beforehand. Now "
    "each record may be chosen after looking at what was released so far. Is it still "
    "private?",
    [
        Choice(
            "yes: it is private for every stream, so also for this one",
            False,
            "Take one that first publishes a random password of 20 bits, and later "
            "releases all it holds if a record is that password. On a fixed stream "
            "this happens once in a million records. Anyone who reads the password "
            "makes it happen.",
        ),
        Choice(
            "not always; for Gaussian noise on sums it is",
            True,
            "Given the past, each node is a fixed number plus fresh Gaussian noise, "
            "and Gaussian mechanisms compose exactly when they are chosen on the way. "
            "In general this needs a proof of its own.",
        ),
        Choice(
            "no, never: a person who reacts to the noise can undo it",
            False,
            "To react to noise, one must have seen it, and the price covers what was "
            "seen. The noise of later nodes is not drawn yet.",
        ),
    ],
    reveal="The gradients of DP-FTRL are of this kind: each depends on the model, and "
    "so on earlier sums.",
)

# ----------------------------------------------------------------------- DP-FTRL

STEPS = Question(
    "noise-of-steps",
    "Seen as gradient descent, each step of DP-FTRL gets as noise the change of the "
    "tree's noise from one sum to the next. Are these changes independent?",
    [
        Choice(
            "yes, each node is drawn afresh",
            False,
            "The nodes are independent. But a node enters at one step and leaves at a "
            "later one, with the opposite sign.",
        ),
        Choice(
            "no, one step takes back what another added",
            True,
            "A node that is no longer read is subtracted again. So the sum of all "
            "steps stays small.",
        ),
        Choice(
            "no, they push the same way",
            False,
            "Then their sum would grow faster than a random walk. It hardly grows.",
        ),
    ],
)

AMPLIFY = Question(
    "amplify-the-tree",
    "In DP-SGD a random sample of rate q makes a step cost about q times as much. You "
    "sample the records of DP-FTRL too. May you multiply the noise of the tree by q?",
    [
        Choice(
            "yes, sampling helps every private algorithm",
            False,
            "The proof for DP-SGD goes step by step, because each step has its own "
            "sample and its own noise. A node of the tree holds the samples of many "
            "steps, under one noise.",
        ),
        Choice(
            "no, the two do not multiply",
            True,
            "DP-FTRL gains from correlated noise what DP-SGD gains from sampling. To "
            "have both at once takes other noise and other accountants, such as those "
            "for bands in the chapter on matrix factorization.",
        ),
        Choice(
            "yes, if the order of the records is shuffled and kept secret",
            False,
            "Then nobody knows which leaf is whose. But the price here is proved for "
            "a known order, so a smaller one would need a proof of its own.",
        ),
    ],
    reveal="The noise of this chapter claims nothing from randomness of the data or "
    "their order. That is its point: it works where we cannot sample.",
)

ORDER = Question(
    "who-orders",
    "An adversary looks at each model, and then decides which record comes next. What "
    "gets worse?",
    [
        Choice(
            "the price",
            False,
            "The price is that of one record turned to ⊥ in its place. It holds for "
            "every order, even one that is chosen on the way.",
        ),
        Choice(
            "the regret",
            True,
            "The adversary sends the record on which the model errs most. The theorem "
            "below still holds: it is for the worst order.",
        ),
        Choice(
            "both",
            False,
            "The tree assumes nothing about the order, so its price does not move.",
        ),
        Choice(
            "neither",
            False,
            "The adversary has seen each model before it chooses the record. Why "
            "should it be kind?",
        ),
    ],
)

LEARNING = Question(
    "more-noise",
    "You halve ε, so the noise nearly doubles. Which Λ is best now?",
    [
        Choice(
            "a smaller one, to learn faster",
            False,
            "Models are sums over Λ. With a smaller Λ they carry more of the noise.",
        ),
        Choice(
            "a larger one",
            True,
            "The noise part falls as 1/Λ. So when there is more noise, smaller steps "
            "are better.",
        ),
        Choice(
            "the same: Λ is for learning, λ for privacy",
            False,
            "Noise enters the models divided by Λ. So both are one choice.",
        ),
    ],
)
