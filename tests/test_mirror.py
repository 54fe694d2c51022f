"""The tests mirror the package: what is tested stands where its test is looked for."""

import inspect

from tests.public import ROOT, modules

# Packages whose modules are tested together, in files named for what is tested.
TOGETHER = ("dpteach.accounting", "dpteach.figures", "dpteach.grading")


def has_functions(module):
    """Say whether a module defines a public function or a class with a method."""
    return any(
        inspect.getmodule(value) is module
        for name, each in vars(module).items()
        if not name.startswith("_")
        for value in [inspect.unwrap(each) if callable(each) else each]
        if inspect.isfunction(value)
    )


MODULES = [
    module.__name__
    for module in modules()
    if has_functions(module)
    and not hasattr(module, "__path__")
    and not module.__name__.startswith((*TOGETHER, "dpteach.chapters"))
]


def test_each_public_module_has_its_namesake():
    missing = []
    for name in MODULES:
        *packages, last = name.split(".")[1:]
        path = ROOT.joinpath("tests", *packages, f"test_{last}.py")
        if not path.exists():
            missing.append(str(path.relative_to(ROOT)))
    assert not missing, missing
