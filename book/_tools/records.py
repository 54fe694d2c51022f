"""List the stored records that must be made anew, and why: records.py [--renew].

A record is what a page or a test takes from a run that is too long for either: results
of experiments, tests behind the "Verified" boxes, thousands of graded right answers. A
stale one stops a release, and no commit. With ``--renew`` all that are stale are made
anew, which can take hours.
"""

import subprocess
import sys
from pathlib import Path

import error_rates
import experiments
import false_rejects
import verify

ROOT = Path(__file__).resolve().parents[2]


def stale() -> dict[str, dict[str, str]]:
    """Return for each tool what it must renew, by name, and why."""
    return {
        "book/_tools/experiments.py": experiments.stale(),
        "book/_tools/verify.py": verify.stale(),
        "book/_tools/false_rejects.py": false_rejects.stale(),
        "book/_tools/error_rates.py": error_rates.stale(),
    }


def main(words: list[str]) -> None:
    """List what is stale, or renew it."""
    found = stale()
    for tool, names in found.items():
        if names and "--renew" in words:
            chosen = [] if tool.endswith("verify.py") else list(names)
            subprocess.run([sys.executable, tool, *chosen], cwd=ROOT, check=True)
        elif names:
            print(f"{tool}:")
            for name, why in names.items():
                print(f"  {name}: {why}")
    count = sum(map(len, found.values()))
    if not count:
        print("Every stored record is fresh.")
    elif "--renew" not in words:
        sys.exit(
            f"{count} records are stale. No commit needs them; a release does: "
            "make records RENEW=1"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
