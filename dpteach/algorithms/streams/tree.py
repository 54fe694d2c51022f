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
        Heap order: node 1 is the root, node k has the children 2k and 2k + 1, and leaf
        t is node N + t - 1 of a tree with N leaves. Node 0 does not exist (None).
    """

    steps: int
    nodes: tuple[Array, ...]

    def __post_init__(self) -> None:
        """Check that the nodes are those of a complete tree with enough leaves."""
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
    r"""Count the published nodes that one vector touches: ⌊lg n⌋ + 1. [Theorem 6.13]

    Parameters
    ----------
    steps : int
        :math:`n`, how many prefix sums are published.

    Returns
    -------
    int
        The squared sensitivity of all of them together, in squared clip norms.

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
    epsilon, delta : float
        The privacy to reach, :math:`(\varepsilon, \delta)`, for all sums together.
    steps : int
        :math:`n`. The noise grows as the square root of its logarithm.
    relation : Relation, optional
        ``ZERO_OUT``, or ``REPLACE`` at twice the noise.
    method : {"exact", "textbook"}, optional
        The least noise that suffices, or the theorem's formula
        :math:`\sqrt{2k(\ln(1/\delta) + \varepsilon)}/\varepsilon` with k = ⌊lg n⌋ + 1.

    Returns
    -------
    float
        The noise multiplier :math:`\lambda`: a node's standard deviation over L.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or ``relation`` is ADD_REMOVE.

    Notes
    -----
    Source: Theorem 6.13; E-24 counts ⌊lg n⌋ + 1 nodes where it has ⌈lg n⌉.

    Examples
    --------
    >>> round(tree_noise_multiplier(1.0, 1e-6, steps=1000), 2)
    13.36
    >>> round(tree_noise_multiplier(1.0, 1e-6, steps=1000**2), 2)  # 1000 times as long
    18.89
    """
    check_stream(relation)
    return gaussian_noise_multiplier(
        epsilon, delta, releases=levels(steps), relation=relation, method=method
    )


def initialize_tree(
    steps: int, *, sigma: float, shape: tuple[int, ...], rng: Rng
) -> Tree:
    r"""Make a tree whose nodes are noise, with no data yet. [InitializeTree]

    Parameters
    ----------
    steps : int
        :math:`n`. The tree gets 2^⌈lg n⌉ leaves.
    sigma : float
        :math:`\sigma = L\lambda`, a node's standard deviation in each coordinate.
    shape : tuple of int
        Shape of the vectors to be added, such as ``(p,)``.

    Returns
    -------
    Tree
        With nodes drawn independently from :math:`\mathcal N(0, \sigma^2 I)`.

    References
    ----------
    * Dwork, Naor, Pitassi and Rothblum (2010), Differential Privacy under Continual
      Observation.
    * Chan, Shi and Song (2011), Private and Continual Release of Statistics.

    Examples
    --------
    >>> tree = initialize_tree(5, sigma=1.0, shape=(2,), rng=0)
    >>> tree.leaves, len(tree.nodes) - 1  # the leaves, and all nodes
    (8, 15)
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
    r"""Add v to the nodes from leaf t up to the root. [AddToTree]

    Parameters
    ----------
    tree : Tree
        :math:`\mathcal T`; it is not changed.
    t : int
        Which leaf, 1, …, n: the first vector goes to leaf 1.
    v : Array
        The vector :math:`x_t`, a NumPy array of the tree's shape.

    Returns
    -------
    Tree
        With v in it.

    Raises
    ------
    ValueError, TypeError
        If ``t`` is not a leaf in use, or ``v`` does not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.auditing import Tape
    >>> tree = initialize_tree(2, sigma=1.0, shape=(), rng=Tape([]))  # without noise
    >>> tree = add_to_tree(tree, 2, np.array(5.0))
    >>> [float(node) for node in tree.nodes[1:]]  # the root, leaf 1, leaf 2
    [5.0, 0.0, 5.0]
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

    Parameters
    ----------
    t : int
        How many vectors, 1, …, n.

    Returns
    -------
    Array
        :math:`s_t = \sum_{i\le t} x_i + b_t`: one node for each 1 in t's binary digits.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.auditing import Tape
    >>> tree = initialize_tree(4, sigma=1.0, shape=(), rng=Tape([]))  # without noise
    >>> for t in (1, 2, 3, 4):
    ...     tree = add_to_tree(tree, t, np.array(10.0**t))
    >>> float(get_sum(tree, 3))  # leaves 1 and 2 in one node, leaf 3 in another
    1110.0
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

    Parameters
    ----------
    t : int
        How many vectors were added.
    estimator : {"plain", "honaker"}, optional
        How nodes become sums: added up, or averaged with the nodes below them first.

    Returns
    -------
    float
        In units of one node's variance: the number of 1s in t's binary digits, or
        :math:`\sum_h 2^h/(2^{h+1} - 1)` over the digits h that are 1.

    Raises
    ------
    ValueError, TypeError
        If ``t`` is not an int of at least 0, or ``estimator`` is none of these.

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
    r"""Bound the noise of all n prefix sums at once. [Theorem 6.15, proof]

    .. math:: \max_{t \le n}\|b_t\|_2 \le
              \sigma\sqrt V\,\bigl(\sqrt p + \sqrt{2\ln(n/\beta)}\bigr)

    Parameters
    ----------
    steps : int
        :math:`n`.
    p : int
        :math:`p`, the length of a vector.
    sigma : float
        :math:`\sigma = L\lambda`, a node's standard deviation in each coordinate.
    failure_probability : float
        :math:`\beta`, the probability that the bound may fail.
    estimator : {"plain", "honaker"}, optional
        How nodes become sums; V is the largest ``prefix_variance``.

    Returns
    -------
    float
        The bound; it holds with probability at least :math:`1 - \beta`.

    Notes
    -----
    A norm is 1-Lipschitz, so ‖b_t‖ exceeds its mean, at most √p standard deviations, by
    x of them with probability at most exp(-x²/2). Source: proof of Theorem 6.15; the
    form printed there fails for p = 1 (E-28).

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
