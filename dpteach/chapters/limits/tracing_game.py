"""A game of the chapter on lower bounds: whose record does a mean remember?"""

import os
from math import ceil, sqrt

from ... import checks
from ...figures.game import controls
from ...figures.style import write

NOISE = 4.0  # on each sign, after the 99 others are subtracted
SIGNS = tuple(range(4, 101, 4))
START = 40
_TOLD = (4, 20, 40, 100)
# The words between braces are filled in by ``TracingGame``.
_CARD = """\
<section class="dpt game" data-game="tracing" data-stops="{stops}" \
aria-label="A game of ten guesses">
<p class="ask"><strong>Ann or Bob?</strong> One of them is among 100 people whose \
signs were averaged and published, with noise. You subtract the 99 others, and what is \
left is in the middle. Pale bars tell nothing, because there the two agree.</p>
<div class="pictures one"><svg viewBox="0 0 440 176" role="img" aria-label="Three rows \
of bars, up or down: Ann’s signs, what is left of the noisy mean, and Bob’s signs.">
<path class="ann"/><path class="ann same"/><path class="left"/><path class="left same"/>
<path class="bob"/><path class="bob same"/>
<text class="ann" x="12" y="12">Ann</text><text x="12" y="58">what is left</text>
<text class="bob" x="12" y="133">Bob</text></svg></div>
{controls}
<p class="told">With p\u00a0=\u00a0<span data-value="">{start}</span> signs nobody, \
however clever, is right more than <span data-best="">{best}</span>% of the time.</p>
<table class="unplayed"><tr><th scope="row">signs p</th>{head}</tr><tr><th scope="row">\
best possible, right in 10</th>{row}</tr></table>
<p class="below"><button type="button" class="script" data-thousand disabled>Let the \
best guesser play 1,000 rounds</button></p>
</section>"""


def best_share(p: int) -> float:
    r"""Compute how often the best test tells two records apart.

    Examples
    --------
    >>> [round(best_share(p), 3) for p in (4, 40, 100)]
    [0.638, 0.868, 0.961]
    """
    from scipy.special import ndtr

    p = checks.count(1, p=p)
    if p % 2:
        raise ValueError(f"`p` must be even, got {p}. The two differ in half of it.")
    return float(ndtr(sqrt(p / 2) / NOISE))


class TracingGame:
    """The game on the chapter's page; elsewhere a sentence that says where it is."""

    def __repr__(self) -> str:
        """Say what is played, and how good the best score is."""
        return (
            "Ann or Bob? A game on the page of this chapter. With "
            f"{START} signs the best guesser is right {100 * best_share(START):.0f} "
            "times in 100."
        )

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Show the game while the book is built, else the sentence."""
        if os.environ.get("DPTEACH_BOOK"):
            return {"text/html": self.html(), "text/plain": repr(self)}
        return {"text/plain": repr(self)}

    def html(self) -> str:
        """Write the card that the page's script plays."""
        answers = (("ann", "It is Ann’s"), ("bob", "It is Bob’s"))
        return _CARD.format(
            stops=list(SIGNS),
            controls=controls("tracing", answers, "p", SIGNS, START),
            start=write(START),
            best=f"{ceil(1000 * best_share(START)) / 10:.1f}",  # an upper bound
            head="".join(f'<th scope="col">{p}</th>' for p in _TOLD),
            row="".join(f"<td>{10 * best_share(p):.1f}</td>" for p in _TOLD),
        )


ann_or_bob = TracingGame()
