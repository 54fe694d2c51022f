"""Check-in protocols by enumeration of all that can happen."""

from itertools import product
from math import exp

import numpy as np


def hockey_stick(p, q, epsilon):
    return np.maximum(p - exp(epsilon) * q, 0).sum()


def least_epsilon(p, q, delta, most):
    low, high = 0.0, most
    for _ in range(80):
        mid = (low + high) / 2
        if max(hockey_stick(p, q, mid), hockey_stick(q, p, mid)) > delta:
            low = mid
        else:
            high = mid
    return high


def enumerated(e0, n, m, p0, delta, dummy=0):
    """The whole protocol by brute force: slots, ties and randomized responses.

    Client 1 holds 1 or 0, the others 0; a dummy reports on the bit ``dummy``.
    """
    q = 1 / (1 + exp(e0))
    tables = []
    for bit in (1, 0):
        chances = dict.fromkeys(product((0, 1), repeat=m), 0.0)
        for slots in product(range(m + 1), repeat=n):  # m: she abstains
            chance = np.prod([1 - p0 if s == m else p0 / m for s in slots])
            for winner in (True, False):
                rivals = slots[1:].count(slots[0])
                win = 0.0 if slots[0] == m else 1 / (1 + rivals)
                held = [0 if s in slots[1:] else dummy for s in range(m)]
                if slots[0] < m and (winner or not rivals):
                    held[slots[0]] = bit
                for reports in chances:
                    right = np.equal(reports, held)
                    p = np.prod(np.where(right, 1 - q, q))
                    chances[reports] += chance * (win if winner else 1 - win) * p
        tables.append(np.array(list(chances.values())))
    return least_epsilon(*tables, delta, e0)
