"""The lock fits what is declared, and the checks of a release see what is broken."""

import json
import re
import subprocess
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor

import bill
import lock
import pdf
import pypdf
import pytest
import release
from packaging.requirements import Requirement

from dpteach.grading.judge import wrappers
from tests.public import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LEADS_ON = '<meta http-equiv="refresh" content="0; url=chapters/one.html">'
BROKEN = "<h1>A page</h1><script>missing()</script>"


def declared(extra):
    """List what an extra needs, and what the extras that it names need."""
    for line in PROJECT["optional-dependencies"][extra]:
        need = Requirement(line)
        if need.name == "dpteach":
            for each in need.extras:
                yield from declared(each)
        else:
            yield need


@pytest.mark.parametrize("extra", ["book", "dev"])
def test_the_lock_has_what_is_needed_in_versions_that_are_allowed(extra):
    locked = lock.packages()
    needs = [*map(Requirement, PROJECT["dependencies"]), *declared("book")]
    if extra == "dev":
        locked |= lock.packages(lock.LOCK_DEV)
        needs += declared("dev")
    assert len(needs) > 12
    missing = [
        str(need) for need in needs if locked.get(need.name, "0") not in need.specifier
    ]
    assert not missing, f"run `make lock`: {missing}"


def test_every_locked_package_has_hashes_and_no_address():
    text = lock.LOCK.read_text("utf-8") + lock.LOCK_DEV.read_text("utf-8")
    packages = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    book, more = lock.packages(), lock.packages(lock.LOCK_DEV)
    assert len(packages) == len(book) + len(more) > 150
    assert not book.keys() & more.keys()
    assert all("--hash=sha256:" in each for each in packages)
    assert "://" not in text
    assert "index" not in text.replace("indexing", "")


@pytest.mark.parametrize(
    ("target", "locks", "runs"),
    [
        ("book", "locked.txt", "python book/_tools/build.py"),
        ("test", "locked.txt -r locked-dev.txt", "python -m pytest"),
        ("test-book", "locked.txt -r locked-dev.txt", "python book/_tools/build.py"),
        ("test-thorough", "locked.txt -r locked-dev.txt", "python -m pytest"),
    ],
)
def test_make_installs_the_lock_by_its_hashes(target, locks, runs):
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", target, "LOCKED=1", "PYTHON=python3"],
        cwd=ROOT, text=True, capture_output=True,
    )  # fmt: skip
    assert f"--require-hashes -r {locks}\n" in done.stdout
    assert f".venvs/locked/bin/{runs}" in done.stdout
    assert ".venv/bin" not in done.stdout


def test_a_judge_is_given_what_the_package_declares():
    assert set(PROJECT["dependencies"]) < set(wrappers._REQUIRED.split())


@pytest.fixture
def complete(tmp_path, monkeypatch):
    """Write a bill with all that it should name; nothing is downloaded for it."""
    pyodide = tmp_path / "pyodide-lock.json"
    pyodide.write_text('{"info": {"python": "3.11.3"}}', "utf-8")
    monkeypatch.setattr(bill.runtime, "unpacked", lambda: {"pyodide": tmp_path})
    locked = [
        {
            "name": name,
            "version": at,
            "scope": "required" if name in bill.needed() else "excluded",
        }
        for name, at in lock.packages().items()
    ]
    told = {"bomFormat": "CycloneDX", "components": [*bill.reader_parts(), *locked]}
    path = tmp_path / "bill.json"
    path.write_text(json.dumps(told), "utf-8")
    return path


def test_a_bill_names_all_that_a_reader_runs(complete):
    parts = bill.reader_parts()
    names = {each["name"] for each in parts}
    assert {"katex", "minisearch", "@fontsource-variable/source-serif-4"} < names
    assert {"@codemirror/view", "@lezer/python", "pyodide", "python"} < names
    assert {"@emscripten-forge/numpy", "array-api-compat", "pygments"} < names
    assert len({each["bom-ref"] for each in parts}) == len(parts) == 23
    folders = {path.name for path in bill.VENDOR.iterdir() if path.is_dir()}
    assert folders == {"katex", "codemirror", "minisearch", "fonts"}
    assert len(bill.vendored()) == len(folders) - 1  # the editor has many parts
    assert bill.needed() == {"numpy", "scipy", "array-api-compat"}
    # array-api-compat runs on a page and beside the wheel
    assert bill.check(complete).startswith("25 parts that readers run")


def test_a_bill_that_leaves_a_part_out_is_refused(complete):
    told = json.loads(complete.read_text("utf-8"))
    for left_out in (0, len(told["components"]) - 1):
        short = [c for k, c in enumerate(told["components"]) if k != left_out]
        complete.write_text(json.dumps({**told, "components": short}), "utf-8")
        with pytest.raises(ValueError, match="does not list what is used"):
            bill.check(complete)


def test_the_editor_is_bundled_from_what_is_locked(monkeypatch, tmp_path):
    locked = json.loads(bill.EDITOR.read_text("utf-8"))
    packages = [each for name, each in locked["packages"].items() if name]
    assert all(each["integrity"].startswith("sha512-") for each in packages)
    script = json.loads(bill.EDITOR.with_name("package.json").read_text("utf-8"))
    assert "npm ci --ignore-scripts" in script["scripts"]["bundle"]
    locked["packages"]["node_modules/crelt"]["version"] = "1.0.8"
    (tmp_path / "package-lock.json").write_text(json.dumps(locked), "utf-8")
    monkeypatch.setattr(bill, "EDITOR", tmp_path / "package-lock.json")
    with pytest.raises(ValueError, match=r"crelt 1\.0\.7.*has 1\.0\.8: npm run bundle"):
        bill.editor()


def test_a_pdf_without_a_page_of_the_contents_is_refused(tmp_path):
    writer = pypdf.PdfWriter()
    writer.add_blank_page(width=100, height=100)
    for name in pdf.pages()[1:]:
        writer.add_outline_item(title=name, page_number=0)
    writer.write(tmp_path / "short.pdf")
    with pytest.raises(ValueError, match="entries in its outline"):
        release.check_pdf(tmp_path / "short.pdf")


def opened(archive):
    """Check a zip in a thread: in this one another test's browser may be open."""
    with ThreadPoolExecutor() as pool:
        return pool.submit(release.check_zip, archive).result()


@pytest.mark.browser
@pytest.mark.parametrize("page", ["<h1>A page</h1>", BROKEN, "<p>No title"])
def test_a_zip_is_opened_as_a_reader_opens_it(tmp_path, monkeypatch, page):
    monkeypatch.setattr(pdf, "pages", lambda: ["chapters/one"])
    with zipfile.ZipFile(tmp_path / "book.zip", "w") as archive:
        archive.writestr("private-optimization/index.html", LEADS_ON)
        archive.writestr("private-optimization/chapters/one.html", page)
    if page == "<h1>A page</h1>":
        assert opened(tmp_path / "book.zip") == "1 pages open from disk"
    else:
        with pytest.raises(ValueError, match="does not open from disk"):
            opened(tmp_path / "book.zip")


def test_a_tag_is_that_of_the_version():
    release.check_tag(f"v{PROJECT['version']}")
    with pytest.raises(ValueError, match=r"the tag is v0\.0\.9, and the package"):
        release.check_tag("v0.0.9")


def test_a_release_has_one_day(tmp_path):
    """A changelog that says "not yet released" would be released with it."""
    (tmp_path / "CITATION.cff").write_text("date-released: 2027-01-31")
    for day in ("not yet released", "2027-01-30"):
        (tmp_path / "CHANGELOG.md").write_text(f"## {PROJECT['version']}, {day}\n")
        with pytest.raises(ValueError, match=r"no line .*2027-01-31"):
            release.check_day(tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(f"## {PROJECT['version']}, 2027-01-31\n")
    release.check_day(tmp_path)


def test_hashes_are_written_as_sha256sum_reads_them(tmp_path, monkeypatch):
    monkeypatch.setattr(release, "SUMS", tmp_path / "SHA256SUMS")
    (tmp_path / "a.txt").write_text("a")
    release.sums([tmp_path / "a.txt"])
    check = ["sha256sum", "--check", "SHA256SUMS"]
    assert subprocess.run(check, cwd=tmp_path).returncode == 0
    (tmp_path / "a.txt").write_text("b")
    assert subprocess.run(check, cwd=tmp_path).returncode == 1
