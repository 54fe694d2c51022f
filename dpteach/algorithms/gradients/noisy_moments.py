"""Section 6.5.2. Noisy statistics: least squares and principal components."""

from math import sqrt

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_like,
    as_rng,
    namespace,
    standard_normal,
)
from ...privacy import Gaussian, Relation, Release
from ._moments import (
    bounded_labels,
    bounded_rows,
    moments,
    symmetric_noise,
)


def moments_sensitivity(
    *,
    row_norm: float,
    label_bound: float,
    relation: Relation = Relation.ADD_REMOVE,
) -> float:
    r"""Bound how far one record moves :math:`(X^\top X, X^\top y)`. [Section 6.5.2]

    Parameters
    ----------
    label_bound : float
        :math:`Y`, at least every :math:`|y_i|`; 0 for :math:`X^\top X` alone.

    Returns
    -------
    float
        :math:`\sqrt{B^4 + B^2Y^2}` for a record added, removed or zeroed out; for one
        replaced :math:`\sqrt{2B^4 + 2B^2Y^2 + Y^4/2}` if :math:`Y^2 \le 2B^2`, else
        :math:`2BY`. A symmetric matrix counts as its diagonal and √2 times the entries
        above it, so that its norm is the Frobenius norm.

    Examples
    --------
    >>> moments_sensitivity(row_norm=1.0, label_bound=0.0)
    1.0
    """
    row_norm = checks.moderate(row_norm=row_norm)
    label_bound = checks.between(0, 1e100, label_bound=label_bound)
    checks.instance(Relation, relation=relation)
    B, Y = row_norm, label_bound
    if relation is not Relation.REPLACE:
        return B * sqrt(B * B + Y * Y)
    if Y * Y <= 2 * B * B:
        return (2 * B * B + Y * Y) / sqrt(2)
    return 2 * B * Y


def least_squares_by_moments(
    X: Array,
    y: Array,
    *,
    row_norm: float,
    label_bound: float,
    noise_multiplier: float,
    regularization: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Solve least squares from noisy :math:`X^\top X` and :math:`X^\top y`.

    Sources: Section 6.5.2, on linear regression; Dwork, Talwar, Thakurta and Zhang
    (2014); Sheffet (2019).

    Parameters
    ----------
    X, y : Array
        Features, shape ``(n, p)``, and labels, shape ``(n,)``.
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation over ``moments_sensitivity``,
        halved for a replaced record so that the event prices it.
    regularization : float
        :math:`\Lambda` on the diagonal, public: large enough that the noisy matrix can
        be trusted, about λB²√p.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a row or a label beyond its bound is cut down to it or refused; the
        error tells of that record, and the event does not cover it.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``: computed from published values alone.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).choice([-0.5, 0.5], (5000, 4))
    >>> out = least_squares_by_moments(X, X[:, 0], row_norm=1.0, label_bound=0.5,
    ...                                noise_multiplier=4.0, regularization=1.0, rng=0)
    >>> out.theta.round(1) + 0.0
    array([1., 0., 0., 0.])
    """
    given, X = X, bounded_rows(X, row_norm, out_of_bounds)
    y = bounded_labels(y, X, label_bound, out_of_bounds)
    noise_multiplier, regularization = checks.moderate(
        noise_multiplier=noise_multiplier, regularization=regularization
    )
    runs = checks.shape(X.shape[1] ** 2, runs=runs)
    reach = moments_sensitivity(
        row_norm=row_norm, label_bound=label_bound, relation=relation
    )
    xp, p = namespace(X), X.shape[1]
    rng, sigma = as_rng(rng), noise_multiplier * reach / relation.sensitivity

    # 1: A ← XᵀX + E, where E is symmetric, N(0, σ²) on the diagonal, N(0, σ²/2) off it
    A = moments(X, X) + sigma * symmetric_noise(rng, runs, p, X)
    # 2: v ← Xᵀy + e, where e ∼ N(0, σ² I_p)
    v = moments(X, y) + sigma * standard_normal(rng, (*runs, p), X)
    # 3: Output θ_priv = (A + Λ I)⁻¹ v
    ridge = regularization * xp.eye(p, dtype=X.dtype, device=X.device)
    theta = as_like(xp.linalg.solve(A + ridge, v[..., None])[..., 0], given)
    event = Gaussian(noise_multiplier, relation=relation)
    return Release(theta=theta, path=theta[None, ...], event=event)


def principal_components(
    X: Array,
    *,
    row_norm: float,
    components: int,
    noise_multiplier: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Find principal components of a noisy :math:`X^\top X`. [Section 6.5.2]

    A record's xxᵀ has Frobenius norm ‖x‖², so off the diagonal, where each entry counts
    twice, the noise has half the variance. Source: Dwork, Talwar, Thakurta and Zhang
    (2014).

    Parameters
    ----------
    X : Array
        Shape ``(n, p)``, not centered.
    components : int
        How many components, at most p.
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation over :math:`B^2`, times
        :math:`\sqrt 2/2` for a replaced record.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a row beyond B is scaled down to it or refused; the error tells of that
        record, and the event does not cover it.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, components, p)``: unit rows, the strongest first.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.zeros((900, 3))
    >>> X[:, 1] = 1.0
    >>> out = principal_components(X, row_norm=1.0, components=1, noise_multiplier=4.0,
    ...                            rng=0)
    >>> np.abs(out.theta).round(1) + 0.0
    array([[0., 1., 0.]])
    """
    given, X = X, bounded_rows(X, row_norm, out_of_bounds)
    components = checks.count(components=components)
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    runs = checks.shape(X.shape[1] ** 2, runs=runs)
    reach = moments_sensitivity(row_norm=row_norm, label_bound=0.0, relation=relation)
    xp, p = namespace(X), X.shape[1]
    if components > p:
        raise ValueError(f"`components` must be at most {p}, got {components}.")
    rng, sigma = as_rng(rng), noise_multiplier * reach / relation.sensitivity

    # 1: A ← XᵀX + E, where E is symmetric, N(0, σ²) on the diagonal, N(0, σ²/2) off it
    A = moments(X, X) + sigma * symmetric_noise(rng, runs, p, X)
    # 2: Output the eigenvectors of A with the largest eigenvalues
    _, vectors = xp.linalg.eigh(A)
    theta = xp.flip(xp.matrix_transpose(vectors), axis=-2)[..., :components, :]
    theta = as_like(theta, given)
    event = Gaussian(noise_multiplier, relation=relation)
    return Release(theta=theta, path=theta[None, ...], event=event)
