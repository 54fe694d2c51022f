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
than under plan A? Give it to within 1%.""",
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

EXPLANATION = r"""
**Plan A.** Exactly 20 runs are made, and the best is published. That is post-processing
of all 20 results. By composition it is private with $20\,\varepsilon_0$. Less cannot be
promised in general: the chapter has a case in which the best of many coins needs all of
it. So $20\,\varepsilon_0 = 1$ and $\varepsilon_0 = 0.05$.

**Plan B.** The number of runs is geometric, and nobody learns it. By the theorem of the
chapter the published run is private with $3\,\varepsilon_0$, whatever the average
number of runs is. So $3\,\varepsilon_0 = 1$ and $\varepsilon_0 = 0.333$.

**The factor** is $0.3333/0.05 = 20/3 = 6.67$.

**What this means.** Each run of plan B may use between a sixth and a seventh of the
noise that a run of plan A needs. Plan B pays for the run that is published, and two
more times for being the best: one factor $e^{\varepsilon_0}$ for the runs that are
better, and one for those that are not worse. It does not pay for the number of runs.
With 100 runs on average the factor would be 33.

**What wrong answers overlook.** A factor of 20 would mean that only the published run
costs something. But which run is published depends on all of them. And $\sqrt{20}$
belongs to many small releases with $\delta > 0$.
"""
