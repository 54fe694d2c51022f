"""The transform of real numbers, and a length at which it is quick."""

from numpy.fft import rfft

from . import missing

__all__ = ["next_fast_len", "rfft"]


def next_fast_len(target: int, real: bool = False) -> int:  # noqa: ARG001  (as in SciPy)
    """Return the least 2^i 3^j 5^k that is at least the target."""
    best, five = 2 * target, 1
    while five < best:
        three = five
        while three < best:
            two = three << max(0, (-(-target // three) - 1).bit_length())
            best = min(best, two)
            three *= 3
        five *= 5
    return best


def __getattr__(name: str):
    raise missing(__name__, name)
