"""A slider's move in a real kernel, beside `interactive` with pyplot; bytes of tables.

One kernel, one figure (four curves of 60 points, a band, a sentence, 81 states). A move
is timed from the slider's new value to the picture's: ours redraws within the call, as
`interactive` does. The experiment's own time is subtracted from neither.
"""

import gzip
import json
import tempfile
from pathlib import Path

import harness
import nbformat
from nbclient import NotebookClient

SETUP = """
import asyncio, json, time
from functools import partial
import numpy as np
from dpteach.accounting import gaussian_epsilon
from dpteach.figures import Axes, Band, Line, Sentence, Spent
from dpteach.figures.explore import Slider, explore
from dpteach.figures._live import Live
from dpteach.privacy import Gaussian, Relation

T = np.geomspace(1, 1000, 60)
VALUES = [2.0 ** (k / 2) for k in range(9)]

def curves(epsilon, steps):
    return [np.sqrt(1 / T + (k / epsilon / steps) ** 2) for k in (1, 2, 3, 4)]

def experiment(epsilon, steps):
    ys = curves(epsilon, steps)
    noise = Gaussian(5 / epsilon, releases=1, relation=Relation.ADD_REMOVE)
    lines = zip(ys, "abcd", ["measured", "bound", "private", "broken"])
    return [
        Band(T, ys[0] * 0.8, ys[0] * 1.2, "a", "measured"),
        *[Line(T, y, label, role) for y, label, role in lines],
        Sentence(f"At {epsilon:.3g} it is {ys[0][-1]:.3g}."),
        Spent(noise, 1e-6),
    ]

AXES = Axes("T", "risk", xlim=(1, 1000), ylim=(0.01, 10), xscale="log", yscale="log")
figure = explore(experiment, axes=AXES, title="t", alt="a", epsilon=Slider(VALUES),
                 steps=Slider(VALUES))
"""
MOVES = """
live = Live(figure.states, partial(figure.html, layouts=("wide",)))
own, ours, usual = [], [], []
for k in range(COUNT):
    await asyncio.sleep(0.03)
    at = k % 9
    start = time.perf_counter()
    live.sliders["epsilon"].value = at
    ours.append(time.perf_counter() - start)
    if at == 8:  # a fresh row of states: nothing is remembered
        await asyncio.sleep(0.03)
        live.sliders["steps"].value = (k // 9 + 1) % 9
for e in VALUES:
    start = time.perf_counter()
    experiment(e, 1.0)
    own.append(time.perf_counter() - start)
"""
USUAL = """
%matplotlib inline
import ipywidgets, matplotlib.pyplot as plt

def draw(epsilon):
    fig, ax = plt.subplots(figsize=(6.6, 3.5))
    ys = curves(epsilon, 1.0)
    ax.fill_between(T, ys[0] * 0.8, ys[0] * 1.2, alpha=0.2)
    for y, label in zip(ys, "abcd"):
        ax.plot(T, y, label=label)
    ax.set(xscale="log", yscale="log", xlim=(1, 1000), ylim=(0.01, 10), xlabel="T",
           ylabel="risk", title=f"epsilon = {epsilon:.3g}")
    ax.legend()
    plt.show()

widget = ipywidgets.interactive(
    draw, epsilon=ipywidgets.SelectionSlider(options=[(str(v), v) for v in VALUES]))
slider = widget.children[0]
for k in range(1, COUNT // 2 + 1):
    await asyncio.sleep(0.03)
    start = time.perf_counter()
    slider.value = VALUES[k % 9]
    usual.append(time.perf_counter() - start)
"""
REPORT = "print(json.dumps([sorted(own), sorted(ours), sorted(usual)]))"


def p95(seconds: list[float]) -> float:
    return 1000 * seconds[int(0.95 * len(seconds)) - 1]


def moves() -> None:
    count = f"COUNT = {harness.size(60, 10)}"
    codes = (count, SETUP, MOVES, USUAL, REPORT)
    cells = [nbformat.v4.new_code_cell(code) for code in codes]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    own, ours, usual = json.loads(notebook.cells[-1].outputs[0].text)
    ratio, mine = p95(ours) / p95(usual), 1000 * own[len(own) // 2]
    what = "a slider's move, p95"
    own_part = harness.verdict(
        f"{what}, without its experiment", p95(ours) - mine, 25, " ms"
    )
    beside = harness.verdict(f"{what} / interactive with pyplot", ratio, 0.2)
    print(
        f"{what}: {p95(ours):.1f} ms, of which the experiment {mine:.1f} ms{own_part}; "
        f"`interactive` with pyplot {p95(usual):.1f} ms; ratio {ratio:.3f}{beside}"
    )


def tables() -> None:
    namespace: dict = {}
    exec(SETUP, namespace)  # the same figure, in this process
    figure = namespace["figure"]
    with tempfile.TemporaryDirectory() as folder:
        html = figure.page(Path(folder)).encode()
        table = (Path(folder) / f"{figure.identity}.js").read_bytes()
    sizes = [len(html), len(gzip.compress(html)), len(table), len(gzip.compress(table))]
    numbers = 81 * (4 * 60 + 120) * 2 * 8
    print(
        "bytes of that figure on a page, raw and gzipped: HTML {} and {}, "
        "table {} and {}".format(*sizes)
        + f"; ratio of the gzipped table to its numbers as float64: "
        f"{sizes[3] / numbers:.3f}"
    )


if __name__ == "__main__":
    moves()
    tables()
