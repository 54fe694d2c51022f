"""Question: which comparison of DP-SGD with DP-FTRL is fair."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="fair_comparison",
    title="Which comparison is fair?",
    statement="""\
Somebody compares DP-SGD with DP-FTRL at the settings published for StackOverflow. For
DP-SGD the accountant with Rényi divergences says $\\varepsilon = 18.0$, for DP-FTRL the
exact price is $17.7$. So DP-FTRL is reported to be more private. With one accountant
for both, the figures are $18.0$ and $18.7$ (Rényi), or $14.9$ and $17.7$ (as exact as
one can). What should be said?""",
    choices={
        "a": "The report is right: each method has the accountant that suits it.",
        "b": "The order came from the accountants: with one for both, DP-SGD's ε is "
        "lower.",
        "c": "DP-SGD is better, because its ε is lower.",
        "d": "Nothing, as ε of 15 and of 18 are both too large to mean anything.",
    },
    right="b",
    feedback={
        "a": "Each figure is valid by itself. But what is compared then is also how "
        "loose two accountants are. Which of the two numbers has the more slack?",
        "c": "That the price is lower at these settings says nothing about accuracy at "
        "one price, or about what each method asks of the data. And is a lower price "
        "at one setting enough to call a method better?",
        "d": "Such budgets are weak promises, true. But figures can be compared even "
        "if we do not like their size; something simpler went wrong here.",
    },
    hints=(
        "Line up the four figures in two columns, one for each accountant. Then look "
        "along the rows.",
    ),
    praise="Compare methods with one accountant, under one relation, at one δ. Then "
    "say what else differs: sampling that only one of them needs, for example.",
)

EXPLANATION = """\
The answer is (b): the order of the two methods came from the accountants.

**Step 1. Two columns.** By Rényi divergences, DP-SGD has 18.0 and DP-FTRL 18.7. As
exactly as one can, they have 14.9 and 17.7. In each column DP-SGD has the lower price.

**Step 2. The mixture.** The report took 18.0 from the first column and 17.7 from the
second. Both numbers are valid upper bounds. But they differ in how loose they are: for
sampled steps, Rényi divergences lose much more than for plain Gaussian ones.

**Step 3. What a lower price does not say.** It says nothing about accuracy at one
price, and the two methods ask for different things: coins that nobody sees, or an order
that tells nothing. So (c) claims too much. And (d) gives up too early, because numbers
that are too large for comfort can still be compared.
"""
