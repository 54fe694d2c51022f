"""The list of references: titles as their authors wrote them, no numbers in front."""

from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style as Plain
from pybtex.style.template import field, sentence


class Style(Plain):
    """Entries by surname; capitals of a title stay (Gaussian, DP-SGD, Rényi)."""

    def format_title(self, e, which_field, as_sentence=True):
        """Keep a title as it is."""
        title = field(which_field)
        return sentence[title] if as_sentence else title


def setup(app):
    """Register the style under the name that the configuration gives."""
    register_plugin("pybtex.style.formatting", "dpteach", Style)
    app.setup_extension("sphinxcontrib.bibtex")
