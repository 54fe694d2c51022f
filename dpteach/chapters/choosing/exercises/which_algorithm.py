"""Question: which algorithm fits a hospital, a stream and a phone?"""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="which_algorithm",
    title="Three clients",
    statement="""\
Three clients come with a logistic loss and $\\varepsilon = 1$ for each record.

* A **hospital** has 5,000 records with 20 features on its own computer, and accepts
  $\\delta = 10^{-6}$.
* A **power company** gets one reading from each of 100,000 meters, in an order that it
  does not control, must update the model as they arrive, and may not store them. It
  accepts $\\delta = 10^{-6}$.
* A **health app** has 100,000 users who do not trust the company with raw data.

Which three algorithms fit, in this order?""",
    choices={
        "a": "DP-SGD on random samples; DP-SGD on random samples; DP-FTRL",
        "b": "objective perturbation with normal noise; DP-FTRL; local SGD or BANCO",
        "c": "objective perturbation with normal noise; DP-SGD on random samples; "
        "DP-FTRL",
        "d": "the exponential mechanism; DP-FTRL; private Frank-Wolfe",
        "e": "local SGD or BANCO; DP-FTRL; objective perturbation with normal noise",
    },
    right="b",
    feedback={
        "a": "What does sampling need from the order of the records? And who sees the "
        "app's raw data in the last one?",
        "c": "For the app, DP-FTRL's noise is added by the server. Who has to see the "
        "records? And can the power company draw samples?",
        "d": "Nobody knows how to draw exactly from that density in 20 dimensions in "
        "general. And are there any corners in the app's problem?",
        "e": "The hospital trusts its own computer, and the app's users do not trust "
        "the company's.",
    },
    hints=(
        "First ask who may see the records, then how often they can be read.",
        "In which of the three can the one who trains choose who is in a batch?",
    ),
    praise="Trust and access decide before any rate does. Only then do n, p and ε "
    "choose among what is left.",
)
EXPLANATION = """\
**Step 1. Who may see the records?** The app's users trust nobody, so each of them must
add noise before anything leaves the phone. Only the algorithms of chapters 19 and 20 do
that, which leaves (b).

**Step 2. How often can a record be read?** The power company sees each reading once, in
an order that it did not choose, so it cannot draw samples. DP-FTRL needs neither a
second pass nor a random order.

**Step 3. What is left is a matter of rates.** The hospital has a trusted computer, many
passes, and δ above 0. Both DP-SGD and objective perturbation with normal noise are
allowed, and the second has the smaller bound: its expected excess is about
$\\sqrt p\\,\\lambda/n$, with no error from a limited number of steps.

Answers that start with the rate overlook that a good rate is useless if its
assumption, such as a server that may see everything, does not hold.
"""
