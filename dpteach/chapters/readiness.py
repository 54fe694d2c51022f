"""Whether everything that a student needs works here."""

import platform
from importlib import import_module
from importlib.metadata import version

from ..arrays import clip
from ..grading.report import Fault, Report, first_fault
from ..privacy import Release
from .catalog import load

# What this run of DP-SGD gives on every machine, and what it costs at δ = 10⁻⁶.
_MODEL = (0.2477039279168, 0.2559552764732)
_EPSILON = 0.9999180801091


def self_test() -> Report:
    """Try everything that this book needs here, and say what is missing.

    Returns
    -------
    Report
        A notebook displays it like the report of an exercise; ``passed`` says whether
        everything works.

    Examples
    --------
    >>> self_test().passed
    True
    """
    fault, reached = first_fault(attempt for _, attempt in _CHECKS)
    return Report(
        name="self_test",
        checks=tuple(title for title, _ in _CHECKS),
        fault=fault,
        reached=reached,
        seed=None,
        notes=(_versions(),),
        praise="Everything is ready. Run the chapters from top to bottom.",
    )


def _versions() -> str:
    names = {"NumPy": "numpy", "SciPy": "scipy", "dpteach": "dpteach"}
    found = [f"Python {platform.python_version()}"]
    found += [f"{name} {version(package)}" for name, package in names.items()]
    return ", ".join(found) + "."


def _release() -> Release:
    from ..algorithms.gradients.sgd import dp_sgd  # here: grading needs no algorithm
    from ..data import example

    return dp_sgd(
        example(), clip_norm=1.0, noise_multiplier=42.25, steps=100, learning_rate=0.01,
        rng=0,
    )  # fmt: skip


def _numbers() -> None:
    found = _release().theta[:2]
    if abs(found - _MODEL).max() > 1e-9:
        raise Fault(
            "the first two weights of a run of DP-SGD with seed 0",
            f"{found[0]:.12f}, {found[1]:.12f}",
            f"{_MODEL[0]:.12f}, {_MODEL[1]:.12f}",
            "Random numbers or sums differ here. Please report the versions below.",
        )


def _price() -> None:
    from ..accounting import epsilon_of

    found = epsilon_of(_release().event, 1e-6)
    if abs(found - _EPSILON) > 1e-9:
        raise Fault(
            "the price of that run at δ = 10⁻⁶",
            f"ε = {found:.12f}",
            f"{_EPSILON:.12f}",
            "SciPy may be broken here. Please report it, with the versions below.",
        )


def _grading() -> None:
    for answer, wanted in ((clip, True), (lambda G, C: C * G, False)):
        if load("clip").grade(answer, 0).passed is not wanted:
            raise Fault(
                "an exercise, with a right answer and a wrong one",
                f"the {'right' if wanted else 'wrong'} one was misjudged",
                "both judged correctly",
                "Restart the kernel, and run this cell first.",
            )


def _sliders() -> None:
    for name in ("matplotlib", "ipywidgets"):
        try:
            import_module(name)
        except ImportError:
            raise Fault(
                "the packages that draw and move figures",
                f"{name} is missing",
                "matplotlib and ipywidgets",
                "Run this notebook's first cell again, and restart the kernel.",
            ) from None


_CHECKS = (
    ("a seeded run gives the numbers of the book", _numbers),
    ("its price is that of the book", _price),
    ("exercises are graded", _grading),
    ("figures can be drawn and moved", _sliders),
)
