"""Compute stored results anew: experiments.py [--all] [NAME ...].

Without a name, those that are stale: whose code or arguments have changed since.
Runs of ``Kept`` are kept one by one, each in a line of a file that is sealed.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import numpy
import scipy
import sealed_records
from fingerprint import ROOT, file_of, fingerprint, place_of, reached

import dpteach
from dpteach import arrays, chapters, problem
from dpteach.figures import results
from dpteach.figures.results import Kept, Stored

COMMAND = "make experiments"
RESULTS = ":(exclude,glob)dpteach/chapters/*/results/*.json*"
# Every experiment draws and sums by these, whatever it says that it uses.
GROUND = (arrays, problem)


def all_stored() -> dict[str, Stored]:
    """Collect the stored results of all chapters, by name."""
    for module in walk_packages(chapters.__path__, chapters.__name__ + "."):
        import_module(module.name)
    return dict(sorted(results.STORED.items()))


def inputs(result: Stored) -> str:
    """Return the fingerprint of the code and the arguments, as they are now."""
    return fingerprint(
        [result.compute],
        within=_deciding(result),
        arguments=result.arguments,
        refusals=False,
    )


def files(result: Stored) -> list[Path]:
    """List the files that define what a result uses."""
    start = [place_of(result.compute)]
    used = reached(start, _deciding(result), refusals=False)
    return sorted({path for path, _ in used})


def keep(run: Kept, arguments: dict[str, Any]) -> dict:
    """Look a finished run up, or compute it and add it to the file of its kind."""
    sign = fingerprint(
        [run.compute], within=_deciding(run), arguments=arguments, refusals=False
    )
    lines = run.file.read_text(encoding="utf-8") if run.file.exists() else ""
    for row in map(json.loads, lines.splitlines()):
        if row["inputs"] == sign and row["sha256"] == results.seal(row):
            return row["values"]
    start = time.process_time()
    values = run.compute(**arguments)
    row = {
        "arguments": arguments,
        "values": values,
        "seconds": round(time.process_time() - start, 1),  # of a processor
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "machine": machine(),
        "inputs": sign,
    }
    row["sha256"] = results.seal(json.loads(json.dumps(row)))
    with run.file.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return values


def _deciding(result: Stored | Kept) -> list[Path]:
    modules = [*GROUND, *result.uses]
    return [place_of(result.compute)[0], *map(file_of, modules)]


def commit() -> str:
    """Name the commit whose code runs, and say if files have changed since.

    Other results do not count: several may be computed in a row.
    """
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True)
    if head.returncode:
        return "no repository"
    changed = subprocess.run(
        [*git, "status", "--porcelain", "--untracked-files=no", "--", ".", RESULTS],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return head.stdout.strip() + (", with changes" if changed else "")


def machine() -> str:
    """Describe the machine: its kind, its processor, how many cores. No names."""
    cpu = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.+)", cpu.read_text() if cpu.exists() else "")
    model = found[1] if found else platform.processor() or "unknown processor"
    return f"{platform.system()} {platform.machine()}, {model}, {os.cpu_count()} cores"


def renew(result: Stored) -> float:
    """Compute the values and store them; return the seconds that it took."""
    start = time.perf_counter()
    values = result.compute(**result.arguments)
    took = time.perf_counter() - start
    record = {
        "command": f"{COMMAND} NAMES={result.name}",
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(took, 1),
        "seed": result.arguments["seed"],
        "versions": {
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "scipy": scipy.__version__,
            "dpteach": dpteach.__version__,
        },
        "commit": commit(),
        "machine": machine(),
        "inputs": inputs(result),
        "arguments": result.arguments,
        "values": values,
    }
    sealed_records.write(result.file, record)
    result.__dict__.pop("record", None)
    return took


def stale() -> dict[str, str]:
    """Name the results that must be computed anew, and say why."""
    return {name: why for name, one in all_stored().items() if (why := _why(one))}


def _why(result: Stored) -> str:
    try:
        record = result.record
    except FileNotFoundError:
        return "it was never computed"
    except ValueError as error:
        return str(error)
    if record["inputs"] == inputs(result):
        return ""
    since = record["commit"][:40]
    changed = ", ".join(sealed_records.changed(since, files(result)))
    return f"its code or arguments have changed since {since[:8]}: {changed or '?'}"


def lend() -> None:
    """Let experiments have their data, and keep the runs that take long."""
    from mnist import fashion_pixels, mnist, mnist_pixels

    results.DOWNLOADS |= {
        "mnist": mnist,
        "mnist_pixels": mnist_pixels,
        "fashion_pixels": fashion_pixels,
    }
    results.KEEPERS[:] = [keep]


def main(words: list[str]) -> None:
    """Compute the named results anew, all of them, or those that are stale."""
    lend()
    known = all_stored()
    names = [word for word in words if word != "--all"]
    for name in names:
        if name not in known:
            listed = ", ".join(known)
            raise SystemExit(f"There is no result {name!r}. There are: {listed}.")
    for name in names or (known if "--all" in words else stale()):
        print(f"{name}: {renew(known[name]):.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
