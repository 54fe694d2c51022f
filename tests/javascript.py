"""JavaScript of the book in V8, without a browser: what it computes, beside Python."""

import json

from py_mini_racer import MiniRacer

from tests.public import ROOT

FORMS = ROOT / "dpteach" / "figures" / "static" / "closed-forms.js"


class Script:
    """An engine that has run some files.

    Parameters
    ----------
    *paths : Path
        The files, in order.
    """

    def __init__(self, *paths):
        self.engine = MiniRacer()
        for path in paths:
            self.engine.eval(path.read_text(encoding="utf-8") + ";0")

    def __call__(self, function, *arguments):
        """Call a function of one expression, with what JSON can hold."""
        given = ",".join(json.dumps(each) for each in arguments)
        return json.loads(self.engine.eval(f"JSON.stringify(({function})({given}))"))
