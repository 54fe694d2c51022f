"""Objective perturbation beside scikit-learn; a Frank-Wolfe step beside one product."""

import harness
import numpy as np
from scipy.sparse import random_array
from sklearn.linear_model import LogisticRegression

from dpteach import Problem, constraints, losses
from dpteach.algorithms.geometry.lasso import private_lasso
from dpteach.algorithms.geometry.private_frank_wolfe import private_frank_wolfe
from dpteach.algorithms.pure.objective import objective_perturbation


def objective(n: int = harness.size(20_000, 200), d: int = 50) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    chance = 1 / (1 + np.exp(-X @ (4 * rng.standard_normal(d))))
    y = np.where(rng.random(n) < chance, 1.0, -1.0)
    D = Problem(X, y, losses.logistic, constraints.Everywhere())
    Lam, settings = 5.0, {"lipschitz": 1.0, "smoothness": 0.25, "noise_multiplier": 1.0}

    def private():
        return objective_perturbation(
            D, **settings, regularization=Lam, rng=0, tolerance=1e-6 * n
        )

    def polished():
        return objective_perturbation(D, **settings, regularization=Lam, rng=0)

    # Their C weighs the risk against ‖θ‖²/2, so it is the inverse of our Λ.
    model = LogisticRegression(
        C=1 / Lam, fit_intercept=False, solver="lbfgs", tol=1e-4, max_iter=500
    )
    seconds = harness.interleaved(
        {
            "private, gradient <= 1e-6 n": private,
            "private, gradient <= 1e-8": polished,
            "scikit-learn lbfgs": lambda: model.fit(X, y),
        }
    )
    what, base = f"objective perturbation {n}x{d}", "scikit-learn lbfgs"
    harness.report(what, seconds, "private, gradient <= 1e-6 n", base, 1.2)
    harness.report(what, seconds, "private, gradient <= 1e-8", base)


def one_step(what: str, run, multiply, goal: float) -> None:
    """Compare a step, by the difference of two lengths, with one product Xᵀr."""
    steps = harness.size(102, 4)
    seconds = harness.interleaved(
        {"long": lambda: run(steps), "short": lambda: run(2), "X^T r": multiply},
        repeats=7,
    )
    seconds["one step"] = (seconds["long"] - seconds["short"]) / (steps - 2)
    harness.report(what, seconds, "one step", "X^T r", goal)


def frank_wolfe(n: int = 1000, p: int = harness.size(100_000, 1000)) -> None:
    rng = np.random.default_rng(0)
    budget = {"epsilon": 1.0, "delta": 1e-6, "rng": 0}
    X = rng.random((n, p), dtype=np.float32)
    X *= 2
    X -= 1
    y = rng.uniform(-1, 1, n).astype(np.float32)
    D = Problem(X, y, losses.squared, constraints.L1Ball(1.0))

    def dense(steps):
        return private_frank_wolfe(
            D, lipschitz_l1=2.0, steps=steps, path_every=steps, **budget
        )

    one_step(f"private Frank-Wolfe {n}x{p} float32", dense, lambda: y @ X, 1.10)
    S = random_array((n, p), density=1e-3, rng=rng, dtype=np.float32).tocsc()
    transposed = S.T

    def sparse(steps):
        return private_lasso(
            S, y, l1_radius=1.0, steps=steps, path_every=steps, **budget
        )

    one_step(
        f"private Frank-Wolfe {n}x{p}, one entry in 1000",
        sparse,
        lambda: transposed @ y,
        1.5,
    )


if __name__ == "__main__":
    objective()
    frank_wolfe()
