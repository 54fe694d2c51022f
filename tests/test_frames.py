"""Tables of other libraries where an array is asked for, in every public function.

They are taken, or refused by name with the line that converts them. Tables of pandas
and polars are stood in for by what checks see of them: a class of their module that
turns into an array, and is none.
"""

import copy

import numpy as np
import pytest
from scipy import sparse

from tests.test_bad_input import CASES

# What is taken: votes among sparse columns, and lists of orders.
TAKEN = {
    ("private_lasso", "X"): {"scipy"},
    ("renyi_epsilon", "order"): {"pandas", "polars"},
    ("renyi_epsilon", "divergence"): {"pandas", "polars"},
}
NUMBERS = ("bet", "log_bet")  # of a number, or of an array of them


def stand_in(module):
    class Table:
        __module__ = module

        def __init__(self, values):
            self.values, self.dtype = values, values.dtype
            self.shape, self.ndim = values.shape, values.ndim

        def __array__(self, dtype=None, copy=None):
            return np.array(self.values, dtype=dtype, copy=copy)

        def __len__(self):
            return len(self.values)

        def __iter__(self):
            return iter(self.values)

    return Table


LIBRARIES = {
    "pandas": (stand_in("pandas.core.frame"), "{}.to_numpy(dtype=float)"),
    "polars": (stand_in("polars.dataframe.frame"), "{}.to_numpy().astype(float)"),
    "scipy": (sparse.csr_matrix, "{}.toarray()"),
}


def arrays():
    """List the arguments of public functions that are arrays of floats."""
    for function, sets in CASES.items():
        if function.__module__.startswith("dpteach.figures"):
            continue  # a mark takes what its points are drawn from
        for name, value in sets[0].items():
            if isinstance(value, np.ndarray) and value.size and value.dtype.kind == "f":
                yield function, sets[0], name


def answer(function, valid, name, table):
    try:
        function(**{**copy.deepcopy(valid), name: table})
    except TypeError as error:
        return str(error)
    return None


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_is_taken_or_refused_with_the_line_that_converts_it(library):
    convert, line = LIBRARIES[library]
    wrong, asked = [], 0
    for function, valid, name in arrays():
        if library == "scipy" and valid[name].ndim != 2:
            continue
        said, asked = answer(function, valid, name, convert(valid[name])), asked + 1
        if said is None:
            right = library in TAKEN.get((function.__name__, name), ())
        elif function.__name__ in NUMBERS:
            right = f"`{name}`" in said
        else:
            right = f"`{name}` must be" in said and line.format(name) in said
        if not right:
            wrong.append((function.__name__, name, said))
    assert not wrong
    assert asked >= (20 if library == "scipy" else 50)
