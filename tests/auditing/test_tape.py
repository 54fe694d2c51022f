"""The noise tape: what it replays, what it refuses, and the exact audits it gives."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpteach.arrays import standard_normal
from dpteach.auditing import (
    NotGaussian,
    Tape,
    noise_map,
)
from dpteach.grading.bounded import Laplaces

Z = np.random.default_rng(1).standard_normal(200)


def test_every_method_of_a_generator_is_the_tapes_own():
    inherited = [
        name
        for name in dir(np.random.Generator)
        if not name.startswith("_") and name not in vars(Tape)
    ]
    assert inherited == []


def test_normals_are_replayed_in_order_whatever_the_call():
    tape = Tape(Z)
    got = [
        np.atleast_1d(tape.standard_normal()),
        tape.standard_normal(2),
        tape.standard_normal((2, 3)).ravel(),
        (tape.normal(1.0, [2.0, 4.0]) - 1) / [2, 4],
        (tape.normal(size=(1, 2)) / 1.0).ravel(),
        tape.standard_normal(out=np.empty(3)),
        np.log(tape.lognormal(size=2)),
        tape.multivariate_normal(np.zeros(2), np.eye(2)),
    ]
    assert np.allclose(np.concatenate(got), Z[:20], rtol=1e-12)
    assert tape.draws == 20
    assert tape.other == []


def test_types_and_shapes_are_those_of_a_real_generator():
    real, tape = np.random.default_rng(0), Tape(Z)
    for call in (
        lambda rng: rng.standard_normal(),
        lambda rng: rng.standard_normal(3, dtype=np.float32),
        lambda rng: rng.standard_normal((2, 1)),
        lambda rng: rng.normal(),
        lambda rng: rng.normal(np.zeros(4), 1.0),
        lambda rng: rng.normal(np.zeros((3, 1)), np.ones(2)),
        lambda rng: rng.normal(0, 1, 5),
        lambda rng: rng.lognormal(size=2),
        lambda rng: rng.multivariate_normal([0, 0], np.eye(2), 3),
        lambda rng: rng.laplace(),
        lambda rng: rng.laplace(np.ones(3), 2.0),
        lambda rng: rng.gumbel(size=4),
        lambda rng: rng.standard_gamma(2.0, size=3),
    ):
        a, b = call(real), call(tape)
        assert np.shape(a) == np.shape(b)
        assert np.asarray(a).dtype == np.asarray(b).dtype
        assert isinstance(b, float) == isinstance(a, float)


class HalfAsFloat:
    def __float__(self):
        return 0.5


# What a scale, a place or a size may be given as; NumPy takes some, and refuses others.
NUMBERS = [
    0.5, True, 0, -1, -0.0, float("nan"), 10**400, None, 0.5 + 0j, "0.5", b"1", {1},
    Fraction(1, 2), Decimal("0.5"), HalfAsFloat(), np.array(0.5), np.float32(0.1),
    np.float16(0.1), np.longdouble(0.5), [Fraction(1, 2), 0.25], [Decimal(1), 1, True],
    ["0.5"], (1, 2), range(3), [[1], [1, 2]], np.array([]), np.array([0.1], np.float32),
    np.array([Fraction(1, 2)], object), np.array(["0.5"]), np.array([1 + 0j]),
]  # fmt: skip
SIZES = [
    None, (), [], 0, 2, -1, 2.0, "2", True, Fraction(2), Decimal(2), np.array(2),
    np.int32(2), np.array([2, 1]), (2, Fraction(1)), (2, 2.5), np.array([2.0]),
    range(2),
]  # fmt: skip
OUTS = [np.empty(2), np.empty(2, "f4"), [0, 0], np.empty(4)[::2], np.array(0.0)]


def seen(draw, rng):
    """Say what a draw is, or which error it raises."""
    try:
        drawn = draw(rng)
    except (TypeError, ValueError, OverflowError) as error:
        return str(error)
    return type(drawn), np.shape(drawn), np.asarray(drawn).dtype


@pytest.mark.parametrize("name", ["normal", "lognormal", "laplace", "gumbel"])
@pytest.mark.parametrize("others", [None, Laplaces])
def test_a_tape_takes_and_refuses_what_numpy_does(name, others):
    for number in NUMBERS:
        for size in SIZES:
            for given in ((number, 1.0, size), (0, number, size)):
                tape = Tape(Z, others=others and others(Z))

                def draw(rng, given=given):
                    return getattr(rng, name)(*given)

                assert seen(draw, tape) == seen(draw, np.random.default_rng(0)), given


def test_a_tape_fills_what_numpy_fills():
    for size in (None, 2, (2,), 3):
        for dtype in (float, "f4", np.float32, np.float16, None):
            for out in OUTS:

                def draw(rng, size=size, dtype=dtype, out=out):
                    return rng.standard_normal(size, dtype, out)

                assert seen(draw, Tape(Z)) == seen(draw, np.random.default_rng(0))
    kept = np.empty(2)
    assert Tape(Z).standard_normal(out=kept) is kept
    assert np.array_equal(kept, Z[:2])
    assert Tape(Z).standard_gamma(1.0, out=kept) is kept
    assert np.array_equal(kept, [0, 0])  # without noise, there too


def test_numbers_of_any_kind_scale_the_normals():
    for half in (Fraction(1, 2), Decimal("0.5"), HalfAsFloat(), np.array(0.5)):
        assert Tape(Z).normal(half, half) == 0.5 + 0.5 * Z[0]
    found = Tape(Z).normal([0, Decimal(1)], [Fraction(1, 4), 0.5])
    assert np.array_equal(found, [Z[0] / 4, 1 + Z[1] / 2])
    assert Tape(Z).normal(scale=np.float32(0.1)) == float(np.float32(0.1)) * Z[0]
    found = Tape(others=Laplaces(Z)).laplace(scale=[Decimal("0.5"), Fraction(1, 4)])
    assert np.array_equal(found, [Z[0] / 2, Z[1] / 4])
    found = Tape(Z).multivariate_normal([1.0], [[Fraction(1, 4)]])
    assert np.array_equal(found, [1 + Z[0] / 2])
    with pytest.raises(TypeError, match="unsupported operand"):  # NumPy's own
        Tape(Z).multivariate_normal([Decimal(1)], [[1.0]])


def test_correlated_normals_have_their_covariance():
    root = np.array([[2.0, 0, 0], [1, 1, 0], [0, 3, 0.5]])
    found = noise_map(lambda rng: rng.multivariate_normal(np.ones(3), root @ root.T))
    assert np.allclose(found.covariance, root @ root.T, rtol=1e-12)
    assert np.array_equal(found.mean, np.ones(3))


def test_a_tape_of_zeros_is_a_run_without_noise():
    tape = Tape()
    assert np.array_equal(tape.laplace(np.arange(3.0), 9.0), np.arange(3.0))
    assert tape.gumbel(loc=4.0, scale=2.0) == 4.0
    assert tape.gamma(3.0, 2.0) == 0.0
    assert tape.normal(7.0, 2.0) == 7.0
    assert tape.other == ["laplace", "gumbel", "gamma"]


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: rng.random(3),
        lambda rng: rng.integers(5),
        lambda rng: rng.choice([1, 2]),
        lambda rng: rng.permutation(4),
        lambda rng: rng.shuffle([1, 2]),
        lambda rng: rng.spawn(2),
        lambda rng: rng.bit_generator,
    ],
)
def test_what_a_tape_cannot_replay_it_refuses(call):
    with pytest.raises(NotGaussian, match="`rng"):
        call(Tape(Z))


def test_the_error_says_what_was_seen_alone():
    """The reason is for a caller."""
    error = NotGaussian("It drew a coin.", "other distribution")
    assert str(error) == "It drew a coin."
    assert error.reason == "other distribution"


def test_coins_come_from_others_where_it_is_given():
    tape = Tape(Z, others=np.random.default_rng(5))
    assert np.array_equal(tape.random(3), np.random.default_rng(5).random(3))
    assert tape.laplace() != 0.0
    assert tape.other == ["random", "laplace"]
    with pytest.raises(NotGaussian, match="spawn"):
        tape.spawn(1)


def test_the_map_of_a_mechanism_is_found_to_rounding_error():
    rng = np.random.default_rng(2)
    B, m = rng.standard_normal((6, 9)) * 10.0 ** rng.uniform(-3, 3, (6, 1)), np.ones(6)
    found = noise_map(lambda tape: m + B @ tape.standard_normal(9))
    assert np.allclose(found.matrix, B, rtol=1e-12, atol=1e-14)
    assert found.draws == 9


def test_sums_of_draws_and_single_precision_pass():
    like = np.zeros(3, dtype=np.float32)
    found = noise_map(lambda rng: standard_normal(rng, (3,), like) * 2 + rng.normal())
    assert np.allclose(found.covariance, 4 * np.eye(3) + 1)


@pytest.mark.parametrize(
    ("mechanism", "reason"),
    [
        (lambda rng: rng.laplace(size=2), "rng.laplace"),
        (lambda rng: rng.normal() ** 3, "not affine"),
        (lambda rng: np.clip(rng.normal(size=3), -2, 2), "not affine"),
        (lambda rng: abs(rng.normal()), "not affine"),
        (lambda rng: np.random.default_rng().normal() + rng.normal(), "two results"),
        (lambda rng: rng.normal() if rng.normal() > 0 else 0.0, "more or fewer"),
        (lambda rng: np.full(2, np.nan) * rng.normal(), "finite"),
        (lambda rng: np.exp(rng.normal()), "not affine"),
    ],
)
def test_what_is_not_gaussian_is_told_so(mechanism, reason):
    with pytest.raises(NotGaussian, match=reason):
        noise_map(mechanism)


def test_coins_can_be_held_fixed():
    def subsampled(rng):
        chosen = rng.random(50) < 0.5
        return chosen.sum() + 3 * rng.standard_normal(2)

    found = noise_map(subsampled, others=lambda: np.random.default_rng(3))
    assert found.other == ("random",)
    assert np.array_equal(found.matrix, 3 * np.eye(2))


BAD_INPUT = {
    Tape: {"normals": [1.0, 2.0], "others": np.random.default_rng(0)},
    noise_map: {
        "mechanism": lambda rng: rng.normal(size=2),
        "others": lambda: np.random.default_rng(0),
    },
}


def test_what_a_generator_refuses_a_tape_refuses():
    with pytest.raises(ValueError, match="size must match"):
        Tape(Z).standard_normal(2, out=np.zeros(3))
    with pytest.raises(ValueError, match="scale < 0"):
        Tape(Z).normal(scale=-0.5)
    with pytest.raises(ValueError, match="same length"):
        Tape(Z).multivariate_normal([0, 0], np.eye(3))
    for variance in (np.diag([1, -4e-9]), np.ones((2, 2)), np.zeros((2, 2))):
        assert Tape(Z).multivariate_normal([0, 0], variance).shape == (2,)


def test_a_covariance_that_is_none_is_replayed_as_numpy_draws_it():
    for cov in (np.diag([1.0, -4.0]), np.array([[1.0, 2.0], [0.0, 1.0]])):
        with pytest.warns(RuntimeWarning, match="positive-semidefinite"):
            drawn = np.random.default_rng(0).multivariate_normal([0, 0], cov, 200_000)
        with pytest.warns(RuntimeWarning, match="positive-semidefinite"):
            found = noise_map(lambda rng, cov=cov: rng.multivariate_normal([0, 0], cov))
        assert np.allclose(found.covariance, np.cov(drawn.T), atol=0.1)


def test_the_names_of_arguments_reach_the_others():
    tape = Tape(Z, others=np.random.default_rng(5))
    assert tape.random(size=3).shape == (3,)


def test_a_release_that_changes_its_length_is_not_affine():
    def longer(rng):
        z = rng.standard_normal()
        return np.full(1 + (abs(z) > 3), z)  # unit normals find one number

    with pytest.raises(NotGaussian, match="not affine"):
        noise_map(longer)


def test_a_refusal_is_told_in_words_alone():
    assert str(NotGaussian("seen", "data")) == "seen"


@pytest.mark.parametrize("size", [1, 2, 30])
@pytest.mark.parametrize("least", [-7.5, -1.5, -np.inf])
@pytest.mark.parametrize("most", [1.5, 7.5, np.inf])
def test_noise_that_is_cut_is_not_affine(size, least, most):
    """However few the normals are, and on one side too."""

    def cut(rng):
        return np.clip(rng.standard_normal(size), least, most)

    if least == -np.inf and most == np.inf:
        assert np.array_equal(noise_map(cut).matrix, np.eye(size))
    else:
        with pytest.raises(NotGaussian, match="not affine"):
            noise_map(cut)
