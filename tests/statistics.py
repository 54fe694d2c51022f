"""How a test of chance is made: one false-alarm rate, and power that is shown.

Every assertion here is wrong on correct code with probability 1e-6 at most, and says
what it can detect. Seeds are fixed in the tests, so that a result repeats.
"""

import numpy as np
from scipy.stats import chi2, kstest, t

FALSE_ALARM = 1e-6


def scale_interval(count, false_alarm=FALSE_ALARM):
    """Between what the mean square over σ² lies for ``count`` normal samples."""
    squares = chi2(count)
    return squares.ppf(false_alarm / 2) / count, squares.isf(false_alarm / 2) / count


def scale_power(count, ratio, false_alarm=FALSE_ALARM):
    """How likely a standard deviation that is wrong by ``ratio`` is caught."""
    low, high = scale_interval(count, false_alarm)
    squares = chi2(count)
    return squares.cdf(low * count / ratio**2) + squares.sf(high * count / ratio**2)


def assert_scale(samples, sigma, *, error=0.05, false_alarm=FALSE_ALARM):
    """Centered normal samples have standard deviation ``sigma``, tested on both sides.

    Refuses to run with so few samples that a relative ``error`` of σ, either way,
    would be missed with a probability above 1e-3. At 5 % that is about 14 000.
    """
    samples = np.asarray(samples, dtype=float).ravel()
    for ratio in (1 - error, 1 + error):
        power = scale_power(samples.size, ratio, false_alarm)
        assert power >= 0.999, (
            f"{samples.size} samples miss a deviation of {ratio:.3g} σ with "
            f"probability {1 - power:.2g}; take more, or test for a larger error"
        )
    low, high = scale_interval(samples.size, false_alarm)
    ratio = np.mean((samples / sigma) ** 2)
    assert low <= ratio <= high, (
        f"the standard deviation is {np.sqrt(ratio):.4g} times {sigma:g}; "
        f"between {np.sqrt(low):.4g} and {np.sqrt(high):.4g} times is chance"
    )


def assert_distribution(samples, distribution, *, false_alarm=FALSE_ALARM):
    """Independent samples follow a continuous, frozen SciPy distribution."""
    samples = np.asarray(samples, dtype=float).ravel()
    found = kstest(samples, distribution.cdf)
    assert found.pvalue >= false_alarm, (
        f"{samples.size} samples are {found.statistic:.3g} from the distribution "
        f"(Kolmogorov-Smirnov), p = {found.pvalue:.2g}"
    )


def mean_margin(samples, false_alarm=FALSE_ALARM):
    """How far the sample mean strays, one-sided, by Student's t (normal means)."""
    samples = np.asarray(samples, dtype=float).ravel()
    assert samples.size >= 50, "a mean over fewer than 50 runs is not yet normal"
    error = np.std(samples, ddof=1) / np.sqrt(samples.size)
    return float(t(samples.size - 1).isf(false_alarm) * error)


def assert_mean_below(samples, bound, *, false_alarm=FALSE_ALARM):
    """Refute only an expectation that is above ``bound`` beyond chance.

    Also demands that the margin of chance is under half of the bound: a measurement so
    coarse that a bound twice too small would pass is not a test.
    """
    margin, mean = mean_margin(samples, false_alarm), float(np.mean(samples))
    assert margin <= abs(bound) / 2, (
        f"the margin of chance {margin:.3g} is over half the bound {bound:.3g}: "
        "take more runs"
    )
    assert mean - margin <= bound, (
        f"the mean {mean:.6g} exceeds the bound {bound:.6g} by more than the margin "
        f"of chance {margin:.3g}"
    )


def assert_mean_near(samples, value, *, error, false_alarm=FALSE_ALARM):
    """The expectation is ``value``; a mistake of ``error`` or more must show."""
    margin = mean_margin(samples, false_alarm / 2)
    assert 2 * margin <= error, (
        f"the margin of chance {margin:.3g} hides an error of {error:.3g}: "
        "take more runs"
    )
    mean = float(np.mean(samples))
    assert abs(mean - value) <= margin, (
        f"the mean {mean:.6g} is not {value:.6g} (margin of chance {margin:.3g})"
    )


def slope(x, y):
    """The exponent a of y ~ xᵃ, by least squares in logarithms."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
