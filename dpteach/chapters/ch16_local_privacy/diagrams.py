"""Diagram of the chapter on local privacy: who adds the noise, and who sees what."""

from ..shared.drawing import Drawing, arrow, box, note

_WAVE = "l3,-7 l3,11 l3,-13 l3,12 l2,-5"


def _phone(x: float, y: float, *, noisy: bool) -> str:
    wave = (
        f'<path d="M{x - 7:g},{y - 1:g} {_WAVE}" fill="none" '
        'stroke="var(--dpt-bound)" stroke-width="1.5"/>'
    )
    return (
        f'<rect x="{x - 11:g}" y="{y - 18:g}" width="22" height="36" rx="4" '
        'fill="var(--dpt-raised)" stroke="var(--dpt-soft)" stroke-width="1.5"/>'
        + wave
        * noisy
    )


def _model(x: float, name: str, sent: str, *server: str, local: bool) -> tuple:
    ways = []
    for away in (-52, 0, 52):
        ways.append(_phone(x + away, 44, noisy=local))
        ways.append(arrow((x + away, 66), (x + 0.5 * away, 118)))
    return (
        note(x, 14, name),
        *ways,
        note(x + 48, 96, sent, anchor="start", soft=True),
        box(x - 68, 120, 136, 42, *server, role="soft" if local else "bound"),
        arrow((x, 162), (x, 192)),
        note(x, 208, "everybody"),
    )


two_models = Drawing(
    (
        *_model(86, "central", "record", "trusted server", "+ noise, once",
                local=False),
        *_model(262, "local", "report", "any server", "takes the mean", local=True),
    ),
    216,
    "Left, the central model: three phones send plain records to a trusted server, "
    "which adds noise once and publishes the result. Right, the local model: three "
    "phones add noise themselves, and the reports go to a server that anybody may "
    "watch.",
)  # fmt: skip
