"""Prefix sums: the streaming tree beside its one draw a step, and all sums at once."""

import harness
import numpy as np

from dpteach.algorithms.streams.prefix_noise import tree_noise
from dpteach.algorithms.streams.streaming_tree import StreamingTree

# Length of a vector, steps in one turn, turns, and the goal. Turns are short, so that
# all contestants meet the same neighbors on a busy machine.
SIZES = ((1_000, 64, 301, 1.15), (harness.size(1_000_000, 1000), 2, 61, 1.10))
STEPS = 1 << 20  # more than are ever taken


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


def one_draw_a_step(d: int, turn: int, turns: int, goal: float, dtype: type) -> None:
    v, out, total = np.ones(d, dtype), np.empty(d, dtype), np.zeros(d, dtype)
    rng = [np.random.default_rng(seed) for seed in range(6)]
    settings = {"clip_norm": d**0.5, "sigma": 2.0, "shape": (d,)}
    quiet = StreamingTree(STEPS, rng=rng[2], **settings)
    adding = StreamingTree(STEPS, rng=rng[3], **settings)
    honaker = StreamingTree(STEPS, rng=rng[5], estimator="honaker", **settings)
    other = SubtractAndAdd(STEPS, d, dtype, rng[4])

    def fresh() -> np.ndarray:  # noise of its own for each sum, as for one release
        np.add(total, v, out=total)
        return total + 2.0 * rng[1].standard_normal(d, dtype=dtype)

    contestants = {
        "bare draw": lambda: rng[0].standard_normal(out=out, dtype=dtype),
        "streaming tree's noise": lambda: quiet._next_noise(v),
        "subtract-and-add noise": other.step,
        "StreamingTree.add": lambda: adding.add(v),
        "fresh noise for each sum": fresh,
        "Honaker's noise": lambda: honaker._next_noise(v),
    }

    def several(step):
        def run() -> None:
            for _ in range(turn):
                step()

        return run

    what = f"d = {d:.0e}, {np.dtype(dtype).name}, {turns} turns of {turn} steps"
    # Noise alone first: its contestants share the caches with one another only.
    for names, ratios in (
        (
            ("bare draw", "streaming tree's noise", "subtract-and-add noise"),
            (
                ("streaming tree's noise", "bare draw", goal),
                ("streaming tree's noise", "subtract-and-add noise", 1.0),
            ),
        ),
        (
            tuple(contestants),
            (
                ("StreamingTree.add", "bare draw", None),
                ("StreamingTree.add", "fresh noise for each sum", None),
                ("Honaker's noise", "streaming tree's noise", None),
            ),
        ),
    ):
        seconds = harness.interleaved(
            {name: several(contestants[name]) for name in names},
            repeats=turns,
            of=min,
        )
        for name, base, most in ratios:
            harness.report(what, seconds, name, base, most)


def all_at_once(d: int, steps: int, goal: float) -> None:
    rng, out, v = np.random.default_rng(0), np.empty((steps, d)), np.ones((steps, d))
    settings = {"sigma": 2.0, "shape": (d,), "rng": rng}

    def streaming() -> None:
        tree = StreamingTree(steps, clip_norm=d**0.5, **settings)
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
        },
        of=min,
    )
    what = f"d = {d}, T = {steps:.0e}, float64"
    for name, base, most in (
        ("all noise at once", "draws", goal),
        ("all noisy sums at once", "draws", goal),
        ("streaming", "all noisy sums at once", None),
    ):
        harness.report(what, seconds, name, base, most)


def main() -> None:
    for d, turn, turns, goal in SIZES:
        for dtype in (np.float32, np.float64):
            one_draw_a_step(d, turn, turns, goal, dtype)
    all_at_once(2, harness.size(10_000, 100), 3.0)


if __name__ == "__main__":
    main()
