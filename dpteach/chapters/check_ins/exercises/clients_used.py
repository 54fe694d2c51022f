"""Question: how many clients does a check-in run use?"""

from ....grading.questions import Number

EXERCISE = Number(
    name="clients_used",
    title="How many clients are used?",
    statement="""\
A check-in run has $m = 250$ slots. Each of $n = 1000$ clients comes with probability
$p_0 = \\frac12$ and picks a slot uniformly. The server uses one report a slot. How many
clients are used on average? Give the number to within 1%.""",
    band=(214.1, 218.4),
    wanted="the expected number of slots that at least one client picked",
    misconceptions=(
        ((249.0, 251.0), "That is every slot. Some are picked by nobody."),
        (
            (495.0, 505.0),
            "That is how many come. A slot uses one report, however many came to it.",
        ),
        ((33.4, 34.2), "That is how many slots stay empty."),
        (
            (157.0, 159.0),
            "That is for one coming client a slot. Here two come for each slot.",
        ),
        ((243.5, 246.5), "Only half of the clients come."),
        (
            (124.0, 126.0),
            "Half of the clients come, but that does not halve the slots.",
        ),
    ),
    hints=(
        "With which probability does one client pick a given slot?",
        "With which probability does none of the 1,000 pick it?",
    ),
    praise="So 500 clients come and 284 of them are turned away, while 34 slots have "
    "to be filled with dummies. Both kinds of waste come from the same coins.",
)

EXPLANATION = """\
A client picks a given slot with probability $p_0/m = 0.002$. Clients toss independent
coins, so all 1,000 of them miss it with probability $0.998^{1000} = 0.1351$. On average
$250 \\cdot 0.1351 = 33.8$ slots stay empty, and each of the other $216.2$ uses exactly
one client.

The number of clients who come, 500, is not the answer, since a slot uses one report
however many came to it. Nor is 250: on average two clients come for each slot, but they
do not know of each other, and one slot in seven is missed by all of them.
"""
