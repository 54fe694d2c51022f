"""Confidence limits of a probability, from counts."""


def at_most(hits: int, runs: int, alpha: float) -> float:
    """Clopper and Pearson's upper bound, wrong with probability α at most."""
    from scipy.special import betaincinv

    return 1.0 if hits == runs else float(betaincinv(hits + 1, runs - hits, 1 - alpha))


def at_least(hits: int, runs: int, alpha: float) -> float:
    """Clopper and Pearson's lower bound, wrong with probability α at most."""
    from scipy.special import betaincinv

    return 0.0 if hits == 0 else float(betaincinv(hits, runs - hits + 1, alpha))
