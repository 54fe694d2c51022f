"""``check``: the one function that a student calls."""

import secrets
from difflib import get_close_matches
from typing import Any

from .. import checks
from ..grading.report import Report
from .catalog import load, names
from .explained import explained


def check(name: str, answer: Any, *, seed: int | None = None) -> Report:
    """Check your answer to an exercise, and see at once what is right and why.

    Parameters
    ----------
    name : str
        The exercise: the name of the function that it asks for, or of a question.
    answer : callable, float or str
        Your function itself; for a question a number, a letter or an order of letters.
    seed : int, optional
        The seed of the cases that are tried. A report shows its seed: give it again to
        see the same cases. Without a seed, the cases are new each time.

    Returns
    -------
    Report
        A notebook displays it; ``print`` it elsewhere. ``passed`` is the verdict. After
        a pass, or three answers that do not pass, an explanation opens below it.

    Raises
    ------
    ValueError, TypeError
        If there is no such exercise, or the answer is not of its kind.

    Examples
    --------
    >>> import numpy as np
    >>> def clip(G, C):  # normalizes every row, short ones too
    ...     return C * G / np.linalg.norm(G, axis=1, keepdims=True)
    >>> print(check("clip", clip, seed=0))
    clip: not yet, 1 of 7 checks
      ✓ long rows are cut to norm C
      ✗ short rows stay as they are (not yet)
    ...
    """
    checks.instance(str, name=name)
    if name not in names():
        near = get_close_matches(name, names(), n=1)
        meant = f' Did you mean "{near[0]}"?' if near else ""
        raise ValueError(
            f"`name` must be one of {', '.join(names())}; got {name!r}.{meant}"
        )
    if seed is None:
        seed = secrets.randbits(32)
    checks.count(0, seed=seed)
    return explained(load(name).grade(answer, int(seed)))
