"""What the mechanisms that choose a candidate share: exponent, checks, release."""

from .. import checks
from ..arrays import Array, namespace, np, to_numpy
from ..privacy import Event, Release


def exponent_of(
    scores: Array, sensitivity: float, epsilon: float, monotone: bool
) -> float:
    """Check the arguments; compute c, in nats per unit of score."""
    _check_scores(scores)
    sensitivity, epsilon = checks.moderate(sensitivity=sensitivity, epsilon=epsilon)
    checks.instance(bool, monotone=monotone)
    # Two scores may move apart by 2Δ, but by Δ alone if all move the same way.
    return epsilon / ((1 if monotone else 2) * sensitivity)


def log_weights(scores: Array, exponent: float) -> np.ndarray:
    """Check the arguments; compute the log-weights c · (score − the best score)."""
    _check_scores(scores)
    return below_the_best(scores, checks.moderate(exponent=exponent))


def below_the_best(scores: Array, exponent: float) -> np.ndarray:
    """Compute c · (score − the best score) in 64 bits, where no digit is lost."""
    values = to_numpy(scores).astype(float)
    with np.errstate(over="ignore"):  # −∞ is the right weight of what is so far off
        return exponent * (values - np.max(values))


def _check_scores(scores: Array) -> None:
    checks.finite_array(scores=scores, ndim=1)
    if scores.shape[0] == 0:
        raise ValueError(
            "`scores` must hold at least one candidate, got an empty array. "
            "Give each candidate a score."
        )


def release(index: np.ndarray, event: Event, like: Array) -> Release:
    """Publish the index of the choice, shape ``runs``, as an array like ``like``."""
    xp = namespace(like)
    theta = np.asarray(index) if xp is np else xp.asarray(index, device=like.device)
    return Release(theta=theta, path=theta[None, ...], event=event)
