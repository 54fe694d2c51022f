"""Question: the scale of the noise in a vote among corners."""

from ....grading.questions import Number

EXERCISE = Number(
    name="score_scale",
    title="How loud is the noise in a vote?",
    statement="""\
A private LASSO on the unit $\\ell_1$ ball has entries and labels in $[-1, 1]$, so
$L_1 = 2$. It makes $T = 33$ models, and all votes together may cost $\\rho = 0.01$ in
zero-concentrated privacy, when one record is added or removed. Which scale $b$ must the
Gumbel noise of each score have? Give it to within 1%.""",
    band=(79.2, 80.8),
    wanted="the scale b at which T − 1 choices of bounded range cost ρ",
    misconceptions=(
        (
            (39.6, 40.4),
            "If one score rises by Δ₁, another may fall by Δ₁. How far apart do two "
            "scores move?",
        ),
        ((81.0, 81.5), "There is one vote fewer than there are models."),
        (
            (158.0, 162.0),
            "That composes votes that are only ε₀-private. A choice of bounded range "
            "costs a fourth of that.",
        ),
        ((19.8, 20.2), "That counts neither L₁ nor that scores move both ways."),
        (
            (6390.0, 6410.0),
            "The root is missing: prices of votes add up, and each falls with b².",
        ),
        ((14.0, 14.3), "One vote may not spend all of ρ: there are 32 of them."),
    ),
    hints=(
        "What does one vote cost, if its range is ε₀?",
        "How large is ε₀ at scale b?",
    ),
    praise="With 1,000 records a good corner's score can be about −500, far below 80. "
    "With 100 records it drowns.",
)

EXPLANATION = """\
One record moves each score by at most $\\Delta_1 = L_1\\lVert\\mathcal{C}\\rVert_1 =
2$, up or down, so two scores move apart by at most $4$. At scale $b$ a vote has range
$\\varepsilon_0 = 4/b$ and costs $\\varepsilon_0^2/8 = 2/b^2$. There are $T - 1 = 32$
votes, so $64/b^2 = 0.01$ and $b = \\sqrt{6400} = 80$.

With $\\Delta_1$ in place of $2\\Delta_1$ one gets 40, and the run costs four times what
was promised. With the price $\\varepsilon_0^2/2$ of a choice that is only
$\\varepsilon_0$-private one gets 160: that is valid, and twice as loud as necessary.
"""
