"""The page "Your own table": a table goes in, a model comes out, and nothing leaves."""

import json
import zipfile

import pytest

from dpteach.tables import Model
from tests.axe import complaints
from tests.book.test_pages import too_wide

pytestmark = pytest.mark.browser
SECONDS = 120_000  # a busy machine starts Python slowly
HOSTILE = "<img src=x onerror=alert(1)>"
TABLE = "name;age;city;smoker\n" + "".join(
    f"n{k};{20 + k % 50};{'AB'[k % 2]};{'yes' if k % 2 else 'no'}\n"
    for k in range(3000)
)


@pytest.fixture
def table(book, site, visit):
    """Return ``table(...)``, which opens the page and returns the visit."""

    def opened(**more):
        seen = visit(f"{site(book)}/book/your-own-table.html", **more)
        seen.page.set_default_timeout(SECONDS)
        return seen

    return opened


def press(page, words):
    """Press a button, and return what the page says when the work has ended."""
    page.get_by_role("button", name=words).click()
    return ended(page)


def ended(page):
    page.locator(".own-table .status button").wait_for(state="hidden")
    return page.locator(".own-table .said").inner_text()


def test_a_table_becomes_a_model_and_nothing_leaves(table, tmp_path):
    """Offline from the seal on, with a table and a schema that the form writes."""
    seen = table()
    page = seen.page
    assert page.get_by_role("button", name="Train").is_disabled()
    assert "sealed" in press(page, "Get Python")
    proofs = page.locator(".proofs").inner_text()
    assert "refused (connect-src)" in proofs
    before = len(seen.requests)
    page.context.set_offline(True)
    path = tmp_path / "own.csv"
    path.write_text(TABLE)
    page.get_by_label("Table (CSV)").set_input_files(path)
    columns = page.locator(".form li")
    columns.nth(3).wait_for()
    assert columns.count() == 4
    columns.nth(1).get_by_role("combobox").select_option("number")
    columns.nth(1).get_by_label("least").fill("0")
    columns.nth(1).get_by_label("largest").fill("100")
    for row, levels in ((2, "A, B"), (3, "no, yes")):
        columns.nth(row).get_by_role("combobox").select_option("words")
        columns.nth(row).get_by_label("categories").fill(levels)
    page.get_by_label("Whose presence is hidden?").fill(HOSTILE)
    page.get_by_role("button", name="Write the schema").click()
    assert page.get_by_label("Column to predict").input_value() == "smoker"
    assert page.get_by_label("Rows, which are public").input_value() == "3000"
    assert "nothing was spent" in press(page, "Preview")
    assert press(page, "Train") == "The model is there."
    assert HOSTILE in page.locator(".label").inner_text()
    assert page.locator(".own-table img").count() == 0
    with page.expect_download() as download:
        page.get_by_text("Everything, as one archive").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extractall(tmp_path)
    model = Model.load(tmp_path / "model")
    assert (model.n, model.epsilon, model.target) == (3000, 1.0, "smoker")
    path.write_text('age,city\n30,"A\n40,B\n'.replace(",", ";"))
    page.get_by_label("Rows to predict").set_input_files(path)
    page.get_by_text("Download predictions.csv").wait_for()
    assert ended(page) == "2 predictions."
    with page.expect_download() as download:
        page.get_by_text("Download predictions.csv").click()
    rows = download.value.path().read_text().splitlines()
    assert rows[0] == "predicted_smoker,probability_of_yes"
    assert rows[2].startswith("yes,")
    assert "costs ε = 2" in press(page, "Train")
    assert seen.requests[before:] == []
    assert "since then: 0." in page.locator(".proofs").inner_text()
    assert seen.third_party == []
    refused = [
        each for each in seen.errors if "connect-src" in each or "Refuse" in each
    ]
    assert seen.errors == refused  # the page's own proof


def test_what_is_wrong_is_said_and_costs_nothing(table):
    page = table().page
    press(page, "Get Python")
    assert "made-up table" in press(page, "commuters")
    page.get_by_text("The schema", exact=True).click()
    schema = page.get_by_label("Schema, as JSON")
    right = schema.input_value()
    for wrong, words in (("{", "no JSON"), ('{"fields": []}', "`fields`")):
        schema.fill(wrong)
        assert words in press(page, "Train")
    schema.fill(right)
    page.get_by_label("Column to predict").select_option("bicycle")
    page.get_by_label("ε", exact=True).fill("0")
    assert "`epsilon`" in press(page, "Train")
    page.get_by_label("ε", exact=True).fill("1")
    assert press(page, "Train") == "The model is there."  # and no word of a second run
    other = json.loads(right)
    other["fields"][1] |= {"name": "kilometers", "type": "boolean"}
    del other["fields"][1]["constraints"]
    schema.fill(json.dumps(other))
    page.get_by_label("Column to predict").select_option("bicycle")
    assert "kilometers" in press(page, "Train")


def test_without_the_policy_no_table_is_taken(table):
    """The proof has power: where Python could connect, the page stays shut."""
    seen = table()
    loose = "script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:"

    def answer(route):
        text = route.fetch().text()
        start, end = text.index('content="default-src') + 9, text.index("<meta name")
        route.fulfill(
            body=f'{text[:start]}{loose}">\n{text[end:]}', content_type="text/html"
        )

    seen.page.route("**/python.html", answer)
    assert "no table is read here" in press(seen.page, "Get Python")
    assert seen.page.get_by_role("button", name="Train").is_disabled()


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_phone_and_can_be_reached(table, dark):
    page = table(width=390, height=844, dark=dark, has_touch=True).page
    press(page, "Get Python")
    press(page, "commuters")
    press(page, "Train")
    assert too_wide(page) == []
    assert complaints(page) == []
