"""The lock fits what is declared, and the checks of a release see what is broken."""

import json
import re
import subprocess
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor

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


def test_the_lock_has_what_the_book_needs_and_versions_that_are_allowed():
    locked = lock.packages()
    needs = [*map(Requirement, PROJECT["dependencies"]), *declared("book")]
    assert len(needs) > 12
    missing = [
        str(need) for need in needs if locked.get(need.name, "0") not in need.specifier
    ]
    assert not missing, f"run `make lock`: {missing}"


def test_every_locked_package_has_hashes_and_no_address():
    text = lock.LOCK.read_text("utf-8")
    packages = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert len(packages) == len(lock.packages()) > 100
    assert all("--hash=sha256:" in each for each in packages)
    assert "://" not in text
    assert "index" not in text.replace("indexing", "")


def test_make_installs_the_lock_by_its_hashes():
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "book", "LOCKED=1", "PYTHON=python3"],
        cwd=ROOT, text=True, capture_output=True,
    )  # fmt: skip
    assert "--require-hashes -r locked.txt" in done.stdout
    assert ".venvs/locked/bin/python book/_tools/build.py" in done.stdout


def test_a_judge_is_given_what_the_package_declares():
    assert set(PROJECT["dependencies"]) < set(wrappers._REQUIRED.split())


def test_a_bill_that_leaves_a_package_out_is_refused(tmp_path):
    path = tmp_path / "bill.json"
    listed = [{"name": name, "version": at} for name, at in lock.packages().items()]
    path.write_text(json.dumps({"bomFormat": "CycloneDX", "components": listed}))
    assert release.check_bill(path) == f"{len(listed)} packages"
    path.write_text(json.dumps({"bomFormat": "CycloneDX", "components": listed[1:]}))
    with pytest.raises(ValueError, match="does not list"):
        release.check_bill(path)


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


def test_hashes_are_written_as_sha256sum_reads_them(tmp_path, monkeypatch):
    monkeypatch.setattr(release, "SUMS", tmp_path / "SHA256SUMS")
    (tmp_path / "a.txt").write_text("a")
    release.sums([tmp_path / "a.txt"])
    check = ["sha256sum", "--check", "SHA256SUMS"]
    assert subprocess.run(check, cwd=tmp_path).returncode == 0
    (tmp_path / "a.txt").write_text("b")
    assert subprocess.run(check, cwd=tmp_path).returncode == 1
