"""The "Verified" box of a chapter: what was tested, by which test, and how often."""

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from .. import checks
from ..figures.results import seal

RECORD = Path(__file__).parent / "verified.json"


@dataclass(frozen=True)
class Verified:
    """What a chapter claims and a recorded test run has shown.

    Parameters
    ----------
    rows : list of dict
        Each with ``claim``, ``test``, ``cases``, and ``date``: when the test was run.
    versions : dict of str to str
        The versions of Python and the libraries.
    """

    rows: list[dict[str, Any]]
    versions: dict[str, str]

    def _when(self) -> str:
        versions = ", ".join(f"{name} {v}" for name, v in self.versions.items())
        first, *_, last = sorted([row["date"] for row in self.rows] * 2)
        when = f"on {last}" if first == last else f"from {first} to {last}"
        return f"Recorded {when} with {versions}; run again in every test run."

    def __str__(self) -> str:
        """Write one line for each claim."""
        lines = [
            f"✓ {row['claim']} [{_cases(row)}, {row['test']}]" for row in self.rows
        ]
        return "\n".join([*lines, self._when()])

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Show a list; elsewhere it is plain text."""
        items = "".join(
            f"<li>{escape(row['claim'])} <span>{_cases(row)}, "
            f'<code style="overflow-wrap:anywhere">{escape(_name(row["test"]))}</code>'
            f"</span></li>"
            for row in self.rows
        )
        count = f"{len(self.rows)} claims" if len(self.rows) > 1 else "One claim"
        page = (
            f'<details class="dpt-verified"><summary>{count}, each shown by a test'
            f"</summary><ul>{items}</ul><p>{self._when()}</p></details>"
        )
        return {"text/html": page, "text/plain": str(self)}


def seal_of(row: dict[str, Any], versions: dict[str, str]) -> str:
    """Hash what a run showed: of which test, how many cases, when, with what."""
    shown = {key: row[key] for key in ("cases", "date", "fingerprint")}
    return seal({**shown, "versions": versions})


def _cases(row: dict[str, Any]) -> str:
    return "1 case" if row["cases"] == 1 else f"{row['cases']} cases"


def _name(test: str) -> str:
    return test.split("::")[-1]


def verified(chapter: str) -> Verified:
    """Show what a chapter claims, and the recorded tests that show it.

    Parameters
    ----------
    chapter : str
        Its file's name, such as ``"09-dp-sgd"``.

    Returns
    -------
    Verified
        As the last line of a cell, it is displayed as a list.

    Raises
    ------
    ValueError, TypeError
        If the chapter has no record.

    Examples
    --------
    >>> all(row["cases"] > 0 for row in verified("09-dp-sgd").rows)
    True
    """
    checks.instance(str, chapter=chapter)
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    checks.one_of(tuple(record["chapters"]), chapter=chapter)
    rows, versions = record["chapters"][chapter], record["versions"]
    for row in rows:
        if row.get("sha256") != seal_of(row, versions):
            raise ValueError(
                f"{RECORD.name} was edited after it was written: the seal of "
                f"{row['test']} does not fit. `make records` says how to renew it."
            )
    return Verified(rows, versions)
