"""Exercise: the exact μ of Gaussian code, from what it returns on chosen tapes."""

from math import inf, isinf, nan

import numpy as np

from ....auditing import exact_mu, noise_map
from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student
from .. import leaks

Tapes = tuple[np.ndarray, np.ndarray, np.ndarray]  # still, replayed, moved


def _maps(still: np.ndarray, replayed: np.ndarray, moved: np.ndarray):
    return (replayed - still).T, moved - still


def _mu(still: np.ndarray, replayed: np.ndarray, moved: np.ndarray) -> float:
    return exact_mu(*_maps(still, replayed, moved))


def _least_squares(B: np.ndarray, d: np.ndarray) -> float:
    return float(np.linalg.norm(np.linalg.pinv(B, rcond=1e-10) @ d))


def _deviations(B: np.ndarray) -> np.ndarray:
    return np.linalg.norm(B, axis=1)


def _apart(still, replayed, moved) -> float:
    B, d = _maps(still, replayed, moved)
    return float(np.linalg.norm(d / _deviations(B)))


def _no_check(still, replayed, moved) -> float:
    return _least_squares(*_maps(still, replayed, moved))


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda still, replayed, moved: _least_squares(replayed.T, moved - still),
        "A row of `replayed` is an output, not what the noise added to it.",
    ),
    (
        lambda still, replayed, moved: _least_squares((replayed - still).T, moved),
        "`moved` is the output with the record. How far did the record move it?",
    ),
    (
        _apart,
        "You treat the outputs as if each had noise of its own. One draw may reach "
        "several of them.",
    ),
    (
        lambda still, replayed, moved: float(
            np.max(
                np.abs(moved - still) / _deviations(_maps(still, replayed, moved)[0])
            )
        ),
        "That looks at the worst output alone. An attacker looks at all of them "
        "together.",
    ),
    (
        lambda still, replayed, moved: float(
            np.linalg.norm(moved - still) / np.linalg.norm(replayed - still)
        ),
        "One length divided by another forgets in which direction the noise lies.",
    ),
    (
        lambda still, replayed, moved: float(
            np.linalg.norm(moved - still) / np.linalg.norm(replayed - still, 2)
        ),
        "That divides by the largest noise of any direction, not by the noise in the "
        "direction of the record.",
    ),
    (
        lambda still, replayed, moved: _mu(still, replayed, moved) ** 2,
        "That is μ². A root is missing.",
    ),
    (
        lambda still, replayed, moved: _mu(still, replayed, moved) / 2,
        "That is half of μ.",
    ),
    (
        _no_check,
        "Least squares always finds something. Do the normals that it finds really "
        "make up the whole difference? Compare what is left with its length.",
    ),
)


def _call(student: Student, case: Tapes) -> float:
    found = student.call(*case)
    try:
        number = nan if isinstance(found, (str, complex)) else float(found)
    except (TypeError, ValueError):
        number = nan
    if np.ndim(found) or number != number:
        raise Fault(
            f"the result of {student.case(case)}",
            f"{found!r:.60}",
            "one number, or infinity",
            "Return μ itself.",
        )
    return number


def _demand(student: Student, case: Tapes, told: str) -> None:
    found, wanted = _call(student, case), _mu(*case)
    if isinf(wanted) and isinf(found) and found > 0:
        return
    if not isinf(wanted) and abs(found - wanted) <= 1e-6 * max(1.0, wanted):
        return
    raise Fault(
        f"μ of {told}",
        f"{found:.6g}",
        f"{wanted:.6g}",
        _hint(found, case, wanted),
    )


def _hint(found: float, case: Tapes, wanted: float) -> str:
    with np.errstate(all="ignore"):
        for formula, told in _MISREAD:
            value = formula(*case)
            if isinf(value):
                continue
            close = abs(found - value) <= 1e-4 * max(abs(value), 1e-9)
            right = abs(value - wanted) <= 1e-3 * wanted < inf
            if close and not right:
                return told
    if isinf(found):
        return "The noise covers this difference: some tape makes exactly it."
    if isinf(wanted):
        return "No tape makes this difference. What does an attacker learn from that?"
    return "Which tape of normals, the shortest one, makes the same difference?"


def _from(B: np.ndarray, d: np.ndarray, rng: np.random.Generator) -> Tapes:
    still = rng.normal(size=len(d)) * max(np.abs(B).max(), np.abs(d).max())
    return still, still + B.T, still + d


def _independent(student: Student, rng: np.random.Generator) -> None:
    _demand(student, _from(np.array([[2.0]]), np.array([3.0]), rng), "one output")
    B, d = np.diag(rng.uniform(0.5, 3, 4)), rng.normal(size=4)
    _demand(student, _from(B, d, rng), "four outputs with noise of their own")


def _shared(student: Student, rng: np.random.Generator) -> None:
    for m, k in ((3, 3), (3, 7), (1, 5), (33, 40)):
        B, d = rng.normal(size=(m, k)), rng.normal(size=m)
        _demand(student, _from(B, d, rng), f"{m} outputs that share {k} draws of noise")


def _covered(student: Student, rng: np.random.Generator) -> None:
    B = rng.normal(size=(6, 3))
    d = B @ rng.normal(size=3)
    _demand(student, _from(B, d, rng), "six outputs made of three draws, all covered")
    _demand(student, _from(B, 0 * d, rng), "a record that moves nothing")
    quiet = np.vstack([B, np.zeros(3)])  # the last output is a public constant
    d = np.append(d, 0.0)
    _demand(student, _from(quiet, d, rng), "an output without noise that never moves")


def _repeated(student: Student, rng: np.random.Generator) -> None:
    B = rng.normal(size=(6, 2))
    B = np.column_stack([B, B[:, 0], B.sum(axis=1)])
    for scale in (1.0, 1e-5, 1e5, 1e10):
        d = B @ rng.normal(size=4)
        case = _from(scale * B, scale * d, rng)
        _demand(student, case, f"draws that repeat each other, in units of {scale:g}")


def _bare(student: Student, rng: np.random.Generator) -> None:
    B = rng.normal(size=(6, 3))
    _demand(student, _from(B, rng.normal(size=6), rng), "a difference without noise")
    d = B[:, 0] + 1e-4 * rng.normal(size=6)
    told = "a difference of which one part in 10,000 is without noise"
    _demand(student, _from(B, d, rng), told)
    _demand(
        student,
        _from(np.zeros((2, 3)), np.array([0.0, 0.1]), rng),
        "outputs without any noise",
    )
    _demand(
        student,
        _from(np.zeros((2, 3)), np.zeros(2), rng),
        "outputs without any noise, which never move",
    )
    d, B = np.append(B[:, 0], 1.0), np.vstack([B, np.zeros(3)])
    for scale in (1e-5, 1e-12):
        case = _from(scale * B, scale * d, rng)
        _demand(student, case, "small numbers, one of them without noise")


def _real_code(student: Student, _: np.random.Generator) -> None:
    G = np.vstack([np.zeros((7, 4)), np.full((1, 4), 1e3)])
    for name, run in (
        ("a clipped, noisy sum", leaks.right_sum),
        ("layers that are clipped one by one", leaks.clip_by_layer),
        ("a quarter of the noise on each device", leaks.noise_by_device),
        ("one key for two layers", leaks.one_key_for_two_layers),
    ):
        record = G.copy()
        if run is leaks.one_key_for_two_layers:
            record[-1, 2:] = 0.0
        found = noise_map(lambda rng, run=run: run(G[:-1], 4.0, rng))
        having = noise_map(lambda rng, run=run, G=record: run(G, 4.0, rng))
        case = found.mean, found.mean + found.matrix.T, having.mean
        _demand(student, case, name)


EXERCISE = Exercise(
    name="tape_mu",
    parameters=("still", "replayed", "moved"),
    title="An audit without statistics",
    statement="""\
Gaussian code was run on tapes of chosen "normals" in place of noise. It returns $m$
numbers, and draws $k$ normals.

* `still`, of shape $(m,)$, is what it returned without the record, on a tape of zeros.
* `replayed`, of shape $(k, m)$: row $j$ is what it returned without the record when
  normal $j$ was 1 and all others were 0.
* `moved`, of shape $(m,)$, is what it returned **with** the record, on a tape of zeros.

The code is affine in its noise, and the noise does not depend on the record. Write
`tape_mu(still, replayed, moved)`, which returns the exact $\\mu$ at which the two
outputs are $\\mu$-GDP: the length of the shortest tape that moves the output just as
the record does. If no tape does, return `np.inf`.

What is below $10^{-9}$ of the largest number counts as rounding. NumPy is enough.""",
    starter="""\
import numpy as np


def tape_mu(still, replayed, moved):
    sigma = replayed.std()
    return np.linalg.norm(moved - still) / sigma  # your code here""",
    worked=(
        "tape_mu(np.array([5.0, 5.0]), np.array([[8.0, 5.0], [5.0, 9.0]]), "
        "np.array([8.0, 9.0]))",
        "1.4142136",
        "The first normal adds (3, 0), the second (0, 4). The record adds (3, 4), "
        "which is once the first and once the second: the tape (1, 1), of length √2.",
    ),
    hints=(
        "What did normal $j$ add to the output? That is column $j$ of a matrix $B$, "
        "of shape $(m, k)$.",
        "Look for the shortest $z$ with $Bz = d$. There may be many such $z$, or none.",
        "NumPy has a solver whose answer is the shortest of all that come closest. "
        "Do they come closest, or arrive?",
    ),
    checks=(
        ("outputs with noise of their own", _independent),
        ("outputs that share noise", _shared),
        ("more outputs than draws, all covered", _covered),
        ("draws that repeat each other", _repeated),
        ("a difference that no noise covers", _bare),
        ("real code, right and leaky", _real_code),
    ),
    praise="No run was random, and so nothing can be wrong by chance: this μ belongs "
    "to the code as it runs. One pair of neighbors was looked at, and worse ones may "
    "exist.",
)

EXPLANATION = r"""
**Step 1. Read the code's matrix off the tapes.** The code is affine in its noise. On a
tape $z$ it returns `still` plus $Bz$, where column $j$ of $B$ is what normal $j$ added
when it was 1: row $j$ of `replayed` minus `still`.

**Step 2. What the record does.** It moves the output by $d$ = `moved` − `still`. The
two outputs are then $Bz$ and $d + Bz$ with standard normal $z$, up to a constant.

**Step 3. The shortest tape.** If $Bz_0 = d$ for some $z_0$, the second output is
$B(z + z_0)$: the record acts like a shift of the tape by $z_0$. Of all such $z_0$ take
the shortest. It lies in the part of the tape that $B$ can see, so nothing of the shift
is invisible, and two normals that are its length apart are exactly $\mu$-GDP with
$\mu = \lVert z_0\rVert$.

**Step 4. If there is none.** Then the record moves the output in a direction without
noise. The output gives it away with certainty, and $\mu$ is infinite.

```python
import numpy as np


def tape_mu(still, replayed, moved):
    B, d = (replayed - still).T, moved - still
    z = np.linalg.lstsq(B, d, rcond=1e-9)[0]
    if np.linalg.norm(B @ z - d) > 1e-7 * np.linalg.norm(d):
        return np.inf
    return np.linalg.norm(z)
```

`lstsq` returns the shortest of all tapes that come closest to $d$. It comes closest
even where nothing arrives, which is why the code checks.

**What wrong answers overlook.** Dividing $\lVert d\rVert$ by one deviation is right
only if all outputs have independent noise of the same size. With fewer outputs than
normals $B$ has no inverse, and with noise that is shared between outputs its covariance
matters: noise that two outputs share protects only their sum.
"""
