"""dpteach: the algorithms of *Private Optimization*, as the textbook states them.

Names load when they are first used, so that ``import dpteach`` costs little more than
``import numpy``. An argument out of its range is refused by a ``ValueError`` or a
``TypeError`` that names it, its value and what to do. A parameter that a docstring does
not mention means what ``book/notation.yml`` says under its name.
"""

from typing import TYPE_CHECKING

from ._lazy import lazy

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .algorithms.gradients.sgd import dp_sgd as dp_sgd
    from .chapters.grader import check as check
    from .chapters.program.my_dp import check_program as check_program
    from .chapters.program.my_dp import grow_program as grow_program
    from .chapters.readiness import self_test as self_test
    from .clipping import Clipping as Clipping
    from .figures.explore import Slider as Slider
    from .figures.explore import explore as explore
    from .figures.show import show as show
    from .labels import privacy_label as privacy_label
    from .privacy import Relation as Relation
    from .problem import Problem as Problem
    from .sweeps import sweep as sweep

# Public name: the module that defines it.
_HOME = {
    "Clipping": "clipping",
    "Problem": "problem",
    "Relation": "privacy",
    "Slider": "figures.explore",
    "check": "chapters.grader",
    "check_program": "chapters.program.my_dp",
    "dp_sgd": "algorithms.gradients.sgd",
    "explore": "figures.explore",
    "grow_program": "chapters.program.my_dp",
    "privacy_label": "labels",
    "self_test": "chapters.readiness",
    "show": "figures.show",
    "sweep": "sweeps",
}
_MODULES = (
    "accounting",
    "algorithms",
    "auditing",
    "constraints",
    "data",
    "figures",
    "grading",
    "losses",
    "lower_bounds",
    "mechanisms",
    "networks",
    "privacy",
)
__all__ = [*_HOME, *_MODULES]  # pyright: ignore[reportUnsupportedDunderAll]
__getattr__, __dir__ = lazy(__name__, _HOME, _MODULES)
