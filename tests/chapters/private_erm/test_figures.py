"""The figures of chapter 6 are exact, or come out again."""

import numpy as np
import pytest

from dpteach.chapters.private_erm import baselines


def test_the_parts_of_a_risk_add_up_and_can_be_computed_again():
    """Stored parts are not negative; one corner, with fewer Λ, is computed anew."""
    values, known = (
        baselines.parts_of_a_risk(),
        dict(baselines.parts_of_a_risk.arguments),
    )
    parts = np.array(values["parts"])
    assert parts.shape == (4, 3, 4, 3)
    assert parts.min() >= 0
    total = parts.sum(axis=-1)
    assert np.all(np.diff(total, axis=0) < 0)  # more records
    assert np.all(np.diff(total, axis=2) < 0)  # more ε
    known |= {"counts": [300], "dimensions": [2], "regularizations": [0.1, 3.0, 10.0]}
    known["population"] = 20_000
    again = baselines.parts_of_a_risk.compute(**known)
    at = known["epsilons"].index(1.0)
    assert again["best"][0][0][at] == values["best"][0][0][at] == 3.0
    noise = again["parts"][0][0][at][2], parts[0, 0, at, 2]
    assert noise[0] == pytest.approx(noise[1], rel=1e-3)


def test_noise_on_data_is_the_root_of_n_times_as_far():
    """Measured points lie within 25 % of the formula: means of 40 runs or more."""
    for epsilon, p in ((0.1, 1), (1.0, 10), (10.0, 50)):
        data, answer, points, *_ = baselines.noise_on_data(epsilon, p)
        np.testing.assert_allclose(data.y, answer.y * np.sqrt(data.x), rtol=1e-12)
        np.testing.assert_allclose(points.y, data.y, rtol=0.25)


def test_what_the_text_says_of_the_parts_is_so():
    """94 % at the start; a quarter with ten times the records; most is for privacy."""
    parts = np.array(baselines.parts_of_a_risk()["parts"])
    total = parts.sum(axis=-1)
    private = 1 - parts[..., 0] / total
    known = baselines.parts_of_a_risk.arguments
    n, many = (known["counts"].index(count) for count in (1000, 10_000))
    p, e, large = known["dimensions"].index(10), 1, 3
    assert [known["epsilons"][k] for k in (e, large)] == [0.3, 3.0]
    assert private[n, p, e] == pytest.approx(0.94, abs=0.005)
    _, regularization, noise = parts[n, p, e]
    assert regularization > noise
    assert total[many, p, e] / total[n, p, e] == pytest.approx(0.25, abs=0.025)
    assert np.all(total[:, p, large] < total[:, p, e] / 2)
    assert private[:, : p + 1, : known["epsilons"].index(1.0) + 1].min() > 0.5
