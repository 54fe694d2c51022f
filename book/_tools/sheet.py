"""All figures on one sheet, light and dark: sheet.py. To be looked at, not kept.

Each figure is drawn as a laptop shows it, in its first state, with its chapter and its
id below. Where two look alike, or one is empty, the sheet shows it at once.
"""

from io import BytesIO
from pathlib import Path

from chromium import SHOWN, launch
from PIL import Image, ImageDraw
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "book" / "_build" / "html"
OUT = ROOT / "dist"
COLUMNS, WIDE, HIGH, GAP = 8, 400, 400, 12  # of one figure, in pixels


def figures(page: Page) -> list[tuple[str, Image.Image]]:
    """Return the name and the picture of every figure of the chapters, in order."""
    found = []
    for path in sorted((HTML / "chapters").glob("*.html")):
        page.goto(path.as_uri())
        page.wait_for_load_state("networkidle")
        for figure in page.locator("figure.dpt").all():
            figure.scroll_into_view_if_needed()
            page.wait_for_selector("figure.dpt fieldset:not([disabled])")
            name = f"{path.stem.partition('-')[0]} {figure.get_attribute('id')}"
            found.append((name, Image.open(BytesIO(figure.screenshot()))))
    return found


def sheet(pictures: list[tuple[str, Image.Image]], *, dark: bool) -> Image.Image:
    """Lay pictures out in rows."""
    rows = -(-len(pictures) // COLUMNS)
    paper, ink = ("#101215", "#e4e0d8") if dark else ("#ffffff", "#1e2126")
    size = (COLUMNS * (WIDE + GAP) + GAP, rows * (HIGH + 3 * GAP) + GAP)
    out = Image.new("RGB", size, paper)
    pen = ImageDraw.Draw(out)
    for k, (name, picture) in enumerate(pictures):
        row, column = divmod(k, COLUMNS)
        left, top = GAP + column * (WIDE + GAP), GAP + row * (HIGH + 3 * GAP)
        picture.thumbnail((WIDE, HIGH))
        out.paste(picture, (left, top))
        pen.text((left, top + HIGH + 4), name, fill=ink)
    return out


def main() -> None:
    """Take the pictures, and say where the sheets are."""
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": 1366, "height": 768}, color_scheme=scheme
            )
            page.add_init_script(SHOWN)
            pictures = figures(page)
            file = OUT / f"figures-{scheme}.png"
            sheet(pictures, dark=scheme == "dark").save(file)
            print(f"{file.relative_to(ROOT)}: {len(pictures)} figures", flush=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
