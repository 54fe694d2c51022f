"""The patients with one measurement are those of the diabetes data."""

import numpy as np

from dpteach.data import body_mass, diabetes
from dpteach.data.real import DIABETES_LIMITS


def test_only_the_measurements_differ_from_the_diabetes_data():
    people, all_of_them = body_mass(), diabetes()
    np.testing.assert_array_equal(people.y, all_of_them.y)
    assert people.X.shape == (len(all_of_them.y), 2)
    assert (people.X[:, 1] == 1).all()
    # Its column is the third of the ten, where rows are shortened as a whole.
    alike = np.corrcoef(people.X[:, 0], all_of_them.X, rowvar=False)[0, 1:]
    assert alike.argmax() == 2
    assert alike[2] > 0.98 > 2 * np.delete(alike, 2).max() - 0.5


def test_an_index_is_in_fives_above_25_and_its_row_within_the_bound():
    people = body_mass()
    low, high = DIABETES_LIMITS[2]
    assert people.X[:, 0].min() >= (low - 25) / 5
    assert people.X[:, 0].max() <= (high - 25) / 5
    norms = np.linalg.norm(people.X, axis=1)
    assert norms.max() <= people.row_norm
    assert people.row_norm == np.hypot((high - 25) / 5, 1)


BAD_INPUT = {
    body_mass: {},
}
