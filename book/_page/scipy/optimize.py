"""A root of a monotone function, and least values of smooth or one-valley functions."""

import math
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from . import missing


def brentq(
    f: Callable[..., float], a: float, b: float, args=(), xtol=2e-12,
    rtol=8.881784197001252e-16, maxiter=100,
) -> float:  # fmt: skip
    """Find a root between a and b, where f has opposite signs (Chandrupatla 1997)."""
    x0, x1 = float(b), float(a)
    f0, f1 = f(x0, *args), f(x1, *args)
    if f0 * f1 > 0:
        raise ValueError("f(a) and f(b) must have different signs")
    share, x2, f2 = 0.5, x0, f0
    for _ in range(10 * maxiter):
        x = x1 + share * (x0 - x1)
        fx = f(x, *args)
        if (fx > 0) == (f1 > 0):
            x2, f2 = x1, f1
        else:
            x2, f2, x0, f0 = x0, f0, x1, f1
        x1, f1 = x, fx
        best, least = (x1, f1) if abs(f1) < abs(f0) else (x0, f0)
        reach = (2 * rtol * abs(best) + xtol / 2) / abs(x0 - x1) if x0 != x1 else 1.0
        if reach > 0.5 or least == 0:
            return best
        # Inverse quadratic interpolation where it is safe, halving elsewhere.
        xi, phi = (x1 - x0) / (x2 - x0), (f1 - f0) / (f2 - f0)
        share = 0.5
        if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:
            share = f1 / (f0 - f1) * f2 / (f0 - f2) + (x2 - x1) / (x0 - x1) * f1 / (
                f2 - f1
            ) * f0 / (f2 - f0)
        share = min(max(share, reach), 1 - reach)
    return best


def minimize_scalar(f: Callable[[float], float], *, bounds, method, options):
    """Find the least value between two bounds by the golden section."""
    if method != "bounded":
        raise missing(__name__, f"minimize_scalar with method={method!r}")
    (low, high), golden = bounds, (math.sqrt(5) - 1) / 2
    x, y = high - golden * (high - low), low + golden * (high - low)
    fx, fy = f(x), f(y)
    while high - low > options["xatol"]:
        if fx <= fy:
            high, y, fy = y, x, fx
            x = high - golden * (high - low)
            fx = f(x)
        else:
            low, x, fx = x, y, fy
            y = low + golden * (high - low)
            fy = f(y)
    return SimpleNamespace(x=x, fun=fx) if fx <= fy else SimpleNamespace(x=y, fun=fy)


def minimize(fun: Callable, x0, *, jac, method, options):
    """Find the least value of a convex function with its gradient, by BFGS."""
    if jac is not True or method not in ("BFGS", "L-BFGS-B"):
        raise missing(__name__, f"minimize with method={method!r} and jac={jac!r}")
    x, inverse = np.asarray(x0, dtype=float), np.eye(np.size(x0))
    y, g = fun(x)
    g = np.asarray(g)
    for k in range(options["maxiter"]):
        if np.abs(g).max() <= options["gtol"]:
            break
        way = -inverse @ g
        step, (then, slope) = _weak_wolfe(fun, x, way, y, g)
        moved, turned = step * way, slope - g
        x, y, g = x + moved, then, slope
        along = moved @ turned
        if not along > 0:  # rounding is all that is left
            break
        if k == 0:  # the size of the inverse is known only now
            inverse *= along / (turned @ turned)
        # (I − s yᵀ/yᵀs) H (I − y sᵀ/yᵀs) + s sᵀ/yᵀs, without a product of matrices
        bent = inverse @ turned / along
        inverse -= np.outer(moved, bent) + np.outer(bent, moved)
        inverse += (1 + turned @ bent) / along * np.outer(moved, moved)
    return SimpleNamespace(x=x, fun=y, jac=g)


def _weak_wolfe(fun, x, way, y, g):
    # Bisection (Lewis and Overton 2013): far enough down, and the slope less steep.
    low, high, step = 0.0, math.inf, 1.0
    for _ in range(60):
        value, slope = fun(x + step * way)
        slope = np.asarray(slope)
        if not value <= y + 1e-4 * step * (g @ way):
            high = step
        elif slope @ way < 0.9 * (g @ way):
            low = step
        else:
            break
        step = (low + high) / 2 if high < math.inf else 2 * low
    return step, (value, slope)


def __getattr__(name: str):
    raise missing(__name__, name)
