"""The reader's own program: right ones pass, and of a broken one the part is named."""

import importlib
import json
import re

import numpy as np
import pytest

from dpteach import check_program, grow_program, tiny
from dpteach.chapters import page
from dpteach.chapters._reader import value_of
from dpteach.chapters.catalog import explanation, load
from dpteach.chapters.program.checks import CHECKS
from dpteach.chapters.program.my_dp import NAME, borrowed, grade, there
from dpteach.chapters.program.parts import HEAD, PARTS
from tests.public import PACKAGE

TINY = (PACKAGE / "tiny.py").read_text("utf-8")
NAMES = [part.name for part in PARTS]

# The same nine functions in another hand: other draws, other loops, another accountant.
OTHER = '''
import math
import numpy as np
from scipy.stats import beta


def clip(rows, bound):
    out = []
    for row in np.asarray(rows, dtype=float):
        if not np.all(np.isfinite(row)):
            row = np.zeros_like(row)
        length = math.sqrt(sum(row * row))
        out.append(row * bound / length if length > bound else row)
    return np.array(out).reshape(np.shape(rows))


def poisson_batch(n, q, rng):
    return np.array([i for i in range(n) if rng.random() < q], dtype=int)


def dp_sgd(gradients, start, n, q, L, lam, steps, eta, rng):
    noise = rng.normal(0, L * lam, size=(steps, len(start)))
    path = np.zeros((steps, len(start)))
    for k in range(steps):
        now = path[k - 1] if k else start
        chosen = poisson_batch(rng=rng, n=n, q=q)
        short = clip(gradients(now), L)
        total = sum((short[i] for i in chosen), np.zeros(len(start)))
        path[k] = now - (total + noise[k]) * eta / q
    return path


def _losses(lam, q, removed, width):
    """The privacy loss of one release on a grid, masses placed by their means."""
    x = np.linspace(-14 * lam, 1 + 14 * lam, 60_001)
    low = np.exp(-x * x / (2 * lam**2))
    high = (1 - q) * low + q * np.exp(-((x - 1) ** 2) / (2 * lam**2))
    seen, other = (high, low) if removed else (low, high)
    mass = seen / seen.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(seen > 0, np.log(seen) - np.log(other), 0.0)
    place = np.clip(loss, -60, 60) / width
    down = np.floor(place).astype(int)
    share = place - down
    first = down.min()
    size = down.max() - first + 2
    grid = np.bincount(down - first, mass * (1 - share), size)
    return first, grid + np.bincount(down - first + 1, mass * share, size)


def delta(epsilon, runs):
    width, worst = 1e-4, 0.0
    for removed in (True, False):
        parts = [(*_losses(lam, q, removed, width), T) for lam, q, T in runs]
        size = 1 << 19
        spectrum = np.ones(size // 2 + 1, dtype=complex)
        for first, grid, T in parts:
            rolled = np.zeros(size)
            rolled[(np.arange(len(grid)) + first) % size] = grid
            spectrum = spectrum * np.fft.rfft(rolled) ** T
        mass = np.fft.irfft(spectrum, size)
        loss = width * (np.arange(size) - size * (np.arange(size) >= size // 2))
        gain = np.maximum(0.0, -np.expm1(epsilon - loss))
        worst = max(worst, float(mass @ gain))
    return worst


def epsilon(wanted, runs):
    least, most = 0.0, 1000.0
    if delta(0.0, runs) <= wanted:
        return 0.0
    while most - least > 1e-7 * (1 + least):
        middle = least + (most - least) / 2
        if delta(middle, runs) > wanted:
            least = middle
        else:
            most = middle
    return most


def tree_noise(n, p, sigma, rng):
    drawn = {}

    def node(level, which):
        if (level, which) not in drawn:
            drawn[level, which] = rng.normal(size=p) * sigma
        return drawn[level, which]

    out = []
    for t in range(1, n + 1):
        total, left = np.zeros(p), 0
        for level in reversed(range(t.bit_length())):
            if t >> level & 1:
                total = total + node(level, left >> level)
                left += 1 << level
        out.append(total)
    return np.array(out)


def dp_ftrl(gradients, start, *, rng, Lam, lam, L, n):
    b = tree_noise(rng=rng, p=start.size, n=n, sigma=lam * L)
    models, pulls = [np.array(start)], []
    for t in range(n):
        pulls.append(clip(gradients(models[t])[[t]], L)[0])
        models.append(start - np.add(np.sum(pulls, axis=0), b[t]) / Lam)
    return np.stack(models)


def audit(k, n, k0, n0, delta, risk):
    low = beta.ppf(risk / 2, k, n - k + 1) if k else 0
    high = beta.ppf(1 - risk / 2, k0 + 1, n0 - k0) if k0 < n0 else 1
    return 0.0 if low <= delta else max(0.0, math.log((low - delta) / high))


def label(runs, d):
    first = "ε ≤ %.4g at δ = %g, one record more or less" % (epsilon(d, runs), d)
    share = 100 * (1 + delta(0, runs)) / 2
    return first + "\\nright guesses about one record: at most %.1f of 100" % share
'''


def names_of(text):
    names = {"__name__": NAME}
    value_of(text, "<a program>", names)
    return names


def graded(text, seed=3):
    return grade(names_of(text), seed)


# Part, what stands in the book's program, what takes its place, what is said.
BROKEN = [
    ("clip", "np.where(finite, gradients, 0.0)", "gradients", "nan"),
    ("clip", "np.maximum(norms, L)", "norms", "short"),
    ("clip", ".sum(axis=1, keepdims=True)", ".sum(keepdims=True)", ""),
    ("poisson_batch", "rng.random(n) < q", "rng.random(n) < q / 2", ""),
    (
        "poisson_batch",
        "np.flatnonzero(rng.random(n) < q)",
        "rng.permutation(n)[: round(q * n)]",
        "",
    ),
    (
        "poisson_batch",
        "np.flatnonzero(rng.random(n) < q)",
        "rng.integers(0, n, rng.binomial(n, q))",
        "",
    ),
    ("poisson_batch", "np.flatnonzero(rng.random(n) < q)", "rng.random(n) < q", "yes"),
    (
        "poisson_batch",
        "np.flatnonzero(rng.random(n) < q)",
        "np.where(rng.random(n) < q)",
        "tuple",
    ),
    (
        "poisson_batch",
        "np.flatnonzero(rng.random(n) < q)",
        "np.array([i for i in range(n) if rng.random() < q])",
        "dtype=int",
    ),
    (
        "poisson_batch",
        "np.flatnonzero(rng.random(n) < q)",
        "rng.choice(n, int(q * n), replace=False)",
        "your poisson_batch, tried in the exercise poisson_batches",
    ),
    ("dp_sgd", "gradients(theta)[batch]", "gradients(start)[batch]", ""),
    ("dp_sgd", "theta - eta / q * (total", "theta + eta / q * (total", "climbs"),
    (
        "dp_sgd",
        "for _ in range(steps):\n        batch = poisson_batch(n, q, rng)",
        "batch = poisson_batch(n, q, rng)\n    for _ in range(steps):\n        batch",
        "fresh sample",
    ),
    (
        "dp_sgd",
        "return np.array(path)",
        "return np.array(path, dtype=np.float32)",
        "float32",
    ),
    (
        "dp_sgd",
        "return np.array(path)",
        "return np.array([path[-1]] * steps)",
        "one array many times",
    ),
    ("dp_sgd", "eta / q * (total", "eta * (total", "too small by 1/q"),
    ("dp_sgd", "eta / q * (total", "eta / max(1, len(batch)) * (total", "secret"),
    (
        "dp_sgd",
        "clip(gradients(theta)[batch], L).sum(axis=0)",
        "clip(gradients(theta)[batch].sum(axis=0)[None], L)[0]",
        "Only the sum",
    ),
    (
        "dp_sgd",
        "poisson_batch(n, q, rng) if q < 1 else np.arange(n)",
        "np.arange(n)",
        "no call of poisson_batch",
    ),
    (
        "dp_sgd",
        "noise = L * lam * rng.standard_normal(theta.shape)",
        "noise = lam * rng.standard_normal(theta.shape)",
        "standard deviation",
    ),
    (
        "dp_sgd",
        "rng.standard_normal(theta.shape)",
        "rng.standard_normal()",
        "draw of its own",
    ),
    (
        "dp_sgd",
        "rng.standard_normal(theta.shape)",
        "rng.laplace(size=theta.shape)",
        "replayed",
    ),
    (
        "dp_sgd",
        "path.append(theta)\n    return",
        "path.append(theta)\n        theta = theta - noise\n    return",
        "",
    ),
    ("delta", "else (True, False)", "else (False,)", "direction"),
    ("delta", "total += T * ", "total += ", "T is forgotten"),
    ("delta", "np.log1p(-q), np.log(q)", "-np.inf, 0.0", "sampling is forgotten"),
    ("epsilon", "range(45)", "range(12)", "halved often enough"),
    ("epsilon", "low, high = 0.0, 1.0", "low = [][0]", "stand in for delta"),
    ("epsilon", "while delta(high, runs) > delta_:", "while False:", "long enough"),
    ("epsilon", "delta(middle, runs) > delta_", "delta(middle, runs) < delta_", ""),
    (
        "tree_noise",
        "noise = np.zeros((n, p))\n",
        "return np.cumsum(nodes[:n], axis=0)\n",
        "",
    ),
    ("tree_noise", "max(node & ~1, 1)", "max(node, 1)", ""),
    ("tree_noise", "sigma * rng", "sigma / 2 * rng", ""),
    ("tree_noise", "return noise", "return noise.astype(np.float32)", "float32"),
    (
        "dp_ftrl",
        "theta = start - (total + noise) / Lam",
        "theta = -(total + noise) / Lam",
        "need not be 0",
    ),
    ("dp_ftrl", "start - (total + noise) / Lam", "theta - (total + noise) / Lam", ""),
    (
        "dp_ftrl",
        "clip(gradients(theta)[t : t + 1], L)[0]",
        "gradients(theta)[t]",
        "no call of clip",
    ),
    ("dp_ftrl", "L * lam, rng)):", "lam, rng)):", "L · lam"),
    (
        "dp_ftrl",
        "total = total + clip(gradients(theta)",
        "total = total + clip(gradients(start)",
        "at model t",
    ),
    (
        "dp_ftrl",
        "tree_noise(n, len(start), L * lam, rng)",
        "L * lam * rng.standard_normal((n, len(start)))",
        "no call of tree_noise",
    ),
    ("audit", "alpha = false_alarm / 2", "alpha = false_alarm", ""),
    ("audit", "(least - delta) / most", "least / most", ""),
    ("audit", "missed = runs_without - hits_without", "missed = hits_without", ""),
    ("audit", "else -np.inf", "else None", "seen None"),
    ("label", 'of 100"', 'of 100\\n"', "one line break"),
    (
        "label",
        '    return (\n        f"ε',
        '    return list(\n        f"ε',
        "one string",
    ),
    ("label", "epsilon(delta_, runs):.4g", "epsilon(delta_, runs):.3f", "four digits"),
    ("label", "50 * (1 + delta(0.0, runs))", "100 * delta(0.0, runs)", "even odds"),
    ("label", "epsilon(delta_, runs):.4g", "epsilon(delta_, runs):.3g", "7.594"),
]


def broken(old, new):
    assert old in TINY, old
    return TINY.replace(old, new, 1)


def test_the_parts_are_those_of_the_book_in_the_order_in_which_they_call_each_other():
    assert list(CHECKS) == NAMES
    for number, part in enumerate(PARTS):
        assert set(part.uses) <= set(NAMES[:number])
        assert callable(getattr(tiny, part.name))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_books_program_written_as_ones_own_passes(seed):
    report = graded(TINY, seed)
    assert report.passed, report
    assert report.notes == ()
    assert "All of it is yours" in report.praise


def test_a_program_in_another_hand_passes():
    report = graded(OTHER, 1)
    assert report.passed, report


@pytest.mark.parametrize(("part", "old", "new", "said"), BROKEN)
def test_of_a_broken_program_the_part_is_named(part, old, new, said):
    names = names_of(broken(old, new))
    for each in NAMES[: NAMES.index(part)]:  # they are right, and take their time
        names[each] = getattr(tiny, each)
    report = grade(names, 3)
    assert report.fault is not None
    assert NAMES[report.reached] == part, report
    assert report.fault.quantity.startswith(f"{part}: ")
    assert said in f"{report.fault}", report


@pytest.mark.parametrize("number", range(len(PARTS)))
def test_without_a_part_it_is_the_next_one(number):
    names = {part.name: getattr(tiny, part.name) for part in PARTS}
    del names[PARTS[number].name]
    report = grade(names, 0)
    assert report.reached == number
    assert report.fault.seen == f"no function {PARTS[number].name}"


@pytest.mark.parametrize("part", PARTS, ids=NAMES)
def test_a_starter_runs_is_found_and_does_not_pass(part):
    text = HEAD + "".join(borrowed(each) for each in PARTS if each is not part)
    text += part.starter
    assert re.search(there(part), part.starter, re.MULTILINE)
    report = graded(text)
    assert NAMES[report.reached] == part.name
    assert "no function" not in report.fault.seen


@pytest.mark.parametrize("part", PARTS, ids=NAMES)
def test_what_is_the_books_is_said_to_be(part):
    text = HEAD + "".join(map(borrowed, PARTS))
    assert re.search(there(part), text, re.MULTILINE)
    report = graded(text)
    assert report.passed
    assert report.notes == (f"from the book: {', '.join(NAMES)}.",)
    assert "0 of its 9 parts are yours" in report.praise
    assert not re.search(there(part), "# def clip\nx = clip(1)\n", re.MULTILINE)


@pytest.mark.parametrize("part", [each for each in PARTS if each.exercise])
def test_an_answer_to_an_exercise_becomes_a_part(part):
    """Clip needs one thing more than its exercise asks for, and the report says so."""
    answer = re.search(r"```python\n(.*?)```", explanation(part.exercise), re.S)[1]
    text = HEAD + "".join(borrowed(each) for each in PARTS if each is not part)
    text += f"\n\n{answer}\n\n{part.joined}"
    report = graded(text)
    if part.name == "clip":
        assert "overflows" in report.fault.hint
    else:
        assert report.passed, report
    assert load(part.exercise).name == part.exercise


def test_a_part_that_raises_is_named_with_its_line():
    text = TINY.replace("batch = poisson_batch", "batch = 1 / 0 or poisson_batch")
    report = graded(text)
    assert NAMES[report.reached] == "dp_sgd"
    assert "ZeroDivisionError" in report.fault.seen
    assert "1 / 0" in report.fault.seen


def test_other_parameters_are_shown():
    report = graded(
        TINY.replace("def poisson_batch(n: int, q: float,", "def poisson_batch(n: int,")
    )
    assert report.fault.wanted == "poisson_batch(n, q, rng)"


def test_a_built_in_that_does_not_tell_its_parameters_is_tried():
    report = graded(TINY + "\n\nclip = np.minimum\n")
    assert report.reached == 0
    assert report.fault.quantity.startswith("clip: ")


def test_the_file_is_begun_grows_and_is_left_alone(tmp_path):
    path = tmp_path / "mine.py"
    assert grow_program(path) == "clip"
    assert path.read_text("utf-8").startswith(HEAD)
    path.write_text(path.read_text("utf-8") + "\n\nKEPT = 1\n", "utf-8")
    assert [grow_program(str(path), book=True) for _ in NAMES] == [*NAMES[1:], ""]
    before = path.read_bytes()
    assert grow_program(path) == ""
    assert path.read_bytes() == before
    assert "KEPT = 1" in path.read_text("utf-8")
    report = check_program(path, seed=4)
    assert report.reached == 0
    assert report.notes == (f"from the book: {', '.join(NAMES[1:])}.",)
    path.write_text(TINY, "utf-8")
    assert check_program(path, seed=4).passed


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match="grow_program"):
        check_program(tmp_path / "none.py")
    (tmp_path / "folder.py").mkdir()
    for file in (tmp_path, tmp_path / "folder.py", "my_dp.txt"):
        with pytest.raises(ValueError, match="file"):
            grow_program(file)
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="Save it in UTF-8"):
        check_program(tmp_path / "bytes.py")


def test_a_file_as_other_editors_save_it(tmp_path):
    """With a mark at its start, lines that end as on Windows, and one long import."""
    path = tmp_path / "my dp (1).py"
    text = HEAD + f"from dpteach.tiny import (\n    {', '.join(NAMES[:-1])},\n)\n"
    path.write_text(text, "utf-8-sig", newline="\r\n")
    assert grow_program(path) == NAMES[-1]
    assert check_program(path).reached == len(NAMES) - 1


def test_a_file_that_does_not_end_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("dpteach.chapters.program.my_dp.SECONDS", 0.5)
    path = tmp_path / "my_dp.py"
    path.write_text(HEAD + "while True:\n    pass\n", "utf-8")
    with pytest.raises(TimeoutError, match="still running"):
        check_program(path)


def test_the_page_grades_the_same_file():
    told = json.loads(page.run(TINY, NAME))
    assert told["passed"]
    assert told["tried"] == NAME
    assert "my_dp: passed, 9 of 9 checks" in told["html"]
    told = json.loads(page.run(broken("eta / q * (total", "eta * (total"), NAME))
    assert not told["passed"]
    assert "dp_sgd: " in told["html"]
    told = json.loads(page.run(HEAD, NAME))
    assert "no function clip" in told["html"]


def test_the_page_gets_every_part():
    told = importlib.import_module("dpteach_book.writing").of_program()
    assert [each["name"] for each in told["parts"]] == NAMES
    assert told["file"] == "my_dp.py"
    assert told["starter"] == HEAD
    for each, part in zip(told["parts"], PARTS, strict=True):
        assert re.search(each["there"], each["starter"], re.MULTILINE)
        assert each["exercise"] == part.exercise


def test_two_runs_on_one_seed_are_one():
    """Power: the whole, from a batch to a label, in a program that passed."""
    names = names_of(TINY)
    X = np.random.default_rng(2).normal(size=(30, 3))
    paths = [
        run(
            lambda theta: (X @ theta - 1)[:, None] * X, np.zeros(3), n=30, q=0.3, L=1.0,
            lam=1.0, steps=10, eta=0.1, rng=np.random.default_rng(8),
        )
        for run in (names["dp_sgd"], tiny.dp_sgd)
    ]  # fmt: skip
    np.testing.assert_array_equal(*paths)
    assert names["label"]([(1.0, 0.3, 10)], 1e-5) == tiny.label([(1.0, 0.3, 10)], 1e-5)
