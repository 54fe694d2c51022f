"""What the graders need of SciPy, for the Python of a page, which has NumPy alone.

SciPy itself is not to be had for that Python from a package registry. These are its
functions under their own names, in NumPy and Python's ``math``, for the arguments that
grading meets: ``tests/book/test_page_scipy.py`` compares each with SciPy there. Other
names are missing, and say so.
"""

__all__ = ["fft", "linalg", "optimize", "special", "stats"]


def missing(module: str, name: str) -> AttributeError:
    """Return the error for a name that only SciPy itself has."""
    return AttributeError(
        f"This page's Python has a few functions of SciPy, and {module}.{name} is none "
        "of them. The notebook runs where SciPy is complete"
    )


def __getattr__(name: str):
    if name in __all__:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    raise missing(__name__, name)
