"""How much code one opens to follow an algorithm stays below what it was brought to."""

import lines_to_open
import pytest

TREE = ("StreamingTree", "RestartedTree", "initialize_tree", "add_to_tree", "get_sum")


@pytest.mark.parametrize(
    ("names", "most"),
    [
        (("dp_sgd",), 345),
        (TREE, 323),
        (("objective_perturbation",), 504),
        (("banco",), 471),
    ],
    ids=["DP-SGD", "tree", "objective perturbation", "BANCO"],
)
def test_an_algorithm_leads_to_few_lines(names, most):
    assert lines_to_open.opened(names).total() <= most


def test_every_definition_on_the_way_is_counted():
    """Power: what is used is found, checks and annotations too, and nothing else."""
    found = {name for _, name in lines_to_open.opened(["dp_sgd"])}
    assert {"dp_sgd", "Problem", "Gaussian", "positive", "_say", "row_norms"} <= found
    assert not {"dp_sgd_steps", "sampled_dp_sgd", "SampledGaussian"} & found


def test_lines_of_code_are_counted_and_no_others():
    text = '"""Say."""\n\n# why\ndef f(x):\n    """Say."""\n    return [\n  x,\n    ]'
    assert lines_to_open.code_lines(text) == {4, 6, 7, 8}
    with pytest.raises(SystemExit, match="no 'dp_sgdd'"):
        lines_to_open.place("dp_sgdd")
