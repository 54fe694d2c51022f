"""The bill of materials of a release, in CycloneDX's format.

What a reader runs is required: fonts and scripts of a page, the Python that a page
brings, and what the wheel installs. What only the build runs, each other package of the
lock, is listed as excluded.
"""

import json
import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

import lock
import runtime

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "book" / "_static" / "vendor"
EDITOR = ROOT / "book" / "_tools" / "editor" / "package-lock.json"


def write(path: Path) -> Path:
    """Write the bill: the lock as cyclonedx-py reads it, and what a reader runs."""
    command = ["cyclonedx-py", "requirements", str(lock.LOCK), "--output-reproducible"]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), "-o", str(path)]
    subprocess.run(command, check=True)
    bill = json.loads(path.read_text("utf-8"))
    wheel = needed()
    for component in bill["components"]:
        component["scope"] = "required" if component["name"] in wheel else "excluded"
    bill["components"] += reader_parts()
    path.write_text(json.dumps(bill, indent=1) + "\n", "utf-8")
    return path


def needed() -> set[str]:
    """Name what the wheel installs; these packages need no others."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {re.split("[>=]", package)[0] for package in project["dependencies"]}


def reader_parts() -> list[dict[str, Any]]:
    """List what runs in a reader's browser, each with its version and license."""
    return [*vendored(), *editor(), *python_of_a_page()]


def vendored() -> list[dict[str, Any]]:
    """Read the packages of fonts and scripts from the table beside them."""
    table = (VENDOR / "README.md").read_text("utf-8")
    row = r"^\| `[\w/]+` \| the npm package (\S+) ([\d.]+)[^|]*\| ([\w. ]+)"
    names = {"SIL OFL 1.1": "OFL-1.1"}
    return [
        _part("npm", name, at, names.get(words.strip(), words.strip()))
        for name, at, words in re.findall(row, table, re.MULTILINE)
    ]


def editor() -> list[dict[str, Any]]:
    """Read which packages the editor was bundled from, by their licenses."""
    locked = json.loads(EDITOR.read_text("utf-8"))["packages"]
    licenses = (VENDOR / "codemirror" / "LICENSE").read_text("utf-8")
    found = []
    for name, at in re.findall(r"^(@?[\w/-]+) (\d[\d.]+)$", licenses, re.MULTILINE):
        package = locked[f"node_modules/{name}"]
        if package["version"] != at:
            raise ValueError(
                f"the editor was bundled with {name} {at}, and {EDITOR.name} has "
                f"{package['version']}: npm run bundle, in {EDITOR.parent}"
            )
        found.append(_part("npm", name, at, package["license"]))
    return found


def python_of_a_page() -> list[dict[str, Any]]:
    """List Pyodide, the Python in it, NumPy, and what is copied from the build."""
    where = runtime.unpacked()["pyodide"] / "pyodide-lock.json"
    interpreter = json.loads(where.read_text("utf-8"))["info"]["python"]
    licenses = {"pyodide": "MPL-2.0", "@emscripten-forge/numpy": "BSD-3-Clause"}
    pinned = [
        _part("npm", *package.rsplit("@", 1), licenses[package.rsplit("@", 1)[0]], sha)
        for package, sha in runtime.PINNED.items()
    ]
    return [
        *pinned,
        _part("generic", "python", interpreter, "Python-2.0"),
        _part("pypi", "array-api-compat", version("array-api-compat"), "MIT"),
        _part("pypi", "pygments", version("pygments"), "BSD-2-Clause"),
    ]


def _part(
    kind: str, name: str, at: str, license_id: str, sha256: str = ""
) -> dict[str, Any]:
    address = f"pkg:{kind}/{quote(name)}@{at}"
    part: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"reader:{address}",
        "name": name,
        "version": at,
        "scope": "required",
        "licenses": [{"license": {"id": license_id}}],
        "purl": address,
    }
    if sha256:
        part["hashes"] = [{"alg": "SHA-256", "content": sha256}]
    return part


def check(path: Path) -> str:
    """Compare a bill with the lock and with what a reader runs."""
    bill = json.loads(path.read_text("utf-8"))
    listed = {
        scope: {
            (each["name"], each["version"])
            for each in bill["components"]
            if each["scope"] == scope
        }
        for scope in ("required", "excluded")
    }
    wheel, locked = needed(), set(lock.packages().items())
    build = {package for package in locked if package[0] not in wheel}
    run = {(part["name"], part["version"]) for part in reader_parts()} | locked - build
    expected = {"required": run, "excluded": build}
    if bill["bomFormat"] != "CycloneDX" or listed != expected:
        wrong = set().union(*(listed[k] ^ expected[k] for k in expected))
        raise ValueError(f"{path.name} does not list what is used: see {sorted(wrong)}")
    return f"{len(run)} parts that readers run, {len(listed['excluded'])} of the build"
