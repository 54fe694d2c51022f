"""Write table.md from what is stored: for each file, its mutants and what was noticed.

Run as ``python tests/mutants/table.py``. It also prints which files were edited since
their mutants ran; the table itself does not say so, for else each edit would change it.
"""

from collections import Counter

import yaml

from tests.mutants.run import HERE, ROOT, fingerprint, functions, stored

FILE = HERE / "table.md"
PACKAGES = ("accounting", "auditing", "mechanisms")
HEAD = """\
# Small changes to the lines that privacy rests on

Written by `python tests/mutants/table.py` from `runs.json` and `survivors.yml`. A
survivor is a change that no test noticed: it is *harmless* if `survivors.yml` says why
nothing can notice it, and *open* if a test for it is missing or nobody has judged it.

| file | run on | mutants | noticed | harmless | open |
|---|---|--:|--:|--:|--:|
"""


def scope() -> list[str]:
    """List the modules whose mutants count, whether or not they have run."""
    package = ROOT / "dpteach"
    files = [file for each in PACKAGES for file in (package / each).rglob("*.py")]
    names = {
        file.relative_to(package).with_suffix("").as_posix()
        for file in files
        if file.stem != "__init__"
    }
    return sorted(names | {*functions()})


def harmless() -> Counter:
    """Count, for each module, the survivors that have a reason to stay."""
    groups = yaml.safe_load((HERE / "survivors.yml").read_text("utf-8"))
    listed = Counter()
    for group in groups:
        if not group.get("open"):
            listed[group["module"]] += len(group["mutants"])
    return listed


def text() -> str:
    """Write the table, its sum, and the files that have not run."""
    rows, excused = stored(), harmless()
    lines, missing, sums = [], [], Counter()
    for name in scope():
        if name not in rows:
            missing.append(name)
            continue
        made, survive = rows[name]["mutants"], len(rows[name]["survivors"])
        counts = (made, made - survive, excused[name], survive - excused[name])
        sums.update(dict(enumerate(counts)))
        lines.append(_row(f"`{name}`", rows[name]["date"], counts))
    lines.append(_row("all", "", tuple(sums[k] for k in range(4))))
    # Rounded down: 100 % is said only where nothing is open.
    share = 1000 * sums[1] // (sums[1] + sums[3]) / 10
    words = ", ".join(f"`{name}`" for name in missing) or "none"
    return (
        HEAD + "\n".join(lines) + f"\n\nIn these files, {share}% of the changes "
        f"that matter are noticed.\nDrawn by a fixed seed: {_drawn()}."
        f"\nFiles whose mutants have not run yet: {words}.\n"
    )


def _drawn() -> str:
    """Name the files of which a sample was run, with the number of all mutants."""
    return (
        ", ".join(
            f"`{name}` ({row['mutants']} of {row['made']})"
            for name, row in stored().items()
            if row.get("made", row["mutants"]) > row["mutants"]
        )
        or "none"
    )


def _row(name: str, date: str, counts: tuple) -> str:
    return "| " + " | ".join([name, date, *map(str, counts)]) + " |"


def edited() -> list[str]:
    """List the modules that changed since their mutants ran."""
    rows, planned = stored(), functions()
    return [
        name
        for name in rows
        if name in planned and rows[name]["fingerprint"] != fingerprint(name)
    ]


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
    print("Edited since its mutants ran:", ", ".join(edited()) or "none")
