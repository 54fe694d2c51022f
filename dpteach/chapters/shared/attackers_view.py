"""A panel of several figures: what an attacker sees of a record, with it and without.

Whatever is released, the attacker computes the one score that tells the two apart best.
At Gaussian noise its distribution is a bell curve around 0 without the record, and the
same curve around μ with it.
"""

from statistics import NormalDist

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.marks import Line

VIEW = Axes(
    "best score that tells the two apart",
    "how often",
    xlim=(-4, 8),
    ylim=(0, 0.45),
    xticks=(-4, 0, 4, 8),
    yticks=(),
    title="What the attacker sees",
)
_SCORES = np.linspace(*VIEW.xlim, 121)


def bell(mu: float, label: str, role: str) -> Line:
    """Draw how often the score takes each value, if its mean is μ, in the second panel.

    Examples
    --------
    >>> with_record = bell(1.0, "with the record", "private")
    >>> float(with_record.x[with_record.y.argmax()])
    1.0
    """
    mu = checks.nonnegative(mu=mu)
    at = NormalDist(mu).pdf
    return Line(_SCORES, [at(score) for score in _SCORES], label, role, panel=1)
