"""What goes with a model: a label to print, a registry entry, a notebook that runs."""

import html.parser
import json
import subprocess
import sys

import pytest
import yaml

from dpteach.privacy import Relation
from dpteach.tables import Model, Schema, fit
from tests.public import ROOT
from tests.tables.examples import SCHEMA, SOURCE, households, write

# What the registry's schema knows, by section; lists are the values that it allows.
# It refuses all other fields. (opendp/deployments-registry-data, 3e9c812)
TEXT = None
FIELDS = {
    "basic": {
        "name": TEXT, "data_curators": TEXT, "intended_use": TEXT, "description": TEXT,
        "data_product_type": ["Machine learning model", "Summary statistics"],
        "data_product_region": TEXT, "publication_date": TEXT,
    },
    "dp_variant": {
        "variant_name": ["Pure DP", "Approximate DP", "Zero-concentrated DP"],
        "data_domain": TEXT, "unprotected_quantities": TEXT,
    },
    "privacy_loss": {
        "privacy_unit": TEXT, "privacy_unit_details": TEXT, "privacy_parameters": TEXT,
        "privacy_parameters_details": TEXT,
    },
    "deployment_model": {
        "model_name": ["Local", "Central", "Shuffle", "Federated"],
        "model_name_details": TEXT, "actors": TEXT, "release_type_details": TEXT,
        "release_type": ["One release", "Many releases"],
        "data_source_type": ["Static", "Dynamic"], "data_source_type_details": TEXT,
        "access_type": ["Interactive", "Non-interactive"], "access_type_details": TEXT,
    },
    "accounting": {"post_processing": TEXT, "composition": TEXT},
    "implementation": {
        "preprocessing_and_hyperparameter_tuning": TEXT, "mechanisms": TEXT,
        "justification": TEXT,
    },
    "administrative": {"sources": TEXT, "notes": TEXT, "registry_authors": TEXT},
}  # fmt: skip
LISTS = {"data_curators", "registry_authors"}
NASTY = 'a "unit"\n: <b>&\\ {x} # no'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    rows, _ = households(1500)
    table = write(folder, rows)
    source = SOURCE | {"privacy": {"privacyUnit": NASTY}}
    model = fit(table, Schema.parse(source), target="moved", epsilon=1.0, rng=0)
    model.save(folder)
    return folder


def test_the_registry_entry_is_valid_and_says_what_was_spent(folder):
    entry = yaml.safe_load((folder / "registry.yaml").read_text("utf-8"))
    assert set(entry) == {"url_slug", "status", "tier", "deployment"}
    assert (entry["status"], entry["tier"]) == ("Draft", 3)
    assert set(entry["deployment"]) == set(FIELDS)
    for section, fields in FIELDS.items():
        values = entry["deployment"][section]
        assert set(values) == set(fields), section
        for name, value in values.items():
            if name == "privacy_parameters":
                continue
            parts = value if name in LISTS else [value]
            assert all(isinstance(part, str) for part in parts), name
            assert fields[name] is TEXT or value in fields[name], name
    loss = entry["deployment"]["privacy_loss"]
    assert loss["privacy_unit"] == NASTY
    assert loss["privacy_parameters"] == {"epsilon": 1.0, "delta": 1e-6}


def test_the_label_is_a_page_that_needs_nothing_else(folder):
    page = (folder / "label.html").read_text("utf-8")
    tags = []

    class Tags(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append(tag)
            assert not {"src", "href", "onload"} & {name for name, _ in attrs}

    Tags().feed(page)
    assert "script" not in tags
    assert "b" not in tags  # what a user typed is escaped
    assert "ε at δ = 1e-06" in page


def test_the_label_is_data_as_well(folder):
    label = json.loads((folder / "label.json").read_text("utf-8"))
    assert label["unit"] == NASTY.strip()
    assert label["neighbors"] == Relation.ZERO_OUT.value
    assert label["delta"] == 1e-6
    assert 0.9 < label["epsilon"] <= 1.0
    assert 0.5 < label["right_guesses"] < 0.75


def test_the_notebook_repeats_the_run(folder):
    run = json.loads((folder / "run.ipynb").read_text("utf-8"))
    assert run["nbformat"] == 4
    code = [c["source"] for c in run["cells"] if c["cell_type"] == "code"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(code)], cwd=folder,
        env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Model.load(folder / "model").event == Model.load(folder).event


def test_a_schema_is_kept_as_it_was(folder):
    kept = json.loads((folder / "schema.json").read_text("utf-8"))
    assert Schema.parse(kept).columns == SCHEMA.columns
