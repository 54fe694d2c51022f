"""Make a release in ``dist``, and check each part: release.py [TAG].

The wheel is installed into an environment of its own and tests itself there; the zip is
unpacked and read from disk in Chromium; the PDF is opened; the bill of materials must
name what readers run and what is locked. The book and the PDF must be built.
"""

import subprocess
import sys
import tempfile
import venv
import zipfile
from hashlib import sha256
from pathlib import Path

import bill
import build_wheel
import offline
import pdf
import yaml
from chromium import launch
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

import dpteach

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
BILL, SUMS = DIST / "bill-of-materials.json", DIST / "SHA256SUMS"
ALONE = "import dpteach; assert dpteach.self_test().passed; print(dpteach.__file__)"


def check_wheel(path: Path) -> str:
    """Install the wheel into a new environment, and let it test itself there."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(Path(folder, "env"), with_pip=True)
        python = Path(folder, "env", "bin", "python")
        needed = f"{path}[figures,scale]"
        quiet = ["--quiet", "--disable-pip-version-check"]
        command = [python, "-m", "pip", "install", *quiet, needed]
        subprocess.run(command, check=True, cwd=folder)
        ran = subprocess.run(
            [python, "-I", "-c", ALONE], cwd=folder, text=True, capture_output=True
        )
        if ran.returncode or not ran.stdout.strip().startswith(folder):
            raise ValueError(f"{path.name} did not pass its own test: {ran.stderr}")
    return "installed alone, and passed its own test"


def check_zip(path: Path) -> str:
    """Unpack it, and open each page of the contents from disk: none may complain."""
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        page = launch(playwright).new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda asked: complaints.append(asked.url))
        book = Path(folder, "private-optimization")
        front, *_ = pdf.pages()
        page.goto((book / "index.html").as_uri())
        page.wait_for_url(f"**/{front}.html")  # it leads on to the front page
        for name in pdf.pages():
            page.goto((book / f"{name}.html").as_uri())
            if page.locator("h1").count() == 0:
                complaints.append(f"{name} has no title")
    if complaints:
        raise ValueError(f"{path.name} does not open from disk: {complaints}")
    return f"{len(pdf.pages())} pages open from disk"


def check_pdf(path: Path) -> str:
    """Open the PDF: each page of the contents stands in its outline."""
    reader = PdfReader(path)
    outline = len(reader.outline)
    if outline != len(pdf.pages()):
        raise ValueError(f"{path.name} has {outline} entries in its outline")
    return f"{len(reader.pages)} sheets, {outline} pages in its outline"


def sums(paths: list[Path]) -> None:
    """Write the hashes as ``sha256sum --check SHA256SUMS`` reads them."""
    lines = (
        f"{sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in paths
    )
    SUMS.write_text("".join(lines), "utf-8")


def check_tag(tag: str) -> None:
    """Compare the tag of a release with the version of the package."""
    if tag != f"v{dpteach.__version__}":
        raise ValueError(
            f"the tag is {tag}, and the package is version {dpteach.__version__}: tag "
            f"v{dpteach.__version__}, or change the version in pyproject.toml, "
            "dpteach/__init__.py, CITATION.cff and codemeta.json"
        )


def check_day(root: Path = ROOT) -> None:
    """Compare the days that the changelog and the citation give for the release."""
    cff = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    line = f"## {dpteach.__version__}, {cff['date-released']}"
    if line not in (root / "CHANGELOG.md").read_text("utf-8").splitlines():
        raise ValueError(
            f"CHANGELOG.md has no line {line!r}: write the day of the release there "
            "and into CITATION.cff"
        )


def main() -> None:
    """Make all parts, check them, and say what was found."""
    if len(sys.argv) > 1:
        check_tag(sys.argv[1])
        check_day()
    printed = pdf.OUT
    if not printed.exists():
        sys.exit("The PDF is missing: `make pdf` prints it.")
    with tempfile.TemporaryDirectory() as folder:
        built = build_wheel.make(Path(folder, "wheel"))
        wheel = DIST / built.name
        wheel.write_bytes(built.read_bytes())
    checks = {
        wheel: check_wheel,
        offline.pack(): check_zip,
        printed: check_pdf,
        bill.write(BILL): bill.check,
    }
    for path, check in checks.items():
        print(f"{path.name}: {check(path)}", flush=True)
    sums(list(checks))
    print(f"{SUMS.relative_to(ROOT)} has the hashes of {len(checks)} files")


if __name__ == "__main__":
    main()
