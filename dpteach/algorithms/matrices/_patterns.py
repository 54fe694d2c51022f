"""How much of a Gram matrix G = CᵀC one pattern of participations can collect."""

import numpy as np


def greatest_move(G: np.ndarray) -> tuple[float, float]:
    """Bound the largest Σ G_ij ⟨v_i, v_j⟩ over unit vectors v_i from both sides."""
    if (G >= 0).all():
        total = float(G.sum())
        return total, total
    k = len(G)
    rest = G - np.diag(np.diag(G))
    v = np.random.default_rng(0).standard_normal((k, k))
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    value, before = -np.inf, -np.inf
    for _ in range(1000):  # one vector at a time, in its best direction
        for i in range(k):
            pull = rest[i] @ v
            v[i] = pull / length if (length := np.linalg.norm(pull)) > 0 else v[i]
        value = float(np.sum(G * (v @ v.T)))
        if value <= before * (1 + 1e-13):
            break
        before = value
    signs = np.where(v @ v[0] < 0, -1.0, 1.0)
    if (G * np.outer(signs, signs) >= 0).all():  # no directions can do better
        return float(np.abs(G).sum()), float(np.abs(G).sum())
    d = np.diag(G) + np.linalg.norm(rest @ v, axis=1)
    slack = G - np.diag(d)
    rounding = 8 * k * 2.0**-52 * float(np.linalg.norm(slack))  # of an eigenvalue
    excess = float(np.linalg.eigvalsh(slack)[-1]) + rounding
    upper = float(np.sum(d)) + k * max(0.0, excess)
    return min(value, upper), min(upper, float(np.abs(G).sum()))


def best_sum(w: np.ndarray, k: int, d: int) -> tuple[float, tuple[int, ...]]:
    """Maximize Σ_{j∈J} w_j ≥ 0 over patterns of at most k steps, d or more apart."""
    T = len(w)
    best = np.zeros((k + 1, T + d))  # best[c, t]: c visits from step t on
    for c in range(1, k + 1):
        with_t = w + best[c - 1, d:]
        best[c, :T] = np.maximum.accumulate(with_t[::-1])[::-1]
    pattern, t = [], 0
    for c in range(k, 0, -1):
        with_t = w[t:] + best[c - 1, t + d :]
        if not len(with_t) or with_t.max() <= 0:
            break
        t += int(np.argmax(with_t))
        pattern.append(t)
        t = min(t + d, T)
    return float(best[k, 0]), tuple(pattern)


def falling_bound(size: np.ndarray, k: int, d: int) -> float:
    """Sum over (0, d, 2d, …) the least matrix above |G| that falls as in the notes."""
    falling = np.maximum.accumulate(np.diag(size)[::-1])[::-1]
    total = float(falling[::d][:k].sum())
    longer = np.zeros(0)
    for lag in range(len(size) - 1, d - 1, -1):
        slid = np.maximum.accumulate(np.diag(size, lag)[::-1])[::-1]
        slid[: len(longer)] = np.maximum(slid[: len(longer)], longer)
        longer = slid
        if lag % d == 0 and lag // d < k:
            total += 2 * float(longer[::d][: k - lag // d].sum())
    return total


def row_bound(size: np.ndarray, k: int, d: int) -> tuple[float, tuple[int, ...]]:
    """Maximize Σ_{i∈J} w_i, where w_i is the most of row i that a pattern with i has.

    Returns the maximum and its pattern.
    """
    right, left = _beside(size, k, d), _beside(size[::-1, ::-1], k, d)[:, ::-1]
    return best_sum(np.diag(size) + np.max(right + left[::-1], axis=0), k, d)


def _beside(size: np.ndarray, k: int, d: int) -> np.ndarray:
    """Compute, for c < k and i, the most of row i in c steps from i + d on."""
    T = len(size)
    best, found = np.zeros((T + d, T)), np.zeros((k, T))  # one column for each row i
    for c in range(1, k):
        best[:T] = np.maximum.accumulate((size + best[d:])[::-1], axis=0)[::-1]
        found[c] = best[np.minimum(np.arange(T) + d, T), np.arange(T)]
    return found
