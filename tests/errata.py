"""What a test of an erratum gets, and how it shows that the source is not right."""

import inspect
from collections.abc import Callable
from functools import wraps

import pytest

from tests.public import table

VALUES = {row["id"]: row["value"] for row in table("errata")}


def erratum(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a test the two values of a row of ``book/errata.yml``.

    It takes ``actual``, the number that holds, and ``claimed`` if it computes what the
    printed statement gives or promises. With these it must pass; with the claimed
    number in place of the actual one it must fail.
    """
    claimed, actual = VALUES[name]["claimed"], VALUES[name]["actual"]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)
        others = [
            parameter
            for word, parameter in signature.parameters.items()
            if word not in ("claimed", "actual")
        ]

        def run(actual: float, fixtures: dict) -> None:
            numbers = {"claimed": claimed, "actual": actual}
            known = {k: v for k, v in numbers.items() if k in signature.parameters}
            test(**known, **fixtures)

        @wraps(test)
        def both(**fixtures) -> None:
            run(actual, fixtures)
            try:
                run(claimed, fixtures)
            except (AssertionError, pytest.fail.Exception):
                return
            pytest.fail(f"{name}: the test passes with what the source claims, too")

        both.__signature__ = signature.replace(parameters=others)
        return both

    return decorate
