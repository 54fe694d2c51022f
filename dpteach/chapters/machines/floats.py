"""Figure of the chapter on machines: what the last bits of noise give away."""

from functools import cache
from math import exp, log, nextafter

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Cells, Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Pure, Relation

EPSILONS = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0)
SAMPLERS = ("rng.laplace", "integers")
GRID = 2.0**-20  # of the exact sampler: fixed before the data are seen
_DRAWS = 1000
_AROUND = 12  # numbers shown on each side of the released one


def laplace_of(uniform: float, answer: float, scale: float) -> float:
    """Compute what NumPy's ``rng.laplace`` returns for one uniform number.

    Examples
    --------
    >>> laplace_of(0.25, 0.0, 1.0)  # the logarithm of a half
    -0.6931471805599453
    """
    if uniform >= 0.5:
        return answer - scale * log(2.0 - uniform - uniform)
    return answer + scale * log(uniform + uniform)


def possible(released: float, answer: float, scale: float) -> bool:
    """Say whether ``rng.laplace`` can release a number for an answer at all.

    Examples
    --------
    >>> import numpy as np
    >>> seen = np.random.default_rng(1).laplace(1.0)  # the true answer is 1
    >>> possible(seen, 1.0, 1.0), possible(seen, 0.0, 1.0)
    (True, False)
    """
    half = exp(-abs(released - answer) / scale) / 2
    near = round((half if released < answer else 1 - half) * 2**53)
    tried = range(max(near - 8, 1), min(near + 9, 2**53))
    return any(laplace_of(k / 2**53, answer, scale) == released for k in tried)


def guess(released: float, scale: float) -> int:
    """Guess whether the answer was 0 or 1 from one number that ``rng.laplace`` made.

    Examples
    --------
    >>> guess(np.random.default_rng(1).laplace(1.0), 1.0)
    1
    """
    zero, one = (possible(released, answer, scale) for answer in (0.0, 1.0))
    return int(released > 0.5) if zero == one else int(one)


@cache
def share_guessed(epsilon: float) -> float:
    """Measure how often the guess is right, over 1,000 releases of each answer.

    Examples
    --------
    >>> bool(share_guessed(0.1) > 0.85)  # an ε of 0.1 allows 0.525
    True
    """
    rng, scale = np.random.default_rng(20), 1 / epsilon
    right = [
        guess(float(each), scale) == answer
        for answer in (0, 1)
        for each in rng.laplace(answer, scale, _DRAWS)
    ]
    return float(np.mean(right))


def exact_share(epsilon: float) -> float:
    """Compute how often the best guess is right about exact noise on the grid.

    Examples
    --------
    >>> round(exact_share(1.0), 3)  # an ε of 1 allows 0.731
    0.697
    """
    # Between 0 and 1 lie k steps, an even number. The total variation is what noise of
    # ratio r a step puts on the k numbers in the middle: 1 − r^{k/2} = 1 − e^{−ε/2}.
    return 1 - exp(-epsilon / 2) / 2


def _numbers(epsilon: float, sampler: str) -> tuple[np.ndarray, np.ndarray]:
    """List numbers around a release, and which of the answers 0 and 1 allows each."""
    scale = 1 / epsilon
    released = float(np.random.default_rng(20).laplace(1.0, scale))
    offsets = range(-_AROUND, _AROUND + 1)
    if sampler == "integers":
        start = round(released / GRID)
        shown = np.array([GRID * (start + k) for k in offsets])
        return shown, np.ones((2, len(shown)), dtype=bool)
    numbers = [released]
    for towards in (-np.inf, np.inf):
        number = released
        for _ in range(_AROUND):
            number = nextafter(number, towards)
            numbers.append(number)
    shown = np.array(sorted(numbers))
    allowed = [[possible(float(z), a, scale) for z in shown] for a in (0.0, 1.0)]
    return shown, np.array(allowed)


@figure(
    axes=(
        Axes(
            "steps from the released number",
            "true answer",
            xlim=(-12.5, 12.5),
            ylim=(-0.6, 1.6),
            yticks=(0, 1),
            title="Which numbers can come out",
        ),
        Axes(
            "ε",
            "right guesses",
            xlim=(0.1, 3),
            ylim=(0.45, 1),
            xscale="log",
            title="How often one number is enough",
        ),
    ),
    title="The last bits of the noise",
    alt=(
        "In the panel “Which numbers can come out”, two rows of bars. With "
        "floating-point noise each row has gaps, and the gaps differ between the rows; "
        "with integers no bar is missing. In the panel “How often one number is "
        "enough”, the attack on floating-point noise is right about nine times in ten "
        "at every epsilon, far above what a small epsilon allows."
    ),
    caption=(
        "An answer is 0 or 1, and Laplace noise of scale 1/ε is added. A step is that "
        "from one number of the computer to the next. A bar: the sampler can "
        "return it for this answer. Measured on 1,000 releases of each answer; the "
        "exact sampler works on multiples of 2⁻²⁰."
    ),
    identity="last-bits",
    epsilon=Slider(EPSILONS, start=1),
    noise_sampler=Slider(SAMPLERS, start="rng.laplace"),
)
def last_bits(epsilon: float, noise_sampler: str) -> list[Mark]:
    """Draw which numbers a sampler can return, and how often that gives answers away.

    Examples
    --------
    >>> boxes, *_ = last_bits(1.0, "rng.laplace")
    >>> exact, *_ = last_bits(1.0, "integers")
    >>> bool((boxes.width == 0).any()), bool((exact.width == 0).any())
    (True, False)
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(SAMPLERS, noise_sampler=noise_sampler)
    shown, allowed = _numbers(epsilon, noise_sampler)
    x = np.arange(len(shown)) - _AROUND
    floats = noise_sampler == "rng.laplace"
    right = share_guessed(epsilon) if floats else exact_share(epsilon)
    counts = [int(each.sum()) for each in allowed]
    return [
        _boxes(x, 0, allowed[0], "possible if the answer is 0", "reference"),
        _boxes(x, 1, allowed[1], "possible if the answer is 1", "private"),
        Points([0, 0], [-0.45, 1.45], "released", "broken"),
        *_shares(),
        Points([epsilon], [right], "here", "private", panel=1, moves="epsilon"),
        Sentence(
            f"{{noise_sampler}}, ε = {{epsilon}}: of {len(shown)} numbers {counts[0]} "
            f"can come from the answer 0, and {counts[1]} from 1. One release tells "
            f"the answer {write(100 * right)} times in 100; ε allows "
            f"{write(100 / (1 + exp(-epsilon)))}."
        ),
        Spent(Pure(epsilon, relation=Relation.ADD_REMOVE), at_least=floats),
    ]


def _shares() -> list[Mark]:
    attack = [share_guessed(e) for e in EPSILONS]
    most = [1 / (1 + exp(-e)) for e in EPSILONS]
    best = [exact_share(e) for e in EPSILONS]
    return [
        Line(EPSILONS, attack, "attack on rng.laplace", "broken", panel=1),
        Line(EPSILONS, most, "allowed by ε", "bound", panel=1),
        Line(EPSILONS, best, "best attack on exact noise", "measured", panel=1),
    ]


def _boxes(x: np.ndarray, row: int, filled: np.ndarray, label: str, role: str) -> Cells:
    width, height = np.where(filled, 0.8, 0.0), np.where(filled, 0.6, 0.0)
    y, level = np.full(len(x), float(row)), np.full(len(x), 0.8)
    return Cells(x, y, level, label, role, width=width, height=height)
