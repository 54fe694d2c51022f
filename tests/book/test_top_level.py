"""The files at the top of the repository agree with one another and with the code."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import notebooks
import pytest
import yaml
from dpteach_book import frame, install, repository

import dpteach
from tests.elsewhere.versions import ENVIRONMENTS
from tests.public import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_version_is_one():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cff["version"] == PROJECT["version"] == dpteach.__version__
    meta = json.loads((ROOT / "codemeta.json").read_text())
    assert meta["version"] == cff["version"]
    assert f"spdx.org/licenses/{cff['license']}" in meta["license"]
    assert meta["keywords"] == cff["keywords"] == PROJECT["keywords"]
    needs = {re.split("[>=]", each)[0] for each in PROJECT["dependencies"]}
    assert set(meta["softwareRequirements"]) == needs
    assert f"## {cff['version']}" in (ROOT / "CHANGELOG.md").read_text()
    assert len(meta["author"]) == len(cff["authors"])


def test_names_and_a_doi_reach_the_pages_from_the_file_alone():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    now = frame.citation(cff)
    assert (now["people"], now["doi"]) == ("The dpteach authors", "")
    assert now["author"] == "{The dpteach authors}"  # BibTeX sorts it as one name
    person = {"given-names": "Emmy", "family-names": "Noether", "orcid": "x"}
    cff["authors"].append(person)
    cff["identifiers"] = [{"type": "doi", "value": "10.5281/zenodo.1"}]
    then = frame.citation(cff)
    assert then["people"] == "The dpteach authors and Emmy Noether"
    assert then["author"] == "{The dpteach authors} and Noether, Emmy"
    assert then["doi"] == "10.5281/zenodo.1"
    page = (ROOT / "book" / "_theme" / "layout.html").read_text("utf-8")
    assert {f"citation.{key}" for key in then} <= set(
        re.findall(r"citation\.\w+", page)
    )


def test_binder_installs_what_the_package_asks_for():
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    listed = [line for line in lines if line and not line.startswith("#")]
    have = set(listed)
    assert len(have) == len(listed)
    extras = PROJECT["optional-dependencies"]
    need = {*PROJECT["dependencies"], *extras["figures"], *extras["scale"]}
    assert need <= have
    builder = next(line for line in extras["book"] if line.startswith("jupyter-book"))
    assert builder in have


def test_nothing_but_the_builder_is_pinned():
    """A pin would move a package that Colab ships."""
    for line in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["figures"]:
        assert ">=" in line
        assert "<" not in line
        assert "==" not in line


def test_jobs_run_what_make_runs_elsewhere():
    """Each script of ``make test-elsewhere``, and each set of versions."""
    text = (ROOT / ".github" / "workflows" / "elsewhere.yml").read_text("utf-8")
    target = (ROOT / "Makefile").read_text("utf-8").partition("\ntest-elsewhere:")[2]
    places = (ROOT / "tests" / "elsewhere").glob("*.py")
    # What two browsers share; what runs each night, with the versions of here.
    scripts = {path.stem for path in places} - {"parts", "fuzz"}
    assert set(re.findall(r"tests/elsewhere/(\w+)\.py", text)) == scripts
    listed = re.search(r"for each in ([\w ]+);", target)
    assert listed
    assert set(listed[1].split()) == scripts
    names = yaml.safe_load(text)["jobs"]["versions"]["strategy"]["matrix"]["name"]
    assert set(names) == set(ENVIRONMENTS)


WORKFLOWS = {
    path.name: yaml.safe_load(path.read_text("utf-8"))
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
}
# What a job may do besides reading. None of these runs what was checked out or built.
WIDER = {
    ("book.yml", "publish"): {"pages": "write", "id-token": "write"},
    ("book.yml", "copies"): {"contents": "write"},
    ("release.yml", "attest"): {"attestations": "write", "id-token": "write"},
    ("release.yml", "pypi"): {"id-token": "write"},
    ("release.yml", "github"): {"contents": "write"},
}


def before(flow: dict, name: str) -> set[str]:
    """List the jobs that must have passed before one runs."""
    needs = flow["jobs"][name].get("needs", [])
    names = {needs} if isinstance(needs, str) else set(needs)
    return names.union(*(before(flow, each) for each in names))


def test_only_the_jobs_that_publish_may_publish_and_only_what_passed():
    """All others run what they install, or what a pull request brings."""
    for file, flow in WORKFLOWS.items():
        assert flow["permissions"] == {"contents": "read"}, file
        assert "secrets" not in str(flow)
        for name, job in flow["jobs"].items():
            wider = WIDER.get((file, name), {})
            assert job.get("permissions", {}) == wider, (file, name)
            if wider:
                assert "actions/checkout" not in str(job)
                assert "make" not in str(job)
                assert {"test", "build"} <= before(flow, name)
                assert "if" not in job  # it would run though tests failed
    for file in ("book.yml", "release.yml"):
        assert WORKFLOWS[file]["jobs"]["test"]["uses"].endswith("workflows/test.yml")


def test_a_change_of_texts_alone_has_the_whole_book_looked_at():
    """Or a broken link would be published: this job depends on no other."""
    job = WORKFLOWS["test.yml"]["jobs"]["test"]
    assert not {"if", "needs"} & job.keys()
    commands = [step.get("run") for step in job["steps"]]
    assert commands[-2:] == ["make test", "make test-book"]


def test_tests_have_a_sandbox_and_the_versions_of_the_lock():
    flow = WORKFLOWS["test.yml"]
    assert flow["env"] == {"LOCKED": "1"}
    for name, job in flow["jobs"].items():
        commands = [step["run"] for step in job["steps"] if "run" in step]
        if name not in ("changes", "backends"):
            assert commands[0] == "bash .github/sandbox", name
        free = job.get("continue-on-error", False)
        assert free == (job.get("env") == {"LOCKED": ""}) == (name == "newest")


def test_actions_are_pinned_by_commit_and_leave_no_credentials():
    """A tag can be moved to other code; beside each commit stands its version."""
    pinned = re.compile(r"uses: (actions|pypa)/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+\n")
    ours = "uses: ./.github/workflows/test.yml\n"
    for file, flow in WORKFLOWS.items():
        text = (ROOT / ".github" / "workflows" / file).read_text("utf-8")
        used = len(pinned.findall(text)) + text.count(ours)
        assert used == text.count("uses:") > 0, file
        for job in flow["jobs"].values():
            assert "timeout-minutes" in job or "uses" in job
            for step in job.get("steps", ()):
                if "actions/checkout" in step.get("uses", ""):
                    assert step["with"]["persist-credentials"] is False
    assert not pinned.search("uses: actions/checkout@v4\n")


def test_a_step_ends_at_the_first_command_that_fails():
    """The shell goes on after a failure before ``&&``, and in ``export X=$(…)``."""
    passes = re.compile(r"^(?!if ).*&&|^export .*\$\(")
    for flow in WORKFLOWS.values():
        for job in flow["jobs"].values():
            for step in job.get("steps", ()):
                *lines, _ = step.get("run", "").splitlines() or [""]
                assert not [line for line in lines if passes.search(line)]


def test_make_has_what_workflows_make():
    """In steps and in matrices; the bot looks where locks lie."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    for file, flow in WORKFLOWS.items():
        named = set(re.findall(r"make ([a-z][a-z-]+)", str(flow)))
        for job in flow["jobs"].values():
            matrix = job.get("strategy", {}).get("matrix", {})
            named.update(matrix.get("what", ()))
            named.update(each["what"] for each in matrix.get("include", ()))
        assert named <= targets, file
    bot = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text("utf-8"))
    folders = {each["directory"] for each in bot["updates"]}
    assert all((ROOT / folder.lstrip("/")).is_dir() for folder in folders)
    assert (ROOT / "book" / "_tools" / "editor" / "package-lock.json").exists()


def test_make_takes_no_folder_for_granted():
    """Or it would run whatever lies in this one as an entry of the contest."""
    command = ["make", "--dry-run", "--always-make", "leaderboard"]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
    assert done.returncode != 0
    assert "make leaderboard FOLDER=submissions" in done.stderr
    command.append("FOLDER=entries")
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0
    assert 'contest "entries" --out "board"' in done.stdout


def changed_file(folder: Path, *names: str) -> str:
    """Ask what the workflow asks, after a commit that changed some files."""
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x"]
    commit = [*git, "commit", "--quiet", "--all", "-m", "x"]
    subprocess.run([*git, "add", *names], check=True)
    subprocess.run(commit, check=True)
    script = [sys.executable, ROOT / ".github" / "changed.py", "HEAD~1"]
    return subprocess.run(script, cwd=folder, text=True, capture_output=True).stdout


def test_a_comma_in_a_text_does_not_run_everything(tmp_path):
    """Words of pages and of notebooks are texts; cells that run, and all else, code."""

    def notebook(*cells: tuple[str, str]) -> None:
        made = {"cells": [{"cell_type": k, "source": s} for k, s in cells]}
        (tmp_path / "a.ipynb").write_text(json.dumps(made), "utf-8")

    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "a.md").write_text("One", "utf-8")
    (tmp_path / "a.py").write_text("1", "utf-8")
    notebook(("markdown", "One"), ("code", "1"))
    changed_file(tmp_path, "a.md", "a.py", "a.ipynb")
    notebook(("markdown", "One, two"), ("code", "1"))
    (tmp_path / "a.md").write_text("One, two", "utf-8")
    assert changed_file(tmp_path, "a.md") == "code=false\n"
    notebook(("markdown", "One, two"), ("code", "2"))
    assert changed_file(tmp_path, "a.ipynb") == "code=true\n"
    (tmp_path / "a.py").write_text("2", "utf-8")
    (tmp_path / "a.md").write_text("One", "utf-8")
    assert changed_file(tmp_path, "a.py") == "code=true\n"
    (tmp_path / "a.ipynb").unlink()
    assert changed_file(tmp_path, "a.ipynb") == "code=true\n"
    for unknown in ([], [""], ["0" * 40], ["HEAD~99"]):
        script = [sys.executable, ROOT / ".github" / "changed.py", *unknown]
        done = subprocess.run(script, cwd=tmp_path, text=True, capture_output=True)
        assert done.stdout == "code=true\n"


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", "SUPPORT.md", "CODE_OF_CONDUCT.md"]
)
def test_what_a_root_file_shows_and_links_is_there(name):
    text = (ROOT / name).read_text("utf-8")
    for to in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in to:
            assert (ROOT / to).exists(), to


def test_a_page_reports_to_a_form_that_is_there():
    """Empty issues are not offered: an address without a form would lose its page."""
    templates = ROOT / ".github" / "ISSUE_TEMPLATE"
    layout = (ROOT / "book" / "_theme" / "layout.html").read_text("utf-8")
    (asked,) = re.findall(r"issues/new\?template=([\w.]+)&amp;(\w+)=", layout)
    form = yaml.safe_load((templates / asked[0]).read_text("utf-8"))
    assert asked[1] in {field.get("id") for field in form["body"]}


def test_stored_form_is_reached_at_once():
    cells = [
        {"cell_type": "markdown", "metadata": {"x": 1}, "source": "# Title\n\nText"},
        {
            "cell_type": "code",
            "metadata": {"tags": ["hide-input"]},
            "execution_count": 3,
            "outputs": [{"output_type": "stream", "name": "stdout", "text": "1"}],
            "source": ["1 + 1"],
        },
    ]
    first = notebooks.tidy({"cells": cells, "metadata": {}}, "name")
    again = notebooks.tidy(json.loads(notebooks.text(first)), "name")
    first["cells"][1]["id"] = "renamed"  # as a text editor of notebooks does
    renamed = notebooks.tidy(json.loads(notebooks.text(first)), "name")
    assert notebooks.text(renamed) == notebooks.text(again)
    first["cells"][1]["id"] = "install"
    assert notebooks.text(again) == notebooks.text(first)
    kinds = [cell["cell_type"] for cell in first["cells"]]
    assert kinds == ["markdown", "code", "code"]  # the install cell comes first
    assert notebooks.is_install(first["cells"][1])
    assert first["cells"][2]["outputs"] == []
    assert len({cell["id"] for cell in first["cells"]}) == 3


def code_cells():
    for path in notebooks.paths():
        for cell in json.loads(path.read_text())["cells"]:
            if cell["cell_type"] == "code":
                yield path, "".join(cell["source"])


def test_code_cells_of_chapters_are_short_and_define_nothing_of_the_package():
    for path, source in code_cells():
        if path.parent.name != "chapters":
            continue
        longest = 12
        assert len(source.splitlines()) <= longest, f"{path.name}: {source}"
        for name in dpteach.__all__:
            assert f"def {name}(" not in source, f"{path.name}: {source}"
            assert f"class {name}" not in source, f"{path.name}: {source}"


def test_every_install_cell_is_the_same():
    installs = [source for _, source in code_cells() if "find_spec" in source]
    assert len(installs) == len(notebooks.paths())
    assert set(installs) <= {install.stored_cell()}


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("git@host.example:owner/name.git", "https://host.example/owner/name"),
        ("ssh://git@host.example/owner/name", "https://host.example/owner/name"),
        ("https://token@host.example/owner/name.git/", ""),
        ("https://host.example/owner/name/", "https://host.example/owner/name"),
        ("/srv/git/name.git", ""),
        ("", ""),
    ],
)
def test_an_address_is_a_web_page_or_nothing(said, address):
    if "token" in said:  # a credential in a remote never reaches a page
        assert "token" not in repository.tidy(said)
    else:
        assert repository.tidy(said) == address


def test_the_repository_is_asked_for_in_order(tmp_path):
    config = tmp_path / "_config.yml"
    config.write_text("title: x\n")
    assert repository.find(tmp_path, {}) is None
    ci = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "a/b"}
    assert repository.find(tmp_path, ci).url == "https://github.com/a/b"
    config.write_text("repository: {url: https://host.example/c/d, branch: dev}\n")
    found = repository.find(tmp_path, ci)
    assert (found.url, found.branch) == ("https://host.example/c/d", "dev")
    assert found.name == "c/d"


def test_every_chapter_file_is_announced_and_listed():
    rows = yaml.safe_load((ROOT / "book" / "chapters.yml").read_text())
    announced = {row["file"] for row in rows}
    here = {f"chapters/{path.stem}" for path in (ROOT / "chapters").glob("*.ipynb")}
    assert here <= announced
    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text())
    listed = {}
    for part in toc["parts"]:
        for each in part["chapters"]:
            listed[each["file"]] = part
    assert here == {name for name in listed if name.startswith("chapters/")}
    for name in here:  # so that theorems and formulas bear the chapter's number
        assert listed[name]["numbered"] == 2
    for row in rows:
        assert row["file"].startswith(f"chapters/{row['number']:02}-")
        assert all(each < row["number"] for each in row["needs"])
