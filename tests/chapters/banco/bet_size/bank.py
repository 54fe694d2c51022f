"""The bank of ``bet_size``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(100)
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2


def support(X, Y):
    """Where t sinh(tX) exp(−t²Y) is not below 1e-19 of its largest value."""
    top = min(1.0, X / (2 * Y))
    reach = min(9 / math.sqrt(Y), 45 / max(X - 2 * Y, 1e-9))
    return max(0.0, top - reach), min(1.0, top + 9 / math.sqrt(Y))


def right_gauss_legendre(x, y, a):
    X, Y = a * abs(x), a * a * y
    if X == 0:
        return 0.0
    low, high = support(X, Y)
    t = low + (high - low) * NODES
    logs = np.log(t) + t * X + np.log(-np.expm1(-2 * t * X) / 2) - t * t * Y
    top = logs.max()
    total = (high - low) * (WEIGHTS @ np.exp(logs - top))
    return math.copysign(a * math.exp(top + math.log(total)), x)


def right_simpson(x, y, a):
    # many plain nodes, and hyperbolic sines as differences that do not cancel
    z, stretch = abs(x), math.sqrt(y)
    low, high = (a * each for each in support(a * z, a * a * stretch**2))
    beta = np.linspace(low, high, 6001)
    peak = np.max(beta * z - beta**2 * y)
    f = beta * np.exp(beta * z - beta**2 * y - peak) * -np.expm1(-2 * beta * z)
    simpson = (4 * f[1::2].sum() + 2 * f[2:-1:2].sum() + f[0] + f[-1]) / 3
    return np.sign(x) * simpson * (beta[1] - beta[0]) / (2 * a) * math.exp(peak)


def right_error_functions(x, y, a):
    r = a * math.sqrt(y)
    h = abs(x) / (2 * math.sqrt(y))
    if r < 6 or h > r:  # the bump is not inside the interval
        return right_gauss_legendre(x, y, a)
    u, v = r + h, r - h
    bump = math.sqrt(math.pi) * h * (math.erf(u) + math.erf(v))
    bump -= math.exp(-v * v) - math.exp(-u * u)
    return math.copysign(bump * math.exp(h * h) / (4 * a * y), x) if x else 0.0


def right_double_exponential(x, y, a):
    X, Y = a * abs(x), a * a * y
    if not X:
        return 0.0
    low, high = support(X, Y)
    s = np.arange(-300, 301) / 100
    g = np.exp(np.pi / 2 * np.sinh(s))
    t = low + (high - low) * g / (g + 1 / g)
    weight = (high - low) * np.pi / 100 * np.cosh(s) / (g + 1 / g) ** 2
    logs = t * X - t * t * Y
    f = t * np.exp(logs - logs.max()) * -np.expm1(-2 * t * X) / 2 * weight
    return np.sign(x) * a * f.sum() * np.exp(logs.max())


def wrong_printed(x, y, a):
    root = 2 * math.sqrt(y)
    erfs = math.erf((2 * a * y + x) / root) + math.erf((2 * a * y - x) / root)
    inner = math.sqrt(math.pi) * x * math.exp((2 * a * y + x) ** 2 / (4 * y)) * erfs
    inner += root * (1 - math.exp(2 * a * x))
    return math.exp(-a * (a * y + x)) * inner / (8 * a * y**1.5)


def wrong_printed_in_floats_that_stay(x, y, a):
    try:
        return wrong_printed(x, y, a) if abs(a * x) > 1e-2 else a * a * x / 3
    except OverflowError:
        return float("inf")


def wrong_plain_rule(x, y, a):
    nodes, weights = np.polynomial.legendre.leggauss(60)
    beta = a * nodes
    return weights @ (beta * np.exp(beta * x - beta**2 * y)) / 2


def wrong_too_few_nodes(x, y, a):
    beta = np.linspace(-a, a, 20001)
    f = beta * np.exp(beta * x - beta**2 * y)
    return np.trapezoid(f, beta) / (2 * a)


def wrong_integral(x, y, a):
    return 2 * a * right_gauss_legendre(x, y, a)


def wrong_half_the_length(x, y, a):
    return 2 * right_gauss_legendre(x, y, a)


def wrong_wealth(x, y, a):
    beta = a * (2 * NODES - 1)
    return WEIGHTS @ np.exp(beta * x - beta**2 * y)


def wrong_sign_of_variance(x, y, a):
    beta = a * (2 * NODES - 1)
    return WEIGHTS @ (beta * np.exp(beta * x + beta**2 * y))


def wrong_half_the_stakes(x, y, a):
    beta = a * NODES
    return WEIGHTS @ (beta * np.exp(beta * x - beta**2 * y)) / 2


def wrong_half_the_variance(x, y, a):
    return right_gauss_legendre(x, y / 2, a)


def wrong_limit(x, y, a):
    return math.sqrt(math.pi) * x * math.exp(x * x / (4 * y)) / (4 * a * y**1.5)


def wrong_loses_the_sign(x, y, a):
    return abs(right_gauss_legendre(x, y, a))


def wrong_returns_the_logarithm(x, y, a):
    return math.log(abs(right_gauss_legendre(x, y, a)))


def wrong_zero_over_zero(x, y, a):
    return np.divide(x, abs(x)) * abs(right_gauss_legendre(x, y, a))


def wrong_never_zero(x, y, a):
    return right_gauss_legendre(x, y, a) + 1e-11 * (x == 0)


def wrong_capped_exponent(x, y, a):
    X, Y = a * abs(x), a * a * y
    if X == 0:
        return 0.0
    low, high = support(X, Y)
    t = low + (high - low) * NODES
    f = t * np.sinh(np.minimum(t * X, 300.0)) * np.exp(-np.minimum(t * t * Y, 700))
    return np.sign(x) * a * (high - low) * (WEIGHTS @ f)


def wrong_six_digits(x, y, a):
    return float(f"{right_gauss_legendre(x, y, a):.6g}")


def wrong_array(x, y, a):
    return np.atleast_1d(right_gauss_legendre(x, y, a))


def wrong_forgets_return(x, y, a):
    right_gauss_legendre(x, y, a)


def wrong_zero_below_a_millionth(x, y, a):
    return 0.0 if abs(x) < 1e-6 else right_gauss_legendre(x, y, a)


RIGHT = (
    right_gauss_legendre,
    right_simpson,
    right_error_functions,
    right_double_exponential,
)
WRONG = {
    wrong_printed: r"x = 3e-06, .*off by 9\.9e-09.*both signs cancel",
    wrong_printed_in_floats_that_stay: r"x = 0\.0001.*digits are lost",
    wrong_plain_rule: r"y = 1\.0\d+e\+04.*where the integrand is not 0|digits are lost",
    wrong_too_few_nodes: r"x = 1\.3, .*off by 2\.6e-09.*The formula is right here",
    wrong_integral: r"x = 1\.3.*a mean over the stakes",
    wrong_half_the_length: r"x = 1\.3.*twice what it should be",
    wrong_wealth: r"x = 1\.3.*each stakes β times",
    wrong_sign_of_variance: r"x = 1\.3.*sign before β² y",
    wrong_half_the_stakes: r"x = 1\.3.*Stakes below 0",
    wrong_half_the_variance: r"x = 1\.3.*all of y",
    wrong_limit: r"x = 1\.3.*limit of many reports",
    wrong_loses_the_sign: r"x = -3, .*odd in x",
    wrong_returns_the_logarithm: r"x = 1\.3.*seen -2\.8",
    wrong_zero_over_zero: r"seen nan",
    wrong_never_zero: r"x = 0, .*seen 1e-11.*The stakes β and −β cancel",
    wrong_capped_exponent: r"x = (3000|1000|-400), .*off by",
    wrong_six_digits: r"x = 1\.3.*off by 6\.0e-07.*last digits",
    wrong_array: r"seen shape \(1,\).*the number itself",
    wrong_forgets_return: r"seen None.*Is the return missing",
    wrong_zero_below_a_millionth: r"the bet at x = 1e-07",
}
