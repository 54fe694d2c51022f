"""Question: which further step is no post-processing?"""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="what_costs",
    title="Which step costs privacy?",
    statement="""\
A hospital counts the patients of each of its wards, and adds noise to each count, so
that all noisy counts together are $\\varepsilon$-private. Before it prints them, it
takes one more step. With which of these steps is what it prints **no longer**
$\\varepsilon$-private?""",
    choices={
        "a": "Negative noisy counts are set to 0.",
        "b": "Wards whose noisy count is below 5 are left out of the table.",
        "c": "A noisy count that is more than 10 off its true count is drawn again.",
        "d": "All noisy counts are rounded, and sorted from the largest to the least.",
        "e": "The noisy counts are scaled so that they sum to a number that stands in "
        "last year's public report.",
    },
    right="c",
    feedback={
        "a": "It looks as if the step knew something of the data: no true count is "
        "negative. But everybody knows that about any data. Which numbers does the "
        "step read?",
        "b": "The step looks at counts to decide what is printed. Which counts: the "
        "noisy ones, or the true ones?",
        "d": "The order depends on the data, through the noisy counts alone. Could "
        "somebody who has only these do the same?",
        "e": "The sum is a public fact about last year. Does the step need "
        "this year's records?",
    },
    hints=(
        "Give each step to somebody who has seen only the noisy counts. Which step "
        "would be impossible?",
    ),
    praise="The step reads a true count. What is printed is then never more than 10 "
    "off, and for two neighboring data sets, one may print a number that the other "
    "cannot.",
)

EXPLANATION = r"""
The right choice is **c**. What is computed from a private release, and from nothing
else that depends on the records, is post-processing. It is as private as the release.
So ask of each step which numbers it reads.

**a, b and d read noisy counts alone.** Setting negative noisy counts to 0 uses a fact
that holds for all data. Leaving out wards with a small noisy count makes the table
depend on the data, but only through what was already released. Rounding and sorting
does the same. Somebody who had only the noisy counts could do all this.

**e reads a public number.** Last year's report is public and does not depend on this
year's records, so scaling to it reveals nothing new about them.

**c compares with the true count.** Somebody who has only the noisy counts could not do
it. The result also shows the damage: what is printed is never more than 10 off. Take
two neighboring data sets with counts 100 and 101 in a ward. Without the extra step,
every number can be printed on both. With it, a printed number of 110.5 is impossible on
the first and possible on the second, so its probabilities have no finite ratio. No
$\varepsilon$ covers that.

**What to remember.** It is tempting to "repair" large noise by looking at the truth.
The tails of the noise are what hides a record, and whoever cuts them with the help of
the data removes the promise.
"""
