"""Steps toward corners of a polytope that keep Xθ up to date, and a corner's choice.

This changes only what the lines of the pseudo-code cost, not what they compute: a step
adds one column to Xθ, and a single uniform number draws a corner with the probabilities
that noise on every score would give it.
"""

from ... import checks, losses
from ...arrays import Array, as_like, namespace, np
from ...constraints import Constraint, L1Ball, Simplex
from ...problem import Problem
from .sparse import SparseProblem

BLOCK = 1024


def require_polytope(problem: Problem | SparseProblem) -> None:
    """Refuse a problem whose corners cannot be listed, or with several scores."""
    checks.instance((Problem, SparseProblem), problem=problem)
    if not isinstance(problem.constraint, L1Ball | Simplex):
        raise ValueError(
            f"`problem` must have an L1Ball or a Simplex as constraint set, got "
            f"{problem.constraint!r}. Their corners can be listed."
        )
    if problem.loss.classes is not None:
        raise ValueError(
            f"`problem` must have a loss of one score, got {problem.loss.name}."
        )


def corner_norm(C: Constraint) -> float:
    """Compute max ‖s‖₁ over the corners s of C."""
    return float(C.radius) if isinstance(C, L1Ball) else 1.0


def corner_scores(C: Constraint, gradient: Array) -> Array:
    """Compute ⟨s, g⟩ for each corner s, shape ``(..., |S|)``: +s first, then −s."""
    if not isinstance(C, L1Ball):  # a simplex
        return gradient
    scores = C.radius * gradient
    return namespace(gradient).concat([scores, -scores], axis=-1)


class Walk:
    """θ_t and Xθ_t; a step toward a corner costs O(n + p), not O(np)."""

    def __init__(self, problem: Problem | SparseProblem, runs: tuple[int, ...]) -> None:
        self.D = problem
        self.theta = problem.constraint.project(problem.zeros(*runs))
        self.scores = problem.scores(self.theta)
        # The gradient of least squares, XᵀXθ − Xᵀy, moves along a line as θ does. If X
        # is sparse, it is kept up to date too, because XᵀXs needs only the rows of one
        # column.
        squares = isinstance(problem, SparseProblem) and problem.loss is losses.squared
        self.kept: Array | None = None
        if squares and not runs:
            self.at_zero = self._product(np.zeros_like(self.scores))
            self.kept = self._product(self.scores)

    def gradient(self) -> Array:
        """Compute ∇𝓛(θ_t), shape ``(*runs, p)``: one product with X, or none."""
        return self._product(self.scores) if self.kept is None else self.kept

    def _product(self, scores: Array) -> Array:
        return self.D.combine(self.D.loss.slope(scores, self.D.y))

    def move(self, index: Array, step: float) -> None:
        """Go to (1 − step) θ + step · s, for the corner s of each run's ``index``."""
        xp, p = namespace(self.theta), self.D.p
        length = corner_norm(self.D.constraint)
        column = index % p
        sign = 1 - 2 * xp.astype(index >= p, self.theta.dtype)
        signed = step * length * sign
        self.scores = (1 - step) * self.scores + signed[..., None] * self._column(
            column
        )
        if isinstance(self.D, SparseProblem) and self.kept is not None:
            self.kept = self._moved(self.D, self.kept, int(column), step, float(signed))
        self.theta = (1 - step) * self.theta
        if xp is np and self.theta.ndim == 1:
            self.theta[column] += signed  # a new array: nobody else holds it yet
        else:
            every = xp.arange(p, dtype=column.dtype, device=column.device)
            corner = xp.astype(every == column[..., None], self.theta.dtype)
            self.theta = self.theta + signed[..., None] * corner

    def _moved(
        self, D: SparseProblem, kept: Array, j: int, step: float, signed: float
    ) -> Array:
        if D.stored(j) * 16 > D.n:  # many rows: a fresh product costs less
            return self._product(self.scores)
        kept = (1 - step) * kept + step * self.at_zero
        D.add_gram_column(kept, j, signed)
        return kept

    def _column(self, column: Array) -> Array:
        # Column j of X for each run, shape (*runs, n)
        X, runs = self.D.X, column.shape
        if isinstance(self.D, SparseProblem):
            rows = [self.D.column(int(j)) for j in np.ravel(column)]
            return np.reshape(rows, (*runs, X.shape[0]))
        xp = namespace(X)
        if xp is np and not runs:
            return X[:, column]
        rows = xp.take(X, xp.reshape(column, (-1,)), axis=1).T
        return xp.reshape(rows, (*runs, X.shape[0]))


def choose(alpha: Array, scale: float, rng: np.random.Generator) -> Array:
    """Draw a corner per run with probability ∝ exp(−α_s/scale): one uniform each."""
    xp, runs = namespace(alpha), alpha.shape[:-1]
    weight = xp.exp((xp.min(alpha, axis=-1, keepdims=True) - alpha) / scale)
    u = rng.random(runs)
    if type(alpha) is np.ndarray and alpha.ndim == 1:
        return _by_blocks(weight, float(u))
    total = xp.cumulative_sum(weight, axis=-1)
    below = total <= as_like(np.asarray(u)[..., None], alpha) * total[..., -1:]
    index = xp.sum(xp.astype(below, xp.int64), axis=-1)
    return xp.clip(index, max=alpha.shape[-1] - 1)


def _by_blocks(weight: np.ndarray, u: float) -> np.ndarray:
    # First a block, then an entry of it: two short sums instead of a long one.
    full = len(weight) - len(weight) % BLOCK
    blocks = np.sum(weight[:full].reshape(-1, BLOCK), axis=1)
    rest = [np.sum(weight[full:])] if full < len(weight) else []
    total = np.cumsum([*blocks, *rest], dtype=np.float64)
    left = u * total[-1]
    k = min(int(np.searchsorted(total, left, side="right")), len(total) - 1)
    inside = np.cumsum(weight[BLOCK * k : BLOCK * (k + 1)], dtype=np.float64)
    left = left - (total[k - 1] if k else 0.0)
    j = min(int(np.searchsorted(inside, left, side="right")), len(inside) - 1)
    return np.asarray(BLOCK * k + j)
