"""Price Poisson-sampled Gaussian runs beside dp-accounting's default accountant.

Prints CPU ratios within one run, how far the price's two sides are apart, and how far
the upper one lies above dp-accounting's optimistic estimate (never below it). Where
samples are rare, dp-accounting's default grid is short and coarse: it takes no more CPU
than ours, and its ε is too large by percents. The last figure of each row shows that.

    python tests/bench/accounting.py [SEED]

Pure releases come next: Laplace noise on all records and on samples, and choices, whose
peer there is a pure release of the same ε.

The fifty settings are drawn anew each time; their seed is printed, to draw them again.
"""

import logging
import sys
import time

import dp_accounting as dpa
import harness
import numpy as np
from dp_accounting import pld

from dpteach.accounting import calibrate, epsilon_of, price_of
from dpteach.privacy import Relation, SampledGaussian, SampledLaplace, Selection


def event(sigma, q, steps):
    return SampledGaussian(sigma, rate=q, releases=steps, relation=Relation.ADD_REMOVE)


def their_event(sigma, q, steps):
    one = dpa.PoissonSampledDpEvent(q, dpa.GaussianDpEvent(sigma))
    return dpa.SelfComposedDpEvent(one, steps)


def theirs(sigma, q, steps, delta):
    accountant = pld.PLDAccountant()
    return accountant.compose(their_event(sigma, q, steps)).get_epsilon(delta)


def optimistic(sigma, q, steps, delta):
    one = pld.privacy_loss_distribution.from_gaussian_mechanism(
        sigma,
        sampling_prob=q,
        pessimistic_estimate=False,
        value_discretization_interval=1e-4,
    )
    return one.self_compose(steps).get_epsilon_for_delta(delta)


def laplace(scale, rate=1.0):
    """Take a hundred Laplace releases."""
    relation = Relation.ADD_REMOVE
    return SampledLaplace(scale, rate=rate, releases=100, relation=relation)


def pure_releases():
    """Measure a hundred pure releases at δ = 1e-6, and ``calibrate`` for them."""
    start = pld.privacy_loss_distribution
    choices = Selection(0.1, releases=100, relation=Relation.ADD_REMOVE)
    loss = pld.common.DifferentialPrivacyParameters(0.1, 0)
    pairs = {
        "Laplace": (laplace(20.0), lambda: start.from_laplace_mechanism(20.0)),
        "sampled Laplace": (
            laplace(2.0, 0.01),
            lambda: start.from_laplace_mechanism(2.0, sampling_prob=0.01),
        ),
        "choices": (choices, lambda: start.from_privacy_parameters(loss)),
    }
    for name, (mine, their_one) in pairs.items():
        seconds = harness.interleaved(
            {
                "ours": lambda mine=mine: epsilon_of(mine, 1e-6),
                "dp-accounting": lambda one=their_one: (
                    one().self_compose(100).get_epsilon_for_delta(1e-6)
                ),
            },
            repeats=7,
        )
        harness.report(f"{name}, 100 releases", seconds, "ours", "dp-accounting", 1.0)
    seconds = harness.interleaved(
        {"ours": lambda: calibrate(laplace, 1.0, 1e-6)}, repeats=5
    )["ours"]
    met = harness.verdict("calibrate, Laplace", seconds, 0.3, " s")
    print(f"calibrate, Laplace, 100 releases: {seconds:.3f} s CPU{met}")


# dp-accounting's grid is refined until its ε is off by less than this share
AS_ACCURATE = 1e-5


def refined(sigma, q, steps, delta, epsilon):
    """Refine dp-accounting's grid until its ε is near enough; return its seconds."""
    one = dpa.PoissonSampledDpEvent(q, dpa.GaussianDpEvent(sigma))
    interval = 1e-4
    while True:
        start = time.process_time()
        accountant = pld.PLDAccountant(value_discretization_interval=interval)
        accountant.compose(dpa.SelfComposedDpEvent(one, steps))
        excess = accountant.get_epsilon(delta) / epsilon - 1
        seconds = time.process_time() - start
        if excess <= AS_ACCURATE or seconds > 20.0 or harness.SMALL:
            return seconds, excess
        interval /= 4


def as_accurate(cases):
    """Compare with dp-accounting on a grid so fine that its ε is off by 1e-5.

    Ours is sharp to nine digits or so; where dp-accounting does not get to five within
    20 seconds, that time counts.
    """
    ours, theirs_, excess = [], [], []
    for each in cases:
        start = time.process_time()
        epsilon = epsilon_of(event(*each[:3]), each[3])
        ours.append(time.process_time() - start)
        seconds, off = refined(*each, epsilon)
        theirs_.append(seconds)
        excess.append(off)
    ratio = np.sum(ours) / np.sum(theirs_)
    what = f"rarely sampled, grid for {AS_ACCURATE:g} of ε: CPU / dp-accounting's"
    print(
        f"{len(ours)} runs, rarely sampled, dp-accounting's grid refined: CPU to "
        f"dp-accounting {ratio:.4f} in total ({1e3 * np.sum(ours):.4g} ms / "
        f"{1e3 * np.sum(theirs_):.4g} ms), median "
        f"{np.median(np.divide(ours, theirs_)):.4f}; dp-accounting's ε is still above "
        f"ours by at most {np.max(excess):.1e}, relatively"
        f"{harness.verdict(what, ratio, 1 / 10)}"
    )


def grid(count, seed, often):
    """Draw runs in which a record is expected in at least, or at most, ten samples."""
    rng = np.random.default_rng(seed)
    while count:
        q, sigma = (float(10 ** rng.uniform(*at)) for at in ((-6, -0.7), (-0.2, 0.4)))
        steps, delta = int(10 ** rng.uniform(1, 5)), float(10 ** rng.uniform(-10, -4))
        if often != (q * steps > 10):
            continue
        if 0.001 < epsilon_of(event(sigma, q, steps), delta) < 20:
            count -= 1
            yield sigma, q, steps, delta


def measure(cases):
    """Price each case and let dp-accounting do so: one row of figures per case."""
    rows = []
    for each in cases:
        start = time.process_time()
        price = price_of(event(*each[:3]), delta=each[3])
        middle = time.process_time()
        excess = theirs(*each) / price.epsilon - 1
        end = time.process_time()
        width = 1 - price.lower / price.epsilon
        above = price.epsilon - optimistic(*each)
        rows.append((middle - start, end - middle, width, above, excess))
    return rows


def report(name, rows, goal=None):
    ours, their_time, width, above, excess = np.transpose(rows)
    ratio = np.sum(ours) / np.sum(their_time)
    met = harness.verdict(f"{name}: CPU / dp-accounting's", ratio, goal)
    sharp = harness.verdict(f"{name}: two sides apart", np.max(width), 1e-6)
    print(
        f"{len(rows)} runs, {name}: CPU to dp-accounting {ratio:.4f} in total "
        f"({1e3 * np.sum(ours):.4g} ms / {1e3 * np.sum(their_time):.4g} ms), "
        f"median {np.median(ours / their_time):.4f}, "
        f"most {np.max(ours / their_time):.4f}{met}\n"
        f"  the two sides are apart by {np.median(width):.1e}, at most "
        f"{np.max(width):.1e}, relatively{sharp}\n"
        f"  the upper one lies above the optimistic estimate by {np.min(above):.1e} "
        f"at least\n"
        f"  dp-accounting's default is above ours by {np.median(excess):.1e}, at most "
        f"{np.max(excess):.1e}, relatively"
    )


def main():
    logging.disable(logging.WARNING)
    case = (1.1, 0.004, 4800, 1e-5)
    price = price_of(event(*case[:3]), delta=case[3])
    print(
        f"epsilon of {case}: ours {price.epsilon:.10f} ({price.kind}), "
        f"dp-accounting {theirs(*case):.10f}, optimistic {optimistic(*case):.10f}"
    )
    seconds = harness.interleaved(
        {
            "ours": lambda: epsilon_of(event(*case[:3]), case[3]),
            "loss distribution": lambda: price_of(
                event(*case[:3]), delta=case[3], accountant="loss_distribution"
            ),
            "dp-accounting": lambda: theirs(*case),
        },
        repeats=7,
    )
    harness.report("price", seconds, "ours", "dp-accounting", 1 / 10)
    harness.report("price", seconds, "loss distribution", "dp-accounting")
    seconds = harness.interleaved(
        {
            "ours": lambda: calibrate(lambda z: event(z, *case[1:3]), 1.0, 1e-5),
            "dp-accounting": lambda: dpa.calibrate_dp_mechanism(
                pld.PLDAccountant,
                lambda z: their_event(z, *case[1:3]),
                1.0,
                1e-5,
                dpa.ExplicitBracketInterval(0.5, 3.0),
                tol=0.1 if harness.SMALL else None,
            ),
        },
        repeats=5,
    )
    harness.report("calibrate", seconds, "ours", "dp-accounting", 1 / 20)
    seconds = harness.interleaved(
        {
            "ours": lambda: calibrate(lambda z: event(z, 0.008, 128), 1.0, 1e-6),
            "dp-accounting": lambda: dpa.calibrate_dp_mechanism(
                pld.PLDAccountant,
                lambda z: their_event(z, 0.008, 128),
                1.0,
                1e-6,
                dpa.ExplicitBracketInterval(0.5, 3.0),
                tol=0.1 if harness.SMALL else None,
            ),
        },
        repeats=5,
    )
    harness.report(
        "calibrate, hardly sampled", seconds, "ours", "dp-accounting", 1 / 20
    )
    pure_releases()
    seed = int(sys.argv[1]) if sys.argv[1:] else np.random.SeedSequence().entropy
    half = harness.size(25, 1)
    print(f"{2 * half} settings of seed {seed}")
    cases = [list(grid(half, [seed, i], not i)) for i in range(2)]
    often, rarely = map(measure, cases)
    report("often sampled", often)
    report("rarely sampled", rarely)
    as_accurate(cases[1][: harness.size(8, 1)])
    report("half of them rarely sampled", often + rarely, 1 / 10)


if __name__ == "__main__":
    main()
