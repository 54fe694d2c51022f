"""Go on with the runs of the DP-FTRL paper's figure 1(a): figure_1a.py [MINUTES].

Each run takes about four minutes of a processor, and all of them about 20 hours. It may
be stopped at any time: what is finished is in ``results/trained_on_mnist.jsonl`` beside
``network_runs.py``, and is not computed again as long as its code is unchanged.
"""

import sys
import time

import experiments

from dpteach.chapters.dp_ftrl_in_practice.network_runs import figure_1a


def main(words: list[str]) -> None:
    """Print each cell when it is finished; stop after the first that is too late."""
    minutes = float(words[0]) if words else float("inf")
    end = time.monotonic() + 60 * minutes
    experiments.lend()
    for cell, found in figure_1a():
        print(cell, found, flush=True)
        if time.monotonic() > end:
            break


if __name__ == "__main__":
    main(sys.argv[1:])
