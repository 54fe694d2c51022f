"""Beyond trees. The bands of least error, with one coefficient per lag or per entry."""

import numpy as np

from ... import checks
from ._matrices import decoder_of
from .factorization import Factorization
from .toeplitz_encoder import Bands


def optimal_bands(steps: int, *, bands: int, objective: str = "mean") -> Bands:
    r"""Choose the b coefficients of least error, for visits at least b steps apart.

    Parameters
    ----------
    steps : int
        :math:`T`. The work grows as bT: a second for 10⁵ steps and 16 bands.
    bands : int
        :math:`b`, at most T. A stream keeps b - 1 vectors.
    objective : {"mean", "max"}, optional
        Which error to minimize: the root of the mean variance, or the largest.

    Returns
    -------
    Bands
        A local minimum of :math:`\|c\|` times the error of C⁻¹. With k visits at least
        b steps apart, the sensitivity is √k times that of one.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or ``bands`` exceeds ``steps``.

    References
    ----------
    * Choquette-Choo and others (2023), (Amplified) Banded Matrix Factorization: A
      Unified Approach to Private Training.

    Examples
    --------
    >>> from dpteach.algorithms import banded_factorization
    >>> round(optimal_bands(256, bands=16).mean_error(256), 3)
    3.638
    >>> round(banded_factorization(256, bands=16).mean_error, 3)  # of the square root
    3.858
    """
    from scipy.optimize import minimize  # scipy here: importing stays fast
    from scipy.signal import lfilter

    steps, bands = checks.count(steps=steps, bands=bands)
    _check_bands(bands, steps, "steps")
    checks.fits(8 * steps, steps=steps)
    checks.one_of(("mean", "max"), objective=objective)
    share = np.arange(steps, 0, -1) / steps if objective == "mean" else np.ones(steps)

    def log_error(x: np.ndarray) -> tuple[float, np.ndarray]:
        c = np.append(1.0, x)
        d = np.asarray(
            lfilter([1.0], c, np.ones(steps))
        )  # B's first column: 1/((1 - z)c(z))
        if not np.abs(d).max() < 1e8:  # a step too far
            return 100.0, np.zeros(len(x))
        variance, size, e = share @ (d * d), c @ c, np.asarray(lfilter([1.0], c, d))
        slope = [-2 * (share[j:] * d[j:]) @ e[: steps - j] for j in range(1, bands)]
        log = np.log(variance) / 2 + np.log(size) / 2
        return float(log), np.array(slope) / (2 * variance) + x / size

    k = np.arange(1, bands)
    root = np.cumprod((2 * k - 1) / (2 * k))
    options = {"maxiter": 3000, "maxcor": 30, "ftol": 1e-15, "gtol": 1e-9}
    if bands > 1:
        root = minimize(log_error, root, jac=True, method="L-BFGS-B", options=options).x
    return Bands((1.0, *root.tolist()))


def optimal_banded_factorization(
    steps: int, *, bands: int, participations: int, separation: int
) -> Factorization:
    r"""Choose all entries of b bands, for k visits at least d ≥ b steps apart.

    Columns d apart are orthogonal, so the squared sensitivity is the largest sum of k
    columns' squared norms w_j, d or more apart. By duality of linear programs it is the
    least :math:`k\mu + \sum_s y_s` over :math:`\mu, y_s \ge 0` with :math:`w_j \le \mu
    + \sum_{j-d < s \le j} y_s`. With equality there, μ, y and the entries of the
    columns are free, and the problem is smooth.

    Parameters
    ----------
    steps : int
        :math:`T`. The work grows as T³: seconds for 256 steps.
    bands : int
        :math:`b`, at most ``separation``. A stream keeps b - 1 vectors.
    participations : int
        :math:`k`, how often a record may take part, at most.
    separation : int
        :math:`d`, the least number of steps between two participations.

    Returns
    -------
    Factorization
        With a lower-triangular encoder of b bands. In :math:`C^\top C` the problem is
        convex; a few hundred quasi-Newton steps end near its minimum.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or ``bands`` exceeds ``separation``.

    Notes
    -----
    DP-BandMF (Choquette-Choo and others, 2023) makes all columns equally long (here:
    y = 0), which costs 2 to 3% more if a record comes in every pass.

    References
    ----------
    * Choquette-Choo and others (2023), (Amplified) Banded Matrix Factorization: A
      Unified Approach to Private Training.

    Examples
    --------
    >>> from dpteach.algorithms import participation_sensitivity
    >>> rules = {"participations": 4, "separation": 16}
    >>> best = optimal_banded_factorization(64, bands=16, **rules)
    >>> moved = participation_sensitivity(best, **rules)
    >>> moved.exact, round(best.mean_error * moved.value / best.sensitivity, 2)
    (True, 4.49)
    """
    from scipy.optimize import minimize  # scipy here: importing stays fast

    steps, bands = checks.count(steps=steps, bands=bands)
    participations, separation = checks.count(
        participations=participations, separation=separation
    )
    checks.fits(12 * steps**2, steps=steps)
    d = min(separation, steps)
    k = min(participations, -(-steps // d))
    _check_bands(bands, d, "separation")
    start = optimal_bands(steps, bands=bands).encoder_column(steps)
    i, j = np.nonzero(np.tri(steps) - np.tri(steps, k=-bands))
    windows = np.full(steps - d + 1, 0.01 / steps)
    windows[::d] = d / steps
    found = minimize(
        _log_error,
        np.concatenate([start[i - j], np.log(windows), [-np.log(k)]]),
        args=(i, j, len(windows), k),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 500, "maxcor": 20, "ftol": 1e-11, "gtol": 1e-8},
    ).x
    columns, lengths, _ = _encoder(found, i, j, len(windows))
    return Factorization(decoder_of(columns * lengths), columns * lengths)


def _encoder(
    x: np.ndarray, i: np.ndarray, j: np.ndarray, windows: int
) -> tuple[np.ndarray, ...]:
    """Return C's columns at norm 1, their lengths √w in C, and their norms before."""
    T = int(i[-1]) + 1
    columns = np.zeros((T, T))
    columns[i, j] = x[: len(i)]
    norms = np.linalg.norm(columns, axis=0)
    y, mu = _dual(x, i)
    w = mu + np.convolve(y, np.ones(T - windows + 1))
    return columns / norms, np.sqrt(w), norms


def _dual(x: np.ndarray, i: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return y and μ; only a trial step that is far too long meets the limits."""
    logs = np.clip(x[len(i) :], -50, 50)
    return np.exp(logs[:-1]), np.exp(logs[-1])


def _log_error(
    x: np.ndarray, i: np.ndarray, j: np.ndarray, windows: int, k: int
) -> tuple[float, np.ndarray]:
    """Compute log(√(kμ + Σ y) ‖A C⁻¹‖_F) and its slope."""
    from scipy.linalg import solve_triangular

    D, lengths, norms = _encoder(x, i, j, windows)
    y, mu = _dual(x, i)
    B = decoder_of(D * lengths)
    variance, moved = np.sum(B * B), np.sum(y) + k * mu
    by_C = solve_triangular(D * lengths, B.T @ B, lower=True).T * (-2 / variance)
    by_w = np.sum(by_C * D, axis=0) / lengths / 2
    by_D = by_C * lengths
    by_entry = (by_D - D * np.sum(by_D * D, axis=0)) / norms
    by_y = np.convolve(by_w, np.ones(len(D) - windows + 1), mode="valid")
    slope = [by_entry[i, j], y * (by_y + 1 / moved), [mu * (by_w.sum() + k / moved)]]
    return float(np.log(variance * moved)) / 2, np.concatenate(slope) / 2


def _check_bands(bands: int, most: int, name: str) -> None:
    if bands > most:
        raise ValueError(f"`bands` must be at most `{name}`={most}, got {bands}.")
