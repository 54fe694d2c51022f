"""Exercise: better prefix sums from the same noisy nodes."""

from functools import partial

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import demand_whole_numbers, matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _tree(leaves: np.ndarray) -> np.ndarray:
    """Fill a tree in heap order with the exact sums of its leaves."""
    N = len(leaves)
    nodes = np.concatenate([np.zeros(N), leaves])
    for k in range(N - 1, 0, -1):
        nodes[k] = nodes[2 * k] + nodes[2 * k + 1]
    return nodes


def _last(N: int) -> np.ndarray:
    """Find the last leaf below each node, counted from 1; node 0 does not exist."""
    last = np.concatenate([np.zeros(N, dtype=int), np.arange(1, N + 1)])
    for k in range(N - 1, 0, -1):
        last[k] = last[2 * k + 1]
    return last


def _estimates(nodes: np.ndarray, own) -> np.ndarray:
    """Mix each node with what its children say; ``own(h)`` is the node's weight."""
    N, est = len(nodes) // 2, nodes.astype(float)
    for k in range(N - 1, 0, -1):
        w = own(N.bit_length() - k.bit_length())
        est[k] = w * nodes[k] + (1 - w) * (est[2 * k] + est[2 * k + 1])
    return est


def _sums(est: np.ndarray) -> np.ndarray:
    """Add up one estimate for each 1 in the binary digits of t."""
    N = len(est) // 2
    out = np.zeros(N + 1)
    for t in range(1, N + 1):
        low = t & -t
        out[t] = out[t - low] + est[N // low + t // low - 1]
    return out[1:]


def _best(h: int) -> float:
    return 2.0**h / (2.0 ** (h + 1) - 1)


def _mixed(own):
    return lambda nodes: _sums(_estimates(nodes, own))


def _raw_children(nodes: np.ndarray) -> np.ndarray:
    est, N = nodes.astype(float), len(nodes) // 2
    k = np.arange(1, N)
    est[k] = (2 * nodes[k] + nodes[2 * k] + nodes[2 * k + 1]) / 3
    return _sums(est)


# Wrong sums that many give, and what they reveal.
_MISREAD = (
    (
        lambda nodes: _sums(nodes.astype(float)),
        "These are the plain sums of nodes. The nodes below tell the same sum again, "
        "and are not used.",
    ),
    (
        lambda nodes: np.cumsum(nodes[len(nodes) // 2 :]),
        "Only the leaves are used: their noise adds up, and the tall nodes are wasted.",
    ),
    (
        _mixed(lambda h: 0.5 if h else 1.0),
        "A node and its children's sum get equal weights, though their noise differs.",
    ),
    (
        _mixed(lambda h: 1 - _best(h) if h else 1.0),
        "The weights are swapped: the noisier of the two counts more.",
    ),
    (
        _mixed(lambda h: 2 / 3 if h else 1.0),
        "That is the weight of a node above two leaves. Higher up the children's sum "
        "is known better, as it was improved before.",
    ),
    (
        _raw_children,
        "The children's sums are taken raw. They can be improved first, from below.",
    ),
)
# Of results without noise.
_MISPLACED = (
    (lambda leaves: np.cumsum(leaves) - leaves, "The t-th sum holds the t-th record."),
    (lambda leaves: leaves, "These are single records, not sums."),
    (lambda leaves: 0 * leaves + leaves.sum(), "That is the sum of all records."),
    (
        lambda leaves: _raw_means(_tree(leaves)),
        "Two children together hold what their parent holds: add them up first.",
    ),
)


def _raw_means(nodes: np.ndarray) -> np.ndarray:
    est = nodes.copy()
    for k in range(len(nodes) // 2 - 1, 0, -1):
        w = _best((len(nodes) // 2).bit_length() - k.bit_length())
        est[k] = w * nodes[k] + (1 - w) * (est[2 * k] + est[2 * k + 1]) / 2
    return _sums(est)


def _without_noise(student: Student, rng: np.random.Generator) -> None:
    for N in (8, 2, 1, 16):
        leaves = rng.normal(size=N)
        found, wanted = student.array((N,), _tree(leaves)), np.cumsum(leaves)
        off = abs(found - wanted) > 1e-8 * (1 + abs(wanted))
        if off.any():
            t = int(np.argmax(off))
            raise Fault(
                f"sum {t + 1} of {N}, from nodes without noise",
                f"{found[t]:.4g}",
                f"{wanted[t]:.4g}",
                matching_hint(
                    found,
                    _MISPLACED,
                    (leaves,),
                    "If all nodes are exact, every estimate must be: do the weights of "
                    "one sum add up to 1, and is node 1 the root?",
                    wanted,
                ),
            )


def _weights(student: Student, N: int, rng: np.random.Generator) -> np.ndarray:
    """Find the weight of each node in each sum, from the function as it runs."""
    nodes = rng.normal(size=2 * N)
    first = student.array((N,), nodes)
    if not np.array_equal(first, student.array((N,), nodes)):
        raise Fault(
            f"two calls with the same {2 * N - 1} nodes",
            "two results",
            "the same result twice",
            "Is noise added? The nodes are noisy already, and paid for.",
        )
    W = np.stack([student.array((N,), row) for row in np.eye(2 * N)], axis=1)
    if not np.allclose(W @ nodes, first, atol=1e-8):
        raise Fault(
            f"the {N} sums of a tree of {2 * N - 1} nodes",
            "values that are not weighted sums of the nodes",
            "weighted sums, with weights that do not depend on the nodes",
            "Is something rounded, cut or sorted?",
        )
    return W


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    demand_whole_numbers(student, (8,), rng.integers(-9, 10, size=16))


def _in_time(student: Student, rng: np.random.Generator) -> None:
    for N in (4, 8):
        early = np.abs(_weights(student, N, rng)) > 1e-9
        early &= _last(N)[None, :] > np.arange(1, N + 1)[:, None]
        if early.any():
            t, k = (int(each) for each in np.argwhere(early)[0])
            raise Fault(
                f"the weight of node {k} in sum {t + 1}, for {N} records",
                "one that is not 0",
                f"0: the node holds record {_last(N)[k]}, which has not come yet",
                "Sum t must be ready before later records come.",
            )


def _variance(student: Student, rng: np.random.Generator, sizes: tuple) -> None:
    for N in sizes:
        W, nodes = _weights(student, N, rng), rng.normal(size=2 * N)
        found, t = (W[:, 1:] ** 2).sum(axis=1), np.arange(1, N + 1)
        bits = (t[:, None] >> np.arange(8)) & 1
        least = bits @ np.array([_best(h) for h in range(8)])
        if (found > least * (1 + 1e-6)).any():
            worst = int(np.argmax(found / least))
            raise Fault(
                f"the noise of sum {worst + 1} of {N}",
                f"variance {found[worst]:.4g}, in nodes",
                f"{least[worst]:.4g}",
                matching_hint(
                    W @ nodes,
                    _MISREAD,
                    (nodes,),
                    "What is the variance of the improved sum of two children?",
                ),
            )


EXERCISE = Exercise(
    name="honaker_sums",
    parameters=("nodes",),
    title="Better sums from the same nodes",
    statement="""\
The noisy nodes of a binary tree over $N$ records are published, and paid for. `nodes`
is an array of length $2N$ in the usual order of a heap: node 1 is the root, node $k$
has the children $2k$ and $2k + 1$, and the leaves $N, \\dots, 2N - 1$ are the records
from the first to the last. Entry 0 means nothing. $N$ is a power of two. Each node is
the sum of its records plus a normal draw of its own; all draws have the same variance.

Write `honaker_sums(nodes)`, which returns an array of length $N$: the estimates of the
sums of the first $1, 2, \\dots, N$ records, with the **least noise** that the nodes
allow. Sum $t$ must be ready when record $t$ is there, so it may only use nodes whose
records are all among the first $t$.

Start from the leaves. A node knows its sum from its own draw; the two improved sums
below it, added up, know it too. Mix the two in the best proportion.
`nodes` may hold whole numbers.""",
    starter="""\
import numpy as np


def honaker_sums(nodes):
    N = len(nodes) // 2
    return np.cumsum(nodes[N:])  # from the leaves alone; your code here""",
    worked=(
        "honaker_sums(np.array([0.0, 10.0, 3.0, 6.0, 1.0, 5.0, 2.0, 7.0]))",
        "[1.0, 4.0, 6.0, 10.428571428571429]",
        "Node [1, 2] says 3, its leaves say 1 + 5 = 6, with twice the variance: so "
        "(2 · 3 + 6)/3 = 4, with variance 2/3. Node [3, 4] says 6, its leaves 9: so 7. "
        "The root says 10, the two improved nodes 4 + 7 = 11 with variance 4/3: so the "
        "last sum is (4 · 10 + 3 · 11)/7 = 10.43. Sum 3 is 4 plus the third leaf.",
    ),
    hints=(
        "Two independent estimates with variances $a$ and $b$: the best mix gives them "
        "weights in proportion to $1/a$ and $1/b$. What is its variance?",
        "Let $v_h$ be the variance of an improved node of height $h$. Then $v_0 = 1$, "
        "and the children's sum has variance $2v_{h-1}$.",
        "Once all nodes are improved, sum $t$ adds up one of them for each 1 in the "
        "binary digits of $t$.",
    ),
    checks=(
        ("without noise, the sums are exact", _without_noise),
        ("no sum waits for later records", _in_time),
        ("two and four records: the least noise", partial(_variance, sizes=(2, 4))),
        ("sixteen records: the least noise", partial(_variance, sizes=(16,))),
        ("whole numbers", _whole_numbers),
    ),
    praise="Tall nodes lose nearly half of their variance, and no privacy is spent: "
    "only the nodes were published, and the rest is post-processing.",
)

EXPLANATION = r"""Two independent estimates of the same sum, with variances $a$ and $b$,
are best mixed with weights in proportion to $1/a$ and $1/b$; the mix has the variance
$1/(1/a + 1/b)$. Let $v$ be the variance of an improved node one level below. Then a
node knows its sum twice: from its own draw, with variance 1, and from its two improved
children, with variance $2v$.

```python
import numpy as np


def honaker_sums(nodes):
    best = np.array(nodes, dtype=float)
    N = len(nodes) // 2
    v, k = 1.0, N // 2
    while k:  # the nodes k, …, 2k − 1 are one level
        below = best[2 * k : 4 * k]
        v = 1 / (1 + 1 / (2 * v))
        best[k : 2 * k] = v * nodes[k : 2 * k] + (1 - v) * (below[::2] + below[1::2])
        k //= 2
    out = np.zeros(N)
    for t in range(1, N + 1):
        done, size, k = 0, N, 1
        while done < t:
            if done + size <= t:  # this node is complete
                out[t - 1] += best[k]
                done, k = done + size, k + 1
            else:
                size, k = size // 2, 2 * k
    return out
```

The weights are $v$ on the node's own draw and $1 - v$ on the children, because $1/1 :
1/(2v) = v : (1 - v)$ with the new $v$. The variances are $1, \frac23, \frac47,
\frac8{15}, \dots$, which approach $\frac12$.

*Why not use later records too?* A stream must release sum $t$ at time $t$. Nodes that
reach beyond $t$ are not complete then. If all nodes are there, better estimates exist.

*What does it cost in privacy?* Nothing: only the nodes were published."""
