"""DP-SGD on samples beside Opacus, one epoch each of the same linear softmax model.

Both draw Poisson batches of 256 in expectation, clip each record to norm 1 and add
noise of multiplier 1.1 to the sum. Opacus runs as its documentation has it:
make_private on a model, an optimizer and a data loader.
"""

import sys
import warnings
from pathlib import Path

# This file bears the name of the package that it measures: look for that elsewhere.
sys.path[0] = str(Path(__file__).resolve().parents[1])

import harness  # noqa: E402  (see above)
import numpy as np  # noqa: E402  (see above)
import torch  # noqa: E402  (see above)
from opacus import PrivacyEngine  # noqa: E402  (see above)

from dpteach import Problem, constraints, losses  # noqa: E402  (see above)
from dpteach.accounting import epsilon_of  # noqa: E402  (see above)
from dpteach.algorithms.gradients.sampled_sgd import sampled_dp_sgd  # noqa: E402  (see above)
from dpteach.data import digits  # noqa: E402  (see above)
from dpteach.privacy import Relation, SampledGaussian  # noqa: E402  (see above)

N, D, K, BATCH = 60_000, 784, 10, 256


def peer(X: np.ndarray, y: np.ndarray):
    model = torch.nn.Linear(D, K, bias=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = torch.utils.data.TensorDataset(torch.from_numpy(X), torch.from_numpy(y))
    loader = torch.utils.data.DataLoader(data, batch_size=BATCH)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model, optimizer=optimizer, data_loader=loader,
        noise_multiplier=1.1, max_grad_norm=1.0,
    )  # fmt: skip
    loss = torch.nn.CrossEntropyLoss()

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


def main() -> None:
    warnings.simplefilter("ignore")  # Opacus warns that its generator is not secure
    torch.set_num_threads(1)
    lines_of_the_chapter()
    rng = np.random.default_rng(0)
    X = rng.random((N, D), dtype=np.float32) / 28
    y = rng.integers(0, K, N)
    problem = Problem(X, y, losses.softmax(K), constraints.Everywhere())

    def ours():
        return sampled_dp_sgd(
            problem, rate=BATCH / N, clip_norm=1.0, steps=round(N / BATCH),
            noise_multiplier=1.1, learning_rate=1e-4, rng=0,
        )  # fmt: skip

    seconds = harness.interleaved({"Opacus": peer(X, y), "ours": ours}, repeats=5)
    what = f"one epoch {N}x{D}, {K} classes, Poisson batches of {BATCH}, float32"
    ratio = seconds["Opacus"] / seconds["ours"]
    print(
        f"{what}: Opacus / ours = {ratio:.1f}  "
        f"({seconds['Opacus']:.3f} s / {seconds['ours']:.3f} s CPU)"
        f"{harness.verdict(f'{what}: Opacus / ours', ratio, 10, at_least=True)}"
    )


if __name__ == "__main__":
    main()
