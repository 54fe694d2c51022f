"""The browser fixtures themselves: they see what a page asks for and complains of."""

import pytest

from tests.browser import browser, site, visit

__all__ = ["browser", "site", "visit"]
pytestmark = pytest.mark.browser


def test_a_visit_sees_requests_and_errors(tmp_path, site, visit):
    (tmp_path / "index.html").write_text(
        "<!doctype html><title>t</title><script>console.error('seen')</script>"
        "<img src='missing.png' alt=''><img src='http://example.invalid/x' alt=''>"
    )
    seen = visit(f"{site(tmp_path)}/index.html")
    seen.page.wait_for_load_state("networkidle")
    assert any("seen" in error for error in seen.errors)
    assert any("404" in error for error in seen.errors)
    assert seen.third_party == ["http://example.invalid/x"]


def test_a_visit_can_be_dark_narrow_and_without_scripts(tmp_path, visit):
    (tmp_path / "index.html").write_text(
        "<!doctype html><title>t</title><p id=a>x<script>a.textContent='ran'</script>"
    )
    address = (tmp_path / "index.html").as_uri()
    assert visit(address).page.inner_text("p") == "ran"
    still = visit(address, width=360, dark=True, java_script_enabled=False).page
    assert still.inner_text("p") == "x"
    assert still.viewport_size == {"width": 360, "height": 800}
