"""Pack the pages into a zip that works from disk: offline.py."""

import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "book" / "_build" / "html"
OUT = ROOT / "dist" / "private-optimization.zip"


def pack(html: Path = HTML, out: Path = OUT) -> Path:
    """Write the zip; the same pages make the same bytes."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(html.rglob("*")):
            if path.is_file():
                name = f"private-optimization/{path.relative_to(html).as_posix()}"
                entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    return out


if __name__ == "__main__":
    made = pack()
    print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1000:.0f} kB")
    print("Unpack it and open private-optimization/index.html")
