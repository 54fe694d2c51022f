"""A fleet of devices. Which devices a round takes, by a rule that sees no data."""

import numpy as np

from ... import checks
from ._rounds import check_rounds


def admitted_devices(
    check_ins: np.ndarray, *, participations: int, separation: int
) -> np.ndarray:
    r"""Tell which check-ins are admitted: few for each device, and far apart.

    A device that checks in again after fewer than d rounds, or after k turns, is sent
    home. A turn is spent when a device is admitted, whether it finishes or drops out.

    Parameters
    ----------
    check_ins : ndarray of bool
        Shape ``(T, N)``: whether a device offers to take part in a round. No value of
        the data may have a say in it.
    participations : int
        :math:`k`, the turns of a device, at most.
    separation : int
        :math:`d`, the least number of rounds from one turn to the next.

    Returns
    -------
    ndarray of bool
        Shape ``(T, N)``: whether a device takes part in a round. What a device does
        has no effect on any other.

    References
    ----------
    * Kairouz and others (2021), Practical and Private (Deep) Learning Without Sampling
      or Shuffling.

    Examples
    --------
    >>> import numpy as np
    >>> eager = np.ones((7, 1), dtype=bool)  # one device, back in every round
    >>> admitted_devices(eager, participations=2, separation=3)[:, 0].nonzero()[0]
    array([0, 3])
    """
    check_rounds(check_ins=check_ins)
    k, d = checks.count(participations=participations, separation=separation)
    admitted = np.zeros_like(check_ins)
    turns = np.zeros(check_ins.shape[1], dtype=np.int64)
    ready = np.zeros(check_ins.shape[1], dtype=np.int64)  # the next round it may join
    for t, here in enumerate(check_ins):
        admitted[t] = here & (turns < k) & (t >= ready)
        turns += admitted[t]
        ready[admitted[t]] = t + d
    return admitted
