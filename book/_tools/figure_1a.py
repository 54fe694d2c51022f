"""Go on with the runs of the DP-FTRL paper's figure 1(a).

Each run takes about a minute of a processor, and all of them about six hours. With a
size of batches it goes through those alone, so that two of it can share the work. It
may be stopped at any time: what is finished is in ``results/trained_networks.jsonl``
beside ``network_runs.py``, and is not computed again as long as its code is unchanged.
"""

import argparse
import time

import experiments

from dpteach.chapters.dp_ftrl_in_practice.network_runs import BATCHES, figure_1a


def main() -> None:
    """Print each cell when it is finished; stop after the first that is too late."""
    parser = argparse.ArgumentParser(description="Go on with the runs of figure 1(a).")
    parser.add_argument("minutes", nargs="?", type=float, default=float("inf"))
    parser.add_argument("--batch", type=int, choices=BATCHES)
    parser.add_argument("--data", choices=("mnist", "fashion"), default="mnist")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    experiments.lend()
    batches = (options.batch,) if options.batch else BATCHES
    for cell, found in figure_1a(batches, options.data):
        print(cell, found, flush=True)
        if time.monotonic() > end:
            break


if __name__ == "__main__":
    main()
