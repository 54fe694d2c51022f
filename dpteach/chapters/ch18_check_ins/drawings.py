"""The drawing of the chapter on check-ins: clients, slots, and a shuffler."""

from ..shared.drawing import Drawing, arrow, box, note


def _phone(x: float, y: float, role: str) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="22" height="34" rx="4" '
        f'fill="var(--dpt-raised)" stroke="var(--dpt-{role})" stroke-width="1.5"/>'
        f'<circle cx="{x + 11:g}" cy="{y + 28:g}" r="1.5" fill="var(--dpt-soft)"/>'
    )


def _slot(x: float, y: float, line: str, role: str) -> str:
    return box(x, y, 60, 30, line, role=role)


_HOME, _AWAY = "non-private", "reference"
_PHONES = ("private", _AWAY, _HOME, "private", "private")

clients_and_slots = Drawing(
    (
        note(180, 16, "Check-ins: each client tosses coins of her own"),
        *(_phone(37 + 66 * k, 28, role) for k, role in enumerate(_PHONES)),
        arrow((48, 62), (48, 106), role="private"),
        arrow((114, 62), (66, 106), role=_AWAY),
        note(180, 80, "at home", soft=True),
        arrow((246, 62), (246, 106), role="private"),
        arrow((312, 62), (312, 106), role="private"),
        _slot(18, 110, "one of 2", "private"),
        _slot(150, 110, "dummy", "broken"),
        _slot(84, 110, "dummy", "broken"),
        _slot(216, 110, "report", "private"),
        _slot(282, 110, "report", "private"),
        note(180, 160, "the server steps through its slots, in order", soft=True),
        '<path d="M10 178H350" stroke="var(--dpt-grid)" stroke-width="1"/>',
        note(180, 202, "Shuffling: somebody else forgets the order"),
        *(_phone(37 + 66 * k, 214, "private") for k in range(5)),
        *(arrow((48 + 66 * k, 248), (120 + 30 * k, 282)) for k in range(5)),
        box(100, 286, 160, 34, "shuffler", role="measured"),
        *(arrow((120 + 30 * k, 320), (48 + 66 * (2 * k % 5), 352)) for k in range(5)),
        *(_slot(18 + 66 * k, 356, "report", "private") for k in range(5)),
        note(180, 406, "everybody reports; nobody knows whose is whose", soft=True),
    ),
    416,
    "Two ways to hide whose report is whose. Above, check-ins: of five clients one "
    "stays at home, two pick the same slot, of whom one is used, and two pick slots of "
    "their own; the two slots that nobody picked hold dummies. Below, shuffling: five "
    "clients all report to a shuffler, which passes the reports on in a random order.",
)
