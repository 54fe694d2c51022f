"""Question: how much more may one run cost if a coin ends the search?"""

from ....grading.questions import Number

EXERCISE = Number(
    name="affordable_run",
    title="What one run may cost",
    statement="""\
The budget for a search is $\\varepsilon = 1$ with $\\delta = 0$, and each run is
$\\varepsilon_0$-private. Plan A makes exactly 20 runs and publishes the best. Plan B
makes a geometric number of runs, 20 on average, and publishes the best. For plan B use
the bound $3\\varepsilon_0$. By which factor may $\\varepsilon_0$ be larger under plan B
than under plan A? Give it to within 1 %.""",
    band=(6.6, 6.74),
    wanted="the ε₀ of plan B over that of plan A",
    misconceptions=(
        ((0.148, 0.152), "That is the ratio the other way round."),
        (
            (19.9, 20.1),
            "Plan B has a price for the choice too: twice ε₀, beside that of the run.",
        ),
        (
            (1.45, 1.52),
            "√20 is for many small releases with δ above 0. At δ = 0 budgets add up, "
            "and the best of 20 coins needs all of it.",
        ),
        ((0.99, 1.01), "Then plan A would be free. What can the best of 20 runs tell?"),
        ((0.33, 0.34), "That is ε₀ under plan B. What is it under plan A?"),
        ((0.049, 0.051), "That is ε₀ under plan A. What is it under plan B?"),
    ),
    hints=(
        "Under plan A the best of 20 is post-processing of 20 runs, and the chapter "
        "has a case that needs all of that.",
        "Under plan B, 3 ε₀ = 1.",
    ),
    praise="Noise of a third of what plan A needs would already be a gain; here it is "
    "almost a seventh, and it does not grow with the number of runs.",
)
