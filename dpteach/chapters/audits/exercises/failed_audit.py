"""Question: what an audit shows that does not refute a claim."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="failed_audit",
    title="What does a failed audit show?",
    statement="""\
A library claims $\\varepsilon = 1$. Your audit makes 10,000 runs with a canary and as
many without it, and proves $\\varepsilon \\ge 0.4$ with confidence 99.9%. What
follows?""",
    choices={
        "a": "The library is private with ε = 0.4.",
        "b": "With confidence 99.9%, ε lies between 0.4 and 1.",
        "c": "The claim is not refuted, and nothing else about it is known.",
        "d": "The claim is wrong, because 0.4 is not 1.",
    },
    right="c",
    feedback={
        "a": "0.4 is a bound from below. Another canary, another event or more runs "
        "may prove more.",
        "b": "The first half is what the audit proved. What in the audit says anything "
        "from above?",
        "d": "A true ε of 1 is well above 0.4, and the audit would look just like "
        "this.",
    },
    hints=("In which direction does the inequality of an audit point?",),
    praise="Audits refute, and proofs confirm. A claim that stands after an audit is "
    "as good as its proof, and as the canaries that were tried.",
)

EXPLANATION = r"""
The right choice is **c**. An audit proves a bound from below: with confidence 99.9%,
$\varepsilon$ is at least 0.4. The claim $\varepsilon = 1$ lies above that, so it is not
refuted. Nothing more follows.

**Why not a.** That 0.4 was proved does not mean that 0.4 is the truth. Another canary
might stand out more. Another event might separate the runs better. More runs would make
the bounds tighter. Each of these may prove more, and none of them can prove less.

**Why not b.** The lower end is what the audit showed. The upper end is the library's
claim, and no run said anything about it. A broken sampler whose fault shows only on
another kind of record would have passed this audit as well.

**Why not d.** Suppose that the true $\varepsilon$ is 1. The event that was chosen may
be far from the best one, and the bounds of Clopper and Pearson give away some more. So
a result of 0.4 is just what one would expect of an honest library.

**What to remember.** The inequality of an audit points in one direction only. Audits
refute, and proofs confirm. That is why this book asks for both.
"""
