"""Question: how many users does it take before noise averages out?"""

from ....grading.questions import Number

EXERCISE = Number(
    name="users_for_noise",
    title="How many users until the noise is gone?",
    statement="""\
Each user clips her gradient to norm $G = 1$, adds the noise of the spherical Laplace
distribution with $\\varepsilon = 1$, and reports once. A model has $p = 5$ entries. The
server averages the reports of $n$ users. How large must $n$ be before the standard
deviation of the whole noise in that mean, the root of its expected squared norm, is
$0.1$? Give $n$ to within 1%.""",
    band=(11_880, 12_120),
    wanted="the n at which the noise that is left in the mean is 0.1",
    misconceptions=(
        (
            (2376, 2424),
            "That is the noise in one coordinate of the mean. A model has five.",
        ),
        (
            (109, 110.5),
            "Noise falls like the root of n, not like n itself.",
        ),
        (
            (1188, 1212),
            "That makes the variance 0.1. The standard deviation is its root.",
        ),
        (
            (2970, 3030),
            "Half of the noise is missing: if a record is replaced, a clipped gradient "
            "moves by up to 2G.",
        ),
        (
            (9950, 10_050),
            "The length of the noise is random. What is the mean of its square?",
        ),
        (
            (792, 808),
            "That is the variance of one Laplace draw of scale 2. Here a whole vector "
            "is drawn.",
        ),
        (
            (1990, 2010),
            "That takes the scale 2G/ε for the standard deviation of each entry.",
        ),
    ),
    hints=(
        "How large is the expected squared norm of one user's noise?",
        "The noise of different users is independent. What happens to its "
        "variance in a mean?",
    ),
    praise="At ε = 2 a quarter of the users would do. In the local model, privacy is "
    "paid for in users.",
)

EXPLANATION = """\
One user's noise has a length whose mean square is $\\sigma^2 =
4G^2(p^2+p)/\\varepsilon^2 = 4\\cdot30 = 120$. The noise of different users is
independent, so the mean of the reports has a noise with mean square $120/n$. Its root
is $0.1$ when $n = 120/0.01 = 12{,}000$.

Three slips are common. The variance in *one* coordinate is $120/5 = 24$, and would give
2,400 users; but the model has five coordinates, and all of them move. Noise falls like
$1/\\sqrt n$, so a tenfold smaller noise needs a hundred times as many users. And a
replaced record moves a clipped gradient by up to $2G$, which is why the scale of the
noise is $2G/\\varepsilon$ and not $G/\\varepsilon$.
"""
