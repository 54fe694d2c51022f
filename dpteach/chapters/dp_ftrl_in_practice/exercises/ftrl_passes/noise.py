"""The noise in all models of DP-FTRL, found exactly: for ``ftrl_passes``."""

from itertools import product
from math import sqrt

import numpy as np

from .....algorithms.matrices.factorization import Factorization
from .....auditing import NoiseMap, exact_mu
from .....grading.ladder import demand_measured_noise, found_noise
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import NOISES, each_pass_anew, noise_rows


def place(row: int, T: int) -> str:
    """Say which model stands in a row."""
    if row == 0:
        return "θ_1, the first row"
    return f"θ_{row + 1}, after batch {(row - 1) % T + 1} of pass {(row - 1) // T + 1}"


def counted(n: int, T: int) -> str:
    """Say how many records there are in how many batches."""
    return f"{n} records in {T} batch" + ("es" if T > 1 else "")


def shown(v: np.ndarray) -> str:
    """Write a vector with four digits."""
    return "(" + ", ".join(f"{each:.4g}" for each in v + 0.0) + ")"


def demand_noise(
    student: Student,
    rng: np.random.Generator,
    factors: Factorization,
    epochs: int,
    p: int,
    gamma: float,
    runs: int,
) -> None:
    """Look at the noise alone: records of zeros have no gradient, at any model.

    ``runs`` says how often to look where it must be measured.
    """
    B, sigma, reg = factors.decoder, 1.3, 2.5
    T, shape = len(B), (epochs * len(B) + 1, p)
    arguments = np.zeros((T, p)), B, epochs, sigma, reg, gamma
    N = sigma * noise_rows(each_pass_anew(B, epochs), reg, gamma)
    told = (
        f"records of zeros in {T} batches, epochs = {epochs}, sigma = {sigma}, "
        f"reg = {reg}, gamma = {gamma:g}"
    )
    found = found_noise(student, shape, *arguments)
    if isinstance(found, str):
        root = np.linalg.cholesky(N[1:] @ N[1:].T)

        def normals(samples: np.ndarray) -> np.ndarray:
            return np.linalg.solve(root, samples[:, 1:]).reshape(len(samples), -1)

        what = f"the noise of all models, each made independent of the others; {told}"
        demand_measured_noise(
            student, shape, rng, arguments, normals, what, found, (runs,)
        )
    else:
        wanted = np.kron(N @ N.T, np.eye(p))
        _demand_distribution(found, wanted, factors, arguments, told)


def _demand_distribution(
    found: NoiseMap,
    wanted: np.ndarray,
    factors: Factorization,
    arguments: tuple,
    told: str,
) -> None:
    if np.abs(found.mean).max() > 1e-9:
        raise Fault(
            f"the models when all draws are 0; {told}",
            f"an entry of {found.mean[np.abs(found.mean).argmax()]:.4g}",
            "0 in all",
            "Noise must be centered at 0.",
        )
    if (np.abs(found.covariance - wanted) > 1e-7 * wanted.max()).any():
        raise _noise_fault(found, wanted, factors, arguments, told)


def _noise_fault(
    found: NoiseMap,
    wanted: np.ndarray,
    factors: Factorization,
    arguments: tuple,
    told: str,
) -> Fault:
    zeros, B, epochs, sigma, reg, gamma = arguments
    p, hint = zeros.shape[1], _noise_hint(found.covariance, arguments)
    mu = max(
        exact_mu(found.matrix, np.kron(move[:, None], np.eye(p)))
        for move in _moves(len(B), epochs, reg, gamma)
    )
    most = sqrt(epochs) * factors.sensitivity / sigma
    if mu > most * (1 + 1e-6):
        return Fault(
            f"the privacy of a record, from all models together; {told}",
            f"μ = {mu:.4g}",
            f"μ of at most {most:.4g}, as {epochs} passes with this B promise"
            if epochs > 1
            else f"μ of at most {most:.4g}, as a pass with this B promises",
            hint,
        )
    return _size_fault(found.covariance, wanted, len(B), p, told, hint)


def _moves(T: int, epochs: int, reg: float, gamma: float) -> list[np.ndarray]:
    """List how a record in batch t, of gradient 1 or −1 in each pass, moves the models.

    Privacy loss is convex in the gradients: no others do worse, if p = 1.
    """
    moves = []
    for signs in product((1.0,), *[(1.0, -1.0)] * (epochs - 1)):
        steps = np.kron(np.array(signs)[:, None], np.eye(T))
        sums = np.cumsum(steps, axis=0).reshape(epochs, T, T)
        moves += list(noise_rows(sums, reg, gamma, carried=0.0).T)
    return moves


def _size_fault(
    found: np.ndarray, wanted: np.ndarray, T: int, p: int, told: str, hint: str
) -> Fault:
    """Name the first model whose noise has another size; else two that are linked."""
    off = np.abs(found - wanted) > 1e-7 * wanted.max()
    if np.diag(off).any():
        k = int(np.argmax(np.diag(off)))
        return Fault(
            f"the standard deviation of the noise in {place(k // p, T)}; {told}",
            f"{sqrt(found[k, k]):.4g}",
            f"{sqrt(wanted[k, k]):.4g}",
            hint,
        )
    i, j = (int(k) for k in np.argwhere(off)[0])
    where = (
        f"coordinate {i % p + 1} of θ_{i // p + 1} and {j % p + 1} of θ_{j // p + 1}"
    )
    return Fault(
        f"the covariance of the noise in {where}; {told}",
        f"{found[i, j]:.4g}",
        f"{wanted[i, j]:.4g}",
        hint,
    )


def _noise_hint(covariance: np.ndarray, arguments: tuple) -> str:
    zeros, B, epochs, sigma, reg, gamma = arguments
    p = zeros.shape[1]
    parts = covariance.reshape(len(covariance) // p, p, -1, p)
    first = parts[:, 0, :, 0]
    if p > 1 and np.allclose(parts[:, 0, :, 1], first):
        return "All coordinates share one draw, so their differences have no noise."
    if not np.allclose(covariance, np.kron(first, np.eye(p))):
        return "The coordinates are not alike, or two of them share a draw."
    for wrong, told in NOISES:
        N = wrong(B, epochs, reg, gamma)
        if np.allclose(sigma**2 * N @ N.T, first):
            return told
    N = noise_rows(each_pass_anew(B, epochs), reg, gamma)
    if np.allclose(sigma**4 * N @ N.T, first):
        return "The noise is sigma squared: rng.normal takes a standard deviation."
    return "b_1, …, b_T are the rows of Bz. Follow one draw through s, v and θ."
