"""Simulated fleets: who holds which records, and who is there in which round."""

import numpy as np

from .. import checks
from ..arrays import Rng, as_rng


def dirichlet_owners(
    y: np.ndarray, *, devices: int, concentration: float, rng: Rng
) -> np.ndarray:
    r"""Deal records out to simulated devices, each with a taste for some classes.

    Device u draws a mix of classes from a Dirichlet distribution. A record of class c
    then goes to a device with a probability in proportion to the share of c in its mix.

    Parameters
    ----------
    y : ndarray
        Shape ``(n,)``: the classes of the records.
    devices : int
        :math:`N`. Some of them may get no record.
    concentration : float
        :math:`\alpha` of the Dirichlet distribution: at 100 all devices are alike, at
        0.1 most of them hold one class or two.

    Returns
    -------
    ndarray of int
        Shape ``(n,)``: which device, 0, …, N - 1, holds a record.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    References
    ----------
    * Hsu, Qi and Brown (2019), Measuring the Effects of Non-Identical Data Distribution
      for Federated Visual Classification.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.data import digits
    >>> y = digits().y
    >>> owners = dirichlet_owners(y, devices=50, concentration=0.1, rng=0)
    >>> np.bincount(y[owners == 0], minlength=10)  # mostly twos and sixes
    array([ 1,  0, 10,  1,  0,  3, 14,  0,  0,  1])
    """
    checks.finite_array(ndim=1, y=_as_floats(y))
    N, alpha = (
        checks.count(devices=devices),
        checks.moderate(concentration=concentration),
    )
    alpha, rng = min(alpha, 1e9), as_rng(rng)  # mixes are equal long before
    classes, kind = np.unique(y, return_inverse=True)
    checks.fits(2.0 * N * max(len(classes), 1), devices=devices)
    owners = np.zeros(len(kind), dtype=np.int64)
    if not len(kind):
        return owners
    mixes = rng.dirichlet(np.full(len(classes), alpha), size=N)
    mixes += 1e-12  # if no device at all likes a class, any may get its records
    for c in range(len(classes)):
        here = np.flatnonzero(kind == c)
        owners[here] = rng.choice(N, size=len(here), p=mixes[:, c] / mixes[:, c].sum())
    return owners


def simulated_rounds(
    *, steps: int, devices: int, check_in_rate: float, dropout_rate: float, rng: Rng
) -> tuple[np.ndarray, np.ndarray]:
    r"""Draw when simulated devices check in, and when they drop out, by coins.

    Parameters
    ----------
    steps : int
        :math:`T`, the rounds.
    devices : int
        :math:`N`.
    check_in_rate : float
        How probable it is that a device checks in, in each round. If its turns are at
        least d rounds apart, a rate of
        :math:`1/(N/m - d + 1)` makes rounds of about m devices
        in the long run.
    dropout_rate : float
        How probable it is that a device which takes part is never heard of.

    Returns
    -------
    tuple of two ndarrays of bool
        Shape ``(T, N)`` each: ``check_ins`` and ``dropouts``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> check_ins, dropouts = simulated_rounds(
    ...     steps=100, devices=1000, check_in_rate=0.02, dropout_rate=0.1, rng=0)
    >>> round(float(check_ins.mean()), 3), round(float(dropouts.mean()), 2)
    (0.019, 0.1)
    """
    T, N = checks.count(steps=steps, devices=devices)
    here = checks.between(0.0, 1.0, check_in_rate=check_in_rate)
    gone = checks.between(0.0, 1.0, dropout_rate=dropout_rate)
    checks.fits(2.0 * T * N, steps=steps)
    rng = as_rng(rng)
    return rng.random((T, N)) < here, rng.random((T, N)) < gone


def _as_floats(y: np.ndarray) -> np.ndarray:
    checks.array(y=y)
    if not isinstance(y, np.ndarray) or y.dtype.kind not in "iuf":
        raise TypeError(
            f"`y` must be a NumPy array of class numbers, got {type(y)}. Signs and "
            "class numbers will do."
        )
    return y.astype(np.float64)
