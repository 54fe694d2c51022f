"""A fleet of devices. Which devices a round takes, by a rule that sees no data."""

import numpy as np

from ... import checks
from ._rounds import check_rounds


def admitted_devices(
    check_ins: np.ndarray, *, participations: int, separation: int
) -> np.ndarray:
    """Tell which check-ins are admitted: few for each device, and far apart.

    A turn counts even if a device drops out. Source: Kairouz and others (2021).

    Parameters
    ----------
    check_ins : ndarray of bool
        Shape ``(T, N)``: whether a device offers to take part, whatever the data are.

    Returns
    -------
    ndarray of bool
        Shape ``(T, N)``: whether it takes part, whatever other devices do.

    Examples
    --------
    >>> admitted_devices(np.ones((5, 1), bool), participations=2, separation=2).ravel()
    array([ True, False,  True, False, False])
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
