"""The nine parts of the program, in the order in which the file grows."""

from .calls import Part

HEAD = '''\
"""My own private learner: train, price, audit and label, on NumPy alone."""

import numpy as np
'''

PARTS = (
    Part(
        name="clip",
        places=("gradients", "L"),
        keywords=(),
        sentence="clip: no record pulls with a norm above L",
        chapter="chapters/02-sensitivity",
        task="Shorten each row of `gradients` to Euclidean norm at most `L`, and leave "
        "shorter rows alone. A row with an entry that isn't finite counts as zeros: "
        "the exercise doesn't ask for that, a program needs it.",
        starter='''\
def clip(gradients, L):
    """Shorten each row to norm L at most; a row that is not finite counts as 0."""
    return gradients  # your code here
''',
        exercise="clip",
    ),
    Part(
        name="poisson_batch",
        places=("n", "q", "rng"),
        keywords=(),
        sentence="poisson_batch: one coin for each record",
        chapter="chapters/10-amplification",
        task="Flip a coin of probability `q` for each of `n` records, and return the "
        "indices of those whose coin came up, in an array of integers.",
        starter='''\
def poisson_batch(n, q, rng):
    """Flip a coin of probability q for each of n records; return the rows chosen."""
    return np.arange(round(q * n))  # your code here
''',
        exercise="poisson_batches",
        joined='''\
def poisson_batch(n, q, rng):
    """Flip a coin of probability q for each of n records; return the rows chosen."""
    return np.flatnonzero(poisson_batches(n, q, 1, rng)[0])
''',
    ),
    Part(
        name="dp_sgd",
        places=("gradients", "start"),
        keywords=("n", "q", "L", "lam", "steps", "eta", "rng"),
        sentence="dp_sgd: clipped, sampled, noisy steps",
        chapter="chapters/09-dp-sgd",
        task="Return the models $\\theta_1, \\dots, \\theta_T$ as an array of shape "
        "$(T, p)$, with $T$ = `steps` and $\\theta_0$ = `start`. In each step draw a "
        "batch $B$ by `poisson_batch` and clip its gradients by `clip`. Then\n\n"
        "$$\\theta_{t+1} = \\theta_t - \\frac{\\eta}{q}\\Big(\\sum_{i \\in B} "
        "\\mathrm{clip}_L(g_i) + \\mathcal N(0,\\ L^2\\lambda^2 I_p)\\Big).$$\n\n"
        "`gradients(theta)` returns all `n` records' gradients, one a row, for any "
        "loss. With `q` = 1 a batch is all records. Draw noise by "
        "`rng.standard_normal` or `rng.normal`.",
        starter='''\
def dp_sgd(gradients, start, *, n, q, L, lam, steps, eta, rng):
    """Return every model of DP-SGD; all of them cost [(lam, q, steps)]."""
    theta, path = start, []
    for _ in range(steps):
        theta = theta - eta * gradients(theta).sum(axis=0)  # your code here
        path.append(theta)
    return np.array(path)
''',
        uses=("clip", "poisson_batch"),
    ),
    Part(
        name="delta",
        places=("epsilon", "runs"),
        keywords=(),
        sentence="delta: what the runs cost, to four digits",
        chapter="chapters/03-composition",
        task="`runs` lists triples $(\\lambda, q, T)$: $T$ sums over Poisson samples "
        "of rate $q$, with noise of $\\lambda$ clip norms. Return to four digits the "
        "least $\\delta$ at which all of them together are "
        "$(\\varepsilon, \\delta)$-private, if a record is added **or** removed. "
        "Integrate the privacy loss as the chapter does, or convolve its distribution "
        "on a grid.",
        starter='''\
def delta(epsilon, runs):
    """Return δ(ε) for neighbors with one record more or less."""
    return float(np.exp(-epsilon))  # your code here
''',
    ),
    Part(
        name="epsilon",
        places=("delta_", "runs"),
        keywords=(),
        sentence="epsilon: the other way around",
        chapter="chapters/03-composition",
        task="Return the least $\\varepsilon \\ge 0$ at which your `delta` is `delta_` "
        "or less, to five digits.",
        starter='''\
def epsilon(delta_, runs):
    """Return the least ε for δ."""
    return 1.0  # your code here
''',
        uses=("delta",),
    ),
    Part(
        name="tree_noise",
        places=("n", "p", "sigma", "rng"),
        keywords=(),
        sentence="tree_noise: the noise in n prefix sums",
        chapter="chapters/12-prefix-sums",
        task="Return the noise that a binary tree puts into the sums of the first "
        "$1, \\dots, n$ records, an array of shape $(n, p)$. A node has one draw of "
        "$\\mathcal N(0, \\sigma^2 I_p)$, and sum $t$ has one node for each 1 in the "
        "binary digits of $t$.",
        starter='''\
def tree_noise(n, p, sigma, rng):
    """Return the noise in each of n prefix sums; they cost (σ/L, 1, ⌊lg n⌋ + 1)."""
    return sigma * rng.standard_normal((n, p))  # your code here
''',
        exercise="tree_prefix_sums",
        joined='''\
def tree_noise(n, p, sigma, rng):
    """Return the noise in each of n prefix sums; they cost (σ/L, 1, ⌊lg n⌋ + 1)."""
    return tree_prefix_sums(np.zeros((n, p)), sigma, rng)
''',
    ),
    Part(
        name="dp_ftrl",
        places=("gradients", "start"),
        keywords=("n", "L", "lam", "Lam", "rng"),
        sentence="dp_ftrl: the leader of noisy sums",
        chapter="chapters/13-dp-ftrl",
        task="Return the $n + 1$ models of DP-FTRL as an array of shape $(n + 1, p)$. "
        "Model 0 is `start`. Record $t$, counted from 0, gives its gradient at model "
        "$t$, clipped by `clip`, and\n\n"
        "$$\\theta_{t+1} = \\theta_0 - \\frac{1}{\\Lambda}\\,(g_0 + \\dots + g_t + "
        "b_t),$$\n\nwhere the $b_t$ are the rows of one `tree_noise` of deviation "
        "$L\\lambda$.",
        starter='''\
def dp_ftrl(gradients, start, *, n, L, lam, Lam, rng):
    """Return DP-FTRL's n + 1 models; all cost [(lam, 1, n.bit_length())]."""
    path = [start]
    for t in range(n):
        path.append(path[-1] - gradients(path[-1])[t] / Lam)  # your code here
    return np.array(path)
''',
        uses=("clip", "tree_noise"),
    ),
    Part(
        name="audit",
        places=(
            "hits",
            "runs",
            "hits_without",
            "runs_without",
            "delta",
            "false_alarm",
        ),
        keywords=(),
        sentence="audit: an ε that counts prove",
        chapter="chapters/22-audits",
        task="An event happened in `hits` of `runs` runs with a record, and in "
        "`hits_without` of `runs_without` runs without it. Return the "
        "$\\varepsilon$ that this proves with a chance of `false_alarm` of being "
        "wrong, half of it for each bound of Clopper and Pearson. Where nothing is "
        "proved, return 0 or less.",
        starter='''\
def audit(hits, runs, hits_without, runs_without, delta, false_alarm):
    """Return an ε that an event's counts prove, with and without a record."""
    return np.log((hits / runs - delta) / (hits_without / runs_without))  # your code
''',
        exercise="audit_epsilon",
        joined='''\
def audit(hits, runs, hits_without, runs_without, delta, false_alarm):
    """Return an ε that an event's counts prove, with and without a record."""
    return audit_epsilon(hits, runs, hits_without, runs_without, delta, false_alarm)
''',
    ),
    Part(
        name="label",
        places=("runs", "delta_"),
        keywords=(),
        sentence="label: what the runs cost, in two lines",
        chapter="chapters/24-choosing",
        task="Return two lines of text, with your `epsilon` to four digits, and with "
        "your `delta` at 0, from which the share of right guesses follows:\n\n"
        "```text\nε ≤ 7.594 at δ = 1e-06, one record more or less\n"
        "right guesses about one record: at most 72.9 of 100\n```",
        starter='''\
def label(runs, delta_):
    """Say in two lines what the runs cost, and what an attacker can guess."""
    return f"δ = {delta_:g}"  # your code here
''',
        uses=("delta", "epsilon"),
    ),
)
