"""What one record can change besides the output: a table that a test computes."""

import json
from html import escape
from pathlib import Path

RECORD = Path(__file__).parent / "effects.json"
COLUMNS = ("raises", "message", "warns", "iterations", "time", "memory")
GOOD = {"no", "", "same"}


def written(rows: dict[str, dict[str, str]]) -> str:
    """Write the rows as they are stored, one a line."""
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


class Effects:
    """The table: for each public algorithm what a record can change."""

    def __init__(self) -> None:
        self.rows = json.loads(RECORD.read_text(encoding="utf-8"))

    def __str__(self) -> str:
        """Write one line for each algorithm."""
        lines = [f"{'':34}" + "".join(f"{column:12}" for column in COLUMNS)]
        for name, row in self.rows.items():
            lines.append(f"{name:34}" + "".join(f"{row[c]:12}" for c in COLUMNS))
        return "\n".join(line.rstrip() for line in lines)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Show a table; elsewhere it is plain text."""
        head = "".join(f"<th>{column}</th>" for column in ("algorithm", *COLUMNS))
        body = "".join(
            f"<tr><td><code>{escape(name)}</code></td>"
            + "".join(_cell(row[column]) for column in COLUMNS)
            + "</tr>"
            for name, row in self.rows.items()
        )
        page = (
            '<div class="long" style="max-height:36em;overflow:auto" tabindex="0" '
            'role="region" aria-label="What one record can change, by algorithm">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
        return {"text/html": page, "text/plain": str(self)}


def _cell(value: str) -> str:
    text = escape(value)
    return f"<td>{text}</td>" if value in GOOD else f"<td><strong>{text}</strong></td>"


def effects() -> Effects:
    """Show what one record can change besides the output."""
    return Effects()
