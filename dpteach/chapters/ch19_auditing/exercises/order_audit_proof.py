"""Question: the steps of the proof that an audit is rarely wrong, in order."""

from ....grading.questions import Order

EXERCISE = Order(
    name="order_audit_proof",
    title="Put the proof that an audit is rarely wrong in order",
    statement="""\
These are the steps of the proof that the bound of an audit exceeds the true
$\\varepsilon$ with probability $\\alpha$ at most. Put them in order, such as
`"abcde"`.""",
    steps={
        "a": "If neither bound is wrong, the lower bound of p is at most "
        "e^ε times the upper bound of q, plus δ.",
        "b": "The event is fixed before the runs, so its counts are binomial, with "
        "probabilities p and q.",
        "c": "Solve for ε: the logarithm that the audit reports is at most ε.",
        "d": "The lower bound of p is wrong with probability α/2 at most, and so is "
        "the upper bound of q.",
        "e": "With probability 1 − α or more neither of the two is wrong, because "
        "probabilities of failures add up at most.",
    },
    right=("bdeac",),
    feedback={
        "bd": "The bounds of Clopper and Pearson are for binomial counts. What makes "
        "the counts binomial?",
        "de": "How likely is each of the two failures, before they are added up?",
        "ea": "That both bounds hold is needed first: how likely is it?",
        "ac": "What is there to solve, before p and q are replaced by their bounds?",
    },
    hints=("Which step would fail if the event had been chosen after the runs?",),
    praise="The first step is the one that is broken most often: an event, a "
    "threshold or a number of guesses that was chosen after a look at the runs.",
)
