"""Tests that run where ``DPTEACH_BACKENDS`` names them: ``torch,jax,pyodide,dask``.

Without it they are not even collected: the libraries are large, and extras.
"""

import os

import pytest

ASKED = [each for each in os.environ.get("DPTEACH_BACKENDS", "").split(",") if each]
# Two of them are no array libraries, and have modules of their own.
OTHERS = {
    "pyodide": ["test_pyodide.py", "test_pyodide_suite.py"],
    "dask": ["test_cluster.py"],
}
NAMED = [each for each in ASKED if each not in OTHERS]
collect_ignore_glob = [] if ASKED else ["test_*.py"]
collect_ignore = [
    module for name in OTHERS if name not in ASKED for module in OTHERS[name]
]


def _put(name):
    """Return the function that hands a NumPy array to a library."""
    if name == "torch":
        import torch

        return lambda array: torch.asarray(array.copy())
    if name == "torch-cuda":
        import torch

        return lambda array: torch.asarray(array.copy(), device="cuda")
    if name == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        return jax.numpy.asarray
    if name == "cupy":
        import cupy

        return cupy.asarray
    raise ValueError(
        f"`DPTEACH_BACKENDS` must list torch, torch-cuda, jax or cupy, got {name!r}."
    )


@pytest.fixture(params=NAMED)
def library(request):
    """Name the library under test. One that is named must be there."""
    return request.param


@pytest.fixture
def put(library):
    """Hand an array to the library under test."""
    return _put(library)


def pytest_report_header():
    """Say which libraries are tested, and which are not."""
    ran = ", ".join(NAMED) or "none"
    left = [
        each for each in ("torch", "jax", "torch-cuda", "cupy") if each not in NAMED
    ]
    return f"array libraries tested: {ran}; not run: {', '.join(left) or 'none'}"
