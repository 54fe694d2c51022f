"""The experiments on BANCO's bettor: how much it bets, and its wealth."""

from functools import cache

import numpy as np

from ... import checks
from ...algorithms.local.banco import BET_RANGE, banco_tail
from ...algorithms.local.betting import bet
from ...arrays import l2_laplace
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Line,
    Mark,
    Sentence,
    Spent,
)
from ...figures.predict import Choose
from ...figures.style import write
from ...privacy import Pure, Relation
from ..shared.users import P
from . import questions as ask

COINS = 1000
_WIDEST = 0.4  # larger stakes than this are worth next to nothing here
TIMES = (1, 2, 3, 5, 7, *range(10, 100, 10), *range(100, COINS + 1, 50))


@cache
def _evening(epsilon: float, bias: float) -> tuple[np.ndarray, ...]:
    """Play both bettors against one stream of noisy coins."""
    rng, t = np.random.default_rng(4), np.arange(1, COINS + 1)
    coins = np.where(rng.random(COINS) < (1 + bias) / 2, 1.0, -1.0)
    noisy = coins + l2_laplace(rng, 2 / epsilon, np.zeros((COINS, 1)))[:, 0]
    variance, b = banco_tail(epsilon, p=1, clip_norm=1.0)
    a, dy = min(BET_RANGE, 1 / b), variance / 2 + 1
    x = np.cumsum(noisy)
    stakes = np.array([bet(x[k], (k + 1) * dy, a) for k in range(COINS)])
    wealth = 1 + np.cumsum(noisy * np.append(0, stakes[:-1]))
    nodes, weights = np.polynomial.legendre.leggauss(400)
    beta = a * nodes  # the stakes over which the potential is a mean
    potential = np.exp(np.outer(x, beta) - np.outer(t * dy, beta**2)) @ weights / 2
    share = np.clip(np.append(0, x[:-1] / t[1:]), -1, 1)  # never all, of true coins
    growth = 1 + share * noisy
    naive = np.cumprod(growth) * np.cumprod(growth > 0)
    return wealth, potential, naive


@figure(
    asks=Choose(
        ask.NOISY_COIN,
        hides=["stakes a share of its wealth"],
        ghosts=[
            [(1, 1), (10, 5), (60, 300), (300, 1e7), (900, 3e10)],
            [(1, 1), (5, 0.8), (9, 0.1), (16, 0.02), (900, 0.02)],
            [(1, 1), (20, 2), (100, 12), (400, 800), (900, 2e5)],
        ],
    ),
    axes=(
        Axes(
            "coins t",
            "wealth, from 1 at the start",
            xlim=(1, COINS),
            ylim=(1e-2, 1e12),
            xscale="log",
            yscale="log",
            xticks=(1, 10, 100, 1000),
            yticks=(0.01, 1, 100, 1e4, 1e6, 1e8, 1e10, 1e12),
        ),
    ),
    title="Two bettors and a noisy coin",
    alt=(
        "Wealth over the number of coins. BANCO stays near its start, and rises in a "
        "straight line if the coin has a bias; the naive bettor jumps around, and "
        "falls to the bottom where the noise is too large for its bias."
    ),
    caption=(
        "One run with a fixed seed. Each user holds a coin, 1 or −1, and sends it "
        "once, with Laplace noise. Wealth below 0.01 or above 10¹² is drawn at the "
        "edge."
    ),
    identity="gambler",
    plays="t",
    epsilon=Slider((2, 4, 16), start=4),
    bias=Slider((0, 0.1, 0.2, 0.4), start=0.4),
    t=Slider(TIMES, start=COINS),
)
def gambler(epsilon: float, bias: float, t: int = COINS) -> list[Mark]:
    """Play BANCO's bettor and a naive one against noisy coins.

    Examples
    --------
    >>> ours, potential, naive, *_ = gambler(4.0, 0.4)
    >>> bool(naive.y[-1] < 1 < ours.y[-1])  # one large report ruins the naive bettor
    True
    """
    checks.positive(epsilon=epsilon)
    checks.between(0, 1, bias=bias)
    checks.count(t=t)
    checks.between(1, COINS, t=t)
    # What comes after coin t lies on coin t: nothing of it is seen yet.
    shown = np.minimum(np.unique(np.geomspace(1, COINS, 90).astype(int)), t) - 1
    wealth, potential, naive = _evening(epsilon, bias)
    return [
        *(
            Line(shown + 1, np.clip(y[shown], 1e-2, 1e12), label, role)
            for y, label, role in (
                (wealth, "BANCO’s wealth", "private"),
                (potential, "what the proof promises", "bound"),
                (naive, "stakes a share of its wealth", "broken"),
            )
        ),
        Sentence(
            f"At t = {{t}}, with coins of mean {{bias}} that are reported with noise, "
            f"BANCO holds {write(float(wealth[t - 1]))}, from 1 at the start. The "
            f"bettor who stakes a share of its wealth {_end(naive[:t])}."
        ),
        Spent(Pure(epsilon, relation=Relation.REPLACE)),
    ]


def _end(wealth: np.ndarray) -> str:
    broke = np.flatnonzero(wealth <= 0)
    if len(broke):
        return f"is broke after {broke[0] + 1} coins"
    return f"has {write(float(wealth[-1]))}"


@figure(
    axes=Axes(
        "size of the stake, |β|",
        "stake times wealth, over the largest",
        xlim=(0, _WIDEST),
        ylim=(0, 1.05),
    ),
    title="How much to bet",
    alt=(
        "Two humps over the size of a stake: that of the bettor who stakes β and that "
        "of the one who stakes −β. They are equal if the coins add up to 0. A larger "
        "sum lifts one above the other, and more reports push both toward small stakes."
    ),
    caption=(
        "ε = 4 for each report, 5 dimensions, gradients of norm at most 1. A bettor "
        "who always stakes β can count on exp(βx − β²y). BANCO stakes the mean over "
        "all of them: the shaded area, with its sign."
    ),
    identity="bettor",
    x=Slider((-20, -10, -5, 0, 5, 10, 20), start=10),
    steps=Slider((30, 50, 100, 200, 300, 500, 1000), start=100),
)
def bettor(x: float, steps: int) -> list[Mark]:
    """Show what BANCO averages when it places a bet.

    Examples
    --------
    >>> _, up, down, *_ = bettor(0.0, 100)  # each stake and its opposite cancel
    >>> bool(np.allclose(up.y, down.y))
    True
    """
    checks.finite(x=x)
    checks.count(steps=steps)
    variance, b = banco_tail(4.0, p=P, clip_norm=1.0)
    a, y = min(BET_RANGE, 1 / b), steps * (variance / 2 + 1)
    stake = np.linspace(0, _WIDEST, 201)
    up, down = (stake * np.exp(sign * stake * x - stake**2 * y) for sign in (1, -1))
    top = max(up.max(), down.max())
    m = float(bet(x, y, a))
    low, high = np.minimum(up, down), np.maximum(up, down)
    leads = {1: "The positive stakes win", -1: "The negative stakes win", 0: "No side"}
    return [
        Band(stake, low / top, high / top, "what is left of each pair", "measured"),
        Line(stake, up / top, "the bettor who stakes β", "private"),
        Line(stake, down / top, "the one who stakes −β", "broken"),
        Sentence(
            f"After {{steps}} reports, whose coins add up to {{x}}, BANCO walks "
            f"{write(m)} along its direction. {leads[int(np.sign(x))]}"
            + (" wins: each stake and its opposite cancel." if x == 0 else ".")
        ),
        Spent(Pure(4.0, relation=Relation.REPLACE)),
    ]
