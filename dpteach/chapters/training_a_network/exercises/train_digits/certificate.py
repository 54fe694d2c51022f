"""The exact price of a training run, by noise tape, where each step adds fresh noise.

Step t publishes F_t(models before; images) + s_t · z_t, a normal z for each weight. The
tape finds s_t by moving z_t alone. Then it replays a neighbor: after each step z_t is
moved until the neighbor publishes the same model. By how much is the price of the step.
"""

from dataclasses import dataclass

import numpy as np

from .....accounting import gaussian_epsilon, gaussian_mu
from .....auditing import NotGaussian, Tape
from .....grading.report import Fault
from .....grading.student import Student

MOST_STEPS = 20
_FAR = 8.0  # so far a probe moves a normal: noise that is cut anywhere shows
_ROOM = 1e-5  # single precision will do


class OnlyOrdinary(Exception):
    """A judge passes ordinary generators alone: it has seen the tape before."""


@dataclass(frozen=True)
class Images:
    """What is trained on, and under which budget.

    Parameters
    ----------
    X, y : ndarray
        Rows, and their classes.
    A, B : ndarray
        The weights at the start.
    eps, delta : float
        The budget.
    """

    X: np.ndarray
    y: np.ndarray
    A: np.ndarray
    B: np.ndarray
    eps: float
    delta: float

    @property
    def weights(self) -> int:
        """How many there are."""
        return self.A.size + self.B.size

    @property
    def mu(self) -> float:
        """What the run may cost."""
        return gaussian_mu(self.eps, self.delta)

    def having(self, i: int, x: np.ndarray, k: int) -> "Images":
        """Return the neighbor in which image i is x, of class k."""
        X, y = self.X.copy(), self.y.copy()
        X[i], y[i] = x, k
        return Images(X, y, self.A, self.B, self.eps, self.delta)

    def call(self, student: Student, T: int, rng: np.random.Generator) -> np.ndarray:
        """Train, and demand T models."""
        given = self.X, self.y, self.A, self.B, self.eps, self.delta
        return student.array((T, self.weights), *given, rng)


class _Watched(Tape):
    """A tape that lists ``spawn``, too."""

    def spawn(self, n_children: int):
        self.other.append("spawn")
        return super().spawn(n_children)


def _taped(student: Student, images: Images, T: int, z) -> tuple[np.ndarray, int]:
    """Train with these normals; return the models, and how many were drawn."""
    tape, path = _Watched(z), np.zeros(0)
    try:
        path = images.call(student, T, tape)
    except NotGaussian:
        if getattr(student.calls, "refuse_replay", False):
            raise OnlyOrdinary from None
        if not tape.other:
            raise Fault(
                "what the function does with a tape", "it raises NotGaussian",
                "what it does with any generator",
                "The tape is a Generator, whose normals are known.",
            ) from None  # fmt: skip
    if tape.other:
        raise Fault(
            "what is drawn from rng", f"rng.{tape.other[0]}", "normal numbers alone",
            "The tape holds normals, and nothing else. No coin and no other noise is "
            "needed if all images take part in each step.",
        )  # fmt: skip
    return path, tape.draws


def count_steps(student: Student, images: Images, rng: np.random.Generator) -> int:
    """Run once, and see how many models there are."""
    given = images.X, images.y, images.A, images.B, images.eps, images.delta
    try:
        T, *rest = np.shape(student.call(*given, rng))
    except ValueError:  # no array at all, or rows of different lengths
        T, rest = 1, []
    T = T if T and len(rest) == 1 else 1
    if T > MOST_STEPS and rest[0] == images.weights:
        raise Fault(
            "the steps of training", f"{T}", f"at most {MOST_STEPS}",
            "Each further step needs more noise in all of them.",
        )  # fmt: skip
    images.call(student, T, rng)  # says what is wrong with a result
    return T


@dataclass(frozen=True)
class _Base:
    """A run without the record: its normals, its models, and how they are noised."""

    z: np.ndarray
    path: np.ndarray
    scales: np.ndarray  # of each weight in each step
    order: np.ndarray  # which weight gets the k-th normal of a step


def certified(
    student: Student, images: Images, records: list[tuple], seed: int, hint: str = ""
) -> np.ndarray:
    """Find what the run may cost some record, and demand that the budget covers it.

    Parameters
    ----------
    student : Student
        The function.
    images : Images
        The run. The records' places are zeros there.
    records : list of tuple
        Of a place, a row and a class: each is put there, and the run is replayed.
    seed : int
        Of the noise, on a tape and in an ordinary generator.
    hint : str, optional
        What to say of a price that no known slip explains. Without it the records are
        first two are taken for rows of norm 8 and 200, and compared.

    Returns
    -------
    ndarray
        The models of the run that was certified.

    Raises
    ------
    Fault
        If the run costs more, or has noise of another form.
    OnlyOrdinary
        If no tape may be passed.
    """
    T = count_steps(student, images, np.random.default_rng(seed))
    base = _base(student, images, T, seed)
    costs = [_replayed(student, images.having(*each), base) for each in records]
    worst = np.max(costs, axis=0)
    if np.linalg.norm(worst) < 1e-3 * images.mu:  # rows that are long may be left out
        i, x, k = records[0]
        usual = images.having(i, x / np.linalg.norm(x), k)
        worst = np.maximum(worst, _replayed(student, usual, base))
        if np.linalg.norm(worst) < 1e-6 * images.mu:
            raise Fault(
                "the models, if an image takes the place of a row of zeros",
                "they stay the same", "they change",
                "Is all of X used, and nothing that was kept from an earlier call?",
            )  # fmt: skip
    if np.linalg.norm(worst) > images.mu * (1 + 1e-4):
        hint = hint or _on_lengths(np.array(costs[:2]), images.mu)
        raise _too_much(images, worst, hint)
    return base.path


def _base(student: Student, images: Images, T: int, seed: int) -> _Base:
    silent, draws = _taped(student, images, T, ())
    q = _normals_a_step(draws, T, images.weights)
    z, path = _ordinary(student, images, T, draws, seed)
    room = _ROOM * max(1.0, np.abs(path).max(), np.abs(silent).max())
    scales = np.empty_like(path)
    for t in range(T):
        moved, _ = _taped(student, images, T, _shifted(z, t, q, _FAR))
        if np.abs(moved[:t] - path[:t]).max(initial=0.0) > room:
            raise Fault(
                f"the models before step {t + 1} of {T}, if its noise changes",
                "they change, too", "the same models",
                "Is the noise drawn step by step, and does each model get that of its "
                "own step?",
            )  # fmt: skip
        scales[t] = (moved[t] - path[t]) / _FAR
        _demand_noise(scales[t], q, t, T, room)
    ladder = np.random.default_rng(3).permutation(np.linspace(-_FAR, _FAR, q))
    moved, _ = _taped(student, images, T, _shifted(z, 0, q, ladder))
    noised = np.flatnonzero(np.abs(scales[0]) * _FAR > room)
    seen = (moved[0] - path[0])[noised] / scales[0, noised]
    order = np.empty(q, dtype=int)
    order[np.argsort(ladder)] = noised[np.argsort(seen)]
    if np.abs(np.sort(seen) - np.sort(ladder)).max() > _FAR / (4 * q):
        raise _not_separate(0, T)
    return _Base(z, path, scales, order)


def _shifted(z: np.ndarray, t: int, q: int, by) -> np.ndarray:
    w = z.copy()
    w[t * q : (t + 1) * q] += by
    return w


def _normals_a_step(draws: int, T: int, p: int) -> int:
    q = draws // T
    if draws == 0:
        raise Fault(
            f"the normals that are drawn from rng in {T} steps", "none",
            "one for each weight and step",
            "Without noise the models tell about each image.",
        )  # fmt: skip
    one = T > 1 and draws in (1, p)
    if one or q * T != draws or q > p:
        raise Fault(
            f"the normals that are drawn from rng in {T} steps, for {p} weights",
            f"{draws}",
            "as many in each step, and one for each weight",
            "One draw for all steps cancels in the difference of two models."
            if one
            else "Count how many numbers each draw has.",
        )
    return q


def _ordinary(
    student: Student, images: Images, T: int, draws: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Demand the same models from an ordinary generator and from its normals on tape.

    So what is certified is what happens, whatever kind of generator comes.
    """
    wanted, apart = images.call(student, T, np.random.default_rng(seed)), np.inf
    for dtype in (np.float64, np.float32):
        z = np.random.default_rng(seed).standard_normal(draws, dtype=dtype)
        path, again = _taped(student, images, T, z)
        apart = min(apart, float(np.abs(path - wanted).max()))
        if apart <= _ROOM * max(1.0, np.abs(wanted).max()) and again == draws:
            return z.astype(float), path
    raise Fault(
        "two runs with the same normals, from a generator and from a tape",
        f"models up to {apart:.3g} apart" if again == draws else "more or fewer draws",
        "the same models",
        "Draw all noise with rng.normal or rng.standard_normal, as much in each run, "
        "and keep nothing from one call to the next.",
    )


def _demand_noise(scales: np.ndarray, q: int, t: int, T: int, room: float) -> None:
    noised = int(np.sum(np.abs(scales) * _FAR > room))
    if noised == 0:
        raise Fault(
            f"model {t + 1} of {T}, if the noise of its step changes", "the same model",
            "another model",
            "Each published model needs noise of its own: the last one, too.",
        )  # fmt: skip
    if noised != q:
        raise _not_separate(t, T)


def _not_separate(t: int, T: int) -> Fault:
    return Fault(
        f"the noise of step {t + 1} of {T}",
        "numbers that depend on each other, or that are cut",
        "a normal of its own for each weight",
        "Is one draw used for several weights? Is the noise clipped, or the model?",
    )


def _replayed(student: Student, images: Images, base: _Base) -> np.ndarray:
    """Return the price of each step for the record that is there: its share of z."""
    T, q = len(base.path), len(base.order)
    w, costs = base.z.copy(), np.zeros(T)
    for t in range(T):
        path, draws = _taped(student, images, T, w)
        apart = base.path - path
        _demand_hidden(base, apart, t, draws)
        moved = apart[t, base.order] / base.scales[t, base.order]
        costs[t] = np.linalg.norm(moved)
        w[t * q : (t + 1) * q] += moved
    path, draws = _taped(student, images, T, w)
    _demand_hidden(base, base.path - path, T, draws)
    return costs


def _demand_hidden(base: _Base, apart: np.ndarray, t: int, draws: int) -> None:
    """Demand t models as without the image, and that its step moves noised weights."""
    T, room = len(base.path), _ROOM * max(1.0, np.abs(base.path[:t]).max(initial=0.0))
    if np.abs(apart[:t]).max(initial=0.0) > room or draws != len(base.z):
        raise Fault(
            f"model {t} of {T}, whose noise was moved to hide an image",
            "another model than without the image",
            "the same model",
            "Given the models before, the size of a step's noise must not depend on "
            "the images, and nothing else may.",
        )
    quiet = np.delete(apart[t : t + 1], base.order, axis=1)
    if np.abs(quiet).max(initial=0.0) > room:
        raise Fault(
            f"the weights without noise in step {t + 1} of {T}",
            "they depend on the images", "they don't",
            "Has each layer got its noise? A weight without noise tells all.",
        )  # fmt: skip


# The μ that wrong noise costs, by names of μ, ε, δ, T and n, and what was done.
_MISREAD = (
    (
        lambda mu, T, **_: np.sqrt(T) * mu,
        "That is √T times the budget: each step spends all of it.",
    ),
    (
        lambda eps, **_: eps,
        "That is μ = eps. But ε and μ are not the same.",
    ),
    (
        lambda eps, T, **_: np.sqrt(T) * eps,
        "Each step is eps-GDP. But ε is not μ, and there is more than one step.",
    ),
    (
        lambda eps, delta, T, **_: np.sqrt(T) * eps / np.sqrt(2 * np.log(1.25 / delta)),
        "That is what T steps cost if each has the noise √(2 ln(1.25/δ))/ε of a "
        "single release.",
    ),
    (
        lambda mu, **_: np.sqrt(2) * mu,
        "That is √2 times the budget. Has each layer a clip of its own?",
    ),
    (
        lambda mu, n, **_: n * mu,
        "That is n times the budget. Is the noise divided by n once more than the sum?",
    ),
)


def _too_much(images: Images, worst: np.ndarray, other: str) -> Fault:
    n, T = len(images.X), len(worst)
    found = float(np.linalg.norm(worst))
    known = {"mu": images.mu, "eps": images.eps, "delta": images.delta, "T": T, "n": n}
    near = (
        said for formula, said in _MISREAD if abs(formula(**known) / found - 1) < 1e-3
    )
    hint = next(near, other)
    return Fault(
        f"what all {T} models cost one of {n} images, by tape",
        f"μ = {found:.4g}, so ε = {gaussian_epsilon(found, images.delta):.4g}",
        f"at most μ = {images.mu:.4g}, which is ε = {images.eps:g} at "
        f"δ = {images.delta:g}",
        hint,
    )


def _on_lengths(costs: np.ndarray, mu: float) -> str:
    """Say whether long images and longer ones pull alike: then a clip holds."""
    factor = np.linalg.norm(costs.max(axis=0)) / mu
    least, most = costs.min(axis=0), costs.max(axis=0)
    if np.mean(most - least < 1e-3 * most) >= 0.5:
        return (
            "Images of quite different lengths pull alike, so there is a clip. But "
            f"the pull is {factor:.3g} times as large as this noise may hide."
        )
    each = " and ".join(f"{np.linalg.norm(one):.3g}" for one in costs)
    return (
        f"A row of norm 8 and one of norm 200 cost {each}: they do not pull alike. Is "
        "each image's gradient cut, both layers at once, and does nothing else look "
        "at all images?"
    )
