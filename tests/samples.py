"""Long tables: `make test` walks a sample of one, `make test-thorough` the rest."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], sample: Collection[Any]) -> list[Any]:
    """Mark what is not in the sample as thorough; all of the sample must be there.

    A tuple is a case of several arguments.
    """
    cases = list(cases)
    missing = [each for each in sample if each not in cases]
    assert not missing, f"not in the table: {missing}"
    return [
        case
        if case in sample
        else pytest.param(
            *(case if type(case) is tuple else (case,)), marks=pytest.mark.thorough
        )
        for case in cases
    ]
