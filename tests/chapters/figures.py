"""The figures of the book, found where they are declared, and where they are shown."""

import ast
import json
import re
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from dpteach import chapters
from dpteach.figures.figure import Figure
from tests.public import ROOT

ROOMS = "dpteach.chapters."

# Clouds, walks and curves that leave the frame in some state, as they should: there is
# a triangle at the edge.
LEAVE_THE_FRAME = {
    "banco.risk.risk_against_users",
    "banco.risk.seven_rates",
    "tour.three_ways.three_ways",
    "tour.tour.a_model_and_its_risk",
    "tour.tour.what_noise_buys",
    "guessing_game.guessing.two_distributions",
    "sensitivity.noises.clouds",
    "sensitivity.noises.lengths",
    "composition.prices.drift",
    "composition.prices.five_accountants",
    "how_accountants_compute.losses.middle_and_tail",
    "how_accountants_compute.orders.late_table",
    "how_accountants_compute.tilts.tilted_losses",
    "convex_optimization.steps_and_regret.bowl",
    "convex_optimization.steps_and_regret.luck",
    "convex_optimization.steps_and_regret.regret_fills",
    "objective_perturbation.risk.risk_against_regularization",
    "objective_perturbation.risk.stopped_solver",
    "objective_perturbation.tilts.tilted_bowl",
    "dp_sgd.descent.cloud",
    "limits.one_axis.theorem_algorithm_limit",
    "dp_sgd.descent.fan",
    "dp_sgd.tuning.clipping",
    "prefix_sums.nodes.one_stream",
    "dp_ftrl.regret_and_noise.regret_split",
    "frank_wolfe.many_features.log_or_root",
    "local_privacy.locality.locality",
    "private_erm.baselines.noise_on_data",
    "training_a_network.adapting.following",
    "training_a_network.heavy_tails.cut_or_drown",
}


# What a slider's 1 may do, or be.
VERBS = {"allows", "has", "is", "lasts", "meets", "needs", "shortens", "was"}


@cache
def declared():
    """Collect every figure by its place: ``dp_sgd.descent.cloud``."""
    found = {}
    for info in walk_packages(chapters.__path__, chapters.__name__ + "."):
        if ".exercises" not in info.name:
            for name, value in vars(import_module(info.name)).items():
                if isinstance(value, Figure) and value.__module__ == info.name:
                    place = f"{info.name.removeprefix(chapters.__name__ + '.')}.{name}"
                    found[place] = value
    return found


def _imported(source):
    found = {}
    for node in ast.parse(source.replace("%pip", "#")).body:
        if isinstance(node, ast.ImportFrom) and node.module.startswith(ROOMS):
            for alias in node.names:
                room = node.module.removeprefix(ROOMS)
                found[alias.asname or alias.name] = f"{room}.{alias.name}"
    return found


@cache
def shown():
    """List the places that the last lines of each chapter's cells show, in order."""
    found = {}
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        places, modules = found.setdefault(path.stem, []), {}
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and cell["id"] != "install":
                modules |= _imported(source)
                last = source.splitlines()[-1] if source else ""
                module, _, name = last.partition(".")
                place = f"{modules.get(module)}.{name}"
                if place in declared():
                    places.append(place)
    return found


def one_as_many(text, values):
    """Find a slider's 1 before a plural, such as "1 steps"."""
    for name, word in re.findall(r"\{(\w+)\} ([a-z]+s)\b", text):
        if values.get(name) in (1, "1") and word not in VERBS | {"times"}:
            yield f"1 {word}"


def demand_sound(texts, values):
    """Demand that what a figure says in a state is said, of numbers, and in grammar."""
    said = " ".join(texts)
    assert all(texts), values
    assert not re.search(r"\bnan\b|\binf\b", said), (texts, values)
    assert not [*one_as_many(said, values)], (texts, values)
