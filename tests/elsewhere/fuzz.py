"""Random hostile data for every algorithm: fuzz.py [--seed S] [--seconds T] [--out F].

Values, dtypes, layouts and functions are drawn at random until the time is over. A run
survives if it gives finite numbers without a warning, or refuses in words that name an
argument; and if data of the same values, laid out otherwise, give the same answer. The
scoreboard is JSON: how many runs of each function were tried and survived, and for each
kind of failure its first case, which ``--seed`` and ``--case`` repeat.
"""

import argparse
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from dpteach import Problem
from dpteach.privacy import Release
from tests.effects import DATA, algorithms, labels

SIZES = (
    1.7e308,
    1e150,
    9.96921e36,
    3.4e38,
    1e30,
    1e19,
    1.0,
    1e-19,
    1e-38,
    1e-45,
    5e-324,
)
SLOW = 11.0  # seconds of processor time for one run

functions = cache(algorithms)

LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "plain": np.array,
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: np.ascontiguousarray(a[::-1])[::-1],
    "fortran": np.asfortranarray,
    "read-only": lambda a: _frozen(a.copy()),
    "unaligned": lambda a: _unaligned(a),
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
}


def _frozen(a: np.ndarray) -> np.ndarray:
    a.setflags(write=False)
    return a


def _unaligned(a: np.ndarray) -> np.ndarray:
    bytes_ = np.empty(a.nbytes + 1, dtype=np.uint8)
    view = bytes_[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    return view


def numbers(rng: np.random.Generator, shape: tuple, dtype: type) -> np.ndarray:
    """Draw ordinary numbers with hostile rows among them."""
    values = rng.uniform(-1, 1, shape)
    for row in rng.choice(
        shape[0], rng.integers(0, 1 + min(3, shape[0])), replace=False
    ):
        size = rng.choice(SIZES) * rng.choice([-1.0, 1.0], shape[1:])
        values[row] = size * (rng.random(shape[1:]) < rng.choice([0.3, 1.0]))
    with np.errstate(over="ignore"):
        return np.clip(values, -np.finfo(dtype).max, np.finfo(dtype).max).astype(dtype)


def draw(rng: np.random.Generator, arguments: dict, layout: Callable) -> dict[str, Any]:
    """Draw data for a function, in place of those of its valid arguments."""
    dtype = rng.choice([np.float32, np.float64])
    name = next(each for each in DATA if each in arguments)
    valid = arguments[name]
    if name == "problem":
        X = numbers(rng, valid.X.shape, dtype)
        end = float(np.finfo(dtype).max)
        some = [y for y in labels(valid.loss, SIZES) if abs(y) <= end]
        y = rng.choice(some, len(X)).astype(dtype)
        problem = Problem(layout(X), layout(y), valid.loss, valid.constraint)
        return {"problem": problem}
    if name == "X":
        data = {"X": layout(numbers(rng, valid.shape, dtype))}
        if "y" in arguments:
            data["y"] = layout(numbers(rng, arguments["y"].shape, dtype))
        return data
    if isinstance(valid, np.ndarray) and valid.dtype.kind == "f":
        return {name: layout(numbers(rng, valid.shape, dtype))}
    return {}


def arrays(data: dict[str, Any]) -> list[np.ndarray]:
    """List the arrays that were drawn."""
    return [
        array
        for value in data.values()
        for array in ((value.X, value.y) if isinstance(value, Problem) else (value,))
    ]


def fault(function: Callable, arguments: dict) -> tuple[str, Any]:
    """Run it; say what is wrong, if anything, and return what came out."""
    started = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            out = function(**arguments)
        except (ValueError, TypeError) as error:
            named = any(f"`{name}`" in str(error) for name in arguments)
            return ("" if named else f"unclear: {type(error).__name__}"), None
        except Exception as error:
            return f"raises {type(error).__name__}", None
    if time.process_time() - started > SLOW:
        return "slow", out
    if caught:
        return f"warns: {str(caught[0].message)[:40]}", out
    for each in (out.theta, out.path) if isinstance(out, Release) else (out,):
        if not np.isfinite(np.asarray(each, dtype=float)).all():
            return "not finite", out
    return "", out


def case(seed: int, number: int) -> tuple[str, str]:
    """Try the case of this number: the name of a function, and what was wrong."""
    rng = np.random.default_rng([seed, number])
    names = functions()
    name = str(rng.choice(list(names)))
    function, valid = names[name][rng.integers(len(names[name]))]
    layout = rng.choice(list(LAYOUTS))
    state = rng.bit_generator.state
    outs, wrong = [], ""
    for each in ("plain", layout):
        rng.bit_generator.state = state
        try:
            data = draw(rng, valid, LAYOUTS[each])
        except ValueError as error:  # the data are refused: before any algorithm
            return name, "" if "`X`" in str(error) or "`y`" in str(error) else "unclear"
        found, out = fault(function, valid | data)
        wrong = wrong or found
        outs.append(out.theta if isinstance(out, Release) else out)
    exact = "secure" in name  # the system's own randomness
    if not wrong and not exact and (outs[0] is None) != (outs[1] is None):
        wrong = f"{layout}: refused in one layout only"
    # Where rounding errors are as large as 1e300, a layout's last bits decide much.
    tame = all(np.max(abs(a), initial=0) <= 1 for a in arrays(data))
    if not wrong and not exact and tame and outs[0] is not None:
        same = np.allclose(outs[0], outs[1], rtol=1e-4, atol=1e-4)
        wrong = "" if same else f"{layout}: another answer"
    return name, wrong


def scoreboard(seed: int, seconds: float) -> dict[str, Any]:
    """Try cases until the time is over."""
    tried, survived, failures = Counter(), Counter(), {}
    started, number = time.monotonic(), 0
    while time.monotonic() - started < seconds:
        name, wrong = case(seed, number)
        tried[name] += 1
        survived[name] += not wrong
        if wrong:
            kind = failures.setdefault(f"{name}: {wrong}", {"case": number, "times": 0})
            kind["times"] += 1
        number += 1
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "seed": seed,
        "seconds": seconds,
        "tried": sum(tried.values()),
        "survived": sum(survived.values()),
        "functions": {n: [tried[n], survived[n]] for n in sorted(tried)},
        "failures": dict(sorted(failures.items())),
    }


def main() -> None:
    """Print the scoreboard; fail if a run did not survive."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seed", type=int, default=int(time.time()))
    reader.add_argument("--seconds", type=float, default=60.0)
    reader.add_argument("--case", type=int, help="try this case alone")
    reader.add_argument("--out", type=Path, help="a file for the scoreboard")
    given = reader.parse_args()
    if given.case is not None:
        print(*case(given.seed, given.case))
        return
    board = scoreboard(given.seed, given.seconds)
    text = json.dumps(board, indent=1)
    if given.out:
        given.out.write_text(text + "\n", encoding="utf-8")
    print(text)
    sys.exit(bool(board["failures"]))


if __name__ == "__main__":
    main()
