"""What the games of the book have in common: ten guesses, and a slider.

``game.js`` plays them. A page without scripts shows pictures and best scores alone.
"""

from collections.abc import Sequence

from ._notation import row
from .style import write

GUESSES = 10


def controls(
    identity: str, answers: Sequence[tuple[str, str]], key: str,
    stops: Sequence[float], start: float,
) -> str:  # fmt: skip
    """Write the buttons, the marks and the slider of a game.

    Parameters
    ----------
    identity : str
        Starts the slider's id.
    answers : sequence of tuple
        For each button, what ``game.js`` calls the guess, and its words.
    key : str
        The slider's row of ``book/notation.yml``.
    stops : sequence of float
        Where the slider stops.
    start : float
        The stop at the start.

    Returns
    -------
    str
        Controls that are disabled until the script enables them.
    """
    buttons = "".join(
        f'<button type="button" data-guess="{name}" disabled>{words}</button>'
        for name, words in answers
    )
    entry, field = row(key), f"{identity}-{key}"
    return f"""\
<div class="guesses script"><p role="status"></p><p class="buttons">{buttons}\
<button type="button" data-again hidden>Play again</button></p>
<ol class="tally" aria-label="Your guesses">{"<li></li>" * GUESSES}</ol></div>
<div class="setting script"><label for="{field}">{entry["name"]} \
<i>{entry["symbol"] or ""}</i></label>
<input type="range" id="{field}" min="0" max="{len(stops) - 1}" \
value="{stops.index(start)}" aria-valuetext="{write(start)}" autocomplete="off" \
disabled>
<output for="{field}">{write(start)}</output></div>"""
