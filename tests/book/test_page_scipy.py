"""What stands in SciPy's place on a page agrees with SciPy where exercises ask it."""

import importlib
import importlib.util
import math
import sys

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.optimize
import scipy.special
import scipy.stats

from tests.public import ROOT

FOLDER = ROOT / "book" / "_page" / "scipy"


@pytest.fixture(scope="module")
def page():
    """The package, under another name than SciPy's."""
    spec = importlib.util.spec_from_file_location(
        "page_scipy", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def close(found, wanted, rtol):
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=0)


ANY = np.concatenate([-np.geomspace(30, 1e-9, 300), [0], np.geomspace(1e-9, 60, 300)])
POSITIVE = np.geomspace(1e-9, 1e12, 500)
CHANCES = np.concatenate([np.geomspace(1e-290, 0.5, 200), 1 - np.geomspace(1e-15, 0.4)])


@pytest.mark.parametrize(
    ("name", "x", "rtol"),
    [
        ("erf", ANY, 1e-15),
        ("erfc", ANY[ANY < 26], 1e-13),
        ("erfcx", ANY[ANY > -5], 1e-14),
        ("erfcx", POSITIVE, 1e-14),
        ("ndtr", ANY[ANY < 10], 1e-12),
        ("ndtri", CHANCES, 1e-14),
        ("gammaln", np.arange(1.0, 3000), 1e-14),
        ("gammaln", POSITIVE[POSITIVE > 3], 1e-13),
        ("log_ndtr", ANY[ANY < 20], 1e-13),
        ("ndtri_exp", -np.geomspace(1e-9, 1e6, 300), 1e-12),
        ("i0e", np.abs(ANY) * 10, 1e-14),
    ],
)
def test_functions_of_one_number(page, name, x, rtol):
    close(getattr(page.special, name)(x), getattr(scipy.special, name)(x), rtol)
    one = getattr(page.special, name)(float(x[7]))
    assert isinstance(one, float)


def test_logarithms_that_are_0_at_0(page):
    x, y = np.meshgrid([0.0, 0.5, 3.0], [-1.0, -0.5, 0.0, 1e-20, 2.0])
    close(page.special.xlog1py(x, y), scipy.special.xlog1py(x, y), 1e-15)
    close(page.special.xlogy(x, y + 1), scipy.special.xlogy(x, y + 1), 1e-15)


@pytest.mark.parametrize("a", [0.5, 1, 1.5, 4, 29, 31, 300, 12_000])
def test_tails_and_quantiles_of_gamma_distributions(page, a):
    x = a + np.linspace(-6, 8, 61) * math.sqrt(a)
    x = np.concatenate([[0.0], x[x > 0]])
    for name in ("gammainc", "gammaincc"):
        found, wanted = (getattr(each.special, name)(a, x) for each in (page, scipy))
        close(found[wanted > 1e-14], wanted[wanted > 1e-14], 2e-9)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13)
    q = np.array([1e-12, 5e-7, 0.01, 0.5, 0.9, 1 - 5e-7])
    close(page.special.gammaincinv(a, q), scipy.special.gammaincinv(a, q), 1e-11)
    close(page.special.chdtrc(2 * a, x), scipy.special.chdtrc(2 * a, x), 2e-9)
    close(page.stats.chi2.sf(x, 2 * a), scipy.stats.chi2.sf(x, 2 * a), 2e-9)


def test_many_gamma_tails_at_once_are_those_one_by_one(page):
    x = np.array([0.0, 1e-300, 1e-3, 2.0, 30.0, 31.5, 400.0, 1e9, np.inf])
    for a in (0.3, 1.0, 7.0, 30.5, 5000.0):
        for name in ("gammainc", "gammaincc"):
            tail = getattr(page.special, name)
            one_by_one = np.array([tail(a, float(each)) for each in x])
            np.testing.assert_allclose(tail(a, x), one_by_one, rtol=1e-12, atol=1e-15)
            wanted = getattr(scipy.special, name)(a, x)
            np.testing.assert_allclose(tail(a, x), wanted, rtol=1e-9, atol=1e-13)
    assert np.isnan(page.special.gammainc(2.0, np.array([1.0, np.nan]))[1])
    assert page.special.gammaincc(2.0, np.ones((3, 2))).shape == (3, 2)


@pytest.mark.parametrize(
    ("a", "b"), [(1, 9), (5, 5), (300, 701), (2000, 1), (0.5, 0.5), (1, 10**6)]
)
def test_quantiles_of_beta_distributions(page, a, b):
    q = np.array([0.0, 1e-12, 1e-7, 0.01, 0.5, 0.9, 1 - 1e-7, 1.0])
    close(page.special.betaincinv(a, b, q), scipy.special.betaincinv(a, b, q), 1e-9)
    x = np.linspace(0, 1, 11)
    close(page.special.betainc(a, b, x), scipy.special.betainc(a, b, x), 1e-9)


def test_where_there_is_no_such_distribution(page):
    """An array's unused entries are computed too, so that none may raise."""
    shapes = np.array([-1.0, 0.0, 2.0])
    a, b, x = np.meshgrid(shapes, shapes, [-0.1, 0.0, 0.5, 1.0, 1.1, np.nan])
    for name in ("betainc", "betaincinv"):
        wanted = getattr(scipy.special, name)(a, b, x)
        assert np.isnan(wanted).any()
        close(getattr(page.special, name)(a, b, x), wanted, 1e-9)
    close(page.special.gammaincinv(a, x), scipy.special.gammaincinv(a, x), 1e-9)


def test_binomial_and_normal_distributions(page):
    k, p = np.arange(41)[:, None], np.linspace(0, 1, 21)
    for name in ("pmf", "sf", "cdf"):
        found, wanted = (getattr(e.stats.binom, name)(k, 40, p) for e in (page, scipy))
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)
    x = np.linspace(-8, 8, 33)
    for name in ("cdf", "sf", "pdf"):
        found, wanted = (getattr(e.stats.norm, name)(x, 1, 2) for e in (page, scipy))
        close(found, wanted, 1e-13)
    for name in ("ppf", "isf"):
        found, wanted = (getattr(e.stats.norm, name)(CHANCES) for e in (page, scipy))
        close(found, wanted, 1e-14)


@pytest.mark.parametrize(
    ("f", "ends"),
    [
        (lambda x: math.exp(x) - 5, (-3, 7)),
        (lambda x: math.log(x) + 600, (1e-300, 1)),
        (lambda x: math.atan(1e6 * (x - 0.3)), (-1, 1)),
        (lambda x: 1.0 if x < 0.1 else -1.0, (0, 1)),
    ],
)
def test_roots(page, f, ends):
    exact = {"xtol": 1e-300, "rtol": 1e-15, "maxiter": 2000}
    found = page.optimize.brentq(f, *ends, **exact)
    assert found == pytest.approx(scipy.optimize.brentq(f, *ends, **exact), rel=1e-12)
    with pytest.raises(ValueError, match="different signs"):
        page.optimize.brentq(lambda x: x * x + 1, -1, 1)


def test_quick_lengths_and_the_transform(page):
    for n in [*range(1, 300), 1000, 4097, 65_537, 10**6 + 1]:
        assert page.fft.next_fast_len(n, real=True) == scipy.fft.next_fast_len(n, True)
    x = np.random.default_rng(0).normal(size=90)
    np.testing.assert_allclose(page.fft.rfft(x), scipy.fft.rfft(x), atol=1e-12)


def test_the_least_value(page):
    how = {"bounds": (-3, 4), "method": "bounded", "options": {"xatol": 1e-9}}
    found = page.optimize.minimize_scalar(lambda x: math.cosh(x - 1), **how)
    assert found.fun == pytest.approx(1, rel=1e-15)
    assert found.x == pytest.approx(1, abs=1e-7)


@pytest.mark.parametrize("method", ["BFGS", "L-BFGS-B"])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
def test_the_least_value_of_a_convex_function(page, method, scale):
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(200, 30)) / 5, rng.normal(size=30)

    def ridge(x):
        soft = np.logaddexp(0, A @ x)
        slope = A.T @ np.exp(A @ x - soft)
        return scale * (soft.sum() + x @ x / 20 + b @ x), scale * (slope + x / 10 + b)

    how = {"jac": True, "method": method}
    goal = {"gtol": 1e-7 * scale, "maxiter": 1000}
    found = page.optimize.minimize(ridge, np.zeros(30), **how, options=goal)
    assert np.abs(found.jac).max() <= goal["gtol"]
    goal |= {"ftol": 0.0} if method == "L-BFGS-B" else {}
    exact = scipy.optimize.minimize(ridge, np.zeros(30), **how, options=goal)
    np.testing.assert_allclose(found.x, exact.x, atol=1e-5)
    with pytest.raises(AttributeError, match="Powell"):
        page.optimize.minimize(ridge, b, jac=True, method="Powell", options=goal)


def test_a_risk_of_many_records_takes_few_steps(page):
    """A page trains on tables, where each value of the risk takes milliseconds."""
    rng, asked = np.random.default_rng(0), []
    X = rng.normal(size=(2000, 100))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    signs = np.sign(X[:, 0] + rng.normal(size=2000) / 10)
    b = 5 * rng.normal(size=100)

    def risk(x):
        asked.append(x)
        z = signs * (X @ x)
        slope = -(signs * np.exp(-np.logaddexp(0, z))) @ X
        return np.logaddexp(0, -z).sum() + 0.8 * x @ x + b @ x, slope + 1.6 * x + b

    how, goal = {"jac": True, "method": "BFGS"}, {"gtol": 1e-7, "maxiter": 1000}
    found = page.optimize.minimize(risk, np.zeros(100), **how, options=goal)
    assert np.abs(found.jac).max() <= 1e-7
    assert len(asked) <= 30


def test_matrices(page):
    rng = np.random.default_rng(0)
    a, b = np.tril(rng.random((40, 40)) + 1), rng.normal(size=(40, 3))
    for how in ({"lower": True}, {"lower": True, "trans": 1}, {}):
        wanted = scipy.linalg.solve_triangular(a + np.triu(a.T, 1), b, **how)
        found = page.linalg.solve_triangular(a + np.triu(a.T, 1), b, **how)
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-9)
    d, e = rng.random(60) + 2, -rng.random(59)
    (w, V), (wanted, U) = (each.linalg.eigh_tridiagonal(d, e) for each in (page, scipy))
    np.testing.assert_allclose(w, wanted, rtol=1e-12)
    np.testing.assert_allclose(np.abs(V), np.abs(U), atol=1e-10)
    for n in (1, 2, 16, 128):
        assert (page.linalg.hadamard(n) == scipy.linalg.hadamard(n)).all()
    with pytest.raises(ValueError, match="power of 2"):
        page.linalg.hadamard(12)


@pytest.mark.parametrize(
    "name", ["special.airy", "optimize.linprog", "stats.kstest", "stats.norm.rvs"]
)
def test_what_is_missing_says_so(page, name):
    place = page
    *way, last = name.split(".")
    for part in way:
        place = getattr(place, part)
    with pytest.raises(AttributeError, match=f"{last} is none of them. The notebook"):
        getattr(place, last)
    with pytest.raises(AttributeError, match="sparse"):
        page.sparse  # noqa: B018  (the access itself raises)
