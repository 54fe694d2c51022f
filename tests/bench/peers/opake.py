"""Prices beside Opake, whose accountant is written in Rust.

Poisson batches and random allocations, each with the CPU time of both and how far their
ε lies from ours. Both packages promise an upper bound, and ours has a lower one too.
Opake 0.16 needs Python 3.13: with some older ones its import ends in a TypeError.
"""

import sys
import time
from pathlib import Path

# This file bears the name of the package that it measures: look for that elsewhere.
sys.path[0] = str(Path(__file__).resolve().parents[1])

from opake.api.accounting.core import _native  # noqa: E402  (see above)
from opake.api.accounting.core.discretization import (  # noqa: E402  (see above)
    DiscretizationConfig,
)

from dpteach.accounting import price_of  # noqa: E402  (see above)
from dpteach.privacy import (  # noqa: E402  (see above)
    AllocatedGaussian,
    Event,
    Relation,
    SampledGaussian,
)

CONFIG = DiscretizationConfig().to_native()
ADD = Relation.ADD_REMOVE
# noise multiplier, rate, releases, delta
POISSON = [
    (1.1, 0.004, 4800, 1e-5),
    (0.8, 1e-3, 10_000, 1e-6),
    (0.6, 1e-4, 30_000, 1e-7),
    (2.0, 0.2, 300, 1e-8),
    (0.8, 1e-5, 30_000, 1e-7),
    (4.0, 0.05, 100_000, 1e-6),
]
# noise multiplier, steps, rounds, delta
ALLOCATED = [(1.0, 1000, 1, 1e-6), (0.41, 1000, 1, 1e-6), (2.0, 10, 20, 1e-6)]


def compare(name: str, event: Event, delta: float, theirs) -> None:
    start = time.process_time()
    price = price_of(event, delta=delta)
    middle = time.process_time()
    epsilon = theirs().epsilon_at(delta)
    spent = middle - start, time.process_time() - middle
    print(
        f"{name}: ours {price.epsilon:.8f} (truth at least {price.lower:.8f}), "
        f"theirs {epsilon:.8f}; CPU {spent[0]:.3g} s / {spent[1]:.3g} s "
        f"= {spent[0] / spent[1]:.3g}",
        flush=True,
    )


def main() -> None:
    price_of(SampledGaussian(1.0, rate=0.1, relation=ADD), delta=1e-6)  # imports SciPy
    for noise, rate, releases, delta in POISSON:
        event = SampledGaussian(noise, rate=rate, releases=releases, relation=ADD)

        def sampled(noise=noise, rate=rate, releases=releases):
            one = _native.poisson_pld(_native.gaussian_pld(noise, CONFIG), rate)
            return one.self_compose(releases)

        name = f"Poisson, {noise:g}, {rate:g}, {releases}, {delta:g}"
        compare(name, event, delta, sampled)
    for noise, steps, rounds, delta in ALLOCATED:
        event = AllocatedGaussian(noise, steps=steps, releases=rounds, relation=ADD)

        def allocated(noise=noise, steps=steps, rounds=rounds):
            one = _native.random_allocation_gaussian_pld(noise, steps, 1, CONFIG)
            return one.self_compose(rounds)

        name = f"allocated, {noise:g}, 1 of {steps}, {rounds} rounds, {delta:g}"
        compare(name, event, delta, allocated)


if __name__ == "__main__":
    main()
