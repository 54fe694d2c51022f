"""Run collected tests in forks: one for each mutant, patched in place."""

import inspect
import json
import mmap
import os
import resource
import signal
import sys
import time
import types
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from itertools import accumulate

import pytest

MEMORY = 6 << 30
UNPATCHED = 3


def load(module: types.ModuleType, tree) -> types.ModuleType:
    """Run a changed tree as the module, beside the right one."""
    changed = types.ModuleType(module.__name__)
    changed.__dict__.update(
        {key: getattr(module, key) for key in ("__file__", "__package__", "__spec__")}
    )
    exec(compile(tree, module.__file__, "exec"), changed.__dict__)
    return changed


def graft(
    module: types.ModuleType, changed: types.ModuleType, owner: str | None
) -> None:
    """Put a function or class of the changed module in the right one's place.

    Code is exchanged inside the functions that exist, so that whoever imported one by
    name gets the change too. No owner means a constant of the module.
    """
    if owner is None:
        for name, value in vars(changed).items():
            _set_constant(module, name, value)
        return None
    old, new = getattr(module, owner), getattr(changed, owner)
    if not isinstance(old, type):
        return _exchange(old, new)
    for name, value in vars(new).items():
        before = vars(old).get(name)
        if _function(before) is not None and _function(value) is not None:
            _exchange(before, value)
        elif isinstance(value, int | float | str | tuple):
            setattr(old, name, value)
    return None


def _function(thing: object) -> types.FunctionType | None:
    if isinstance(thing, cached_property):
        return thing.func
    thing = getattr(thing, "fget", None) or getattr(thing, "__func__", thing)
    thing = inspect.unwrap(thing) if callable(thing) else thing
    return thing if isinstance(thing, types.FunctionType) else None


def _exchange(old: object, new: object) -> None:
    before, after = _function(old), _function(new)
    for part in ("__code__", "__defaults__", "__kwdefaults__"):
        setattr(before, part, getattr(after, part))


def _set_constant(module: types.ModuleType, name: str, value: object) -> None:
    old = vars(module).get(name)
    if not isinstance(value, int | float | tuple | dict) or value == old:
        return
    for other in list(sys.modules.values()):
        if getattr(other, "__name__", "").split(".")[0] in ("dpteach", "tests") and (
            vars(other).get(name) is old
        ):
            setattr(other, name, value)


class Forks:
    """A plugin: pytest collects, and what runs is up to ``play``.

    Parameters
    ----------
    files : dict
        The modules that are changed, by their full names: their files.
    play : callable
        Called with this object once the tests are collected.
    """

    def __init__(self, files: dict[str, str], play: Callable) -> None:
        self.files, self.play, self.items, self.seconds = files, play, [], []
        # A fork writes here which test it is at.
        self.at = mmap.mmap(-1, 8)

    def pytest_configure(self) -> None:
        """A mutant leaves no examples behind, and a busy machine fails no test."""
        from hypothesis import settings

        settings.register_profile("mutants", database=None, deadline=None)
        settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items) -> None:
        """Of the bad-input matrix, keep the rows of functions in these packages."""
        items[:] = [item for item in items if self._wanted(item)]

    def _wanted(self, item) -> bool:
        if item.path.name != "test_bad_input.py":
            return True
        function = getattr(item, "callspec", None) and item.callspec.params["function"]
        module = getattr(function, "__module__", "")
        packages = {name.rpartition(".")[0] for name in self.files} - {"dpteach"}
        return module in self.files or module.rpartition(".")[0] in packages

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session) -> bool:
        """Hand over the collected tests."""
        self.items, self.session = session.items, session
        try:
            if session.testsfailed:
                raise RuntimeError("the tests cannot be collected")
            self.play(self)
        except RuntimeError as problem:
            print(f"{', '.join(self.files)}: {problem}", file=sys.stderr)
        return True

    def touched(self, most: float) -> dict[str, dict[str, list[int]]]:
        """Find which tests run each function or class of each module.

        The quick ones come first, and no more than take ``most`` seconds together.
        Run without any change, all tests must pass.
        """
        receive, send = os.pipe()
        if (child := os.fork()) == 0:
            answer = json.dumps(self._trace())
            with os.fdopen(send, "w") as stream:
                stream.write(answer)
            os._exit(0)
        os.close(send)
        with os.fdopen(receive) as stream:
            self.seconds, seen, failed = json.loads(stream.read())
        os.waitpid(child, 0)
        if failed:
            names = ", ".join(self.items[k].nodeid for k in failed)
            raise RuntimeError(f"fails without any change: {names}")
        return {
            name: {owner: self._quick(found, most) for owner, found in each.items()}
            for name, each in seen.items()
        }

    def _quick(self, numbers: list[int], most: float) -> list[int]:
        ordered = sorted(numbers, key=self.seconds.__getitem__)
        totals = accumulate(self.seconds[k] for k in ordered)
        return [k for k, total in zip(ordered, totals, strict=True) if total <= most]

    def _trace(self) -> tuple[list[float], dict[str, dict], list[int]]:
        names = {file: name for name, file in self.files.items()}
        seconds, failed = [], []
        seen: dict[str, dict] = {name: {} for name in self.files}

        def watch(frame, _event, _arg):
            code = frame.f_code
            if code.co_filename in names:
                owner = code.co_qualname.split(".")[0]
                seen[names[code.co_filename]].setdefault(owner, {})[number] = True

        for number in range(len(self.items)):
            start = time.process_time()
            sys.settrace(watch)
            passed = self._passes([number])
            sys.settrace(None)
            seconds.append(time.process_time() - start)
            if not passed:
                failed.append(number)
        listed = {
            name: {owner: list(found) for owner, found in each.items()}
            for name, each in seen.items()
        }
        return seconds, listed, failed

    def _passes(self, numbers: list[int]) -> bool:
        before = self.session.testsfailed
        for at, number in enumerate(numbers):
            after = numbers[at + 1] if at + 1 < len(numbers) else None
            item = self.items[number]
            self.at[:] = number.to_bytes(8)
            if self.seconds:  # an endless test ends by a signal
                signal.setitimer(signal.ITIMER_PROF, 2 + 5 * self.seconds[number])
            item.config.hook.pytest_runtest_protocol(
                item=item, nextitem=None if after is None else self.items[after]
            )
            if self.session.testsfailed > before:
                return False
        return True

    def survives(self, module: str, tree, owner: str | None, tests: list[int]) -> bool:
        """Say whether these tests pass in a fork with the change.

        The test that fails moves to the front of the list, for the next change.
        """
        if (child := os.fork()) == 0:
            os._exit(self._child(module, tree, owner, tests))
        _, status = os.waitpid(child, 0)
        if status and (last := int.from_bytes(self.at[:])) in tests:
            tests.remove(last)
            tests.insert(0, last)
        if os.waitstatus_to_exitcode(status) == UNPATCHED:  # nothing noticed it
            print(f"  {owner} of {module} cannot be changed in place", file=sys.stderr)
            return True
        return status == 0

    def _child(self, module: str, tree, owner: str | None, tests: list[int]) -> int:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        here = import_module(module)
        try:
            changed = load(here, tree)
        except Exception:  # it cannot even be imported
            return 1
        try:
            graft(here, changed, owner)
        except Exception:
            return UNPATCHED
        try:
            return 0 if self._passes(tests) else 1
        except BaseException:
            return 1
