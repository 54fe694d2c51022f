"""Leaks that were found in real code, each rebuilt in about ten lines.

Nothing here is private, except the functions whose name begins with ``right``. Rows of
``G`` are the gradients of records, the clip norm is 1, and the noise multiplier λ is
the one that the claim asks for.
"""

import numpy as np

from ...arrays import clip
from ...privacy import Relation

Rng = np.random.Generator
GRID = 1000  # whole numbers that stand for one, where noise is drawn from them


def right_sum(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Clip each row, add up, add noise, as most of the others were meant to do."""
    total = clip(G, 1.0).sum(axis=0)
    return total + lam * rng.standard_normal(total.shape)


def clip_after_mean(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Clip the mean of a batch, with noise that is made for a clip of each row."""
    batch = len(G)
    mean = clip(G.mean(axis=0), 1.0)
    return mean + lam / batch * rng.standard_normal(mean.shape)


def clip_by_layer(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Clip each of four layers at 1, with noise for a gradient of norm 1 in all."""
    layers = np.split(G, 4, axis=1)
    total = np.concatenate([clip(layer, 1.0).sum(axis=0) for layer in layers])
    return total + lam * rng.standard_normal(total.shape)


def clip_by_microbatch(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Clip means of four rows each: one record turns such a mean around."""
    means = G.reshape(-1, 4, G.shape[1]).mean(axis=1)
    total = clip(means, 1.0).sum(axis=0)
    return total + lam * rng.standard_normal(total.shape)


def batch_statistics(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Center the batch, as batch normalization does, then clip each row."""
    centered = x - x.mean(axis=0)  # every row now depends on every record
    total = clip(centered, 1.0).sum(axis=0)
    return total + lam * rng.standard_normal(total.shape)


def noise_of_a_mean_twice(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Divide the noise by the batch size, and then the noisy sum once more."""
    batch = len(G)
    total = clip(G, 1.0).sum(axis=0)
    noise = lam / batch * rng.standard_normal(total.shape)  # right for a mean
    return (total + noise) / batch


def noise_by_device(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Let each of four devices add a quarter of the noise: deviations do not add up."""
    total = clip(G, 1.0).sum(axis=0)
    for _ in range(4):
        total = total + lam / 4 * rng.standard_normal(total.shape)
    return total


def one_key_for_two_layers(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Use one draw for two layers of the same shape: their difference is bare."""
    first, second = np.split(clip(G, 1.0).sum(axis=0), 2)
    noise = lam * rng.standard_normal(first.shape)
    return np.concatenate([first + noise, second + noise])


def public_seed(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Draw noise from a seed that is in the code, so anybody can subtract it."""
    rng = np.random.default_rng(42)
    total = clip(G, 1.0).sum(axis=0)
    return total + lam * rng.standard_normal(total.shape)


def private_divisor(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Divide by the number of records, which the size of the noise then reveals."""
    total = clip(G, 1.0).sum(axis=0)
    return (total + lam * rng.standard_normal(total.shape)) / len(G)


def right_divisor(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Divide by a public constant."""
    expected = 10
    return right_sum(G, lam, rng) / expected


def shuffled_epoch(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Split the records into 100 batches, priced as if each tossed a coin for each."""
    batches = np.array_split(rng.permutation(len(G)), 100)
    return np.stack([right_sum(G[rows], lam, rng) for rows in batches])


def right_coins(G: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Toss a coin for each record and batch: what the price assumes."""
    joins = rng.random((100, len(G))) < 1 / 100
    return np.stack([right_sum(G[rows], lam, rng) for rows in joins])


def one_endpoint(x: np.ndarray, epsilon: float, rng: Rng) -> float:
    """Add up squares of numbers from 1 to 5, with noise for the lower end alone."""
    low, high = 1.0, 5.0
    sensitivity = max(abs(low), abs(low)) ** 2  # the upper end was meant
    total = float(np.sum(np.clip(x, low, high) ** 2))
    return total + rng.laplace(scale=sensitivity / epsilon)


def right_endpoints(x: np.ndarray, epsilon: float, rng: Rng) -> float:
    """Take the larger end."""
    low, high = 1.0, 5.0
    sensitivity = max(abs(low), abs(high)) ** 2
    total = float(np.sum(np.clip(x, low, high) ** 2))
    return total + rng.laplace(scale=sensitivity / epsilon)


def best_of_twenty(x: np.ndarray, lam: float, rng: Rng) -> float:
    """Publish the best of twenty private runs, priced as the one that was kept."""
    scores = np.clip(x, 0.0, 1.0).sum() + lam * rng.standard_normal(20)
    return float(scores.max())


def right_one_run(x: np.ndarray, lam: float, rng: Rng) -> float:
    """Run once, with settings that were chosen without the records."""
    return float(np.clip(x, 0.0, 1.0).sum() + lam * rng.standard_normal())


def stop_on_private_loss(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Stop as soon as eight records are on the right side: a count without noise."""
    theta, path = 0.0, []
    for _ in range(4):
        theta += 0.01 * (np.clip(x - theta, -1, 1).sum() + lam * rng.standard_normal())
        path.append(theta)
        if np.sum(x * theta > 0) >= 8:  # a count of the records, without noise
            break
    return np.array(path)


def right_fixed_steps(x: np.ndarray, lam: float, rng: Rng) -> np.ndarray:
    """Take as many steps as were announced; each has noise for all four."""
    theta, path = 0.0, []
    for _ in range(4):
        theta += 0.01 * (np.clip(x - theta, -1, 1).sum() + lam * rng.standard_normal())
        path.append(theta)
    return np.array(path)


def stop_without_threshold_noise(X: np.ndarray, epsilon: float, rng: Rng) -> int:
    """Stop at the first noisy answer above 0, with noise on the answers alone."""
    answers = np.clip(X, -1, 1).sum(axis=0)
    for t, answer in enumerate(answers):
        if answer + rng.laplace(scale=2 / epsilon) >= 0:  # the threshold is bare
            return t
    return len(answers)


def right_above_threshold(X: np.ndarray, epsilon: float, rng: Rng) -> int:
    """Draw noise on the threshold once, and twice as much on each answer."""
    from ...mechanisms import above_threshold

    answers = np.clip(X, -1, 1).sum(axis=0)
    stop = above_threshold(
        answers, threshold=0.0, sensitivity=1.0, epsilon=epsilon, looks=len(answers),
        rng=rng, relation=Relation.ADD_REMOVE,
    )  # fmt: skip
    return int(stop.theta)


def floating_point(count: int, lam: float, rng: Rng) -> float:
    """Add a floating-point normal to a count: the last bits remember the count."""
    return count + lam * rng.standard_normal()


def right_count(count: int, lam: float) -> float:
    """Add noise that is drawn exactly, from whole numbers: a multiple of 1/1000."""
    from ...secure import discrete_gaussian

    return (GRID * count + discrete_gaussian((GRID * lam) ** 2)) / GRID


def last_bits(y: np.ndarray) -> np.ndarray:
    """Say which outputs a count of 1 cannot give: they are finer than 2⁻⁵³."""
    return (np.abs(y) < 0.25) & (y * 2.0**53 != np.rint(y * 2.0**53))
