"""Question: how much of one step's noise momentum puts into a model."""

from ....grading.questions import Number

EXERCISE = Number(
    name="momentum_and_noise",
    title="Noise under momentum",
    statement="""\
DP-FTRL with momentum has $v_t = \\gamma v_{t-1} + s_t + b_t$ and
$\\theta_{t+1} = -v_t/\\Lambda$, with $v_0 = 0$ and no constraint. Let the noise be
fresh on each vector: $b_t = z_1 + \\dots + z_t$. How much of the first draw $z_1$ is in
$\\theta_4$, for $\\gamma = 0.9$ and $\\Lambda = 1$? Give its weight, in absolute value,
to within 1%.""",
    band=(2.683, 2.737),
    wanted="the number by which z_1 is multiplied in v_3",
    misconceptions=(
        (
            (0.80, 0.82),
            "That is γ², what the last step θ_4 − θ_3 has of z_1. In the model itself "
            "all steps so far add up.",
        ),
        ((0.72, 0.74), "That is γ³. But z_1 stays in b_2 and b_3 too."),
        ((0.99, 1.01), "That is the weight without momentum."),
        ((9.9, 10.1), "That is 1/(1 − γ), where the weight goes in the long run."),
        ((2.97, 3.03), "That is γ = 1, with nothing forgotten."),
        ((3.40, 3.48), "One step too many: θ_4 is made of v_3."),
        ((1.88, 1.92), "One step too few: θ_4 is made of v_3."),
        (
            (5.55, 5.67),
            "That adds up v_1, v_2 and v_3. But v is a sum already, and θ_4 is made of "
            "v_3 alone.",
        ),
        ((-1e9, 0.0), "The absolute value is asked for."),
    ),
    hints=(
        "Unroll v_3 into b_1, b_2 and b_3. In how many of these is z_1?",
        "Each of the three holds z_1 once. With which power of γ does each come?",
    ),
    praise="Momentum is heavy-ball descent on noisy gradients. It changes how long "
    "noise acts, never what it costs.",
)

EXPLANATION = """\
**Step 1. Which sum.** $\\theta_4 = -v_3/\\Lambda$, and
$v_3 = (s_3 + b_3) + \\gamma(s_2 + b_2) + \\gamma^2(s_1 + b_1)$.

**Step 2. Where $z_1$ is.** Since $b_t = z_1 + \\dots + z_t$, the first draw is in each
of $b_1$, $b_2$ and $b_3$, once.

**Step 3. Add up.** Its weight is $1 + \\gamma + \\gamma^2 = 1 + 0.9 + 0.81 = 2.71$.

Without momentum it would be 1, and in the long run it tends to $1/(1 - \\gamma) = 10$.
That is why runs are compared at equal $\\Lambda(1 - \\gamma)$. Anyone who answers
$\\gamma^2$ has looked at a single step instead of the model, in which all steps so far
have been added up.
"""
