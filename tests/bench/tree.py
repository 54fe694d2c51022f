"""Prefix sums: the streaming tree beside its one draw a step, and all sums at once."""

import harness
import numpy as np

from dpteach.algorithms.prefix_noise import tree_noise
from dpteach.algorithms.streams import StreamingTree

# Enough vectors for every level to come up, few enough for a turn of a fraction of 1 s.
SIZES = ((1_000, 2_048, 1.15), (1_000_000, 16, 1.10))


class SubtractAndAdd:
    """The released generator's published scheme: one running sum of the live nodes.

    A step takes the nodes that end before it out of the sum again, and puts the new
    one in: one draw, one addition, and on average one subtraction.
    """

    def __init__(self, steps: int, d: int, dtype: type, rng: np.random.Generator):
        self.rng, self.dtype, self.t = rng, dtype, 0
        self.total = np.zeros(d, dtype)
        self.nodes = [np.zeros(d, dtype) for _ in range(steps.bit_length())]

    def step(self) -> np.ndarray:
        self.t += 1
        height = (self.t & -self.t).bit_length() - 1
        for node in self.nodes[:height]:
            self.total -= node
            node[...] = 0
        self.rng.standard_normal(out=self.nodes[height], dtype=self.dtype)
        self.total += self.nodes[height]
        return self.total


def one_draw_a_step(d: int, steps: int, goal: float, dtype: type) -> None:
    v, out, total = np.ones(d, dtype), np.empty(d, dtype), np.zeros(d, dtype)
    rng = [np.random.default_rng(seed) for seed in range(6)]

    def stream(seed: int, estimator: str = "plain") -> StreamingTree:
        return StreamingTree(
            steps, sigma=2.0, shape=(d,), rng=rng[seed], estimator=estimator
        )

    def draw() -> None:
        for _ in range(steps):
            rng[0].standard_normal(out=out, dtype=dtype)

    def fresh() -> None:  # each sum with noise of its own, as for a single release
        for _ in range(steps):
            np.add(total, v, out=total)
            total + 2.0 * rng[1].standard_normal(d, dtype=dtype)

    def noise(seed: int = 2, estimator: str = "plain") -> None:
        tree = stream(seed, estimator)
        for _ in range(steps):
            tree._next_noise(v)

    def add() -> None:
        tree = stream(3)
        for _ in range(steps):
            tree.add(v)

    def subtract_and_add() -> None:
        tree = SubtractAndAdd(steps, d, dtype, rng[4])
        for _ in range(steps):
            tree.step()

    seconds = harness.interleaved(
        {
            "bare draw": draw,
            "streaming tree's noise": noise,
            "subtract-and-add noise": subtract_and_add,
            "StreamingTree.add": add,
            "fresh noise for each sum": fresh,
            "Honaker's noise": lambda: noise(5, "honaker"),
        }
    )
    what = f"d = {d:.0e}, {np.dtype(dtype).name}, {steps} steps"
    for name, base, most in (
        ("streaming tree's noise", "bare draw", goal),
        ("streaming tree's noise", "subtract-and-add noise", 1.0),
        ("StreamingTree.add", "bare draw", None),
        ("StreamingTree.add", "fresh noise for each sum", None),
        ("Honaker's noise", "streaming tree's noise", None),
    ):
        harness.report(what, seconds, name, base, most)


def all_at_once(d: int, steps: int, goal: float) -> None:
    rng, out, v = np.random.default_rng(0), np.empty((steps, d)), np.ones((steps, d))
    settings = {"sigma": 2.0, "shape": (d,), "rng": rng}

    def streaming() -> None:
        tree = StreamingTree(steps, **settings)
        for t in range(steps):
            tree.add(v[t])

    seconds = harness.interleaved(
        {
            "draws": lambda: rng.standard_normal(out=out),
            "all noise at once": lambda: tree_noise(steps, **settings),
            "all noisy sums at once": lambda: (
                np.cumsum(v, axis=0) + tree_noise(steps, **settings)
            ),
            "streaming": streaming,
        }
    )
    what = f"d = {d}, T = {steps:.0e}, float64"
    for name, base, most in (
        ("all noise at once", "draws", goal),
        ("all noisy sums at once", "draws", goal),
        ("streaming", "all noisy sums at once", None),
    ):
        harness.report(what, seconds, name, base, most)


def main() -> None:
    for d, steps, goal in SIZES:
        for dtype in (np.float32, np.float64):
            one_draw_a_step(d, steps, goal, dtype)
    all_at_once(2, 10_000, 3.0)


if __name__ == "__main__":
    main()
