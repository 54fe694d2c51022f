"""What the chapter says in code runs, and what the questions link to answers them."""

import json
import re

import pytest

from dpteach import Problem, constraints, losses
from dpteach.data import example
from tests.public import ROOT

PAGE = json.loads((ROOT / "chapters/24-choosing.ipynb").read_text("utf-8"))
TEXT = "\n\n".join(
    "".join(cell["source"]) for cell in PAGE["cells"] if cell["cell_type"] == "markdown"
)
LABELS = {  # rows of the tables whose line bears another name than their label
    "alg-exponential": "exponential_mechanism",
    "alg-output": "output_perturbation",
    "alg-objective": "objective_perturbation",
    "thm-objective-normal": "gaussian_objective_perturbation",
    "thm-objective-approximate": "approximate_minima_perturbation",
    "alg-dp-sgd": "dp_sgd",
    "def-poisson-sampling": "sampled_dp_sgd",
    "thm-adaptive-clip": "adaptive_dp_sgd",
    "bolt-on SGD </book/beyond>": "bolt_on_sgd",
    "noisy moments </book/beyond>": "adaptive_least_squares",
    "alg-dp-ftrl": "dp_ftrl",
    "alg-batched-ftrl": "batched_ftrl",
    "alg-matrix-ftrl": "matrix_ftrl",
    "alg-private-frank-wolfe": "private_lasso",
    "alg-local-sgd": "local_sgd",
    "alg-banco": "banco",
    "alg-fixed-window": "fixed_window",
}


def lines_to_copy():
    return (
        TEXT.partition("A line to copy")[2].partition("```python\n")[2].split("```")[0]
    )


def test_every_row_of_the_table_has_a_line():
    table = TEXT.partition("| algorithm | promise |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| \{\w+(?::\w+)?\}`([^`]+)`", table, flags=re.M)
    assert len(rows) >= 16
    assert not [row for row in rows if f"a.{LABELS[row]}(" not in lines_to_copy()]


def test_every_line_runs():
    data = example()
    D = Problem(data.X[:60], data.y[:60], losses.logistic, constraints.L2Ball(1.0))
    exec(lines_to_copy(), {"D": D})


def test_the_schema_of_the_text_is_one():
    from dpteach.tables import Schema

    source = TEXT.partition("```json\n")[2].partition("```")[0]
    schema = Schema.parse(json.loads(source))
    assert [c.name for c in schema.features("returned")] == ["age", "ward"]


def test_nothing_says_that_there_is_nothing_to_tune():
    assert "nothing to tune" not in TEXT


# -------------------------------------------------------------- the thirty questions

QUESTIONS = (ROOT / "book/questions.md").read_text("utf-8")
# A word of each question that the linked section must hold.
KEYWORDS = {
    "I have a table": "from a CSV file to a labeled model",
    "My columns have words": "A missing value",
    "Are my 2,000 rows": "more records",
    "One class is rare": "rare class",
    "May I report test": "threshold",
    "Would XGBoost": "synthetic tables",
    "My model is a CNN": "CNN",
    "A million phones": "plan_fleet",
    "I have far more columns": "private_lasso",
    "May I use the same data": "next month",
    "May I shuffle": "shuffle",
    "Do I divide by": "expected",
    "Why is the clip norm not": "clip norm",
    "How do I choose the clip": "clip norm",
    "Does noise belong on": "mean",
    "Is clipping alone": "clip",
    "What epsilon is good": "right guesses",
    "Which delta": "1/n",
    "Why does a larger": "learning rate",
    "Is Adam worse": "Adam",
    "What does tuning cost": "search",
    "Why is BatchNorm": "Batch normalization",
    "How do gradient accumulation": "accumulated",
    "May I resume": "resume",
    "Do I need secure noise": "secure",
    "Replace a record": "replace",
    "Should I clip per layer": "layer",
    "User-level privacy": "user",
    "Is DP-FTRL just SGD": "correlated",
    "Does LoRA work": "LoRA",
}


def slug(heading):
    plain = re.sub(r"[^\w\s-]", "", heading.lower())
    return re.sub(r"\s+", "-", plain.strip())


def section(path, anchor):
    """Return what a heading of a notebook stands above, up to the next of its rank."""
    cells = json.loads((ROOT / path).read_text("utf-8"))["cells"]
    text = "\n\n".join(
        "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
    )
    parts = re.split(r"^(#+) +(.+)$", text, flags=re.M)
    out, rank = [], 0
    for level, heading, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if rank and len(level) <= rank:
            break
        if not rank and slug(heading) == anchor:
            rank = len(level)
        if rank:
            out.append(heading + body)
    return "\n".join(out)


def questions():
    for part in QUESTIONS.split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        yield heading, re.findall(r"\]\(/(chapters/[\w-]+\.ipynb)#([\w-]+)\)", body)


@pytest.mark.parametrize(("heading", "links"), list(questions()))
def test_a_question_is_answered_where_it_links(heading, links):
    """The word of the question stands in one of the sections at least."""
    (word,) = (w for start, w in KEYWORDS.items() if heading.startswith(start))
    assert links
    texts = [section(path, anchor) for path, anchor in links]
    assert all(texts), links
    assert any(word.lower() in text.lower() for text in texts), (heading, word)


def answers():
    """List each question with its lines of code, and with what they print."""
    for part in QUESTIONS.split("\n## ")[1:]:
        code, printed = re.findall(r"```(?:python|text)\n(.*?)```", part, flags=re.S)
        yield pytest.param(code, printed, id=part.partition("\n")[0])


@pytest.mark.parametrize(("code", "printed"), list(answers()))
def test_the_lines_of_an_answer_run_and_print_what_is_shown(code, printed, capsys):
    """As they stand, in a fresh Python: nothing is carried over from another one."""
    exec(code, {})
    assert capsys.readouterr().out == printed


def test_there_are_thirty_questions():
    assert len(list(questions())) == len(KEYWORDS) == 30
    assert "# Thirty questions" in QUESTIONS


def test_a_section_without_the_word_is_noticed():
    """Power: what the questions linked to before does not hold their words."""
    old = section("chapters/01-guessing-game.ipynb", "what-is-free-and-what-adds-up")
    assert old
    assert "Adam" not in old
