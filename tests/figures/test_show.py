"""`show` renders the source that runs, complete, with its errata and its checks."""

import inspect

import pytest

from dpteach import dp_sgd, show
from tests.figures.test_explore import read


def test_the_rows_are_the_lines_of_the_running_source():
    source = inspect.getsource(dp_sgd)
    rows = show(dp_sgd).rows
    assert [row.number for row in rows] == ["", *map(str, range(1, 7))]
    for row in rows:
        for line in row.code.splitlines():
            assert line.strip() in source
    assert "checks." not in "".join(row.code for row in rows)
    assert "checks.count(steps=steps)" in show(dp_sgd).checks
    assert "D, C, L, T, eta" in rows[0].code


def test_every_line_of_code_is_shown_once():
    body = inspect.getsource(dp_sgd).split('"""')[-1]
    code = [
        line.strip()
        for line in body.splitlines()
        if line.strip() and not line.strip().startswith("#")
    ]
    table = show(dp_sgd)
    shown = [line for row in table.rows for line in row.code.splitlines()]
    shown += table.checks.splitlines()
    assert sorted(line.strip() for line in shown) == sorted(code)


def test_errata_are_linked_in_the_book_alone(monkeypatch):
    table = show(dp_sgd)
    assert table.rows[4].errata == ("E-19",)
    link = '<a class="dpt-erratum" href="../book/errata.html#e-19">E-19</a>'
    monkeypatch.setenv("DPTEACH_BOOK", "anywhere")
    book = table._repr_mimebundle_()["text/html"]
    assert link in book
    assert "<style>" not in book
    monkeypatch.delenv("DPTEACH_BOOK")
    elsewhere = table._repr_mimebundle_()["text/html"]
    assert link not in elsewhere
    assert ">E-19</span>" in elsewhere
    assert elsewhere.startswith("<style>")


def test_the_table_is_well_formed_and_sets_indices():
    html = show(dp_sgd).html()
    read(html)
    assert "θ<sub>t+1</sub>" in html
    assert "Σ<sub>t=1</sub><sup>T</sup>" in html
    assert '<span class="k">for</span>' in html


def test_elsewhere_it_reads_as_text():
    text = repr(show(dp_sgd)).splitlines()
    assert " 1  θ_0 ← Π_C(0)" in text
    assert "        theta = C.project(D.zeros(*runs))" in text
    assert any(line.startswith(" 4") and line.endswith("[E-19]") for line in text)


@pytest.mark.parametrize("algorithm", [len, 3, inspect.getsource, show])
def test_what_has_no_numbered_lines_is_refused(algorithm):
    with pytest.raises(TypeError, match="`algorithm` must"):
        show(algorithm)


BAD_INPUT = {
    show: {"algorithm": dp_sgd},
}
