"""A small book made by the real machinery: one chapter with everything a page can hold.

The gates of pages run on it, so that they hold whatever the chapters come to say, and
on every page of the real book too.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import build

from tests.public import ROOT

PAGES = (
    "index", "notation", "glossary", "references", "errata", "theorems", "licenses",
    "status",
)  # fmt: skip
TOC = """format: jb-book
root: book/index
parts:
  - caption: Chapters
    numbered: 2
    chapters:
      - file: chapters/09-dp-sgd
  - caption: Reference
    chapters:
      - file: book/notation
      - file: book/glossary
      - file: book/references
      - file: book/errata
      - file: book/theorems
      - file: book/licenses
      - file: book/status
"""
FIGURE = """\
import numpy as np
from dpteach import Slider, explore
from dpteach.algorithms.gradients.sgd import dp_sgd_noise_multiplier
from dpteach.figures import Axes, Band, Line, Sentence, Spent
from dpteach.figures.explore import Linked
from dpteach.privacy import Gaussian, Relation

def growth(epsilon, noise_multiplier, steps):
    t = np.geomspace(1, 1000, 40)
    y = np.sqrt(t) * noise_multiplier / epsilon
    spent = Gaussian(noise_multiplier, releases=int(steps),
                     relation=Relation.ADD_REMOVE)
    return [Band(t, y / 2, y, "nine runs in ten", "measured"),
            Line(t, y, "bound", "bound"),
            Sentence("With ε = {epsilon}, in {steps} steps."), Spent(spent, 1e-6)]

explore(growth, title="Noise grows with the steps",
    alt="A rising curve, and a band below it.", caption="Computed, not measured.",
    axes=Axes("steps T", "noise", xlim=(1, 1000), ylim=(1, 1e6), xscale="log",
              yscale="log"),
    linked=Linked(("noise_multiplier", "epsilon", "steps"), lambda epsilon, steps:
                  dp_sgd_noise_multiplier(epsilon, 1e-6, steps=int(steps))),
    epsilon=Slider([0.5, 1.0, 2.0]), noise_multiplier=Slider(),
    steps=Slider([10, 100, 1000]))
"""
TEXT = r"""# DP-SGD

A page with everything that a page of the book can hold.

## The problem

The noise multiplier $\lambda$ and the steps $T$ fix the privacy, see {eq}`eq-noise`
and {prf:ref}`theorem-private`. A {term}`release` is what may be published;
[E-19](../book/errata.md#e-19) corrects a step.

$$
\lambda = \frac{\sqrt{2T(\ln(1/\delta) + \varepsilon)}}{\varepsilon} \qquad
\E[\mathcal{L}(\theta^{priv}; D)] - \mathcal{L}(\theta^*; D)
\le R L \sqrt{\frac{n^2 + p\lambda^2}{T}} + \sum_{i=1}^n \ell(\theta; d_i)
$$ (eq-noise)
"""
MORE = r"""## Why it is private

:::{prf:theorem} Privacy
:label: theorem-private

With $\lambda$ as in {eq}`eq-noise`, the release is $(\varepsilon, \delta)$-private.
:::

[Take $T = 1000$ steps](#growth?steps=1000), and look again.

:::{prf:proof}
1. **One step.** A record moves the sum by at most $L$.
2. **All steps.** They compose; $\mu = \sqrt{T}/\lambda$.
:::

:::{prf:algorithm} DP-SGD
:label: algorithm-dp-sgd

1. $\theta_0 \leftarrow 0$
2. **for** $t = 0, \dots, T-1$ **do**
:::

:::{note}
A note.
:::

:::{exercise}
:label: exercise-clip

Clip a vector.
:::

:::{admonition} Answer
:class: dropdown

Divide by the norm.
:::

:::{dropdown} A longer way
**Step 1.** Look at the norm.
:::

| source | letter |
|---|---|
| the chapter | $\lambda$ |
"""
CODE = "import dpteach\n\nprint(dpteach.__version__, 'x' * 200)  # a long line"
WRITE = """\
from dpteach import check


def clip(G, C):
    return G  # your code here


check("clip", clip)"""
CHOOSE = 'check("what_costs", "a")  # your letter'
CELLS = (
    "import numpy as np\n\nscale = 2.0\nprint('scale', scale)",
    "def root(x):\n    return np.sqrt(x)\n\n\nfloat(root(8 * scale))",
    "total = root(9.0)",
    "from scipy import sparse\n\nprint(total)",  # what the page's Python has not
    "print('total', total)",
)
RUN = {each for each in CELLS if "sparse" not in each}  # these get a button
QUESTION = """\
from dpteach.figures.quiz import Choice, Question

Question("{name}", "How much more noise?", [
    Choice("twice", True, "Noise grows as the root of T."),
    Choice("four times", False, "That adds budgets."),
])"""
QUESTIONS = {name: QUESTION.format(name=name) for name in ("steps", "again", "last")}
HELD = r"""## What a question holds back

Think first.
"""
ANSWER = r"""Twice, as {prf:ref}`theorem-held` says.

:::{prf:theorem} Held
:label: theorem-held

Noise grows as $\sqrt{T}$.
:::
"""
CHAPTER = (
    ("markdown", TEXT), ("hidden", FIGURE),
    ("markdown", HELD), ("hidden", QUESTIONS["steps"]), ("markdown", ANSWER),
    ("hidden", FIGURE.replace("growth", "held")),
    ("hidden", QUESTIONS["again"]), ("markdown", "Again twice."),
    ("hidden", QUESTIONS["last"]),
    ("markdown", MORE), ("code", CODE), *(("code", each) for each in CELLS),
    ("exercise", WRITE), ("markdown", "**Another.**"), ("exercise", CHOOSE),
)  # fmt: skip


def cell(place: int, kind: str, source: str) -> dict:
    """Return a cell; a hidden one shows its output alone, an exercise is not run."""
    tag = {"hidden": "hide-input", "exercise": "skip-execution"}.get(kind)
    metadata = {"tags": [tag]} if tag else {}
    out = {"id": str(place), "metadata": metadata, "source": source}
    if kind == "markdown":
        return out | {"cell_type": "markdown"}
    return out | {"cell_type": "code", "execution_count": None, "outputs": []}


def opened(rows: str, figure: str | None) -> str:
    """Let another figure open the chapter, or none: the real one is not here."""
    opens = r"opens: [\w-]+, (hook: .*,)\n"
    return re.sub(opens, rf"opens: {figure}, \1\n" if figure else "", rows)


def make(
    folder: Path, *cells: tuple[str, str], chapter: str = ""
) -> subprocess.CompletedProcess:
    """Build a book of one chapter in a folder; its pages come to out/_build/html.

    If the chapter is named, its page alone, as ``make book CHAPTER=…`` does.
    """
    skip = shutil.ignore_patterns("_build", "__pycache__", "api", "*.md")
    shutil.copytree(ROOT / "book", folder / "book", ignore=skip)
    for name in PAGES:
        shutil.copy(ROOT / "book" / f"{name}.md", folder / "book")
    # Its links to sections lead to chapters that are not there.
    terms = folder / "book" / "glossary.md"
    links = r" See (?:\[[^\]]*\]\([^)]*\)|\{ref\}`[^`]*`)\."
    terms.write_text(re.sub(links, "", terms.read_text("utf-8")), "utf-8")
    index = folder / "book" / "index.md"
    index.write_text(
        "# Private Optimization\n\n```{start}\n```\n\n"
        "## The chapters\n\n```{chapters}\n```\n\n"
        "## Your progress\n\n```{progress}\n```\n"
    )
    runs = [str(place) for place, (_, each) in enumerate(cells) if each in RUN]
    (folder / "book" / "cells.json").write_text(
        json.dumps({"09-dp-sgd": {"run": runs, "left_out": {}}})
    )
    rows = folder / "book" / "chapters.yml"
    first = "growth" if ("hidden", FIGURE) in cells else None
    rows.write_text(opened(rows.read_text("utf-8"), first), "utf-8")
    for name in ("_config.yml", "CITATION.cff"):
        shutil.copy(ROOT / name, folder)
    for name in ("dpteach", "exercises", "book/_build/python"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(ROOT / name)
    (folder / "book" / "_toc.yml").write_text(TOC)
    (folder / "chapters").mkdir()
    notebook = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    notebook["cells"] = [cell(place, *each) for place, each in enumerate(cells)]
    (folder / "chapters" / "09-dp-sgd.ipynb").write_text(json.dumps(notebook))
    return subprocess.run(
        build.command(folder, folder / "out", chapter),
        cwd=folder, env=build.environment(folder), capture_output=True, text=True,
    )  # fmt: skip
