"""Floor 4. One experiment over a grid of settings and many seeds, on all cores."""

import inspect
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from . import checks
from ._lazy import missing

Table = list[dict[str, Any]]
START = b'{"experiment": '  # of a line of a file
# A setting, all its seeds, and how to call the experiment: what one process is given.
Task = tuple[Callable[..., Any], dict[str, Any], list[int], bool]


def sweep(
    experiment: Callable[..., Any],
    grid: Mapping[str, Iterable[Any]],
    seeds: int | Iterable[int],
    *,
    progress: bool = False,
    resume: str | Path | None = None,
) -> Table:
    """Run an experiment for every setting of a grid and every seed.

    An experiment that takes ``seeds`` gets all of them at once, and returns one result
    per seed: with ``runs=(len(seeds),)`` that is one batch instead of a loop. An
    experiment that takes ``seed`` is called once for each. Settings are tasks of
    joblib: processes of this machine, or whatever ``joblib.parallel_config`` names,
    such as a Dask cluster. The table does not depend on where the tasks ran, up to
    rounding, or on their order. A sweep with ``resume`` that was interrupted goes on
    where it stopped when it is called again.

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
    resume : str or Path, optional
        A file that ends in ``.jsonl``, made if it is missing. Each setting becomes a
        line of it as soon as it is finished, and a setting that has a line is not run
        again. So results must be what JSON can hold: arrays become lists. The file
        knows the experiment by its name only; give a new file after an edit.

    Returns
    -------
    list of dict
        One row per setting and seed: the setting, ``seed``, and ``result``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, the experiment does not take the keywords
        or does not return one result per seed, or the file holds another experiment,
        other seeds, or settings that are not in the grid.

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
    tasks = {
        place: (experiment, setting, numbers, vectorized)
        for place, setting in enumerate(settings)
    }
    finished = (
        dict(_run(tasks, {}, progress))
        if resume is None
        else _resumed(tasks, _file(resume), progress)
    )
    return [
        {**setting, "seed": seed, "result": result}
        for place, setting in enumerate(settings)
        for seed, result in zip(numbers, finished[place], strict=True)
    ]


def _run(
    tasks: Mapping[int, Task], finished: Mapping[int, Any], progress: bool
) -> Iterator[tuple[int, list[Any]]]:
    # The libraries are an extra, and slow to import: here, not above.
    try:
        from joblib import Parallel, delayed
        from joblib.parallel import get_active_backend

        bar = import_module("tqdm.auto").tqdm if progress else None
    except ModuleNotFoundError as error:
        raise missing(error) from None
    # All cores, unless ``joblib.parallel_config`` says how many.
    n_jobs = -1 if get_active_backend()[1] is None else None
    # In the order in which they end, so that no finished one waits to be written.
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    results: Any = parallel(
        delayed(_run_one)(place, *task)
        for place, task in tasks.items()
        if place not in finished
    )
    if bar is not None:
        counted = {"total": len(tasks), "initial": len(finished), "unit": "setting"}
        return iter(bar(results, **counted))
    return results


def _run_one(
    place: int,
    experiment: Callable[..., Any],
    setting: dict[str, Any],
    seeds: list[int],
    vectorized: bool,
) -> tuple[int, list[Any]]:
    if not vectorized:
        return place, [experiment(**setting, seed=seed) for seed in seeds]
    results = experiment(**setting, seeds=seeds)
    if not hasattr(results, "__len__") or len(results) != len(seeds):
        raise ValueError(
            f"`experiment` must return one result per seed, {len(seeds)} for "
            f"{setting}, got {results!r:.80}. Make the seeds its first axis."
        )
    return place, list(results)


def _file(resume: Any) -> Path:
    checks.instance((str, Path), resume=resume)
    path = Path(resume)
    if path.suffix != ".jsonl" or not path.parent.is_dir() or path.is_dir():
        raise ValueError(
            "`resume` must be a file that ends in .jsonl, in a folder that exists, "
            f"got {str(resume)!r}. Each finished setting becomes a line of it."
        )
    return path


def _resumed(
    tasks: Mapping[int, Task], path: Path, progress: bool
) -> dict[int, list[Any]]:
    """Run what the file does not hold, and write a line as soon as there is one."""
    lines = {place: _line(*task) for place, task in tasks.items()}
    finished = _finished(path, lines)
    with path.open("a", encoding="utf-8", newline="\n") as file:
        for place, results in _run(tasks, finished, progress):
            held = _json("`experiment` must return", results)
            file.write(f'{lines[place][:-1]}, "results": {held}}}\n')
            file.flush()
            os.fsync(file.fileno())
            # As it will be read: a table that was resumed is the table of one run.
            finished[place] = json.loads(held)
    return finished


def _line(experiment: Any, setting: dict[str, Any], seeds: list[int], _: bool) -> str:
    """Write a line without its results: it names the task."""
    name = getattr(experiment, "__qualname__", type(experiment).__qualname__)
    said = {"experiment": name, "setting": setting, "seeds": seeds}
    return _json("`grid` must hold", said)


def _json(must: str, value: Any) -> str:
    def plain(part: Any) -> Any:
        if hasattr(part, "tolist"):  # an array or a number of a library
            return part.tolist()
        raise TypeError(
            f"{must} what JSON can hold if `resume` is given, got {part!r:.80}. "
            "Take numbers, words, and lists or dicts of them."
        )

    return json.dumps(value, default=plain)


def _finished(path: Path, lines: Mapping[int, str]) -> dict[int, list[Any]]:
    """Read the results of finished settings; drop a line that was cut off."""
    written = path.read_bytes() if path.exists() else b""
    *whole, rest = written.split(b"\n")
    tasks, held = set(lines.values()), {}
    for number, line in enumerate(whole, 1):
        try:
            record = json.loads(line)
            results = record.pop("results")
            fits = len(results) == len(record["seeds"])
        except (ValueError, TypeError, AttributeError, KeyError):
            fits = False
        if not fits or json.dumps(record) not in tasks:
            raise ValueError(_foreign(path, number, line))
        held[json.dumps(record)] = results
    if rest:  # a process was ended while it wrote
        if not (rest.startswith(START) or START.startswith(rest)):
            raise ValueError(_foreign(path, len(whole) + 1, rest))
        os.truncate(path, len(written) - len(rest))
    return {place: held[line] for place, line in lines.items() if line in held}


def _foreign(path: Path, number: int, line: bytes) -> str:
    said = line[:80].decode(errors="replace")
    return (
        "`resume` must be a file of this experiment, with these seeds and settings of "
        f"this grid, got {str(path)!r}, whose line {number} is {said!r}. Give another "
        "file, or the grid and the seeds that it was made with."
    )


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
    one = isinstance(seeds, int | np.integer | str) or getattr(seeds, "ndim", 1) == 0
    if one or not isinstance(seeds, Iterable):
        seeds = checks.count(seeds=seeds)
        checks.fits(8 * seeds, seeds=seeds)
        return list(range(int(seeds)))
    listed = list(seeds)
    if not listed:
        raise ValueError("`seeds` must hold at least one seed, got []. Give 1, or [0].")
    for seed in listed:
        checks.count(0, seeds=seed)
    return [int(seed) for seed in listed]
