"""DP-SGD on samples beside Opacus: an epoch of a linear model, and one of a network.

Both draw Poisson batches of 256 in expectation, clip each record to norm 1 and add
noise of multiplier 1.1 to the sum. Opacus runs as its documentation has it:
make_private on a model, an optimizer and a data loader. The network is that of the
DP-FTRL paper, and each way to train it has a process of its own, for its memory. (Of
fastDP no release is in the package index.)
"""

import json
import re
import subprocess
import sys
import time
import warnings
from pathlib import Path

# This file bears the name of the package that it measures: look for that elsewhere.
sys.path[0] = str(Path(__file__).resolve().parents[1])

import harness  # noqa: E402  (see above)
import numpy as np  # noqa: E402  (see above)
import torch  # noqa: E402  (see above)
from opacus import PrivacyEngine  # noqa: E402  (see above)

from dpteach import Problem, constraints, losses, networks  # noqa: E402  (see above)
from dpteach.accounting import epsilon_of  # noqa: E402  (see above)
from dpteach.algorithms.gradients.sampled_sgd import sampled_dp_sgd  # noqa: E402  (see above)
from dpteach.data import digits  # noqa: E402  (see above)
from dpteach.privacy import Relation, SampledGaussian  # noqa: E402  (see above)

N, D, K, BATCH = 60_000, 784, 10, 256


def opacus_epoch(
    X: np.ndarray, y: np.ndarray, model: torch.nn.Module, mode: str = "hooks"
):
    """An epoch of Opacus; ``"ghost"`` computes norms without forming gradients."""
    loss = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = torch.utils.data.TensorDataset(torch.from_numpy(X), torch.from_numpy(y))
    loader = torch.utils.data.DataLoader(data, batch_size=BATCH)
    model, optimizer, *more, loader = PrivacyEngine().make_private(
        module=model, optimizer=optimizer, data_loader=loader, criterion=loss,
        noise_multiplier=1.1, max_grad_norm=1.0, grad_sample_mode=mode,
    )  # fmt: skip
    (loss,) = more or (loss,)

    def epoch():
        for rows, labels in loader:
            optimizer.zero_grad()
            loss(model(rows), labels).backward()
            optimizer.step()

    return epoch


def lines_of_the_chapter() -> None:
    """Run the lines that chapter 11 prints for Opacus, and compare the prices."""
    torch.manual_seed(0)
    X, y = torch.tensor(digits().X, dtype=torch.float32), torch.tensor(digits().y)
    net = torch.nn.Sequential(
        torch.nn.Linear(65, 32), torch.nn.Tanh(), torch.nn.Linear(32, 10)
    )
    data = torch.utils.data.TensorDataset(X, y)
    data = torch.utils.data.DataLoader(data, batch_size=180)
    names = {"torch": torch, "net": net, "data": data}
    exec(harness.chapter_lines("from opacus"), names)
    event = SampledGaussian(
        1.0, rate=1 / 10, releases=100, relation=Relation.ADD_REMOVE
    )
    ours = epsilon_of(event, 1e-5)
    right = (names["net"](X).argmax(1) == y).float()
    assert ours <= names["epsilon"] < 1.01 * ours
    assert right.mean() > 0.7
    print(f"chapter 11, epsilon: Opacus {names['epsilon']:.2f}, ours {ours:.2f}")


IMAGES, EPOCHS = 4096, 3  # of the network


def paper_network() -> torch.nn.Module:
    """The DP-FTRL paper's network, of 26,010 weights."""
    nn = torch.nn
    return nn.Sequential(
        nn.Unflatten(1, (1, 28, 28)),
        nn.Conv2d(1, 16, 8, stride=2, padding=3), nn.Tanh(), nn.MaxPool2d(2, 1),
        nn.Conv2d(16, 32, 4, stride=2), nn.Tanh(), nn.MaxPool2d(2, 1),
        nn.Flatten(), nn.Linear(512, 32), nn.Tanh(), nn.Linear(32, 10),
    )  # fmt: skip


def our_epoch(X: np.ndarray, y: np.ndarray, on: str):
    """An epoch of ours, on PyTorch or on NumPy alone."""
    if on == "PyTorch":
        loss = losses.differentiable(
            lambda net, x, y: torch.nn.functional.cross_entropy(
                net(x[None]), y.long()[None]
            ),
            paper_network(),
        )
        X, y = torch.from_numpy(X), torch.from_numpy(y)
    else:
        loss = networks.dp_ftrl_network()
    problem = Problem(X, y, loss, constraints.Everywhere())
    steps = round(len(X) / BATCH)
    return lambda: sampled_dp_sgd(
        problem, rate=BATCH / len(X), clip_norm=1.0, steps=steps,
        noise_multiplier=1.1, learning_rate=1e-4, path_every=steps, rng=0,
    )  # fmt: skip


WAYS = {
    "Opacus, hooks": lambda X, y: opacus_epoch(X, y, paper_network()),
    "Opacus, ghost": lambda X, y: opacus_epoch(X, y, paper_network(), "ghost"),
    "ours on PyTorch": lambda X, y: our_epoch(X, y, "PyTorch"),
    "ours on NumPy": lambda X, y: our_epoch(X, y, "NumPy"),
}


def train_alone(way: str) -> None:
    """Print the least CPU seconds of an epoch, and the peak of memory in MB."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    rng, seconds = np.random.default_rng(0), []
    X = rng.uniform(-1, 1, (IMAGES, D)).astype(np.float32)
    epoch = WAYS[way](X, rng.integers(0, K, IMAGES))
    for _ in range(EPOCHS):
        start = time.process_time()
        epoch()
        seconds.append(time.process_time() - start)
    status = Path("/proc/self/status").read_text()  # getrusage has the parent's, too
    peak = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
    print(json.dumps([min(seconds), peak / 1000]))


def network() -> None:
    """Compare an epoch of the network: its time and its memory."""
    found = {}
    for way in WAYS:
        command = [sys.executable, __file__, "--alone", way]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found[way] = json.loads(out.splitlines()[-1])
    best = min(found[way][0] for way in WAYS if way.startswith("Opacus"))
    for way, (seconds, peak) in found.items():
        said = ""
        if way == "ours on NumPy":
            what = f"an epoch of the paper's network: {way} / the better of Opacus's"
            said = harness.verdict(what, seconds / best, 1)
        print(f"{way}: {seconds:.2f} s CPU, {peak:.0f} MB at most{said}", flush=True)


def main() -> None:
    warnings.simplefilter("ignore")  # Opacus warns that its generator is not secure
    torch.set_num_threads(1)
    lines_of_the_chapter()
    rng = np.random.default_rng(0)
    X = rng.random((N, D), dtype=np.float32) / 28
    y = rng.integers(0, K, N)
    problem = Problem(X, y, losses.softmax(K), constraints.Everywhere())

    linear = opacus_epoch(X, y, torch.nn.Linear(D, K, bias=False))

    def ours():
        return sampled_dp_sgd(
            problem, rate=BATCH / N, clip_norm=1.0, steps=round(N / BATCH),
            noise_multiplier=1.1, learning_rate=1e-4, rng=0,
        )  # fmt: skip

    seconds = harness.interleaved({"Opacus": linear, "ours": ours}, repeats=5)
    what = f"one epoch {N}x{D}, {K} classes, Poisson batches of {BATCH}, float32"
    ratio = seconds["Opacus"] / seconds["ours"]
    print(
        f"{what}: Opacus / ours = {ratio:.1f}  "
        f"({seconds['Opacus']:.3f} s / {seconds['ours']:.3f} s CPU)"
        f"{harness.verdict(f'{what}: Opacus / ours', ratio, 10, at_least=True)}"
    )
    network()


if __name__ == "__main__":
    if "--alone" in sys.argv:
        train_alone(sys.argv[-1])
    else:
        main()
