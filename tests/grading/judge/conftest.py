"""A sandbox for the tests that need one."""

import os

import pytest

from dpteach.grading.judge.sandbox import obstacle


@pytest.fixture(scope="session")
def sandbox():
    """Skip where no sandbox works; fail where somebody relies on its being tested."""
    reason = obstacle()
    if reason and (os.environ.get("CI") or os.environ.get("DPTEACH_NEED_SANDBOX")):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
