"""Beyond trees. A lower bound for separated records, from the patterns that matter."""

from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np

from ... import checks
from ._dual_ascent import almost_orthogonal, ascend, nuclear_norm
from .dual_certificate import DualCertificate

FEW = 250  # patterns that are all taken at once
NEW = 100  # patterns that a round adds, at most
WORK = 4e9  # operations after which no round begins: seconds


def separated_certificate(
    steps: int, *, participations: int, separation: int
) -> DualCertificate:
    r"""Prove a lower bound on the mean error, for k visits at least d steps apart.

    Parameters
    ----------
    steps : int
        :math:`T`. Seconds for 256 steps.
    participations : int
        :math:`k`, how often a record may take part, at most.
    separation : int
        :math:`d`, the least number of steps between two participations.

    Returns
    -------
    DualCertificate
        Made of all patterns of k visits if they are at most 250. Else of those that are
        d apart throughout, and then, round by round, of patterns against which the best
        X = CᵀC of the bound so far does worst. Others could raise it.

    Examples
    --------
    >>> rules = {"participations": 4, "separation": 16}
    >>> proof = separated_certificate(64, **rules)
    >>> round(proof.lower_bound, 2)  # 4.41 if the record is always 16 steps apart
    4.47
    """
    T = checks.count(steps=steps)
    k, d = checks.count(participations=participations, separation=separation)
    checks.fits(12 * T**2, steps=T)
    k = max(min(k, T // d), 1)  # more would leave out steps, all but a few
    slack = T - 1 - (k - 1) * d  # steps that a pattern may still spread over
    spread = np.repeat(np.arange(slack + 1)[:, None], k, axis=1)
    if few := comb(slack + k, k) <= FEW:
        spread = np.array(list(combinations(range(slack + k), k))) - np.arange(k)
    patterns = spread + d * np.arange(k) + 1
    n = len(patterns)
    proof = DualCertificate(T, patterns, np.ones(n), almost_orthogonal(n, k))
    if few:
        return _improved(proof, int(min(400, max(20, WORK / _work(proof)))))
    work = 0
    for _ in range(12):
        proof = _improved(proof, 20)
        work += 20 * _work(proof)
        worse = _worse_patterns(proof, d)
        if not len(worse) or work > WORK:
            return proof
        proof = _with_patterns(proof, worse)
    return _improved(proof, 60)


def _improved(proof: DualCertificate, iterations: int) -> DualCertificate:
    weights, directions = ascend(
        proof.patterns,
        proof.weights,
        proof.directions,
        steps=proof.steps,
        iterations=iterations,
    )
    return replace(proof, weights=weights, directions=directions)


def _work(proof: DualCertificate) -> int:
    """Count the operations of one iteration: an eigenproblem, and all directions."""
    n, k = proof.patterns.shape
    return proof.steps**3 + n * k**2 * (k + 100)


def _worse_patterns(proof: DualCertificate, d: int) -> np.ndarray:
    """Look for patterns that move further than the proof's own record does."""
    total, slope = nuclear_norm(proof.correlations())
    size = np.abs(2 * slope)  # |X|; the record's own squared move is tr(XW) = total
    J = np.unique(_climb(size, proof.patterns - 1, d), axis=0)
    moves = size[J[:, :, None], J[:, None, :]].sum(axis=(1, 2))
    known = set(map(tuple, proof.patterns - 1))
    order = [i for i in np.argsort(-moves) if tuple(J[i]) not in known]
    return J[[i for i in order if moves[i] > total * (1 + 1e-6)][:NEW]] + 1


def _climb(size: np.ndarray, patterns: np.ndarray, d: int) -> np.ndarray:
    """Move one visit after the other to where the sum of |X_ij| is largest."""
    J, t = patterns.copy(), np.arange(len(size))
    rows = size[J].sum(axis=1)
    for r in list(range(J.shape[1])) * 2:
        rows -= size[J[:, r]]
        score = np.diag(size) + 2 * rows
        if r > 0:
            score[t < J[:, r - 1, None] + d] = -1
        if r < J.shape[1] - 1:
            score[t > J[:, r + 1, None] - d] = -1
        J[:, r] = np.argmax(score, axis=1)
        rows += size[J[:, r]]
    return J


def _with_patterns(proof: DualCertificate, patterns: np.ndarray) -> DualCertificate:
    """Add patterns with a small weight each; leave out those that weigh nothing."""
    kept = proof.weights > 1e-6
    small = np.full(len(patterns), 1e-3)
    return replace(
        proof,
        patterns=np.vstack([proof.patterns[kept], patterns]),
        weights=np.append(proof.weights[kept], small),
        directions=np.concatenate(
            [proof.directions[kept], almost_orthogonal(*patterns.shape)]
        ),
    )
