"""Diagram of the chapter on local privacy: who adds the noise, and who sees what."""

from ..shared.diagram import NOISE, SOFT, Diagram


def _two_models() -> Diagram:
    drawn = Diagram(
        420,
        236,
        title="Two ways to trust",
        alt=(
            "Left, the central model: three phones send plain records to a trusted "
            "server, which adds noise once and publishes the result. Right, the local "
            "model: three phones add noise themselves, and the reports go to a server "
            "that anybody may watch."
        ),
    )
    for x, name, local in ((105, "central", False), (315, "local", True)):
        drawn.text(x, 12, name, bold=True)
        for shift in (-60, 0, 60):
            drawn.phone(x + shift, 50, noise=local)
            drawn.arrow(x + shift, 74, x + 0.5 * shift, 126)
        if local:
            drawn.text(x + 66, 98, "reports", color=NOISE)
        else:
            drawn.text(x + 66, 98, "records")
        drawn.arrow(x, 174, x, 204)
        drawn.text(x, 220, "everybody")
    drawn.box(105, 150, 150, 46, "trusted server", "adds noise once")
    drawn.box(315, 150, 150, 46, "any server", "takes the mean", color=SOFT)
    return drawn


TWO_MODELS = _two_models()
