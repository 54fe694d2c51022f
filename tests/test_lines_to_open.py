"""How much code one opens to follow an algorithm stays below what it was brought to."""

import lines_to_open
import pytest

TREE = ("StreamingTree", "RestartedTree", "initialize_tree", "add_to_tree", "get_sum")


@pytest.mark.parametrize(
    ("names", "most", "without_checks"),
    [
        # About a hundred of each are sums that keep their sensitivity when rounded,
        # ninety what lets a loss be that of a network, and tells its gradients' norms,
        # and fifty what clips automatically, or by layer.
        (("dp_sgd",), 599, 409),
        # Fifty cut a caller's vectors to L, exactly.
        (TREE, 405, 235),
        (("objective_perturbation",), 779, 577),
        (("banco",), 684, 469),
    ],
    ids=["DP-SGD", "tree", "objective perturbation", "BANCO"],
)
def test_an_algorithm_leads_to_few_lines(names, most, without_checks):
    assert lines_to_open.opened(names).total() <= most
    assert lines_to_open.opened(names, refusals=False).total() <= without_checks


def test_every_definition_on_the_way_is_counted():
    """Power: what is used is found, checks and annotations too, and nothing else."""
    found = {name for _, name in lines_to_open.opened(["dp_sgd"])}
    assert {"dp_sgd", "Problem", "Gaussian", "positive", "_say", "row_norms"} <= found
    assert not {"dp_sgd_steps", "sampled_dp_sgd", "SampledGaussian"} & found


def test_a_line_that_defines_two_names_counts_once():
    counts = lines_to_open.opened(["dp_sgd"])
    limits = {
        name: n for (_, name), n in counts.items() if name in {"LEAST", "LARGEST"}
    }
    assert sorted(limits) == ["LARGEST", "LEAST"]
    assert sum(limits.values()) == 1


def test_checks_are_left_out_and_nothing_else():
    """Power: what computes is the same line for line, and annotations count."""
    every = lines_to_open.opened(["dp_sgd"])
    without = lines_to_open.opened(["dp_sgd"], refusals=False)
    names = {name for _, name in without}
    assert {"dp_sgd", "Problem", "Gaussian", "row_norms", "standard_normal"} <= names
    assert not {"positive", "_say", "REMEDIES", "finite_array"} & names
    for place, lines in without.items():
        if place[1] in ("row_norms", "standard_normal", "Trace", "Release"):
            assert lines == every[place]
    assert {place[1]: every[place] - without[place] for place in without}["dp_sgd"] == 9


def test_lines_of_code_are_counted_and_no_others():
    text = '"""Say."""\n\n# why\ndef f(x):\n    """Say."""\n    return [\n  x,\n    ]'
    assert lines_to_open.code_lines(text) == {4, 6, 7, 8}
    with pytest.raises(SystemExit, match="no 'dp_sgdd'"):
        lines_to_open.place("dp_sgdd")
