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
