"""Figures of the chapter on matrix factorization: what they must show."""

from math import log, pi, sqrt

import numpy as np
import pytest

from dpteach.accounting import epsilon_of
from dpteach.algorithms.matrices.optimal_factorization import optimal_factorization
from dpteach.algorithms.matrices.toeplitz import banded_event, banded_factorization
from dpteach.chapters.matrix_factorization import bands, memory, norm
from dpteach.chapters.matrix_factorization import matrices as figures
from dpteach.privacy import Relation

NAMES = tuple(figures.FACTORIZATIONS)


def test_the_heat_maps_are_the_two_matrices():
    """The full cells, put back into their places, are |C| and |B|."""
    for name in ("tree", "square root"):
        made = figures.made(name, 16)
        for mark, matrix in zip(
            figures.two_matrices(name), (made.encoder, made.decoder), strict=False
        ):
            shape, size = matrix.shape, matrix.size
            assert np.allclose(mark.level[:size].reshape(shape), matrix / matrix.max())
            assert not mark.level[size:].any()
            row = np.rint((1 - mark.y[:size]) * shape[0] - 0.5).astype(int)
            column = np.rint(mark.x[:size] * shape[1] - 0.5).astype(int)
            assert (np.ravel_multi_index((row, column), shape) == np.arange(size)).all()


def test_the_one_plot_has_the_packages_errors():
    for name in NAMES:
        now, bound = figures.error_against_steps(64, name)[2:4]
        i = figures.LENGTHS.index(64)
        assert now.y[i] == figures.made(name, 64).mean_error
        assert (now.y > bound.y).all()
    certificate = optimal_factorization(64)[1]
    best = figures.error_against_steps(64, "optimal")[2].y[i]
    assert certificate <= best <= 1.001 * certificate


def test_noise_of_sampled_bands_is_stored_as_computed():
    """Fast entries again, and that each costs its ε and no less."""
    stored = bands.noise_of_sampled_bands
    given = stored.arguments
    few = stored.compute(**given | {"epsilons": (2.0,), "bands": (256, 1024)})
    row = stored()["noise"][given["epsilons"].index(2.0)]
    assert few["noise"][0] == pytest.approx(row[-2:], rel=1e-5)
    assert few["error"] == pytest.approx(stored()["error"][-2:], rel=1e-5)
    event = banded_event(
        1024,
        bands=256,
        sampling_rate=1e-3,
        noise_multiplier=row[-2],
        relation=Relation.ZERO_OUT,
    )
    assert epsilon_of(event, 1e-5) == pytest.approx(2.0, rel=1e-4)


def valley_of(epsilon):
    """The curve of one budget."""
    marks = bands.bands_and_sampling(epsilon, 1.0, 1)
    return next(mark for mark in marks if mark.label == "noise of a sum")


@pytest.mark.parametrize("epsilon", bands.BUDGETS)
def test_the_parts_of_a_bar_are_what_is_lost_of_two_gains(epsilon):
    """One band loses no sampling and all bands no correlation; the parts multiply."""
    marks = bands.bands_and_sampling(epsilon, 1.0, 64)
    ends = [(part.y - part.height / 2, part.y + part.height / 2) for part in marks[:3]]
    (floor, least), (begin, sampled), (middle, whole) = ends
    assert floor == pytest.approx(np.ones(6))
    assert begin == pytest.approx(least)
    assert middle == pytest.approx(sampled)
    assert whole == pytest.approx(valley_of(epsilon).y)
    assert sampled[0] == pytest.approx(least[0])
    assert sampled[-1] == pytest.approx(whole[-1])
    multipliers, errors = (
        np.array(bands.noise_of_sampled_bands()[name]) for name in ("noise", "error")
    )
    row = multipliers[bands.BUDGETS.index(epsilon)]
    assert sampled / least == pytest.approx(row / row[0])
    assert whole / sampled == pytest.approx(errors / errors[-1])


def test_the_valley_of_bands():
    """σ times the error, T = 1024, q = 1/1000, δ = 10⁻⁵: the reference's figures.

    They were computed by another accountant, of privacy loss distributions.
    """
    known = {
        0.5: {1: 16.5, 1024: 21.9},
        1.0: {1: 14.5, 64: 6.53, 1024: 11.6},
        2.0: {1: 12.7, 64: 4.65, 1024: 6.20},
        4.0: {1: 10.7, 1024: 3.36},
        8.0: {1: 8.73, 1024: 1.87},
    }
    for epsilon, row in known.items():
        valley = valley_of(epsilon)
        for b, noise in row.items():
            at = bands.BANDS.index(b)
            assert valley.y[at] == pytest.approx(noise, rel=5e-3)
    best = [bands.BANDS[int(np.argmin(valley_of(e).y))] for e in bands.BUDGETS]
    assert best == sorted(best)  # the larger the budget, the less sampling is worth
    assert best[1] == 64
    assert best[-1] == 1024


def test_what_the_chapter_says_of_constants():
    tree = figures.made("tree, Honaker", 512).mean_error
    assert tree / figures.made("optimal", 512).mean_error > 1.87
    buffers = figures.made("two buffers", 512).mean_error
    assert buffers < 1.05 * figures.made("optimal", 512).mean_error
    c = figures.made("square root", 512).encoder[:, 0]
    assert c[-1] == pytest.approx(1 / sqrt(np.pi * 511), rel=1e-3)
    assert banded_factorization(16, bands=1).mean_error == pytest.approx(sqrt(8.5))
    for width, said in ((64, 2.80), (256, 2.67)):
        found = banded_factorization(256, bands=width).mean_error
        assert found == pytest.approx(said, abs=0.005)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`steps` must be one of"):
        figures.error_against_steps(5, "optimal")
    with pytest.raises(ValueError, match="`factorization` must be one of"):
        figures.two_matrices("best")
    with pytest.raises(ValueError, match="`bands` must be one of"):
        bands.bands_and_error(3)
    with pytest.raises(ValueError, match="`epsilon` must be one of"):
        bands.bands_and_sampling(3.0, 1.0, 1)
    with pytest.raises(ValueError, match="`steps` must be one of"):
        norm.beside_the_logarithm(3)
    with pytest.raises(ValueError, match="`epochs` must be one of"):
        memory.memory_and_error(3, 2)
    with pytest.raises(ValueError, match="`memory` must be one of"):
        memory.memory_and_error(4, 5)


def test_error_of_memory_is_stored_as_computed():
    stored = memory.error_of_memory
    few = stored.compute(**stored.arguments | {"passes": (2,)})
    i = memory.PASSES.index(2)
    for kind, rows in few.items():
        assert np.allclose(rows[0], stored()[kind][i], rtol=1e-5), kind


def test_what_memory_buys():
    """More of it is never worse, nothing is below the bound, and the text's numbers."""
    rows = memory.error_of_memory()
    for epochs in memory.PASSES:
        bound = rows["bound"][memory.PASSES.index(epochs)]
        errors = [memory.best_of(epochs, m)[1] for m in memory.MEMORIES]
        assert errors == sorted(errors, reverse=True)
        assert min(errors) > bound
        assert memory.best_of(epochs, 2)[0] == "buffers"
    i = memory.PASSES.index(4)
    near = [rows["buffers"][i][1][1], rows["bands"][i][-1][1]]
    assert 1.11 < near[0] / rows["bound"][i] < 1.12
    assert 1.06 < near[1] / rows["bound"][i] < 1.07
    assert rows["dense"][i][0][1] < 1.0001 * rows["bound"][i]
    assert 0.25 < rows["again"][i][0][1] / rows["bands"][i][0][1] < 0.27


def test_the_constants_beside_the_logarithm():
    """The curves are the package's errors less (ln T)/π, and the text's numbers."""
    root, upper, best, lower, point, _ = norm.beside_the_logarithm(64)
    at = norm.LENGTHS.index(64)
    taken_off = log(64) / pi
    assert root.y[at] + taken_off == pytest.approx(
        figures.made("square root", 64).max_error
    )
    proof = optimal_factorization(64, objective="max")[1]
    assert proof <= best.y[at] + taken_off <= 1.001 * proof
    assert (lower.y[: len(best.y)] < best.y).all()
    assert (best.y < upper.y[: len(best.y)]).all()
    assert (np.diff(best.y) < 0).all()
    assert point.y.tolist() == [lower.y[at], upper.y[at]]
    assert root.y[-1] == pytest.approx(1.066, abs=5e-4)
    assert upper.y[-1] == pytest.approx(0.981, abs=5e-4)
    assert lower.y[-1] == pytest.approx(0.702, abs=5e-4)
    said = {16: 0.822, 64: 0.788, 256: 0.768}
    for T, constant in said.items():
        found = optimal_factorization(T, objective="max")[1] - log(T) / pi
        assert found == pytest.approx(constant, abs=6e-4)
