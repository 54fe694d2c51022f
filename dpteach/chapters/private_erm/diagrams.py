"""Diagrams of the chapter on private risk minimization: noise, and two errors."""

from math import exp, log, log10

from ...figures.style import write
from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, box, line, note, ring

_TRUSTED = '<rect x="2" y="{}" width="{}" height="62" rx="8" fill="none" '
_DASHED = 'stroke="var(--dpt-soft)" stroke-dasharray="4 4"/>'


def _lane(top: float, title: str, trusted: float, middle: tuple[str, str]) -> str:
    first, second = middle
    y = top + 12
    return "".join(
        (
            note(4, top - 8, title, anchor="start"),
            _TRUSTED.format(top, trusted) + _DASHED,
            box(10, y, 68, 38, "records"),
            arrow((78, y + 19), (102, y + 19)),
            box(102, y, 68, 38, first, role="bound" if first == "+ noise" else "soft"),
            arrow((170, y + 19), (194, y + 19)),
            box(
                194, y, 68, 38, second, role="bound" if second == "+ noise" else "soft"
            ),
            arrow((262, y + 19), (286, y + 19)),
            box(286, y, 68, 38, "model", role="private"),
        )
    )


where_noise_enters = Drawing(
    (
        _lane(24, "Noise on the data", 172, ("+ noise", "solver")),
        _lane(128, "Noise on the minimum", 264, ("solver", "+ noise")),
        note(4, 216, "Dashed: what must be trusted with the data.", anchor="start",
             soft=True),
    ),
    226,
    "Two rows of boxes. In the first, noise is added to the records, then a solver "
    "makes the model; only the records and the noise are inside the dashed line of "
    "trust. In the second, the solver comes first and the noise is added to its "
    "result; the solver is inside the line as well.",
)  # fmt: skip

_OURS = 13 / 20  # the share of labels +1 among our records, where half of all have it


def _mean_loss(theta: float, share: float) -> float:
    return share * log(1 + exp(-theta)) + (1 - share) * log(1 + exp(theta))


_MODELS = Axes(30, 164, 300, 130, across=(-2.5, 2.5), up=(0.55, 1.8))
_LEAST = log(_OURS / (1 - _OURS))
_THETAS = [k / 10 for k in range(-25, 26)]

ours_and_all = Drawing(
    (
        _MODELS.curve([(t, _mean_loss(t, 0.5)) for t in _THETAS], role="reference"),
        _MODELS.curve([(t, _mean_loss(t, _OURS)) for t in _THETAS], role="non-private"),
        _MODELS.base(),
        ring(*_MODELS.at(_LEAST, _mean_loss(_LEAST, _OURS)), 4, role="non-private",
             filled=True),
        line(_MODELS.at(2, _mean_loss(2, _OURS)), _MODELS.at(2, _mean_loss(2, 0.5)),
             role="bound"),
        note(_MODELS.at(2, 0)[0] - 6, _MODELS.at(0, 1.3)[1], "gap", anchor="end"),
        note(10, 18, "Mean loss: on new records (gray), on our 20 (dot)",
             anchor="start"),
        *(note(_MODELS.at(t, 0)[0], 182, write(t)) for t in (-2, 0, 2)),
        note(180, 200, "model θ", soft=True),
    ),
    210,
    "Two bowls over the models: the mean logistic loss on new records, half of which "
    "have the label plus 1, and on our 20 records, of which 13 have it. The second "
    "has its minimum to the right of the first. The gap between the curves at the "
    "same model grows away from zero.",
)  # fmt: skip

_N, _DIM = 1000, 10  # with L, λ and W equal to 1, as in the chapter's cell
_PRICE = Axes(40, 170, 290, 136, across=(0, 500), up=(0, 260))
_STRENGTHS = [float(k) for k in range(38, 501, 6)]


def _noise(strength: float) -> float:
    return _N * _DIM / strength


_BEST = (2 * _N * _DIM) ** 0.5

two_terms = Drawing(
    (
        _PRICE.curve(
            [(s, _noise(s) + s / 2) for s in _STRENGTHS if _noise(s) + s / 2 < 260],
            role="private",
        ),
        _PRICE.curve([(s, _noise(s)) for s in _STRENGTHS if _noise(s) < 260],
                     role="bound", dashed=True),
        _PRICE.curve([(0, 0), (500, 250)], role="reference", dashed=True),
        _PRICE.base(),
        line((40, 170), (40, 34)),
        line(_PRICE.at(_BEST, 0), _PRICE.at(_BEST, _noise(_BEST) + _BEST / 2)),
        ring(*_PRICE.at(_BEST, _noise(_BEST) + _BEST / 2), 4, role="private",
             filled=True),
        note(_PRICE.at(_BEST, 0)[0] + 8, _PRICE.at(0, 150)[1],
             f"{_noise(_BEST) + _BEST / 2:.0f}", anchor="start"),
        note(_PRICE.at(_BEST, 0)[0], 188, f"{_BEST:.0f}"),
        note(332, 188, "Λ", soft=True),
        note(332, _PRICE.at(0, 38)[1], "noise", anchor="end"),
        note(_PRICE.at(300, 0)[0], _PRICE.at(0, 112)[1], "regularization",
             anchor="start"),
        note(40, 20, "Bound on the excess: both (blue), and each", anchor="start"),
    ),
    198,
    "The two terms of the bound against the regularization, for 1000 records in ten "
    "dimensions. The noise falls as one over Lambda, the regularization rises as "
    "Lambda. Their sum is least, 141, at Lambda 141, where both are equal.",
)  # fmt: skip

_SLOPED = Axes(8, 140, 104, 100, across=(-1, 1), up=(0, 1.2))
_ROUND = Axes(128, 140, 104, 100, across=(-1, 1), up=(0, 1.2))
_HELD = Axes(248, 140, 104, 100, across=(-1, 1), up=(0, 1.2))
_ACROSS = [k / 20 for k in range(-20, 21)]


def _bowl(axes: Axes, name: str, curvature: float, role: str) -> str:
    """Draw a bowl, and a dashed one of another curvature with the same minimum."""
    return "".join(
        (
            axes.curve(
                [
                    (t, curvature * t * t / 2)
                    for t in _ACROSS
                    if curvature * t * t < 2.4
                ],
                role=role,
                dashed=True,
            ),
            axes.curve([(t, 0.6 * t * t) for t in _ACROSS], role="private"),
            axes.base(),
            note(axes.left + 52, 18, name),
        )
    )


three_constants = Drawing(
    (
        _SLOPED.curve([(t, log(1 + exp(-4 * t)) / 4) for t in _ACROSS], role="private"),
        line(_SLOPED.at(-1, 1), _SLOPED.at(0, 0), role="bound", dashed=True),
        _SLOPED.base(),
        note(60, 18, "Lipschitz"),
        _bowl(_ROUND, "smooth", 4.0, "bound"),
        _bowl(_HELD, "strongly convex", 0.5, "bound"),
        note(60, 162, "no slope", soft=True),
        note(60, 178, "above L", soft=True),
        note(180, 162, "below a bowl of", soft=True),
        note(180, 178, "curvature β", soft=True),
        note(300, 162, "above a bowl of", soft=True),
        note(300, 178, "curvature m", soft=True),
    ),
    188,
    "Three pictures. A logistic loss is nowhere steeper than a dashed line of slope L. "
    "A bowl lies below a dashed, steeper bowl of curvature beta with the same lowest "
    "point. A bowl lies above a dashed, flatter bowl of curvature m with the same "
    "lowest point.",
)

_SIZES = Axes(48, 172, 210, 140, across=(2, 5), up=(-6.5, 0))  # powers of ten


def _power(first: float, power: float, name: str, role: str) -> str:
    """Draw a bound of the form first / n^power, and write its name at its end."""
    high = [(k / 4, log10(first) - power * k / 4) for k in range(8, 21)]
    place = _SIZES.at(*high[-1])
    return _SIZES.curve(high, role=role) + note(
        place[0] + 6, place[1] + 4, name, anchor="start"
    )


three_rates = Drawing(
    (
        note(10, 16, "bound on the excess per record", anchor="start"),
        _SIZES.base(),
        line((48, 172), (48, 32)),
        _power(20**0.5, 0.5, "any losses", "reference"),
        _power(100, 1, "curved", "bound"),
        _power(5500, 2, "also smooth", "private"),
        *(note(42, _SIZES.at(2, k)[1] + 4, text, anchor="end")
          for k, text in ((0, "1"), (-2, "0.01"), (-4, "10⁻⁴"), (-6, "10⁻⁶"))),
        *(note(_SIZES.at(k, 0)[0], 190, f"{10**k:,}") for k in (2, 3, 4, 5)),
        note(153, 208, "records n", soft=True),
    ),
    216,
    "Three bounds against the number of records, from a hundred to a hundred thousand, "
    "both on logarithmic axes. The bound for any losses falls by a factor of 32, that "
    "for curved losses by 1000, and that for curved and smooth losses by a million.",
)  # fmt: skip
