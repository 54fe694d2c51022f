"""Figures of the chapter on prefix sums: nodes, their noise, released streams."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import gaussian_epsilon, gaussian_mu
from ...algorithms.streams.participation import epochs_squared_sensitivity
from ...algorithms.streams.prefix_noise import tree_noise
from ...algorithms.streams.tree import levels, prefix_variance, tree_noise_multiplier
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider, geometric
from ...figures.figure import figure
from ...figures.marks import (
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Draw
from ...figures.style import write
from ...privacy import Gaussian, Relation

DELTA = 1e-6
LEAVES = 16
LENGTHS = (8, 16, 32, 64, 128, 256, 512, 1024)
# Budgets whose noise differs by factors of √2; the middle one is 1.
EPSILONS = tuple(
    float(f"{gaussian_epsilon(gaussian_mu(1.0, DELTA) * 2 ** (k / 2), DELTA):.6g}")
    for k in range(-4, 5)
)


def _nodes() -> list[tuple[int, int]]:
    """Height and index of every node of the tree that is drawn."""
    heights = range(LEAVES.bit_length())
    return [(h, i) for h in heights for i in range(LEAVES >> h)]


def _dyadic(t: int) -> list[tuple[int, int]]:
    """First and last record of each node of sum t, from the left."""
    blocks = []
    while t:
        blocks.append((t - (t & -t) + 1, t))
        t &= t - 1
    return blocks[::-1]


def _words(t: int) -> str:
    names = [f"[{a}–{b}]" if b > a else f"[{a}]" for a, b in _dyadic(t)]
    count = ("one node", "two nodes", "three nodes", "four nodes")[len(names) - 1]
    return (
        f"Sum {{t}} is made of {count}, {', '.join(names)}: {t} in binary is {t:b}. "
        f"Its noise has {len(names)} times the variance of one node. Record 1 lies in "
        f"{levels(t)} of the nodes that sums 1 to {{t}} read."
    )


@figure(
    axes=(
        Axes(
            "record",
            "height of the node",
            xlim=(0.5, LEAVES + 0.5),
            ylim=(-0.6, 4.6),
            yticks=(0, 1, 2, 3, 4),
            title="Which nodes a sum reads",
        ),
        Axes(
            "sum t",
            "variance, in nodes",
            xlim=(0.5, LEAVES + 0.5),
            ylim=(0, 4.6),
            title="Noise of each sum",
        ),
    ),
    title="A prefix sum and its nodes",
    alt=(
        "A tree of 31 nodes over 16 records; those of the chosen sum are filled. In "
        "the panel “Noise of each sum”, a jagged line that counts the ones in the "
        "binary digits of t, and a lower one for the best estimate."
    ),
    caption="Exact. The best estimate (Honaker's) costs no more privacy.",
    identity="tree-nodes",
    picks="t",
    plays="t",
    t=Slider(range(1, 17), start=13),
)
def nodes_of_a_sum(t: int) -> list[Mark]:
    """Light up the nodes that make the t-th prefix sum.

    Examples
    --------
    >>> nodes, *_ = nodes_of_a_sum(13)
    >>> int((nodes.level == 1).sum())  # [1, 8], [9, 12] and [13]
    3
    """
    checks.count(t=t)
    lit = {
        ((b - a + 1).bit_length() - 1, (b - 1) // (b - a + 1)) for a, b in _dyadic(t)
    }
    level = [1.0 if node in lit else 0.15 for node in _nodes()]
    h, i = np.array(_nodes()).T
    middle, width = (i + 0.5) * 2.0**h + 0.5, 0.94 * 2.0**h
    steps = range(1, LEAVES + 1)
    plain = [prefix_variance(s) for s in steps]
    better = [prefix_variance(s, estimator="honaker") for s in steps]
    node = "node, filled if in use"
    return [
        Cells(middle, h, level, node, "private", width=width, height=0.8),
        Line(steps, plain, "nodes added up", "private", panel=1),
        Line(steps, better, "best estimate from all nodes", "measured", panel=1),
        Points([t], [plain[t - 1]], "this sum", "private", panel=1, moves="t"),
        Sentence(_words(int(t))),
    ]


# ------------------------------------------------------------ what a stream learns


def _noise_for(epsilon: float, steps: int) -> float:
    return tree_noise_multiplier(epsilon, DELTA, steps=int(steps))


tied = Linked(("noise_multiplier", "epsilon", "steps"), _noise_for)
_PLACES = 64


@cache
def _count(steps: int) -> np.ndarray:
    """Count how many of the records so far say yes; the probability of a yes drifts."""
    t = np.arange(steps) / steps
    chance = 0.5 + 0.4 * np.sin(7 * t)
    return np.cumsum(np.random.default_rng(0).random(steps) < chance)


@cache
def _deviations(steps: int) -> dict[str, np.ndarray]:
    """Compute the deviation of each sum's noise at μ = 1, by mechanism."""
    t = np.arange(1, steps + 1)
    k = levels(steps)
    plain = [prefix_variance(int(s)) for s in t]
    better = [prefix_variance(int(s), estimator="honaker") for s in t]
    return {
        "tree": np.sqrt(k * np.array(plain)),
        "best estimate": np.sqrt(k * np.array(better)),
        "vector": np.sqrt(t),
        "sum": np.full(steps, np.sqrt(steps)),
    }


@figure(
    asks=Draw(
        "short-stream",
        "1,024 sums at one price. With fresh noise for each sum, all are equally "
        "noisy. Draw the noise of the tree’s sums.",
        hides=["tree", "tree, best estimate"],
        why="A sum reads as many nodes as t has ones in binary, at most 10 of 1,024, "
        "so the noise stays low and jagged: √(levels · ones). For 16 counts a tree "
        "does not pay.",
        panel=1,
    ),
    axes=(
        Axes(
            "part of the stream, t/T",
            "count / T",
            xlim=(0, 1),
            ylim=(-0.4, 0.9),
            title="One stream, released",
        ),
        Axes(
            "part of the stream, t/T",
            "% of fresh noise",
            xlim=(0, 1),
            ylim=(0, 140),
            yticks=(0, 25, 50, 75, 100, 125),
            title="Noise of each sum",
        ),
    ),
    title="A running count, released at one price",
    alt=(
        "In the panel “One stream, released”, a growing count, the tree's close to it "
        "and single points scattered around. In the panel “Noise of each sum”, the "
        "deviation of the noise, where fresh noise for each sum is a level line: for "
        "long streams the tree's is far below it, and for eight records somewhat "
        "above."
    ),
    caption=(
        "Records say yes or no, and yes more often at first. All mechanisms cost the "
        "same. Move any slider, and another one follows."
    ),
    identity="tree-stream",
    linked=tied,
    epsilon=Slider(EPSILONS, start=1),
    noise_multiplier=Slider(),
    steps=Slider(LENGTHS, start=1024),
)
def one_stream(epsilon: float, noise_multiplier: float, steps: int) -> list[Mark]:
    """Release a running count with the tree and with fresh noise, at one price.

    Examples
    --------
    >>> exact, tree, *_ = one_stream(1.0, 13.4, 1024)
    >>> bool(abs(tree.y - exact.y).max() < 100)
    True
    """
    T, mu = int(steps), gaussian_mu(epsilon, DELTA)
    # The same number of points for every T: places along the stream.
    at = np.linspace(0, T - 1, _PLACES).astype(int)
    x, true = (at + 1) / T, _count(T)
    tree = tree_noise(T, sigma=noise_multiplier, shape=(1,), rng=1)[:, 0]
    fresh = np.sqrt(T) / mu * np.random.default_rng(2).standard_normal(T)
    lines = {
        "tree": ("tree", "private"),
        "best estimate": ("tree, best estimate", "measured"),
        "vector": ("noise in each record", "bound"),
        "sum": ("fresh noise for each sum", "reference"),
    }
    event = Gaussian(noise_multiplier, releases=levels(T), relation=Relation.ZERO_OUT)
    return [
        Line(x, true[at] / T, "true count", "non_private"),
        Line(x, (true + tree)[at] / T, "tree", "private"),
        Points(x, (true + fresh)[at] / T, "fresh noise for each sum", "reference"),
        *[
            Line(x, _shares(T)[name][at], label, role, panel=1)
            for name, (label, role) in lines.items()
        ],
        Sentence(_verdict(T, noise_multiplier)),
        Spent(event, DELTA),
    ]


def _shares(steps: int) -> dict[str, np.ndarray]:
    """Compute each deviation in percent of that of fresh noise for each sum."""
    each = _deviations(steps)
    return {name: 100 * noise / each["sum"] for name, noise in each.items()}


def _verdict(T: int, noise_multiplier: float) -> str:
    gain = 100 / _shares(T)["tree"].max()
    compared = f"{write(gain)} times smaller" if gain > 1 else (
        f"{write(1 / gain)} times larger (the stream is too short)"
    )  # fmt: skip
    return (
        "{steps} counts at ε = {epsilon}: node noise has deviation "
        f"{write(noise_multiplier)}. The tree's worst sum has noise {compared} than "
        "the worst of the two others."
    )


# ------------------------------------------------------------ records that come again


_PASSES, _RECORDS = (1, 2, 4, 8, 16, 32, 64), 60


@cache
def _counts() -> dict[str, list[int]]:
    """Compute the squared sensitivity of passes over 60 records, in three ways."""
    plan = {"steps_per_epoch": _RECORDS, "estimator": "honaker"}
    price = epochs_squared_sensitivity
    return {
        "one tree": [price(epochs=E, **plan) for E in _PASSES],
        "restarted": [price(epochs=E, restart_every=_RECORDS, **plan) for E in _PASSES],
        "added": [E * levels(_RECORDS * E) for E in _PASSES],
    }


@figure(
    asks=Draw(
        "passes",
        "The dashed lines are a new tree for each pass, and the prices of single "
        "passes in one long tree, added up. Draw what the long tree really costs.",
        hides=["one tree"],
        why="Above the height of one pass every node holds a record several times. A "
        "node that holds it c times moves by c, and costs c².",
    ),
    axes=Axes(
        "epochs E",
        "ε at δ = 10⁻⁶",
        xlim=(1, 64),
        ylim=(0.1, 300),
        xscale="log",
        yscale="log",
    ),
    title="A record that comes again",
    alt="Three rising lines; that of one tree rises fastest, above its false count.",
    caption=(
        "60 records in the same order in each epoch. A record that is zeroed out is "
        "zeroed out in all of them. Honaker's estimate is priced by its nodes."
    ),
    identity="tree-epochs",
    noise_multiplier=Slider(geometric(10, 80, 46), start=40),
)
def several_epochs(noise_multiplier: float) -> list[Mark]:
    """Price a tree over several passes: true, restarted, and by adding up passes.

    Examples
    --------
    >>> true, restarted, added, *_ = several_epochs(40.0)
    >>> bool((true.y >= added.y).all())  # adding up single passes is not enough
    True
    """
    z = float(noise_multiplier)
    epsilon = {
        way: np.array([gaussian_epsilon(k**0.5 / z, DELTA) for k in counts])
        for way, counts in _counts().items()
    }
    events = tuple(
        Gaussian(z, releases=k, relation=Relation.ZERO_OUT)
        for k in _counts()["one tree"]
    )
    one, added = epsilon["one tree"][-1], epsilon["added"][-1]
    return [
        Line(_PASSES, epsilon["one tree"], "one tree", "private"),
        Line(_PASSES, epsilon["restarted"], "a new tree each epoch", "measured"),
        Line(_PASSES, epsilon["added"], "one tree, passes added up", "broken"),
        Sentence(
            f"With noise {{noise_multiplier}}, 64 epochs in one tree cost ε = "
            f"{write(one)}. Adding up the prices of single passes gives "
            f"{write(added)}, which is {write(one / added)} times too little."
        ),
        Spent(events, DELTA),
    ]
