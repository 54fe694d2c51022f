"""Floor 5. Figures that move on the page and in a kernel; `show`; questions."""

from .axes import Axes as Axes
from .explore import Linked as Linked
from .explore import Slider as Slider
from .figure import figure as figure
from .marks import Band as Band
from .marks import Bars as Bars
from .marks import Cells as Cells
from .marks import Line as Line
from .marks import Points as Points
from .marks import Sentence as Sentence
from .marks import Spent as Spent
