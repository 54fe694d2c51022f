"""Print the book into one PDF: pdf.py. Chromium prints each page; they are joined.

Proofs stand open, figures are in their first state, and the outline lists the pages.
"""

import re
import threading
from io import BytesIO
from pathlib import Path

from chromium import launch
from playwright.sync_api import sync_playwright
from pypdf import PdfReader, PdfWriter
from serve import server

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "book" / "_build" / "html"
OUT = ROOT / "dist" / "private-optimization.pdf"
FOOT = (
    '<div style="width:100%;text-align:center;font:8px sans-serif;color:#555">'
    '<span class="pageNumber"></span></div>'
)


def pages() -> list[str]:
    """Return the pages in the order of the contents."""
    toc = (ROOT / "book" / "_toc.yml").read_text(encoding="utf-8")
    return re.findall(r"^[^#\n]*(?:file|root): (\S+)", toc, re.MULTILINE)


def main() -> None:
    """Print, join, and say how many sheets there are."""
    site = server(HTML)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    writer = PdfWriter()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page()
        for name in pages():
            page.goto(f"http://127.0.0.1:{site.server_port}/{name}.html")
            page.evaluate("document.fonts.ready")
            title = page.title().rpartition(" · ")[0] or page.title()
            printed = page.pdf(
                format="A4", display_header_footer=True, footer_template=FOOT,
                header_template="<span></span>", print_background=True,
                margin=dict.fromkeys(("top", "bottom", "left", "right"), "18mm"),
            )  # fmt: skip
            start = len(writer.pages)
            for sheet in PdfReader(BytesIO(printed)).pages:
                writer.add_page(sheet)
            writer.add_outline_item(title=title, page_number=start)
        browser.close()
    site.shutdown()
    writer.add_metadata({"/Title": "Private Optimization"})
    writer.compress_identical_objects()
    OUT.parent.mkdir(exist_ok=True)
    writer.write(OUT)
    kilobytes = OUT.stat().st_size / 1000
    print(f"{OUT.relative_to(ROOT)}: {len(writer.pages)} sheets, {kilobytes:.0f} kB")


if __name__ == "__main__":
    main()
