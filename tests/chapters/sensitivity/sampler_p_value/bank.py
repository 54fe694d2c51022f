"""The bank of ``sampler_p_value``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np
from scipy.special import gammaincc, xlogy
from scipy.stats import chi2, chisquare, kstest, norm


def right_bincount(draws, edges, probabilities):
    cells = np.searchsorted(edges, draws, side="right")
    observed = np.bincount(cells, minlength=len(probabilities))
    expected = len(draws) * probabilities
    statistic = ((observed - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, len(probabilities) - 1)


def right_loop(draws, edges, probabilities):
    statistic, below = 0.0, 0
    for k, probability in enumerate(probabilities):
        last = k == len(edges)
        until = len(draws) if last else np.count_nonzero(draws < edges[k])
        expected = len(draws) * probability
        statistic += (until - below - expected) * (until - below - expected) / expected
        below = until
    return gammaincc(0.5 * len(edges), 0.5 * statistic)


def right_histogram(draws, edges, probabilities):
    observed, _ = np.histogram(draws, bins=np.concatenate([[-np.inf], edges, [np.inf]]))
    return chisquare(observed, draws.size * probabilities).pvalue


def right_complement(draws, edges, probabilities):
    n, K = np.size(draws), np.size(probabilities)
    share = np.mean(np.digitize(draws, edges)[:, None] == np.arange(K), axis=0)
    return 1 - chi2.cdf(n * np.sum(share**2 / probabilities) - n, df=K - 1)


def _observed(draws, edges):
    return np.bincount(np.digitize(draws, edges), minlength=len(edges) + 1)


def _statistic(draws, edges, probabilities):
    expected = len(draws) * probabilities
    return ((_observed(draws, edges) - expected) ** 2 / expected).sum()


def wrong_lower_tail(draws, edges, probabilities):
    statistic = _statistic(draws, edges, probabilities)
    return chi2.cdf(statistic, len(edges))


def wrong_both_tails(draws, edges, probabilities):
    statistic = _statistic(draws, edges, probabilities)
    upper = chi2.sf(statistic, len(edges))
    return 2 * min(upper, 1 - upper)


def wrong_density(draws, edges, probabilities):
    statistic = _statistic(draws, edges, probabilities)
    return chi2.pdf(statistic, len(edges))


def wrong_statistic(draws, edges, probabilities):
    return _statistic(draws, edges, probabilities)


def wrong_verdict(draws, edges, probabilities):
    return right_bincount(draws, edges, probabilities) < 1e-6


def wrong_degrees_are_cells(draws, edges, probabilities):
    return chi2.sf(_statistic(draws, edges, probabilities), len(probabilities))


def wrong_degrees_less_two(draws, edges, probabilities):
    return chi2.sf(_statistic(draws, edges, probabilities), len(probabilities) - 2)


def wrong_degrees_of_draws(draws, edges, probabilities):
    return chi2.sf(_statistic(draws, edges, probabilities), len(draws) - 1)


def wrong_over_observed(draws, edges, probabilities):
    observed = _observed(draws, edges)
    difference = observed - len(draws) * probabilities
    return chi2.sf((difference**2 / observed).sum(), len(edges))


def wrong_not_divided(draws, edges, probabilities):
    difference = _observed(draws, edges) - len(draws) * probabilities
    return chi2.sf((difference**2).sum(), len(edges))


def wrong_over_binomial_variance(draws, edges, probabilities):
    n, p = len(draws), probabilities
    scores = (_observed(draws, edges) - n * p) / np.sqrt(n * p * (1 - p))
    return chi2.sf((scores**2).sum(), len(edges))


def wrong_relative_differences(draws, edges, probabilities):
    expected = len(draws) * probabilities
    relative = (_observed(draws, edges) - expected) / expected
    return chi2.sf((relative**2).sum(), len(edges))


def wrong_not_squared(draws, edges, probabilities):
    expected = len(draws) * probabilities
    absolute = np.abs(_observed(draws, edges) - expected)
    return chi2.sf((absolute / expected).sum(), len(edges))


def wrong_signs_cancel(draws, edges, probabilities):
    expected = len(draws) * probabilities
    signed = (_observed(draws, edges) - expected) / expected
    return chi2.sf(abs(signed.sum()), len(edges))


def wrong_continuity_correction(draws, edges, probabilities):
    expected = len(draws) * probabilities
    less = np.abs(_observed(draws, edges) - expected) - 0.5
    return chi2.sf((less**2 / expected).sum(), len(edges))


def wrong_likelihood_ratio(draws, edges, probabilities):
    observed, expected = _observed(draws, edges), len(draws) * probabilities
    return chi2.sf(2 * xlogy(observed, observed / expected).sum(), len(edges))


def wrong_probabilities_as_counts(draws, edges, probabilities):
    difference = _observed(draws, edges) - probabilities
    return chi2.sf((difference**2 / probabilities).sum(), len(edges))


def wrong_statistic_of_shares(draws, edges, probabilities):
    shares = _observed(draws, edges) / len(draws)
    return chi2.sf(((shares - probabilities) ** 2 / probabilities).sum(), len(edges))


def wrong_density_of_histogram(draws, edges, probabilities):
    around = np.concatenate([[draws.min() - 1], edges, [draws.max() + 1]])
    density, _ = np.histogram(draws, bins=around, density=True)
    expected = len(draws) * probabilities
    statistic = ((len(draws) * density - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, len(edges))


def wrong_equal_probabilities(draws, edges, probabilities):
    return chisquare(_observed(draws, edges)).pvalue


def wrong_cell_below(draws, edges, probabilities):
    cells = np.searchsorted(edges, draws)
    observed = np.bincount(cells, minlength=len(probabilities))
    return chisquare(observed, len(draws) * probabilities).pvalue


def wrong_equal_width(draws, edges, probabilities):
    observed, _ = np.histogram(draws, bins=len(probabilities))
    return chisquare(observed, len(draws) * probabilities).pvalue


def wrong_outer_cells_dropped(draws, edges, probabilities):
    observed, _ = np.histogram(draws, bins=edges)
    expected = len(draws) * probabilities[1:-1]
    statistic = ((observed - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, len(edges))


def wrong_outer_cells_forgotten(draws, edges, probabilities):
    observed, _ = np.histogram(draws, bins=edges)
    return chisquare(observed, len(draws) * probabilities).pvalue


def wrong_from_least_to_largest_draw(draws, edges, probabilities):
    around = [draws.min(), *edges, draws.max()]
    observed, _ = np.histogram(draws, bins=around)
    return chisquare(observed, len(draws) * probabilities).pvalue


def wrong_last_cells_missing(draws, edges, probabilities):
    observed = np.bincount(np.digitize(draws, edges))
    return chisquare(observed, len(draws) * probabilities).pvalue


def wrong_empty_cells_skipped(draws, edges, probabilities):
    cells, observed = np.unique(np.digitize(draws, edges), return_counts=True)
    expected = len(draws) * probabilities[cells]
    statistic = ((observed - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, len(edges))


def wrong_rare_cells_skipped(draws, edges, probabilities):
    observed, expected = _observed(draws, edges), len(draws) * probabilities
    many = expected >= 5
    statistic = ((observed - expected)[many] ** 2 / expected[many]).sum()
    return chi2.sf(statistic, len(edges))


def wrong_outliers_thrown_away(draws, edges, probabilities):
    kept = draws[np.abs(draws - draws.mean()) < 2 * draws.std()]
    return right_bincount(kept, edges, probabilities)


def wrong_largest_cell(draws, edges, probabilities):
    n, p = len(draws), probabilities
    scores = (_observed(draws, edges) - n * p) / np.sqrt(n * p * (1 - p))
    return 2 * norm.sf(np.abs(scores).max())


def wrong_as_normal(draws, edges, probabilities):
    K = len(probabilities)
    statistic = _statistic(draws, edges, probabilities)
    return norm.sf((statistic - K + 1) / np.sqrt(2 * K - 2))


def wrong_other_test(draws, edges, probabilities):
    return kstest(draws, norm.cdf).pvalue


def wrong_first_draws_only(draws, edges, probabilities):
    return right_bincount(draws[:1000], edges, probabilities)


def wrong_sorts_in_place(draws, edges, probabilities):
    draws.sort()
    return right_bincount(draws, edges, probabilities)


def wrong_a_million_is_far(draws, edges, probabilities):
    observed, _ = np.histogram(draws, np.r_[-1e6, edges, 1e6])
    expected = len(draws) * probabilities
    statistic = ((observed - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, len(probabilities) - 1)


RIGHT = (right_bincount, right_loop, right_histogram, right_complement)
WRONG = {
    wrong_a_million_is_far: r"may lie far out",
    wrong_lower_tail: r"seen 0\.666; wanted 0\.334.*chance of a smaller statistic",
    wrong_both_tails: r"In which cell does each draw fall",
    wrong_density: r"In which cell does each draw fall",
    wrong_statistic: r"seen 3\.4; .*has no upper limit",
    wrong_verdict: r"bool",
    wrong_degrees_are_cells: r"as many degrees of freedom as cells",
    wrong_degrees_less_two: r"In which cell does each draw fall",
    wrong_degrees_of_draws: r"In which cell does each draw fall",
    wrong_over_observed: r"divided by what was observed",
    wrong_not_divided: r"added up as they are",
    wrong_over_binomial_variance: r"In which cell does each draw fall",
    wrong_relative_differences: r"In which cell does each draw fall",
    wrong_not_squared: r"In which cell does each draw fall",
    wrong_signs_cancel: r"In which cell does each draw fall",
    wrong_continuity_correction: r"In which cell does each draw fall",
    wrong_likelihood_ratio: r"In which cell does each draw fall",
    wrong_probabilities_as_counts: r"In which cell does each draw fall",
    wrong_statistic_of_shares: r"n is lost",
    wrong_density_of_histogram: r"In which cell does each draw fall",
    wrong_equal_probabilities: r"With equally probable cells your",
    wrong_cell_below: r"into the cell below it",
    wrong_equal_width: r"cells of equal width",
    wrong_outer_cells_dropped: r"are left out",
    wrong_outer_cells_forgotten: r"a result, without an error",
    wrong_from_least_to_largest_draw: r"with draws of shape \(15,\).*ValueError",
    wrong_last_cells_missing: r"with draws of shape \(18,\).*ValueError",
    wrong_empty_cells_skipped: r"15 draws.*Empty cells are left out",
    wrong_rare_cells_skipped: r"A cell may be empty",
    wrong_outliers_thrown_away: r"In which cell does each draw fall",
    wrong_largest_cell: r"In which cell does each draw fall",
    wrong_as_normal: r"In which cell does each draw fall",
    wrong_other_test: r"In which cell does each draw fall",
    wrong_first_draws_only: r"50,000 draws of a Laplace.*different with many",
    wrong_sorts_in_place: r"argument draws after the call",
}
