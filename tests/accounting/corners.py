"""Prices at the corners of what each event accepts, and the limits that they keep.

    python -m tests.accounting.corners [COUNT] [SEED]

Each event is drawn from the ends of its ranges and from between them: noise from
1e-300 to 1e300, rates from 1e-300 to 1, up to 2⁵³ releases, δ from 1e-300 to 0.999.
Printed is each price that breaks a limit: two sides in order, five seconds of processor
time, 500 MB, and a ValueError that says why if there is none.
"""

import math
import sys
import time
import tracemalloc
import warnings

import numpy as np
import scipy.fft
import scipy.optimize
import scipy.special  # noqa: F401  (and this)

from dpteach.accounting import price_of
from dpteach.privacy import (
    AllocatedGaussian,
    Approximate,
    Composed,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    FixedSizeGaussian,
    Gaussian,
    MixtureOfGaussians,
    NotPrivate,
    Pure,
    RandomizedResponse,
    Relation,
    SampledDiscreteGaussian,
    SampledGaussian,
    SampledLaplace,
    Selection,
    TruncatedSampledGaussian,
)

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE
SECONDS, BYTES = 5.0, 500e6
LARGEST = 2**53


def _decades(rng, low, high, ends=()):
    """Draw from the ends, or a number between two powers of ten."""
    if ends and rng.random() < 0.3:
        return float(rng.choice(ends))
    return float(10 ** rng.uniform(low, high))


def _noise(rng):
    far = (-300, 300) if rng.random() < 0.1 else (-1.5, 3)
    return _decades(rng, *far, (0.015, 0.099, 0.1, 0.5, 1e3, 1e8, 1.01e8, math.inf))


def _rate(rng):
    far = (-300, 0) if rng.random() < 0.2 else (-8, 0)
    return min(_decades(rng, *far, (0.0, 1e-300, 0.5, 1 - 1e-9, 1 - 2**-53, 1.0)), 1.0)


def _many(rng):
    return min(max(int(_decades(rng, 0, 16, (1, 2, 10**6, LARGEST))), 1), LARGEST)


def _loss(rng):
    far = (-300, 300) if rng.random() < 0.1 else (-8, 3)
    return _decades(rng, *far, (0.0, 1e-300, 1.0, 700.0))


def _sampled_gaussian(rng):
    return SampledGaussian(
        _noise(rng), rate=_rate(rng), releases=_many(rng), relation=ADD
    )


def _sampled_laplace(rng):
    return SampledLaplace(
        _noise(rng), rate=_rate(rng), releases=_many(rng), relation=ADD
    )


def _laplace(rng):
    return SampledLaplace(_noise(rng), releases=_many(rng), relation=REPLACE)


def _gaussian(rng):
    return Gaussian(_noise(rng), releases=_many(rng), relation=REPLACE)


def _pure(rng):
    return Pure(_loss(rng), releases=_many(rng), relation=ADD)


def _selection(rng):
    return Selection(_loss(rng), releases=_many(rng), relation=ADD)


def _discrete(rng):
    shift = max(int(_decades(rng, 0, 6)), 1) if rng.random() < 0.3 else 1
    return DiscreteGaussian(
        _noise(rng), sensitivity=shift, releases=_many(rng), relation=ADD
    )


def _fixed_size(rng):
    n = _many(rng)
    m = min(int(_decades(rng, 0, 16, (0, 1, n))), n)
    return FixedSizeGaussian(
        _noise(rng), batch_size=m, n=n, releases=_many(rng), relation=REPLACE
    )


def _allocated(rng):
    return AllocatedGaussian(
        _noise(rng), steps=_many(rng), releases=_many(rng), relation=ADD
    )


def _replaced(rng):
    return SampledGaussian(
        _noise(rng), rate=_rate(rng), releases=_many(rng), relation=REPLACE
    )


def _sampled_discrete(rng):
    shift = max(int(_decades(rng, 0, 6)), 1) if rng.random() < 0.3 else 1
    return SampledDiscreteGaussian(
        _noise(rng),
        rate=_rate(rng),
        sensitivity=shift,
        releases=_many(rng),
        relation=ADD,
    )


def _discrete_laplace(rng):
    shift = int(_decades(rng, 0, 6, (1, 2**20)))
    return DiscreteLaplace(
        _noise(rng), sensitivity=max(shift, 1), releases=_many(rng), relation=ADD
    )


def _answers(rng):
    return RandomizedResponse(
        _loss(rng), categories=_many(rng) + 1, releases=_many(rng), relation=ADD
    )


def _moved(rng):
    cases = int(rng.choice([1, 2, 5, 256]))
    return MixtureOfGaussians(
        _noise(rng),
        sensitivities=[_decades(rng, -3, 3, (0.0, 1.0)) for _ in range(cases)],
        probabilities=rng.dirichlet(np.full(cases, rng.choice([0.05, 1.0]))),
        releases=_many(rng),
        relation=ADD if rng.random() < 0.5 else REPLACE,
    )


def _truncated(rng):
    n = _many(rng)
    m = min(max(int(_decades(rng, 0, 16, (1, n))), 1), n)
    return TruncatedSampledGaussian(
        _noise(rng),
        rate=_rate(rng),
        batch_size=m,
        n=n,
        releases=_many(rng),
        relation=ADD,
    )


def _concentrated(rng):
    return Concentrated(_loss(rng), releases=_many(rng), relation=ADD)


def _approximate(rng):
    delta = min(_decades(rng, -300, 0, (0.0, 1e-300)), 1 - 2**-53)
    return Approximate(_loss(rng), delta, relation=ADD)


def _not_private(_):
    return NotPrivate(relation=ADD)


def _composed(rng):
    kinds = [kind for kind in KINDS if kind not in (_composed, _gaussian, _laplace)]
    chosen = rng.choice(len(kinds), size=int(rng.integers(0, 4)))
    events = [kinds[i](rng) for i in chosen]
    return Composed(tuple(e for e in events if e.relation is ADD))


KINDS = (
    _sampled_gaussian,
    _sampled_laplace,
    _laplace,
    _gaussian,
    _pure,
    _selection,
    _discrete,
    _fixed_size,
    _allocated,
    _approximate,
    _not_private,
    _composed,
    _replaced,
    _sampled_discrete,
    _discrete_laplace,
    _answers,
    _moved,
    _truncated,
    _concentrated,
)


# Corners that random draws hardly meet, where every accountant was asked in turn
WITNESSES = (
    (
        SampledGaussian(
            3.4525047297737315, rate=8.898101273339674e-230, releases=25, relation=ADD
        ),
        {"epsilon": 0.03427239179618268},  # rounding made a growth negative
    ),
    (SampledLaplace(1e188, releases=LARGEST, relation=REPLACE), {"delta": 1e-300}),
    (
        SampledLaplace(1e188, rate=0.5, releases=LARGEST, relation=ADD),
        {"delta": 1e-300},
    ),
    (
        DiscreteLaplace(10.0, sensitivity=256, releases=560_000_000_000, relation=ADD),
        {"delta": 1e-300},
    ),
    (
        DiscreteLaplace(1.0, sensitivity=256, releases=560_000_000_000, relation=ADD),
        {"delta": 1e-6},
    ),
    # each ε asked for millions of losses: 30 s and 7 s
    (Pure(1e-5, releases=10**11, relation=ADD), {"delta": 1e-6}),
    (
        SampledLaplace(0.1, rate=0.5, releases=1_600_000_000_000, relation=ADD),
        {"delta": 1e-6},
    ),
)


def draw(kind, rng):
    """Draw an event, and a δ or an ε."""
    event = kind(rng)
    if rng.random() < 0.7:
        return event, {"delta": _decades(rng, -300, -1e-3, (1e-300, 1e-6, 0.999))}
    return event, {"epsilon": _decades(rng, -8, 3, (0.0, 700.0))}


def measure(event, given):
    """Price an event; return what is wrong, seconds and bytes."""
    wrong = None
    tracemalloc.start()
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            price = price_of(event, **given)
    except ValueError as refusal:
        if len(str(refusal)) < 40:
            wrong = f"it is refused without a reason: {refusal!r}"
    except Exception as problem:
        wrong = f"it ends in {problem!r}"
    else:
        value = price.epsilon if "delta" in given else price.delta
        if not 0 <= price.lower <= value:
            wrong = f"its sides are out of order: {price}"
        elif math.isinf(value) and price.kind != "not private":
            wrong = f"its ε is infinite: {price}"
    seconds = time.process_time() - start
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if wrong is None and seconds > SECONDS:
        wrong = "it takes too long"
    if wrong is None and size > BYTES:
        wrong = "it takes too much memory"
    return wrong, seconds, size


def main(count=100, seed=None):
    """Draw and price so many events of each kind; print what is wrong."""
    seed = np.random.SeedSequence().entropy if seed is None else seed
    print(f"seed {seed}")
    for event, given in WITNESSES:
        wrong, seconds, size = measure(event, given)
        print(f"{event!r}, {given}: {wrong or 'kept'} ({seconds:.2g} s, {size:.2g} B)")
    for i, kind in enumerate(KINDS):
        rng = np.random.default_rng([seed, i])
        rows = []
        for _ in range(count):
            event, given = draw(kind, rng)
            wrong, seconds, size = measure(event, given)
            rows.append((seconds, size))
            if wrong:
                print(
                    f"{event!r}, {given}: {wrong} ({seconds:.2g} s, {size:.2g} B)",
                    flush=True,
                )
        most, largest = np.max(rows, axis=0)
        print(
            f"{kind.__name__}: at most {most:.2g} s, {largest / 1e6:.3g} MB", flush=True
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
