"""Sweep prices and ``calibrate`` over the whole range that the book promises.

    python -m tests.accounting.whole_range [FAMILY ...]

T from 1 to a million, every relation, q from 1e-7 to 1, noise from 0.3 to 100, δ from
1e-12 to 1e-2. Each price has two sides. At the upper one the true δ must not exceed
the δ that was asked for, at the lower one it must not be less. The truth is mpmath's
or an integral in 80-bit floats (``long``). Where neither reaches, dp-accounting's
optimistic and pessimistic figures must not contradict the two sides. What was found is
stored in whole_range.json, with what made it.
"""

import json
import logging
import math
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import mpmath as mp
import numpy as np

from dpteach.accounting import calibrate, epsilon_of, price_of
from dpteach.privacy import (
    Composed,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    SampledLaplace,
)
from tests.accounting import long

HERE = Path(__file__).parent
SEED = 27
WITHOUT_SAMPLES = list(Relation)
WITH_SAMPLES = [Relation.ADD_REMOVE, Relation.ZERO_OUT]


def _between(rng, low, high):
    return float(10 ** rng.uniform(low, high))


def _draw(rng):
    noise, rate = _between(rng, math.log10(0.3), 2), _between(rng, -7, 0)
    return noise, rate, int(_between(rng, 0, 6)), _between(rng, -12, -2)


def gaussian_log_delta(mu, epsilon):
    """Compute ln(Φ(a) − e^ε Φ(b)) to fifty digits, however far out in the tail."""
    with mp.workdps(60):
        mu, epsilon = mp.mpf(mu), mp.mpf(epsilon)
        a, b = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
        return mp.log(mp.ncdf(a) - mp.exp(epsilon) * mp.ncdf(b))


def gaussian(rng):
    """Gaussian releases under every relation, against Φ."""
    noise, _, steps, delta = _draw(rng)
    relation = rng.choice(WITHOUT_SAMPLES)
    mu = mp.sqrt(steps) * relation.sensitivity / mp.mpf(noise)
    event = Gaussian(noise, releases=steps, relation=relation)
    return event, delta, lambda epsilon: gaussian_log_delta(mu, epsilon)


def pure_log_delta(epsilon_0, steps, epsilon):
    """Sum over the number of flips of randomized response, to thirty digits."""
    with mp.workdps(30):
        e0, e, total = mp.mpf(epsilon_0), mp.mpf(epsilon), mp.mpf(0)
        flips = min(int(mp.floor((steps - e / e0) / 2)), steps)
        log_q = -mp.log1p(mp.exp(e0))
        log_mass = steps * (e0 + log_q) + mp.log(mp.binomial(steps, max(flips, 0)))
        mass = mp.exp(log_mass - flips * e0)
        for i in range(flips, -1, -1):  # from the smallest loss above ε
            term = mass * -mp.expm1(e - (steps - 2 * i) * e0)
            total += term
            if term and mass < total * mp.mpf("1e-32"):
                break
            mass *= i * mp.exp(e0) / (steps - i + 1)
        return mp.log(total) if total else -mp.inf


def pure(rng):
    """Releases of ε = 1/λ, the worst case of Laplace noise, against their sum."""
    noise, _, steps, delta = _draw(rng)
    event = Pure(1 / noise, releases=steps, relation=rng.choice(WITHOUT_SAMPLES))
    return event, delta, lambda e: pure_log_delta(event.epsilon, steps, e)


def _worst(runs, mu, delta):
    # ln δ at ε: the larger of both directions, if both are known
    def truth(epsilon):
        found = []
        for removed in (True, False):
            pairs = [(nodes(removed), count) for nodes, count in runs]
            near = math.log(delta)
            found.append(long.log_delta(pairs, mu, epsilon, near))
        known = [value for value in found if value is not None]
        return max(known) if len(known) == 2 else None

    return truth


def _gaussian_nodes(noise, rate):
    return lambda removed: long.sampled_gaussian(noise, rate, removed)


def _laplace_nodes(noise, rate):
    return lambda removed: long.sampled_laplace(noise, rate, removed)


def sampled_gaussian(rng):
    """Gaussian releases on Poisson samples."""
    noise, rate, steps, delta = _draw(rng)
    relation = rng.choice(WITH_SAMPLES)
    event = SampledGaussian(noise, rate=rate, releases=steps, relation=relation)
    return event, delta, _worst([(_gaussian_nodes(noise, rate), steps)], 0.0, delta)


def sampled_laplace(rng):
    """Laplace releases on Poisson samples."""
    noise, rate, steps, delta = _draw(rng)
    relation = rng.choice(WITH_SAMPLES)
    event = SampledLaplace(noise, rate=rate, releases=steps, relation=relation)
    return event, delta, _worst([(_laplace_nodes(noise, rate), steps)], 0.0, delta)


def mixture(rng):
    """Samples with normal and with Laplace noise, and releases of all records."""
    noise, rate, steps, delta = _draw(rng)
    other, share, few, _ = _draw(rng)
    z, epsilon, relation = _between(rng, 0, 2), _between(rng, -3, 0), WITH_SAMPLES[0]
    events = [
        SampledGaussian(noise, rate=rate, releases=steps, relation=relation),
        SampledLaplace(other, rate=share, releases=few, relation=relation),
        Gaussian(z, relation=relation),
        Pure(epsilon, releases=3, relation=relation),
    ]
    runs = [
        (_gaussian_nodes(noise, rate), steps),
        (_laplace_nodes(other, share), few),
        (lambda _: long.pure(epsilon), 3),
    ]
    return Composed(tuple(events)), delta, _worst(runs, 1 / z, delta)


FAMILIES = {
    gaussian: 1000,
    pure: 150,
    sampled_gaussian: 40,
    sampled_laplace: 30,
    mixture: 30,
}


def compare(event, delta, truth):
    """Compare both sides of a price with the truth, in ln δ; positive is wrong."""
    price = price_of(event, delta=delta)
    found = {"kind": price.kind, "method": price.method, "epsilon": price.epsilon}
    found["width"] = 1 - price.lower / price.epsilon if price.epsilon else 0.0
    at_upper = truth(price.epsilon)
    if at_upper is None:
        return found | _beside(event, delta, price)
    found |= {"by": "truth", "below": float(at_upper - mp.log(delta))}
    if price.lower > 0:
        at_lower = truth(price.lower)
        if at_lower is not None:
            found["above"] = float(mp.log(delta) - at_lower)
    return found


def _beside(event, delta, price):
    # dp-accounting's figures, as far as its own rounding lets them count
    alone = isinstance(event, (SampledGaussian, SampledLaplace))
    if delta < 1e-9 or price.epsilon > 100 or not alone:
        return {"by": "nothing"}
    from dp_accounting.pld import privacy_loss_distribution as pld

    normal = isinstance(event, SampledGaussian)
    make = pld.from_gaussian_mechanism if normal else pld.from_laplace_mechanism
    low, high = (
        make(
            event.noise_multiplier,
            sampling_prob=event.rate,
            pessimistic_estimate=pessimistic,
            use_connect_dots=pessimistic,
            value_discretization_interval=max(price.epsilon / 1000, 2e-5),
        )
        .self_compose(event.releases)
        .get_epsilon_for_delta(delta)
        for pessimistic in (False, True)
    )
    return {
        "by": "dp-accounting",
        "below": low - price.epsilon * (1 + 1e-9),
        "above": price.lower - high * (1 + 1e-9),
    }


def promise(family, rng):
    """Calibrate noise for a random budget; return what the contract leaves to it."""
    event, delta, _ = family(rng)
    epsilon = _between(rng, -2, 1.5)

    def event_of(z):
        fields = dict(vars(event))
        fields["noise_multiplier"] = z
        return type(event)(**fields)

    try:
        z = calibrate(event_of, epsilon, delta)
    except ValueError:  # only where least and most noise lie on one side
        sides = [epsilon_of(event_of(z), delta) <= epsilon for z in (0.1, 1e8)]
        assert sides[0] == sides[1], (event, epsilon, delta)
        return "refused"
    assert epsilon_of(event_of(z), delta) <= epsilon, (event, epsilon, delta, z)
    slightly_less = epsilon_of(event_of(z * (1 - 1e-6)), delta)
    assert slightly_less > epsilon, (event, epsilon, delta, z)
    return "met"


PROMISES = {gaussian: 300, sampled_laplace: 4}


def sweep(family, count, seed=SEED):
    """Compare a price with the truth at this many random settings."""
    rng = np.random.default_rng([seed, list(FAMILIES).index(family)])
    return [compare(*family(rng)) for _ in range(count)]


def summary(found):
    """Sum up what was found: the worst of each column, and how many have a truth."""
    worst = {"settings": len(found)}
    for by in ("truth", "dp-accounting", "nothing"):
        rows = [row for row in found if row["by"] == by]
        worst[by] = len(rows)
        for side in ("below", "above"):
            values = [row[side] for row in rows if side in row]
            if values:
                worst[f"{by}, {side}"] = max(values)
    widths = [row["width"] for row in found]
    worst["width, median"] = float(np.median(widths))
    worst["wider than 1e-6"] = sum(width > 1e-6 for width in widths)
    return worst


def main(names):
    """Sweep the families that are named, or all, and store what was found."""
    logging.disable(logging.WARNING)
    file = HERE / "whole_range.json"
    found = json.loads(file.read_text(encoding="utf-8")) if names else {}
    for family, count in FAMILIES.items():
        if names and family.__name__ not in names:
            continue
        start = time.process_time()
        rows = summary(sweep(family, count))
        rng = np.random.default_rng(SEED)
        tried = [promise(family, rng) for _ in range(PROMISES.get(family, 0))]
        rows |= {f"budgets {word}": tried.count(word) for word in sorted({*tried})}
        found[family.__name__] = rows
        print(family.__name__, rows, time.process_time() - start, flush=True)
        found["made by"] = {
            "command": "python -m tests.accounting.whole_range",
            "date": datetime.now(UTC).date().isoformat(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "mpmath": mp.__version__,
            "seed": SEED,
        }
        file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
