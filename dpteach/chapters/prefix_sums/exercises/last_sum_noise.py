"""Question: how noisy is one sum of a stream?"""

from ....grading.questions import Number

EXERCISE = Number(
    name="last_sum_noise",
    title="The noise of one sum",
    statement="""\
A stream of 1000 records, whose vectors have norm at most 1, is published from a binary
tree. All nodes have the same noise, the least for which all 1000 sums together are
$\\mu$-GDP with $\\mu = \\frac12$ when one record is zeroed out. What is the standard
deviation of the noise of sum 1000, in each coordinate? Give it to within 1%.""",
    band=(15.34, 15.65),
    wanted="the deviation of a node times the root of the number of nodes of sum 1000",
    misconceptions=(
        ((6.26, 6.39), "That is the noise of one node. How many does sum 1000 need?"),
        ((19.8, 20.2), "Sum 1000 does not need a node of each height. Write 1000 in "
         "binary."),
        ((14.55, 14.85), "Nearly: one level is missing. Which nodes hold the first "
         "record?"),
        ((37.5, 38.4), "The variances of nodes add up, not their deviations."),
        ((62.6, 63.9), "That is what each sum gets without a tree."),
        ((7.6, 7.85), "The noise of a node is √k/μ, and μ is one half."),
        ((238.0, 242.0), "That is the variance."),
    ),
    hints=(
        "In how many nodes does the first record lie, and what noise do they need?",
        "1000 is 1111101000 in binary.",
    ),
    praise="Sum 512 has the noise of one node and sum 511 that of nine: in a stream "
    "the noise goes up and down with the binary digits.",
)  # fmt: skip

EXPLANATION = r"""*The noise of a node.* The first record lies in the nodes $[1], [1,
2], [1, 4], \dots, [1, 512]$. These are $k = \lfloor\lg 1000\rfloor + 1 = 10$ nodes, and
no record lies in more. If each node has noise of deviation $\sigma$, then all of them
together are $\sqrt{10}/\sigma$-GDP. For $\mu = \frac12$ this asks for $\sigma =
2\sqrt{10} = 6.32$.

*The noise of the sum.* In binary, 1000 is 1111101000, which has six ones. So sum 1000
adds up six nodes, of 512, 256, 128, 64, 32 and 8 records. Their noises are independent,
and variances add up: the deviation is $\sigma\sqrt6 = 15.49$.

*What wrong answers overlook.* 6.32 is the noise of a single node, and 20 that of ten.
14.70 forgets a level, such as the leaf itself. Without a tree each sum would need
$\sqrt{1000}/\mu = 63.2$."""
