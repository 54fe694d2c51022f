"""The tests mirror the package: what is tested stands where its test is looked for."""

import inspect

from tests.public import ROOT, modules

# Modules without a test file of their own, and the file that tests them. The steps of a
# price are tested by the prices that they lead to, against independent ones; what
# every exercise or figure uses is tested with all of them; and the judge is tested with
# a class, a course and attacks, not part by part.
TESTED_IN = {
    "dpteach.any_loss": "test_losses.py",
    "dpteach.accounting.pairs.kinds": "accounting/pairs/test_releases.py",
    "dpteach.accounting.accountants.closed_forms": "accounting/test_pricing.py",
    "dpteach.accounting.accountants.concentrated": "accounting/test_odds.py",
    "dpteach.accounting.accountants.contour_curve": "accounting/test_certificates.py",
    "dpteach.accounting.accountants.curve": "accounting/test_pricing.py",
    "dpteach.accounting.accountants.elementary": "accounting/test_corners.py",
    "dpteach.accounting.accountants.grid": "accounting/test_sampling.py",
    "dpteach.accounting.rules.composition": "accounting/test_odds.py",
    "dpteach.accounting.rules.concentrated": "accounting/test_odds.py",
    "dpteach.accounting.integration.line": "accounting/test_certificates.py",
    "dpteach.accounting.integration.loss_distribution": "accounting/test_sampling.py",
    "dpteach.accounting.moments.conversion": "accounting/test_odds.py",
    "dpteach.accounting.moments.nonuniform_fourier": "accounting/test_sampling.py",
    "dpteach.accounting.pairs.ratio_sums": "accounting/test_events.py",
    "dpteach.accounting.accountants.renyi": "accounting/test_sampling.py",
    "dpteach.accounting.rules.renyi": "accounting/test_upper_bounds.py",
    "dpteach.accounting.pairs.sampling": "accounting/pairs/test_sampled_gaussian.py",
    "dpteach.accounting.integration.saddle": "accounting/test_sampling.py",
    "dpteach.figures.figure": "chapters/test_every_figure.py",
    "dpteach.figures.game": "book/test_tracing.py",
    "dpteach.grading.calling": "grading/test_student.py",
    "dpteach.grading.judge.batch": "grading/judge/test_results.py",
    "dpteach.grading.judge.command": "grading/judge/test_course.py",
    "dpteach.grading.judge.exports": "grading/judge/test_course.py",
    "dpteach.grading.judge.frames": "grading/judge/test_course.py",
    "dpteach.grading.judge.isolation": "grading/judge/test_attacks.py",
    "dpteach.grading.judge.judge": "grading/judge/test_attacks.py",
    "dpteach.grading.judge.keys": "grading/judge/test_course.py",
    "dpteach.grading.judge.remote": "grading/judge/test_attacks.py",
    "dpteach.grading.judge.submissions": "grading/judge/test_course.py",
    "dpteach.grading.judge.rights": "grading/judge/test_attacks.py",
    "dpteach.grading.judge.wire": "grading/judge/test_course.py",
    "dpteach.grading.judge.cells": "grading/judge/test_course.py",
    "dpteach.grading.judge.worker": "grading/judge/test_attacks.py",
    "dpteach.grading.ladder": "chapters/test_banks.py",
}


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
    and not module.__name__.startswith("dpteach.chapters")
]


def namesake(name):
    """Return where the tests of a module are looked for."""
    *packages, last = name.split(".")[1:]
    return ROOT.joinpath("tests", *packages, f"test_{last}.py")


def test_each_public_module_has_its_namesake_or_a_file_that_tests_it():
    lonely = {name for name in MODULES if not namesake(name).exists()}
    assert lonely == set(TESTED_IN)
    for file in TESTED_IN.values():
        assert (ROOT / "tests" / file).exists(), file
