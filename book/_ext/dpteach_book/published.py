"""``{claims}``: published settings, priced again, from ``book/claims.yml``."""

from collections import Counter
from fractions import Fraction
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from dpteach.accounting import epsilon_of
from dpteach.algorithms import (
    epochs_squared_sensitivity,
    separated_squared_sensitivity,
)
from dpteach.figures.style import write
from dpteach.privacy import (
    Approximate,
    Composed,
    Concentrated,
    Event,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
)

from .tables import Generated, load

CLOSE = 1 + 0.5 / 100  # a claim is printed with two or three digits
HOLDS = {
    "yes": "It holds",
    "with Poisson sampling": "It holds with Poisson sampling",
    "no": "It does not hold",
}


def event_of(row: dict[str, Any]) -> Event:
    """Say what a row's settings spend; samples by coins, trees with Honaker's nodes."""
    if "rho" in row:
        return Concentrated(row["rho"], relation=Relation.ADD_REMOVE)
    if "pure" in row:
        parts: list[Event] = [
            Pure(epsilon, relation=Relation.ADD_REMOVE) for epsilon in row["pure"]
        ]
        if "approximate" in row:
            parts.append(Approximate(*row["approximate"], relation=Relation.ADD_REMOVE))
        return Composed(tuple(parts))
    if "mu" in row:
        return Gaussian(1 / row["mu"], relation=Relation.ADD_REMOVE)
    if "tree" in row:
        kinds = (separated_squared_sensitivity, epochs_squared_sensitivity)
        squares = kinds["epochs" in row["tree"]](estimator="honaker", **row["tree"])
        return Gaussian(
            row["noise_multiplier"], releases=squares, relation=Relation.ZERO_OUT
        )
    return SampledGaussian(
        row["noise_multiplier"],
        rate=float(Fraction(*row["rate"])),
        releases=row["steps"],
        relation=Relation.ADD_REMOVE,
    )


def price(row: dict[str, Any]) -> tuple[float, str]:
    """Return the ε that the settings prove, and whether the printed one holds."""
    proved = epsilon_of(event_of(row), row["delta"])
    if proved > row["epsilon"] * CLOSE:
        return proved, "no"
    coins = row.get("sampling", "coins") == "coins"
    return proved, "yes" if coins else "with Poisson sampling"


def grouped(number: int) -> str:
    """Write a whole number for a formula, with a comma for each thousand."""
    return f"{number:,}".replace(",", "{,}")


def settings(row: dict[str, Any]) -> str:
    """Write a row's settings in the book's letters."""
    if "rho" in row:
        return f"$\\rho = {row['rho']:g}$"
    if "mu" in row:
        return f"$\\mu = {row['mu']:g}$"
    if "pure" in row:
        parts = [*row["pure"], *row.get("approximate", [])[:1]]
        return f"$\\varepsilon = {' + '.join(f'{each:g}' for each in parts)}$"
    noise = f"$\\lambda = {row['noise_multiplier']:.3g}$"
    if "tree" not in row:
        part, whole = row["rate"]
        sampled = f"$q = {part}/{grouped(whole)}$, $T = {grouped(row['steps'])}$"
        return f"{noise}, {sampled}, {row['sampling']}"
    tree = row["tree"]
    if "epochs" in tree:
        return f"{noise}, {tree['epochs']} epochs of {tree['steps_per_epoch']} steps"
    T, times = grouped(tree["steps"]), tree["participations"]
    return f"{noise}, $T = {T}$, {times} turn{'s'[: times > 1]} at most"


class Claims(Generated):
    """Published claims in sections by what they are worth."""

    depends = ("claims.yml", "references.bib")

    def make(self) -> list[nodes.Node]:
        """Price every row; first those that do not hold."""
        priced = [(row, *price(row)) for row in load("claims.yml")]
        head = ["what", "settings", "printed ε", "at δ", "proved ε", "what is missing"]
        count = Counter(holds for _, _, holds in priced)
        text = (
            f"Of {len(priced)} claims {count['yes']} hold as they stand, "
            f"{count['with Poisson sampling']} if batches are Poisson samples, "
            f"and {count['no']} do not hold."
        )
        content = [*self.parse(text)]
        for kind in ("no", "with Poisson sampling", "yes"):
            rows = [
                (
                    f"claim {row['source']} {row['name']}",
                    [f"{row['name']} {{cite:p}}`{row['source']}`, {row['where']}",
                     settings(row), f"{row['epsilon']:g}", write(row["delta"]),
                     f"{proved:.4g}", row["missing"]],
                )
                for row, proved, holds in priced
                if holds == kind
            ]  # fmt: skip
            table = self.table(head, rows, "claims")
            table["classes"].append("numbers")
            content.append(self.section(HOLDS[kind], f"claims-{kind}", [table]))
        return content


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("claims", Claims)
