"""Question: what 100 right guesses of 100 prove."""

from ....grading.questions import Number

EXERCISE = Number(
    name="all_right",
    title="A hundred right guesses",
    statement="""\
One run held 100 canaries, each in by a fair coin. Somebody guessed all 100 coins, and
every guess was right. Which $\\varepsilon$ does that prove, with $\\delta = 0$ and a
risk of 0.05? For an $\\varepsilon$-private run each guess is right with probability
$e^\\varepsilon/(1 + e^\\varepsilon)$ at most, whatever the others were. Give it to
within 0.01.""",
    band=(3.483, 3.503),
    wanted="the least ε at which 100 right guesses of 100 have probability 0.05",
    misconceptions=(
        ((3.27, 3.29), "That shares the risk among two bounds. Here there is one."),
        ((4.59, 4.62), "That is ln 100. Where did the risk go?"),
        ((0.0299, 0.0301), "That is ln(1/0.05)/100, a step on the way to q."),
        ((0.9, 0.98), "That is the probability of a right guess. Which ε gives it?"),
        ((2.93, 2.96), "That is ln(0.95/0.05): the risk of one guess, not of 100."),
        ((1.51, 1.53), "That is a logarithm to the base 10."),
        ((30.0, 1e9), "Even 100 right guesses may be luck, if ε is moderate."),
        ((0.0, 0.0299), "100 right guesses of 100 prove more than that."),
    ),
    hints=(
        "If each guess is right with probability $q$, how likely are 100 of 100?",
        "Solve $q^{100} = 0.05$ for $q$, and then $q = e^\\varepsilon/(1 + "
        "e^\\varepsilon)$ for $\\varepsilon$.",
    ),
    praise="A perfect attack on 100 canaries proves 3.49 and no more. To prove a large "
    "ε in one run, one needs many canaries, however good the attack is.",
)

EXPLANATION = r"""
**Step 1. How lucky can a guesser be?** For an $\varepsilon$-private run each guess is
right with probability $q = e^{\varepsilon}/(1 + e^{\varepsilon})$ at most, whatever the
others were. So 100 right guesses of 100 have probability $q^{100}$ at most.

**Step 2. Which $\varepsilon$ is refuted?** If $q^{100} \le 0.05$, such luck has a
probability of 0.05 at most, and we may reject this $\varepsilon$ and all smaller ones.
The border is $q = 0.05^{1/100} = e^{-0.029957} = 0.970487$.

**Step 3. Solve for $\varepsilon$.** From $q = e^{\varepsilon}/(1 + e^{\varepsilon})$
follows $\varepsilon = \ln\bigl(q/(1 - q)\bigr) = \ln(0.970487/0.029513) = 3.493$.

**What wrong answers overlook.** A perfect record does not prove an infinite
$\varepsilon$. Even at $\varepsilon = 3.5$ all 100 guesses are right in one of twenty
tries. $\ln 100$ would be the right scale, but it forgets the risk: the border lies near
$\ln\bigl(100/\ln 20\bigr) = 3.51$, which is where the rule of three for 100 trials puts
it. So $m$ canaries can prove about $\ln(m/3)$ at this risk, and no more, however good
the attack is.
"""
