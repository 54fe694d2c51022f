"""The benchmarks of pages run to their end, on one chapter."""

import pytest

from tests.test_bench import BENCH, PAGES, run


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.usefixtures("book")
@pytest.mark.parametrize("script", sorted(PAGES))
def test_a_benchmark_of_pages_runs(script):
    done = run(BENCH / f"{script}.py")
    assert done.returncode == 0, done.stderr
    assert f"\n{script} " in done.stdout
