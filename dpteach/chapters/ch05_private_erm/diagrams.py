"""A diagram of the chapter on private risk minimization: where the noise enters."""

from ..shared.drawing import Drawing, arrow, box, note

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
