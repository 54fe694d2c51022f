"""Floor 4. One experiment over a grid of settings and many seeds, on all cores."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

import numpy as np

from . import checks

Table = list[dict[str, Any]]


def sweep(
    experiment: Callable[..., Any],
    grid: Mapping[str, Iterable[Any]],
    seeds: int | Iterable[int],
    *,
    progress: bool = False,
) -> Table:
    """Run an experiment for every setting of a grid and every seed.

    An experiment that takes ``seeds`` gets all of them at once, and returns one result
    per seed: with ``runs=(len(seeds),)`` that is one batch instead of a loop. An
    experiment that takes ``seed`` is called once for each. Settings are tasks of
    joblib: processes of this machine, or whatever ``joblib.parallel_config`` names,
    such as a Dask cluster. The table does not depend on where the tasks ran, or in
    which order.

    Parameters
    ----------
    experiment : callable
        A pure function. Its keywords are those of the grid, and ``seeds`` or ``seed``.
    grid : mapping of str to list
        The values of each keyword; all their combinations are run, the last keyword
        changing fastest.
    seeds : int or list of int
        The seeds, or how many: 0, …, seeds - 1.
    progress : bool, optional
        Whether to show a bar that counts settings.

    Returns
    -------
    list of dict
        One row per setting and seed: the setting, ``seed``, and ``result``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the experiment does not take the keywords
        or does not return one result per seed.

    Examples
    --------
    >>> def noise(*, scale, seeds):
    ...     return [scale * seed for seed in seeds]
    >>> table = sweep(noise, {"scale": [1, 10]}, seeds=2)
    >>> [(row["scale"], row["seed"], row["result"]) for row in table]
    [(1, 0, 0), (1, 1, 1), (10, 0, 0), (10, 1, 10)]
    """
    vectorized = _check_experiment(experiment, grid)
    checks.flag(progress=progress)
    names, numbers = list(grid), _seeds(seeds)
    settings = [
        dict(zip(names, values, strict=True))
        for values in product(*(_values(name, grid[name]) for name in names))
    ]
    tasks = [(experiment, setting, numbers, vectorized) for setting in settings]
    rows: Table = []
    for setting, results in zip(settings, _run(tasks, progress), strict=True):
        for seed, result in zip(numbers, results, strict=True):
            rows.append({**setting, "seed": seed, "result": result})
    return rows


def _run(tasks: list[tuple], progress: bool) -> Iterable[Any]:
    # The libraries are an extra, and slow to import: here, not above.
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    # All cores, unless ``joblib.parallel_config`` says how many.
    n_jobs = -1 if get_active_backend()[1] is None else None
    parallel = Parallel(n_jobs=n_jobs, return_as="generator")
    results: Iterable[Any] = parallel(delayed(_task)(*task) for task in tasks)
    if progress:
        from tqdm.auto import tqdm

        return tqdm(results, total=len(tasks), unit="setting")
    return results


def _task(
    experiment: Callable[..., Any],
    setting: dict[str, Any],
    seeds: list[int],
    vectorized: bool,
) -> list[Any]:
    if not vectorized:
        return [experiment(**setting, seed=seed) for seed in seeds]
    results = experiment(**setting, seeds=seeds)
    if not hasattr(results, "__len__") or len(results) != len(seeds):
        raise ValueError(
            f"`experiment` must return one result per seed, {len(seeds)} for "
            f"{setting}, got {results!r:.80}. Make the seeds its first axis."
        )
    return list(results)


def _check_experiment(experiment: Any, grid: Any) -> bool:
    if not callable(experiment):
        raise TypeError(
            f"`experiment` must be a function, got {experiment!r}. "
            "Pass the function itself, not its result."
        )
    if not isinstance(grid, Mapping):
        raise TypeError(
            f"`grid` must be a mapping of keywords to lists, got {grid!r:.80}. "
            'Give it as {"epsilon": [0.5, 1.0]}.'
        )
    keywords = inspect.signature(experiment).parameters
    if not {"seed", "seeds"} & set(keywords):
        raise ValueError(
            f"`experiment` must take `seeds` or `seed`, got {list(keywords)}. "
            "Without a seed the experiment cannot be repeated."
        )
    needed = {name for name, each in keywords.items() if each.default is each.empty}
    wrong = (set(grid) - set(keywords)) | (needed - set(grid) - {"seed", "seeds"})
    if wrong:
        raise ValueError(
            f"`grid` must name the keywords of the experiment, got {list(grid)}. "
            f"Mend {sorted(map(str, wrong))}: the experiment takes {list(keywords)}."
        )
    return "seeds" in keywords


def _values(name: str, values: Any) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(
            f"`grid` must hold a list for {name!r}, got {values!r}. "
            f"Write a single value as [{values!r}]."
        )
    return list(values)


def _seeds(seeds: Any) -> list[int]:
    if isinstance(seeds, int | np.integer | str) or not isinstance(seeds, Iterable):
        seeds = checks.count(seeds=seeds)
        return list(range(int(seeds)))
    listed = list(seeds)
    if not listed:
        raise ValueError("`seeds` must hold at least one seed, got []. Give 1, or [0].")
    for seed in listed:
        checks.count(0, seeds=seed)
    return [int(seed) for seed in listed]
