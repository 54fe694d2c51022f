"""The front page's game: what its script moves, and what a page without scripts shows.

The pictures are drawn here at the first ε; ``game.js`` moves them, with the formulas of
``closed-forms.js``, which a test holds equal to ``ten_guesses.py``.
"""

import html
import json
from math import ceil, exp, log

from docutils import nodes
from sphinx.application import Sphinx

from dpteach.chapters.guessing_game.ten_guesses import EPSILONS, START, best_share
from dpteach.figures.game import controls
from dpteach.figures.marks import Spent
from dpteach.figures.style import write
from dpteach.privacy import Pure, Relation

from .tables import Generated

WITHOUT, WITH = 40, 41
LOW, HIGH = 30.5, 50.5  # the counts that the picture shows
LEFT, TOP, WIDTH, FLOOR = 12, 26, 416, 152  # of the plot, in units of the drawing
TOLD = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # for a page that does not move


def across(count: float) -> float:
    """Return where a count is in the picture."""
    return LEFT + WIDTH * (count - LOW) / (HIGH - LOW)


def bell(center: float, epsilon: float) -> str:
    """Return the path of the noisy count's density, its peak at 1; as in game.js."""
    steps = [LOW + (HIGH - LOW) * k / 120 for k in range(121)]
    points = (
        f"{across(x):.1f} {FLOOR - (FLOOR - TOP) * exp(-abs(x - center) * epsilon):.1f}"
        for x in steps
    )
    return "M" + "L".join(points)


def counts() -> str:
    """Draw the two densities, and the places of what moves."""
    curves = "".join(
        f'<path class="{name}" d="{bell(center, START)}"/>'
        for name, center in (("without", WITHOUT), ("with", WITH))
    )
    return (
        '<svg viewBox="0 0 440 174" role="img" aria-label="Two peaked curves, around '
        "40 and 41: how likely each published number is without Ann and with her. "
        f'They come apart as ε grows.">{axis()}'
        f'<text class="without" x="{across(39.5):.1f}" y="17" text-anchor="end">'
        f"without Ann: {WITHOUT}</text>"
        f'<text class="with" x="{across(41.5):.1f}" y="17">with Ann: {WITH}</text>'
        f'{curves}<g class="past"></g><g class="pin" hidden>'
        f'<path d="M0 {TOP + 4}V{FLOOR}"/><circle cy="{TOP + 4}" r="6"/></g></svg>'
    )


def axis() -> str:
    """Draw the axis of the published numbers."""
    ticks = "".join(
        f'<path d="M{across(count):.1f} {FLOOR}v5"/>'
        f'<text x="{across(count):.1f}" y="{FLOOR + 18}" text-anchor="middle">'
        f"{count}</text>"
        for count in (32, 36, 40, 44)
    )
    return (
        f'<g class="axis"><path d="M{LEFT} {FLOOR}h{WIDTH}"/>{ticks}'
        f'<text x="{LEFT + WIDTH}" y="{FLOOR + 18}" text-anchor="end">published '
        "number</text></g>"
    )


def place(epsilon: float, share: float) -> tuple[float, float]:
    """Return where a score is in the second picture; as in game.js."""
    low, high = log(EPSILONS[0]), log(EPSILONS[-1])
    return 34 + 222 * (log(epsilon) - low) / (high - low), 26 + 126 * (1 - share)


def scores() -> str:
    """Draw the best share against ε; the reader's games become points beside it."""
    places = [place(epsilon, best_share(epsilon)) for epsilon in EPSILONS]
    curve = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    ticks = "".join(
        f'<text x="{place(epsilon, 0)[0]:.1f}" y="170" text-anchor="middle">'
        f"{write(epsilon)}</text>"
        for epsilon in (0.2, 1, 10)
    ) + "".join(
        f'<path class="grid" d="M34 {place(1, share)[1]}h222"/>'
        f'<text x="28" y="{place(1, share)[1] + 4}" text-anchor="end">'
        f"{10 * share:g}</text>"
        for share in (0, 0.5, 1)
    )
    x, y = place(START, best_share(START))
    return (
        '<svg viewBox="0 0 270 174" role="img" aria-label="The best possible score '
        'rises with ε from 5 in 10, which is guessing blindly, to 10 in 10.">'
        f'<g class="axis">{ticks}<text x="4" y="17">right, in 10</text>'
        '<text x="200" y="170" text-anchor="middle">ε</text></g>'
        '<text class="best" x="256" y="17" text-anchor="end">best possible</text>'
        f'<path class="best" d="{curve}"/><g class="games"></g>'
        f'<circle class="now" cx="{x:.1f}" cy="{y:.1f}" r="6"/></svg>'
    )


def table() -> str:
    """Write the best scores for paper, and for a page without scripts."""
    head = "".join(f'<th scope="col">{write(epsilon)}</th>' for epsilon in TOLD)
    row = "".join(f"<td>{10 * best_share(epsilon):.1f}</td>" for epsilon in TOLD)
    return (
        f'<table class="unplayed"><tr><th scope="row">ε</th>{head}</tr>'
        f'<tr><th scope="row">best possible, right in 10</th>{row}</tr></table>'
    )


def cost() -> str:
    """Say what one release costs."""
    spent = Spent(Pure(START, relation=Relation.ADD_REMOVE)).statement
    words = spent.replace("Total privacy cost:", "Privacy cost of each release:")
    first = f"ε = {write(START)}"
    return html.escape(words).replace(
        first, f'ε\u00a0=\u00a0<span data-value="">{write(START)}</span>', 1
    )


ANSWERS = (("out", "Ann was out"), ("in", "Ann was in"))
# The words between braces are filled in by ``Game``.
CARD = """\
<section class="dpt game" data-game="count" data-stops="{stops}" \
aria-label="A game of ten guesses">
<p class="ask"><strong>Was Ann in?</strong> {without} people said yes to a survey, or \
{with_her} if Ann took part, which a coin decided. All that you see is this count plus \
noise.</p>
<div class="pictures">{pictures}</div>
{controls}
<p class="told">At ε\u00a0=\u00a0<span data-value="">{epsilon}</span> nobody, \
however clever, is right more than <span data-best="">{best}</span>% of the time.</p>
{table}
<p class="below"><button type="button" class="script" data-thousand disabled>Let the \
best guesser play 1,000 rounds</button> <small>{cost}</small></p>
</section>"""


class Game(Generated):
    """Ten guesses about one record, against the best possible score."""

    def make(self) -> list[nodes.Node]:
        """Return the card that game.js plays."""
        card = CARD.format(
            stops=json.dumps(EPSILONS),
            without=WITHOUT,
            with_her=WITH,
            pictures=counts() + scores(),
            controls=controls("game", ANSWERS, "epsilon", EPSILONS, START),
            epsilon=write(START),
            best=f"{ceil(1000 * best_share(START)) / 10:.1f}",  # an upper bound
            table=table(),
            cost=cost(),
        )
        return [nodes.raw("", card, format="html")]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("game", Game)
