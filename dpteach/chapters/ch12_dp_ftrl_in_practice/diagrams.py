"""Diagram of the chapter on DP-FTRL in practice: what a pass hands on."""

from ..shared.diagram import NOISE, Diagram


def _passes() -> Diagram:
    drawn = Diagram(
        420,
        190,
        title="Pass after pass",
        alt=(
            "Three boxes in a row, one for each pass over the same batches. Each gets "
            "fresh noise from above. From each box an arrow leads to the next one and "
            "carries the noisy sum; below, the exact sum is crossed out."
        ),
    )
    for k, x in enumerate((66, 210, 354), start=1):
        drawn.text(x, 14, "fresh noise", color=NOISE)
        drawn.arrow(x, 26, x, 58, color=NOISE)
        drawn.box(x, 86, 94, 54, f"pass {k}", "batches 1 to T")
        if k < 3:
            drawn.arrow(x + 48, 86, x + 96, 86)
            drawn.text(x + 72, 72, "s + b")
            drawn.text(x + 72, 134, "exact s")
            drawn.strike(x + 48, x + 96, 134)
        drawn.arrow(x, 114, x, 150)
        drawn.text(x, 166, "T models")
    return drawn


PASSES = _passes()
