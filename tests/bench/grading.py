"""How long a check takes: each right answer of the banks, median and worst.

A time alone means little on a shared machine, so that each is also given as a multiple
of 1,000 draws of ten normals, taken in turns with it.
"""

import harness
import numpy as np

from dpteach.chapters.catalog import load
from tests.chapters.banks import NAMES, right


def main() -> None:
    def draws():
        rng = np.random.default_rng(0)
        for _ in range(1000):
            rng.normal(size=10)

    for name in NAMES[: harness.size(len(NAMES), 2)]:
        exercise, seconds = load(name), {}
        for answer in right(name):

            def graded(exercise=exercise, answer=answer):
                assert exercise.grade(answer, 1).passed

            contestants = {answer.__name__: graded, "1,000 draws": draws}
            seconds |= harness.interleaved(contestants, repeats=7, budget=10)
            harness.report(name, seconds, answer.__name__, "1,000 draws")
        times = [each for key, each in seconds.items() if key != "1,000 draws"]
        half, most = 1e3 * np.median(times), 1e3 * max(times)
        print(
            f"{name}: median {half:.3g} ms"
            f"{harness.verdict(f'{name}: check, median', half, 100, ' ms')}, worst "
            f"{most:.3g} ms CPU"
            f"{harness.verdict(f'{name}: check, worst', most, 2000, ' ms')}",
            flush=True,
        )


if __name__ == "__main__":
    main()
