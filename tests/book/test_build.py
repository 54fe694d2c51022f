"""The book builds, and a fault in it stops the build."""

import pytest

from tests.book import small

TITLE = ("markdown", "# DP-SGD\n\nWords.")


@pytest.mark.thorough
def test_a_sound_chapter_builds(tmp_path):
    done = small.make(
        tmp_path,
        TITLE,
        ("code", "import dpteach\nprint(dpteach.__version__)"),
        (
            "markdown",
            "A formula $\\lambda^2$.\n\n$$x = 1$$ (eq-one)\n\nSee {eq}`eq-one`.",
        ),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "out/_build/html/chapters/09-dp-sgd.html").read_text()
    assert "explore.js" not in page  # no figure, so no script of figures
    assert 'class="katex' in page
    assert "<math" in page
    assert '<span class="eqno">(8.1)' in page  # the chapter's number is its file's
    assert (tmp_path / "out/_build/html/chapters/09-dp-sgd.ipynb").exists()


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "source", "told"),
    [
        ("code", "1 / 0", "ZeroDivisionError"),
        ("code", "import warnings; warnings.warn('look out')", "stderr was found"),
        ("markdown", "$\\frac{1}{$", "KaTeX cannot read"),
        ("markdown", "See {doc}`nowhere`.", "nowhere"),
    ],
    ids=["a cell fails", "a cell warns", "a formula", "a link"],
)
def test_a_fault_stops_the_build(tmp_path, kind, source, told):
    done = small.make(tmp_path, TITLE, (kind, source))
    assert done.returncode != 0
    assert told in done.stdout + done.stderr
