"""Slips that strangers made and no bank had foreseen: a right answer, changed.

Each is an exercise, changes of the solution in its explanation, what the report must
say, and what it must not say, as that is another slip's cause. An empty pattern says
that any report of a fault will do.
"""

from dpteach.chapters.catalog import explanation

NOTHING = "(?!)"

# Changes of the solution's text, from and to.
SLIPS = {
    # Where a norm is 0
    "a gradient of zeros": (
        "private_step",
        [("G = G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1.0)",
          "norm = np.linalg.norm(G, axis=1, keepdims=True)\n"
          "    G = G / norm * np.minimum(norm, C)")],
        "nan", NOTHING,
    ),
    "a record of zeros in two layers": (
        "find_leaks",
        [("np.maximum(norms / C, 1.0)", "norms * np.minimum(norms, C)")],
        "nan", NOTHING,
    ),
    "a record of zeros in a micro-batch": (
        "accumulated_step",
        [("part / np.maximum(norms / C, 1.0)", "part / norms * np.minimum(norms, C)")],
        "nan", NOTHING,
    ),
    "a row of zeros among moments": (
        "noisy_moments",
        [("X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True) / L, 1.0)",
          "X / np.linalg.norm(X, axis=1, keepdims=True) * np.minimum(\n"
          "        np.linalg.norm(X, axis=1, keepdims=True), L)")],
        "nan", NOTHING,
    ),
    "a sum of zeros": (
        "lazy_descent",
        [("theta / max(1.0, np.linalg.norm(theta) / R)",
          "theta / np.linalg.norm(theta) * min(np.linalg.norm(theta), R)")],
        "nan", NOTHING,
    ),
    "a gradient of zeros in both layers": (
        "layered_step",
        [("V / np.maximum(norms / C, 1.0)", "V / norms * np.minimum(norms, C)")],
        "nan", NOTHING,
    ),
    "a device that learned nothing": (
        "fleet_round",
        [("came / np.maximum(norms / L, 1.0)", "came / norms * np.minimum(norms, L)")],
        "nan", NOTHING,
    ),
    # What is not finite
    "a gradient that is not a number": (
        "layered_step",
        [("np.isfinite(V).all(axis=1)", "~np.isinf(V).any(axis=1)")],
        "nan", NOTHING,
    ),
    "an update that is not a number": (
        "fleet_round",
        [("np.isfinite(came).all(axis=1)", "~np.isinf(came).any(axis=1)")],
        "nan", NOTHING,
    ),
    "an update that is not finite at its end": (
        "fleet_round",
        [("np.isfinite(came).all(axis=1)", "np.isfinite(came[:, :2]).all(axis=1)")],
        "nan", NOTHING,
    ),
    "no stop, and draws left over": (
        "stop_at", [("return len(answers)", "return len(draws) - 1")], "", NOTHING,
    ),
    "a stream cut short": (
        "stop_at", [("enumerate(answers)", "enumerate(answers[:16])")], "", NOTHING,
    ),
    # Structure that shows at a larger size
    "tall nodes share a draw": (
        "tree_prefix_sums",
        [("    out = np.zeros", "    kept = {}\n    out = np.zeros"),
         ("rng.normal(0.0, sigma, p)",
          "(kept.setdefault(first, rng.normal(0.0, sigma, p)) if t - first > 7\n"
          "                else rng.normal(0.0, sigma, p))")],
        "several nodes share a draw|no noise", NOTHING,
    ),
    "draws that come again after 16 nodes": (
        "tree_prefix_sums",
        [("    out = np.zeros",
          "    kept = rng.normal(0.0, sigma, (16, p))\n    out = np.zeros"),
         ("rng.normal(0.0, sigma, p)", "kept[t % 16]")],
        "", NOTHING,
    ),
    # One dimension has two directions
    "noise on one side": (
        "publish_minimum",
        [("* direction\n", "* (abs(direction) if len(theta) == 1 else direction)\n")],
        "either sign", NOTHING,
    ),
    "a tilt to one side": (
        "publish_tilted",
        [("    b = rng", "    direction = abs(direction) if p == 1 else direction\n"
          "    b = rng")],
        "either sign", NOTHING,
    ),
    # What a seed decided
    "whole numbers of runs": (
        "search_epsilon", [("1 / m\n", "1 / max(1, round(m))\n")], "", NOTHING,
    ),
    "numbers of runs cut": (
        "search_epsilon", [("1 / m\n", "1 / max(1, int(m))\n")], "", NOTHING,
    ),
    "a normal number of records": (
        "poisson_batches",
        [("    return (rng.random((steps, n)) < q).astype(int)",
          "    import numpy as np\n"
          "    size = rng.normal(n * q, (n * q * (1 - q)) ** 0.5, steps)\n"
          "    size = np.clip(np.rint(size), 0, n)\n"
          "    rank = rng.random((steps, n)).argsort(axis=1).argsort(axis=1)\n"
          "    return (rank < size[:, None]).astype(int)")],
        "", NOTHING,
    ),
    "a tail that cancels": (
        "spend_budget",
        [("math.erfc((eps / mu - mu / 2) / math.sqrt(2)) / 2",
          "(1 + math.erf((mu / 2 - eps / mu) / math.sqrt(2))) / 2"),
         ("math.erfc((eps / mu + mu / 2) / math.sqrt(2)) / 2",
          "(1 + math.erf((-mu / 2 - eps / mu) / math.sqrt(2))) / 2")],
        "", NOTHING,
    ),
    # What was blamed on another cause
    "bounds that share no risk": (
        "catch_cheater",
        [("alpha / (2 * boxes)", "alpha")],
        "How likely is it that none", "shares that were seen",
    ),
    "drawn with replacement": (
        "poisson_batches",
        [("    return (rng.random((steps, n)) < q).astype(int)",
          "    import numpy as np\n    B = np.zeros((steps, n), dtype=int)\n"
          "    k = rng.integers(n, size=(steps, round(q * n)))\n"
          "    B[np.arange(steps)[:, None], k] = 1\n    return B")],
        "", "nearly q",
    ),
    "a norm that is a little too large": (
        "clip",
        [("norms = np.linalg.norm(G, axis=1, keepdims=True)",
          "norms = np.linalg.norm(G, axis=1, keepdims=True) + 1e-3")],
        "", "do you divide by it",
    ),
    "few orders": (
        "rdp_epsilon", [("range(2, 65)", "range(2, 9)")], "", "How do many add up",
    ),
    "a price that is cut": (
        "rdp_epsilon",
        [("    return min(\n", "    return min(40.0, *(\n"),
         ("for alpha in range(2, 65)\n    )", "for alpha in range(2, 65)\n    ))")],
        "", "How do many add up",
    ),
    "a narrow search": (
        "spend_budget",
        [("low, high = 1e-6, 100.0", "low, high = 1e-6, 2.0")],
        "", "how do phases add up",
    ),
    "an empty batch of micro-batches without noise": (
        "accumulated_step",
        [("    return (total", "    if len(G) == 0:\n        return total\n"
          "    return (total")],
        "There is none", "one number for each coordinate",
    ),
    "an empty batch of two layers without noise": (
        "find_leaks",
        [("    return (total", "    if len(G) == 0:\n        return total\n"
          "    return (total")],
        "There is none", "How far does one record",
    ),
    "a root that is one off": (
        "check_in_models", [("np.sqrt(i + 1)", "np.sqrt(i + 2)")],
        "how long is the step", "Which client reports",
    ),
    "models on the sphere": (
        "check_in_models",
        [("max(1.0, np.linalg.norm(theta))", "np.linalg.norm(theta)")],
        "", "Which client reports",
    ),
}  # fmt: skip


def solution(name):
    """Return the code in an exercise's explanation."""
    return explanation(name).split("```python\n")[1].split("```")[0]


def slip(title):
    """Make the function of a slip, by its title."""
    name, changes, *_ = SLIPS[title]
    text = solution(name)
    for before, after in changes:
        assert text.count(before) == 1, (title, before)
        text = text.replace(before, after)
    namespace = {}
    exec(compile(text, f"<{title}>", "exec"), namespace)
    return namespace[name]
