"""Question: which statement of privacy can stand in a model card?"""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="model_card",
    title="A statement for the model card",
    statement="""\
A clinic has 2,000 patients with five visits each. It trains a model by DP-SGD on the
10,000 visits: a coin of probability 0.01 for each visit and step, $\\lambda = 1.1$,
$T = 1000$ steps. The accountant says $\\varepsilon = 1.76$ at $\\delta = 10^{-6}$ for
adding or removing one visit. The learning rate was the best of eight that were tried on
the same visits, each with the full budget. Which statement can be signed?""",
    choices={
        "a": "The model is differentially private with ε = 1.76.",
        "b": "Each patient is protected with ε = 1.76 at δ = 10⁻⁶.",
        "c": "One training run is (1.76, 10⁻⁶)-private for adding or removing one "
        "visit, with coins for each visit. A patient has five visits. Eight runs were "
        "made on these data; the choice among them is not covered.",
        "d": "One training run is (1.76, 10⁻⁶)-private for adding or removing one "
        "visit, and so is the published model, because only one run was published.",
        "e": "The best of eight runs is (8 · 1.76, 8 · 10⁻⁶)-private, so no patient's "
        "visits can be told from the model.",
    },
    right="c",
    feedback={
        "a": "A reader needs δ, the relation and the unit: without them ε can stand "
        "for promises that differ by large factors. And is this the ε of everything "
        "that was done with the data?",
        "b": "The coins and the clip are per visit. How many visits does a patient "
        "have?",
        "d": "That only one was published does not help if the data chose which. What "
        "did the seven others decide?",
        "e": "The first half is a bound that holds, by composition, for one visit. "
        "Does the second half follow from any ε?",
    },
    hints=(
        "Go through the label: unit, relation, ε at which δ, and what is not covered.",
        "Which number in the text says how often the data were asked?",
    ),
    praise="It says what was proved, for which unit and relation, and what was not "
    "paid for. The reader can now compute the rest: five visits as a group, and eight "
    "runs by composition.",
)

EXPLANATION = r"""
The right choice is **c**. A statement can be signed if each part of it was proved, and
if it says what was not.

**What was proved.** One run of DP-SGD with coins for each *visit* is
$(1.76, 10^{-6})$-private if one visit is added or removed. That is a statement with
unit, relation, $\varepsilon$ and $\delta$.

**What was not.** A patient has five visits. Adding or removing a patient is a change of
five records, and by group privacy it costs far more than one. And eight runs were made
on the same visits. Which of them was published depends on all eight, so the choice has
a price of its own. By composition, eight runs cost at most $8 \cdot 1.76 = 14.1$ at
$8 \cdot 10^{-6}$.

**Why not the others.** In a, nobody can tell what the number stands for, and the eight
runs are left out. In b, visits became patients without a reason. In d, "only one was
published" overlooks that the data chose which: the seven others decided that they were
worse. In e, the first half is a true bound for one visit, but no $\varepsilon$ of 14
supports "cannot be told".

**What to do better next time.** Sample and clip patients rather than visits, so that
the unit is the person. And choose the learning rate on public data, or pay for the
search as this chapter shows.
"""
