"""Take the README's picture from the built book: picture.py."""

from pathlib import Path

from chromium import SHOWN, launch
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "book" / "_build" / "html" / "chapters" / "09-dp-sgd.html"
OUT = ROOT / "book" / "_static" / "figure.png"


def main() -> None:
    """Wait until the figure can be moved, and take it at twice its size."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(
            viewport={"width": 1000, "height": 900}, device_scale_factor=1.6
        )
        page.add_init_script(SHOWN)
        page.goto(PAGE.as_uri())
        figure = page.locator("figure#risk-against-steps")
        figure.scroll_into_view_if_needed()
        figure.locator("fieldset:not([disabled])").wait_for()
        figure.screenshot(path=OUT)
        browser.close()
    print(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
