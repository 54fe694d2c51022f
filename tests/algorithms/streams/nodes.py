"""The nodes of a tree as a matrix of noise."""

from math import log, sqrt

import numpy as np

from dpteach.algorithms.streams.prefix_noise import tree_noise
from dpteach.algorithms.streams.streaming_tree import RestartedTree
from dpteach.algorithms.streams.tree import (
    get_sum,
    initialize_tree,
)
from dpteach.auditing import Tape, noise_map


def run(stream, X):
    return np.stack([stream.add(x) for x in X])


def noise_of(steps, make):
    """The noise map of a stream's published sums, from its running code."""
    return noise_map(lambda rng: run(make(rng), np.zeros((steps, 1)))).matrix


def effect(steps, participations):
    """How far the exact sums move if a record adds 1 in each of these steps."""
    pattern = np.zeros(steps)
    pattern[np.array(participations) - 1] = 1
    return np.cumsum(pattern)


def all_noise(steps, estimator):
    """The noise map again, in one run: coordinate k of the shape is normal number k."""
    draws = 2 * steps - steps.bit_count() if estimator == "honaker" else steps
    eye = Tape(np.eye(draws))
    return tree_noise(steps, sigma=1.0, shape=(draws,), rng=eye, estimator=estimator)


def restarted(steps, every, rng, **options):
    return RestartedTree(
        steps,
        restart_every=every,
        clip_norm=10.0,
        sigma=1.0,
        shape=(1,),
        rng=rng,
        **options,
    )


def textbook(k, epsilon, delta):
    return sqrt(2 * k * (log(1 / delta) + epsilon)) / epsilon


def nodes_read(steps, t):
    """Which heap nodes get_sum adds up, from a tree whose node k holds 2^k."""
    N = initialize_tree(steps, sigma=1.0, shape=(), rng=Tape()).leaves
    tree = initialize_tree(
        steps, sigma=1.0, shape=(), rng=Tape([2.0**k for k in range(1, 2 * N)])
    )
    total = int(get_sum(tree, t))
    return {k for k in range(1, 2 * N) if total >> k & 1}


def leaves_of(node, N):
    height = N.bit_length() - node.bit_length()
    return ((node << height) - N + 1, ((node + 1) << height) - N)


def nodes_read_by_any(steps, leaf):
    read = set().union(*(nodes_read(steps, t) for t in range(1, steps + 1)))
    N = 1 << (steps - 1).bit_length()
    return [k for k in read if leaves_of(k, N)[0] <= leaf <= leaves_of(k, N)[1]]


def lecture_sigma(T, epsilon, delta, lg):
    return 2 * sqrt(lg(T) * log(1 / delta)) / epsilon
