"""Question: how large must ε be before a planted word can be found?"""

from ....grading.questions import Number

EXERCISE = Number(
    name="packing_epsilon",
    title="The smallest epsilon that the packing allows",
    statement="""\
A data set holds $m = 10$ copies of one of $K = 64$ words that are far apart; its other
records cancel. You do not know which word. An $\\varepsilon$-DP mechanism publishes a
mean, when neighbors *replace* one record. From it the word is guessed, right with
probability $\\frac12$, whichever of the 64 words was planted. What is the smallest
$\\varepsilon$ that the packing argument allows, which compares each of these data sets
with one that holds no word? Give it to within 1%.""",
    band=(0.3431, 0.3501),
    wanted="the ε at which the cap on the chance of a right guess is 1/2",
    misconceptions=(
        (
            (3.43, 3.5),
            "That pays for one record. The planted sets lie m records from a common "
            "one: by how much can odds change over m steps?",
        ),
        (
            (0.4151, 0.42),
            "That would make the guess certain. Only every second one must be right.",
        ),
        (
            (0.4122, 0.4151),
            "This is a sharper bound, and a correct one: you compared the planted data "
            "sets with each other. Here compare each with one that holds no word.",
        ),
        (
            (0.495, 0.505),
            "The logarithm is that of base 2; ε is counted in nats.",
        ),
        (
            (0.149, 0.152),
            "The logarithm is that of base 10; ε is counted in nats.",
        ),
        (
            (0.171, 0.1745),
            "The sets are m apart from a common one, not 2m: compare with the data "
            "that hold no word.",
        ),
        (
            (3.15, 3.25),
            "That is (K/2)/m. Odds grow as a power of e, so a logarithm is missing.",
        ),
        (
            (31.0, 33.0),
            "That is K/2. What power of e is it, and over how many records?",
        ),
        (
            (0.06, 0.0705),
            "That is ln 2/m, the ε at which m copies double one chance. How much "
            "likelier than by guessing must the word be?",
        ),
    ),
    hints=(
        "Without a look at the data, a guess is right with probability 1/K.",
        "How much likelier can an outcome become when m records are replaced?",
    ),
    praise="This is group privacy read backward: if m copies of a word must stay "
    "hidden, that bounds what any mechanism can reveal.",
)

EXPLANATION = """\
Compare each planted data set with one that holds no word. Under that one, the guess
does not depend on the word, so the chances of the 64 guesses add up to at most 1, and
some word is guessed with probability at most $\\frac1{64}$. Planting it changes $m =
10$ records, so its chance grows by a factor of at most $e^{10\\varepsilon}$. It is
$\\frac12$, hence $e^{10\\varepsilon} \\ge 32$ and $\\varepsilon \\ge \\ln(32)/10 =
0.3466$.

Three slips are common. With $\\ln 64$ in place of $\\ln 32$ the guess would have to
be certain. Without the 10 one pays for a single record. And two planted data sets also
differ in 10 records, not in 20.

**A little more can be proved.** Compare the planted data sets with each other. On each
of them its own word is guessed with probability $\\frac12$, and each of the 63 others
with at least $\\frac12e^{-10\\varepsilon}$. These chances add up to at most 1, so
$e^{10\\varepsilon} \\ge 63$ and $\\varepsilon \\ge \\ln(63)/10 = 0.4143$. The two
bounds on $\\varepsilon m$ differ by about $\\ln 2$, and the theorem takes the simpler
one.
"""
