"""Section 6.3.2, interlude. Private prefix sums from a binary tree of noisy sums."""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from ... import checks
from ...accounting import noise_multiplier as gaussian_noise_multiplier
from ...arrays import Array, Rng, as_rng
from ...privacy import Relation
from ._stream import check_stream

# "plain": a prefix is the sum of its nodes, as printed. "honaker": each node is first
# averaged, in the best proportion, with what the nodes below it say about that sum.
ESTIMATORS = ("plain", "honaker")


@dataclass(frozen=True)
class Tree:
    """A complete binary tree of noisy sums over ``steps`` vectors.

    Parameters
    ----------
    steps : int
        :math:`n`. Leaves beyond n fill up the tree and stay unused.
    nodes : tuple of arrays
        In heap order: node 1 is the root, node k has the children 2k and 2k + 1, and
        leaf t of N is node N + t - 1. Node 0 does not exist (None).
    """

    steps: int
    nodes: tuple[Array, ...]

    def __post_init__(self) -> None:
        checks.fields(self, checks.count, "steps")
        checks.instance(tuple, nodes=self.nodes)
        size = len(self.nodes)
        if size & (size - 1) or size < 2 * self.steps:
            raise ValueError(
                f"`nodes` must be 2N, a power of two, at least 2·{self.steps}, got "
                f"{size}. Make the tree by initialize_tree."
            )

    @property
    def leaves(self) -> int:
        """N, the least power of two that is at least n."""
        return len(self.nodes) // 2


def levels(steps: int) -> int:
    """Count the nodes that one of ``steps`` vectors touches: ⌊lg n⌋ + 1. [Theorem 6.13]

    Returns
    -------
    int
        The squared sensitivity of all nodes together, in squared clip norms.

    Examples
    --------
    >>> [levels(n) for n in (1, 7, 8, 1024)]  # E-24: lg n, rounded up, says 0, 3, 3, 10
    [1, 3, 4, 11]
    """
    steps = checks.count(steps=steps)
    return steps.bit_length()


def tree_noise_multiplier(
    epsilon: float,
    delta: float,
    *,
    steps: int,
    relation: Relation = Relation.ZERO_OUT,
    method: str = "exact",
) -> float:
    r"""Compute the node noise that makes n prefix sums (ε, δ)-private. [Theorem 6.13]

    Parameters
    ----------
    steps : int
        :math:`n`. The noise grows as the square root of its logarithm.
    relation : Relation, optional
        ``ZERO_OUT``, or ``REPLACE`` at twice the noise; ADD_REMOVE is refused.
    method : {"exact", "textbook"}, optional
        The least noise that suffices, or the theorem's formula with ⌊lg n⌋ + 1 (E-24).

    Returns
    -------
    float
        The noise multiplier :math:`\lambda`: a node's standard deviation over L.

    Examples
    --------
    >>> [round(tree_noise_multiplier(1.0, 1e-6, steps=n), 2) for n in (1000, 10**6)]
    [13.36, 18.89]
    """
    check_stream(relation)
    return gaussian_noise_multiplier(
        epsilon, delta, releases=levels(steps), relation=relation, method=method
    )


def initialize_tree(
    steps: int, *, sigma: float, shape: tuple[int, ...], rng: Rng
) -> Tree:
    r"""Make a tree for ``steps`` vectors, with noise but no data yet. [InitializeTree]

    Source: Dwork, Naor, Pitassi and Rothblum (2010); Chan, Shi and Song (2011).

    Returns
    -------
    Tree
        With nodes drawn independently from :math:`\mathcal N(0, \sigma^2 I)`.

    Examples
    --------
    >>> initialize_tree(5, sigma=1.0, shape=(2,), rng=0).leaves  # a power of two
    8
    """
    steps = checks.count(steps=steps)
    sigma = checks.moderate(sigma=sigma)
    checks.shape(4 * steps, shape=shape)
    rng = as_rng(rng)
    N = 1 << (steps - 1).bit_length()
    noise = [sigma * rng.standard_normal(shape) for _ in range(2 * N - 1)]
    return Tree(steps=steps, nodes=(None, *noise))


def _check_leaf(tree: Tree, t: int) -> int:
    checks.instance(Tree, tree=tree)
    t = checks.count(t=t)
    if t > tree.steps:
        raise ValueError(
            f"`t` must be at most {tree.steps}, the tree's `steps`, got {t}. "
            "Make a longer tree: its noise was priced for that many sums."
        )
    return t


def add_to_tree(tree: Tree, t: int, v: Array) -> Tree:
    """Add v, of the tree's shape, to the nodes from leaf t up to the root. [AddToTree]

    Returns
    -------
    Tree
        A new one; the tree that is passed is not changed.

    Examples
    --------
    >>> import numpy as np
    >>> tree = initialize_tree(2, sigma=1e-9, shape=(), rng=0)  # hardly any noise
    >>> tree = add_to_tree(tree, 2, np.array(5.0))
    >>> [round(float(node)) for node in tree.nodes[1:]]  # the root, leaf 1, leaf 2
    [5, 0, 5]
    """
    t = _check_leaf(tree, t)
    checks.finite_array(ndim=tree.nodes[1].ndim, v=v)
    if v.shape != tree.nodes[1].shape:
        raise ValueError(
            f"`v` must have the tree's shape {tree.nodes[1].shape}, got {v.shape}."
        )
    path, node = set(), tree.leaves + t - 1
    while node >= 1:
        path.add(node)
        node //= 2
    nodes = (x + v if k in path else x for k, x in enumerate(tree.nodes))
    return Tree(steps=tree.steps, nodes=tuple(nodes))


def get_sum(tree: Tree, t: int) -> Array:
    r"""Read the noisy sum of the first t vectors from the tree. [GetSum]

    Returns
    -------
    Array
        :math:`s_t = \sum_{i\le t} x_i + b_t`: one node for each 1 in t's binary digits.

    Examples
    --------
    >>> import numpy as np
    >>> tree = initialize_tree(4, sigma=1e-9, shape=(), rng=0)  # hardly any noise
    >>> for t in (1, 2, 3, 4):
    ...     tree = add_to_tree(tree, t, np.array(10.0**t))
    >>> round(float(get_sum(tree, 3)))  # leaves 1 and 2 in one node, leaf 3 in another
    1110
    """
    t = _check_leaf(tree, t)
    leaf = int(tree.leaves + t - 1)
    b = leaf.bit_length()
    # 1: [node_1, …, node_b] ← the nodes from the root to leaf t
    path = [leaf >> (b - j) for j in range(1, b + 1)]
    # 2: s ← 0^p; [b_1, …, b_b] ← t in binary, b_1 the most significant bit
    s, bits = np.zeros_like(tree.nodes[1]), format(t, f"0{b}b")
    # 3: for j = 1, …, b do
    for node, bit in zip(path, bits, strict=True):
        # 4: if b_j = 1, add the left sibling of node_j to s; a left child is its own
        #    left sibling, and so is the root, which has none  [E-25]
        if bit == "1":
            s = s + tree.nodes[node if node == 1 else node & ~1]
    # 5: end for
    # 6: return s
    return s


def prefix_variance(t: int, *, estimator: str = "plain") -> float:
    r"""Compute the variance of the noise in the t-th prefix sum. [Theorem 6.13]

    Returns
    -------
    float
        In units of a node's variance: the number of 1s in t's binary digits (plain),
        or :math:`\sum_h 2^h/(2^{h+1} - 1)` over the digits h that are 1 (honaker).

    Examples
    --------
    >>> [prefix_variance(t) for t in (1, 2, 3, 4, 7, 8)]
    [1.0, 1.0, 2.0, 1.0, 3.0, 1.0]
    >>> round(prefix_variance(7, estimator="honaker"), 3)  # 47/21, for the same price
    2.238
    """
    t = checks.count(0, t=t)
    checks.one_of(ESTIMATORS, estimator=estimator)
    heights = [h for h in range(int(t).bit_length()) if t >> h & 1]
    if estimator == "plain":
        return float(len(heights))
    return float(sum(1 / (2 - 2.0**-h) for h in heights))


def prefix_noise_bound(
    steps: int,
    *,
    p: int,
    sigma: float,
    failure_probability: float,
    estimator: str = "plain",
) -> float:
    r"""Bound the noise of all n prefix sums at once. [Theorem 6.15, proof; E-28]

    .. math:: \max_{t \le n}\|b_t\|_2 \le \sigma\sqrt V(\sqrt p + \sqrt{2\ln(n/\beta)})

    Parameters
    ----------
    steps, p : int
        :math:`n`, and the length of a vector.

    Returns
    -------
    float
        The bound holds with probability ≥ 1 - β; V is the largest ``prefix_variance``.

    Examples
    --------
    >>> prefix_noise_bound(1000, p=10, sigma=13.4, failure_probability=0.01)
    320.02...
    """
    p, steps = checks.count(p=p, steps=steps)
    sigma = checks.moderate(sigma=sigma)
    failure_probability = checks.probability(failure_probability=failure_probability)
    checks.one_of(ESTIMATORS, estimator=estimator)
    # The worst t is n, or it has n's binary digits down to some 1, then 0 instead of
    # that 1, and only 1s from there.
    worst = [steps, *((steps >> h << h) - 1 for h in range(int(steps).bit_length()))]
    V = max(prefix_variance(t, estimator=estimator) for t in worst)
    t = log(steps) - log(failure_probability)
    return sigma * sqrt(V) * (sqrt(p) + sqrt(2 * t))
