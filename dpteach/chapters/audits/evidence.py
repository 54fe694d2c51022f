"""Figures of the chapter on auditing: what runs, and canaries, can prove."""

from functools import cache
from math import sqrt
from statistics import NormalDist

import numpy as np

from ... import checks
from ...accounting import gaussian_epsilon, gaussian_mu
from ...auditing import (
    event_epsilon_lower_bound,
    mu_lower_bound,
    one_run_epsilon_lower_bound,
)
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Approximate, Gaussian, Relation
from ..shared.tied_noise import DELTA, EPSILONS, tied
from .canary_runs import RUNS, VIEW, histogram, scores

ALPHA = 1e-3  # how often a bound may be wrong
SHARES = (0.25, 0.35, 0.5, 0.6, 0.75, 0.9, 1.0)
Counts = tuple[int, ...]
FLOOR = 0.01  # the lower end of a logarithmic axis: nothing was proved

# -------------------------------------------------------------------- many runs


def _thresholds(mu: float, runs: int) -> tuple[float, ...]:
    """Choose three events for an (ε, δ) audit, from the claim alone: never from runs.

    The first is, of those whose counts are as expected if the claim is just met, the
    one that proves most. The others serve where noise is missing.
    """
    from scipy.stats import norm

    cuts = np.linspace(0, mu + 4, 41)
    hits, hits_without = np.rint(runs * norm.sf([cuts - mu, cuts])).astype(int).tolist()
    bounds = [
        event_epsilon_lower_bound(
            k1, runs, k0, runs, delta=DELTA, false_alarm=ALPHA / 3
        )
        for k1, k0 in zip(hits, hits_without, strict=True)
    ]
    return float(cuts[int(np.argmax(bounds))]), mu, mu / 2


@cache
def _cuts(epsilon: float, runs: int) -> tuple[float, ...]:
    return _thresholds(gaussian_mu(epsilon, DELTA), runs)


def _event_bound(hits: list[int], hits_without: list[int], runs: int) -> float:
    """Take the best of three events, each with a third of the risk."""
    return max(
        event_epsilon_lower_bound(
            k1, runs, k0, runs, delta=DELTA, false_alarm=ALPHA / 3
        )
        for k1, k0 in zip(hits, hits_without, strict=True)
    )


def _epsilon(mu: float) -> float:
    return gaussian_epsilon(mu, DELTA) if mu > 1e-6 else 0.0


@cache
def audits(
    epsilon: float, noise_multiplier: float, steps: int, noise_share: float
) -> tuple[list[float], list[float]]:
    """Bound ε from the first runs, for each number of runs, in two ways.

    Examples
    --------
    >>> from dpteach.chapters.shared.tied_noise import noise_for
    >>> gaussian, event = audits(1.0, noise_for(1.0, 4), 4, 1.0)
    >>> gaussian[-1] < 1 and event[-1] < 1  # an honest run is not refuted
    True
    """
    having, lacking = scores(noise_multiplier, steps, noise_share)
    middle, gaussian, event = gaussian_mu(epsilon, DELTA) / 2, [], []
    for n in RUNS:
        counts = [int((s[:n] > middle).sum()) for s in (having, lacking)]
        mu = mu_lower_bound(counts[0], n, counts[1], n, false_alarm=ALPHA)
        gaussian.append(_epsilon(mu))
        hits, hits_without = (
            [int((s[:n] > cut).sum()) for cut in _cuts(epsilon, n)]
            for s in (having, lacking)
        )
        event.append(max(_event_bound(hits, hits_without, n), 0.0))
    return gaussian, event


@figure(
    axes=(
        Axes(
            "runs with the canary, and as many without it",
            "ε at δ = 10⁻⁶",
            xlim=(RUNS[0], RUNS[-1]),
            ylim=(FLOOR, 100),
            xscale="log",
            yscale="log",
            title="What is proved",
        ),
        VIEW,
    ),
    title="What an audit proves",
    alt=(
        "In the panel “What is proved”, a level line, the accounted price. Below it "
        "two curves rise with the number "
        "of runs: the Gaussian audit comes close, the audit of an event stays low. If "
        "noise is missing, the first crosses the line. In the panel “What the attacker "
        "sees”, the scores of runs with the canary and without it: two bells as wide "
        "as the noise, nearly one unless noise is missing."
    ),
    caption=(
        "One canary of gradient 1000, clipped to 1; the audited code is dp_sgd. Each "
        "bound is wrong with probability 1/1000 at most. A curve at the lower edge "
        "has proved nothing."
    ),
    identity="what-an-audit-proves",
    linked=tied,
    epsilon=Slider(EPSILONS, start=1),
    noise_multiplier=Slider(),
    steps=Slider((1, 2, 4, 8, 16, 32, 64), start=16),
    noise_share=Slider(SHARES, start=0.5),
)
def what_runs_prove(
    epsilon: float, noise_multiplier: float, steps: int, noise_share: float
) -> list[Mark]:
    """Audit DP-SGD with one canary, by ever more runs.

    Examples
    --------
    >>> from dpteach.chapters.shared.tied_noise import noise_for
    >>> claimed, gaussian, *_ = what_runs_prove(1.0, noise_for(1.0, 4), 4, 0.5)
    >>> bool(gaussian.y[-1] > claimed.y[-1])  # half of the noise is missing
    True
    """
    gaussian, event = audits(epsilon, noise_multiplier, steps, noise_share)
    truth = _epsilon(sqrt(steps) / (noise_share * noise_multiplier))
    having, lacking = scores(noise_multiplier, steps, noise_share)
    mu = gaussian_mu(epsilon, DELTA)
    right = float(np.mean(having > mu / 2) + np.mean(lacking <= mu / 2)) / 2
    first = next((n for n, e in zip(RUNS, gaussian, strict=True) if e > epsilon), None)
    verdict = f"refuted by {first:,} runs" if first else "not refuted"
    spent = Gaussian(
        noise_share * noise_multiplier, releases=steps, relation=Relation.ADD_REMOVE
    )
    return [
        Line([RUNS[0], RUNS[-1]], [epsilon] * 2, "accounted price", "bound"),
        Line(RUNS, np.clip(gaussian, FLOOR, 100), "Gaussian audit", "measured"),
        Line(RUNS, np.clip(event, FLOOR, 100), "audit of an event", "reference"),
        histogram(having, "runs with the canary", "private"),
        histogram(lacking, "runs without it", "reference"),
        Sentence(
            f"With λ = {{noise_multiplier}} and T = {{steps}} the claim is ε = "
            f"{{epsilon}}. A share {{noise_share}} of that noise gives {write(truth)}. "
            f"The audits prove {write(gaussian[-1])} and {write(event[-1])}: {verdict}."
            f" A guess is right {write(100 * right)} times in 100; the claim allows "
            f"{write(100 * NormalDist().cdf(mu / 2))}."
        ),
        Spent(spent, DELTA),
    ]


# ---------------------------------------------------------------------- one run

CANARIES = (100, 200, 500, 1000, 2000, 5000, 10_000)
ONE_RUN_EPSILONS = (0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.7, 8)
ONE_RUN_ALPHA, ONE_RUN_DELTA = 0.05, 1e-5


@cache
def right_guesses(
    epsilon: float, canaries: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Guess about the canaries of one run, the most certain first.

    Examples
    --------
    >>> guesses, right = right_guesses(8, 1000)
    >>> guesses[-1], 800 < right[-1] < 1000
    (1000, True)
    """
    checks.count(canaries=canaries)
    mu = gaussian_mu(epsilon, ONE_RUN_DELTA)
    rng = np.random.default_rng(19)
    inside = rng.random(canaries) < 0.5
    seen = mu * inside + rng.standard_normal(canaries) - mu / 2
    order = np.argsort(-np.abs(seen), kind="stable")
    correct = np.cumsum((seen > 0)[order] == inside[order])
    guesses = sorted({round(canaries * 10 ** (-k / 6)) for k in range(9)})
    return tuple(guesses), tuple(int(correct[r - 1]) for r in guesses)


@cache
def _one_run(epsilon: float, canaries: int) -> tuple[list[float], list[float]]:
    known = {"delta": ONE_RUN_DELTA, "false_alarm": ONE_RUN_ALPHA}
    guesses, right = right_guesses(epsilon, canaries)
    found = [
        one_run_epsilon_lower_bound(v, r, canaries, **known)
        for r, v in zip(guesses, right, strict=True)
    ]
    most = [one_run_epsilon_lower_bound(r, r, canaries, **known) for r in guesses]
    return found, most


@figure(
    axes=Axes(
        "share of the canaries that are guessed about",
        "ε at δ = 10⁻⁵",
        xlim=(0.04, 1),
        ylim=(0, 9),
        xscale="log",
    ),
    title="Many canaries in one run",
    alt=(
        "A level line, the truth. A curve for what the run proves lies well below it, "
        "and below another curve, what it would prove if every guess were right."
    ),
    caption=(
        "One run; canaries have directions of their own, and are in by a fair coin. "
        "The most certain guesses are made first. A bound is wrong with probability "
        "0.05 at most if the number of guesses was fixed beforehand."
    ),
    identity="one-run",
    epsilon=Slider(ONE_RUN_EPSILONS, start=4),
    canaries=Slider(CANARIES, start=1000),
)
def one_run(epsilon: float, canaries: int) -> list[Mark]:
    """Audit one run with many canaries.

    Examples
    --------
    >>> truth, ceiling, found, *_ = one_run(4, 1000)
    >>> bool((found.y <= ceiling.y).all() and found.y.max() < truth.y[0])
    True
    """
    checks.one_of(CANARIES, canaries=canaries)
    found, most = _one_run(epsilon, canaries)
    guesses, right = right_guesses(epsilon, canaries)
    # a tenth, whatever comes out: the number is fixed before the run
    tenth = guesses.index(canaries // 10)
    share = np.array(guesses) / canaries
    return [
        Line([0.04, 1], [epsilon] * 2, "the truth", "bound"),
        Line(share, np.minimum(most, 9), "if all guesses were right", "reference"),
        Line(share, found, "what this run proves", "measured"),
        Points(share[[tenth]], [found[tenth]], "a tenth guessed", "measured"),
        Sentence(
            f"The truth is ε = {{epsilon}}. Of {{canaries}} canaries a tenth was "
            f"guessed about: {right[tenth]} of {guesses[tenth]} guesses were right. "
            f"That proves ε ≥ {write(found[tenth])}; all right would prove "
            f"{write(most[tenth])}."
        ),
        Spent(
            Approximate(epsilon, ONE_RUN_DELTA, relation=Relation.ADD_REMOVE),
            ONE_RUN_DELTA,
        ),
    ]


# ------------------------------------------------------------------------ power

POWER_EPSILONS = (0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.7, 8)
NOISE_SHARES = np.round(np.arange(0.1, 0.96, 0.05), 2)
MOST = 10**8


@cache
def runs_needed(epsilon: float, noise_share: float, kind: str) -> float:
    """Find how many runs of each kind refute a claim, if counts are as expected.

    Examples
    --------
    >>> runs_needed(1, 0.5, "gaussian") < 0.1 * runs_needed(1, 0.5, "event")
    True
    """
    from scipy.special import betaincinv, ndtri
    from scipy.stats import norm

    checks.one_of(("gaussian", "event"), kind=kind)
    mu = gaussian_mu(epsilon, DELTA)
    cuts = np.array([mu / 2])
    if kind == "event":
        cuts = np.linspace(0, mu + 5 * noise_share, 61)
    above, above_without = (
        norm.sf((cuts - shift) / noise_share) for shift in (mu, 0.0)
    )

    def refutes(runs: float) -> bool:
        # Clopper and Pearson's bounds, at counts that need not be whole numbers
        k1, k0 = runs * above, runs * above_without
        low = betaincinv(k1, runs - k1 + 1, ALPHA / 2)
        high = betaincinv(k0 + 1, runs - k0, 1 - ALPHA / 2)
        if kind == "gaussian":
            return bool((ndtri(low) - ndtri(high) > mu).any())
        return bool((low - DELTA > np.exp(epsilon) * high).any())

    few, many = 1.0, float(MOST)
    if not refutes(many):
        return many
    while many / few > 1.01:
        middle = sqrt(few * many)
        few, many = (few, middle) if refutes(middle) else (middle, many)
    return many


@figure(
    axes=Axes(
        "share of the noise that is really drawn",
        "runs of each kind",
        xlim=(0.1, 0.95),
        ylim=(10, 1e8),
        yscale="log",
    ),
    title="How many runs to catch a cheater",
    alt=(
        "Two curves that rise steeply as the share nears one. The Gaussian audit needs "
        "far fewer runs than the audit of an event."
    ),
    caption=(
        "Runs at which the counts that are expected refute the claim; about half of "
        "all audits do so earlier. False alarm 1/1000, one canary. The event is the "
        "best one for this cheater. Both curves end at a hundred million runs."
    ),
    identity="power",
    epsilon=Slider(POWER_EPSILONS, start=1),
    noise_share=Slider(SHARES[:-1], start=0.5),
)
def power(epsilon: float, noise_share: float) -> list[Mark]:
    """Show how many runs refute a claim, against how much noise is missing.

    Examples
    --------
    >>> event, gaussian, *_ = power(1, 0.5)
    >>> bool((gaussian.y <= event.y).all())
    True
    """
    checks.between(0, 1, noise_share=noise_share)
    needed = {
        kind: [runs_needed(epsilon, float(f), kind) for f in NOISE_SHARES]
        for kind in ("event", "gaussian")
    }
    here = {kind: runs_needed(epsilon, noise_share, kind) for kind in needed}
    told = {
        kind: f"more than {n:,.0f}" if n >= MOST else f"about {float(f'{n:.2g}'):,.0f}"
        for kind, n in here.items()
    }
    truth = gaussian_epsilon(gaussian_mu(epsilon, DELTA) / noise_share, DELTA)
    return [
        Line(NOISE_SHARES, needed["event"], "audit of an event", "reference"),
        Line(NOISE_SHARES, needed["gaussian"], "Gaussian audit", "measured"),
        Points([noise_share], [here["gaussian"]], "your cheater", "broken"),
        Sentence(
            f"A cheater claims ε = {{epsilon}} and draws {{noise_share}} of the noise: "
            f"the truth is {write(truth)}. The Gaussian audit needs "
            f"{told['gaussian']} runs of each kind, the audit of an event "
            f"{told['event']}."
        ),
        Spent(Approximate(truth, DELTA, relation=Relation.ADD_REMOVE), DELTA),
    ]
