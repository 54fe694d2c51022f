"""Run benchmarks one after the other, and end with one table: run.py SCRIPT ...

The table has each goal, what was measured, and whether it was met. A script that ends
in an exception is named below it, and this ends with 1; a goal that is not met is for a
person to judge, because a busy machine can miss one.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def table(rows: list[dict[str, str]]) -> str:
    """Write the rows below one another."""
    heads = ("script", "what", "goal", "measured", "met")
    lines = [dict(zip(heads, heads, strict=True)), *rows]
    widths = [max(len(line[head]) for line in lines) for head in heads]
    return "\n".join(
        "  ".join(f"{line[head]:<{w}}" for head, w in zip(heads, widths, strict=True))
        for line in lines
    )


def main() -> None:
    """Run each script, then print the table."""
    rows, failed = [], []
    for script in map(Path, sys.argv[1:]):
        print(f"# {script}", flush=True)
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as kept:
            here = os.environ | {"BENCH_ROWS": kept.name}
            done = subprocess.run([sys.executable, str(script)], env=here, check=False)
            rows += [{"script": script.stem, **json.loads(line)} for line in kept]
        if done.returncode:
            failed.append(str(script))
    print(f"\n{table(rows)}")
    if failed:
        sys.exit(f"These did not run to their end: {', '.join(failed)}")


if __name__ == "__main__":
    main()
