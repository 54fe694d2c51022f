"""Prices to fifty digits with mpmath, from the definitions alone."""

import mpmath as mp


def gaussian_delta(mu, epsilon):
    """Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), with enough digits for its cancellation."""
    mu, epsilon = mp.mpf(mu), mp.mpf(epsilon)
    with mp.workdps(50 + int(abs(epsilon)) // 2 + max(0, int(-mp.log10(mu)))):
        a, b = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
        return mp.ncdf(a) - mp.exp(epsilon) * mp.ncdf(b)


def mixture_delta(pure, mu, epsilon):
    """Sum over all outcomes of randomized response, listed by the number of flips."""
    mp.mp.dps = 50
    atoms = [(mp.mpf(0), mp.mpf(1))]
    for epsilon_0, k in pure.items():
        odds = mp.exp(mp.mpf(epsilon_0))
        p, q = odds / (1 + odds), 1 / (1 + odds)
        atoms = [
            (
                loss + (k - 2 * i) * mp.mpf(epsilon_0),
                mass * mp.binomial(k, i) * q**i * p ** (k - i),
            )
            for loss, mass in atoms
            for i in range(k + 1)
        ]
    epsilon = mp.mpf(epsilon)
    if mu == 0:
        return sum(m * max(0, 1 - mp.exp(epsilon - loss)) for loss, m in atoms)
    return sum(m * gaussian_delta(mu, epsilon - loss) for loss, m in atoms)
