"""Floor 2. The search of ``calibrate``: where a price meets a budget."""

import math
from collections.abc import Callable

# x ↦ its price: ∞ if no ε is large enough, None if x is out of range
PriceOf = Callable[[float], float | None]
# Powers of two by which the search goes away from where it starts
STEPS = (1, 3, 7, 15, 31, 59)
# Where ln(price/budget) exceeds this, a secant is of no use: halve instead
FLAT = 4.0


def bracket(price: PriceOf, budget: float) -> tuple[float, float] | None:
    """Find an x that costs too much and one that does not; None if one is missing.

    The search starts at 1, or at the nearest power of two in range, and goes up and
    down in turn, farther each time, because the price may be flat near the start.
    """
    start = _first(price)
    if start is None:
        return None
    x, at_start = start
    costly = at_start > budget
    ways = {1: (x, True), -1: (x, True)}  # how far each way has come, and if it goes on
    nearby = {}
    for step in STEPS:
        for way in (1, -1):
            last, open_ = ways[way]
            if not open_:
                continue
            further, value = _as_far_as_possible(price, last, x * 2.0 ** (way * step))
            if value is None:
                ways[way] = (last, False)
                continue
            if (value > budget) != costly:
                return (last, further) if costly else (further, last)
            ways[way] = (further, further == x * 2.0 ** (way * step))
            if step == 1:
                nearby[way] = value
        if step == 1 and len(nearby) == 2 and nearby[1] != nearby[-1]:
            # the price shows which way to go: down to the budget, or up to it
            wrong = 1 if (nearby[1] > nearby[-1]) == costly else -1
            ways[wrong] = (x, False)
    return None


def _first(price: PriceOf) -> tuple[float, float] | None:
    # the x nearest to 1 that is in range, with its price
    for step in (0, *range(1, 60)):
        for way in (1, -1):
            value = price(2.0 ** (way * step))
            if value is not None:
                return 2.0 ** (way * step), value
    return None


def _as_far_as_possible(
    price: PriceOf, inside: float, wanted: float
) -> tuple[float, float | None]:
    # the price at ``wanted``, or near the end of the range before it
    value = price(wanted)
    if value is not None:
        return wanted, value
    found, outside, value = inside, wanted, None
    for _ in range(40):
        middle = math.sqrt(found * outside)
        at = price(middle)
        if at is None:
            outside = middle
        else:
            found, value = middle, at
        if abs(outside - found) < 1e-9 * found:
            break
    return found, value


def _gap(price: PriceOf, x: float, budget: float) -> tuple[bool, float]:
    # Whether x meets the budget, and ln(price/budget)
    value = price(x)
    if value is None:
        raise ValueError(
            "`event_of` must accept every parameter between two that it accepts, but "
            f"it refuses {x!r}. Its range must have no gaps."
        )
    log_ratio = math.log(value / budget) if value > 0 else -FLAT
    return value <= budget, min(max(log_ratio, -FLAT), FLAT)


def private_end(
    price: PriceOf, costly: float, private: float, budget: float, near: float
) -> float:
    """Find an x whose price is within ``near`` below the budget, and never above.

    The search runs between the two ends, by secants of ln price over ln x (the Illinois
    method). If the price jumps, the answer is the private side of the jump.
    """
    above, below = (_gap(price, x, budget)[1] for x in (costly, private))
    short, last = below, None  # by how much ``private`` falls short of the budget
    for _ in range(200):
        width = math.log(private / costly)
        if short >= -near or abs(width) < 1e-3 * near:
            break
        flat = max(above, -below) >= FLAT or above <= 0
        share = 0.5 if flat else above / (above - below)
        # aim slightly inside the interval, so that both ends move
        x = costly * math.exp(width * min(max(share, 1e-3), 1 - 1e-3))
        meets, value = _gap(price, x, budget)
        if meets:
            private, below, short = x, value, value
            above = above / 2 if last is True else above
        else:
            costly, above = x, value
            below = below / 2 if last is False else below
        last = meets
    return private
