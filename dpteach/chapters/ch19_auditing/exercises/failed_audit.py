"""Question: what an audit shows that does not refute a claim."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="failed_audit",
    title="What does a failed audit show?",
    statement="""\
A library claims $\\varepsilon = 1$. Your audit makes 10,000 runs with a canary and as
many without it, and proves $\\varepsilon \\ge 0.4$ with confidence 99.9 %. What
follows?""",
    choices={
        "a": "The library is private with ε = 0.4.",
        "b": "With confidence 99.9 %, ε lies between 0.4 and 1.",
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
