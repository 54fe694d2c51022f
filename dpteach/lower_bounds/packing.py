"""Section 6.5.1. Packing: pure ε cannot distinguish many distant data sets."""

from collections.abc import Callable
from math import exp, floor, log

import numpy as np

from .. import checks
from ..arrays import Rng, as_rng

# A code of words in {±1}^p that differ in at least p/4 places can have e^{ap} words,
# a = ln 2 − H(1/4) in nats. [Gilbert–Varshamov]
EXPONENT = log(2) + 0.25 * log(0.25) + 0.75 * log(0.75)
TRIES = 10_000


def packing_copies(epsilon: float, *, n: int, p: int) -> int:
    r"""Compute how many records the packing may plant. [Theorem 6.25]

    The largest whole number :math:`m \le \min(n, (0.1308\,p - \ln 2)/\varepsilon)` with
    n − m even, so that the other records cancel in pairs.

    Parameters
    ----------
    n, p : int
        How many records there are, and how many entries each has.

    Returns
    -------
    int
        m; 0 if p is too small for a bound, or n is even and m would be below 2.

    Examples
    --------
    >>> packing_copies(0.1, n=1000, p=50)
    58
    """
    epsilon = checks.moderate(epsilon=epsilon)
    n, p = checks.count(n=n, p=p)
    m = floor(min(float(n), max(0.0, EXPONENT * p - log(2)) / epsilon))
    return max(0, m - (n - m) % 2)


def packing_lower_bound(epsilon: float, *, n: int, p: int) -> float:
    r"""Bound from below the error of every ε-DP mean. [Theorem 6.25, part 1]

    For each ε-DP algorithm there is a data set in :math:`\{\pm 1/\sqrt p\}^p` on which
    :math:`\|\mathcal A(D) - q(D)\|_2 \ge m/(2n)` with probability at least 1/2.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, in nats, under replacement, zeroing out, or adding and
        removing. For an algorithm that accepts only data of size n, double the ε of
        adding and removing.
    n, p : int
        How many records there are, and how many entries each has.

    Returns
    -------
    float
        m/(2n), see ``packing_copies``.

    Notes
    -----
    Source: Theorem 6.25 has Ω(·). K planted data sets lie m records from a common one,
    and balls of radius m/(2n) about their means are disjoint: on average their
    algorithm hits its own ball with probability at most e^{εm}/K ≤ 1/2.

    References
    ----------
    * Hardt and Talwar (2010), On the Geometry of Differential Privacy.

    Examples
    --------
    >>> packing_lower_bound(0.1, n=1000, p=50)
    0.029
    """
    n = checks.count(n=n)
    return packing_copies(epsilon, n=n, p=p) / (2 * n)


def packing_success_cap(epsilon: float, *, copies: int, codewords: int) -> float:
    r"""Bound how often the planted word of an ε-DP algorithm can be guessed.

    Parameters
    ----------
    copies : int
        How many records carry the word, m.
    codewords : int
        K, how many words there are.

    Returns
    -------
    float
        :math:`\min(1, e^{\varepsilon m}/K)`, by group privacy, because m records carry
        the word.

    Examples
    --------
    >>> round(packing_success_cap(0.2, copies=5, codewords=64), 4)
    0.0425
    """
    epsilon = checks.moderate(epsilon=epsilon)
    copies = checks.count(0, copies=copies)
    codewords = checks.count(codewords=codewords)
    return exp(min(0.0, epsilon * copies - log(codewords)))


def _filled(**named: np.ndarray) -> None:
    for name, value in named.items():
        if value.size == 0:
            raise ValueError(f"`{name}` must not be empty, got shape {value.shape}.")


def packing_code(*, p: int, codewords: int, rng: Rng) -> np.ndarray:
    r"""Draw words in :math:`\{\pm 1/\sqrt p\}^p` at mutual distance at least 1.

    Parameters
    ----------
    p : int
        The length of a word.
    codewords : int
        K, how many words. Random words do far worse than the best code.
    rng : int, Generator or None
        The source of the words.

    Returns
    -------
    ndarray
        Shape ``(K, p)``: any two words differ in at least p/4 entries.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or not that many words are found.

    Examples
    --------
    >>> packing_code(p=24, codewords=64, rng=0).shape
    (64, 24)
    """
    p, codewords = checks.count(p=p, codewords=codewords)
    checks.fits(p * codewords, p=p)
    rng, words = as_rng(rng), np.empty((0, p))
    for _ in range(TRIES):
        if len(words) == codewords:
            return words / np.sqrt(p)
        word = 1.0 - 2.0 * rng.integers(0, 2, p)
        if np.all(np.sum(words != word, axis=1) >= p / 4):
            words = np.concatenate([words, word[None]])
    raise ValueError(
        f"`codewords` must be fewer, or `p` larger, got {codewords} and {p}: {TRIES} "
        f"tries found {len(words)} words that are far enough apart."
    )


def packing_data(word: np.ndarray, *, n: int, copies: int) -> np.ndarray:
    r"""Plant a word: m copies of it, and n − m records that cancel in pairs.

    Parameters
    ----------
    word : ndarray
        One word of a code, shape ``(p,)``.
    copies : int
        How many copies, m: at most n, with n − m even.

    Returns
    -------
    ndarray
        Shape ``(n, p)``, rows in :math:`\{\pm 1/\sqrt p\}^p`; they sum to m times the
        word. Any two such data sets differ in m records.

    Examples
    --------
    >>> import numpy as np
    >>> packing_data(np.array([0.5, -0.5, 0.5, 0.5]), n=6, copies=2).sum(axis=0)
    array([ 1., -1.,  1.,  1.])
    """
    checks.finite_array(ndim=1, word=word)
    _filled(word=word)
    n = checks.count(n=n)
    checks.fits(20 * n * len(word), n=n)
    copies = checks.count(0, copies=copies)
    if copies > n or (n - copies) % 2:
        raise ValueError(
            f"`copies` must be at most n={n}, with n - copies even, got {copies}. "
            "The other records cancel in pairs."
        )
    pad = np.full_like(word, 1 / np.sqrt(len(word)))
    pairs = np.stack([pad, -pad] * ((n - copies) // 2) or [pad])[: n - copies]
    return np.concatenate([np.tile(word, (copies, 1)), pairs])


def packing_attack(
    mechanism: Callable[[np.ndarray, np.random.Generator], np.ndarray],
    *,
    code: np.ndarray,
    n: int,
    copies: int,
    repetitions: int,
    rng: Rng,
) -> int:
    r"""Plant random words, run a private mean, and count how often the word is found.

    Parameters
    ----------
    mechanism : callable
        ``mechanism(X, rng)`` estimates the mean of the rows of X.
    code : ndarray
        Shape ``(K, p)``, as from ``packing_code``.
    n, copies : int
        How many records there are, and m, how many carry the word.
    repetitions : int
        How often to play; take 2000 or more, so that chance is small beside the cap.
    rng : int, Generator or None
        The source of the words and of the noise.

    Returns
    -------
    int
        How often the estimate was nearest to the planted word's mean. If the mechanism
        is ε-DP, it is at most a binomial of ``packing_success_cap``.

    Examples
    --------
    >>> code = packing_code(p=24, codewords=64, rng=0)
    >>> packing_attack(lambda X, rng: X.mean(axis=0), code=code, n=10, copies=2,
    ...                repetitions=50, rng=0)  # without noise, every word is found
    50
    """
    checks.finite_array(ndim=2, code=code)
    _filled(code=code)
    n, repetitions = checks.count(n=n, repetitions=repetitions)
    copies = checks.count(0, copies=copies)
    if not callable(mechanism):
        raise TypeError(f"`mechanism` must be a function, got {mechanism!r}.")
    rng, hits = as_rng(rng), 0
    planted = [packing_data(word, n=n, copies=copies) for word in code]
    for _ in range(repetitions):
        j = int(rng.integers(len(code)))
        mean = mechanism(planted[j], rng)
        distance = np.sum((copies / n * code - mean) ** 2, axis=1)
        hits += int(np.argmin(distance) == j)
    return hits
