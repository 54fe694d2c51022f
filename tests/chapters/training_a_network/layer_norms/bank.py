"""Answers to ``layer_norms``: right ones, and wrong ones with their messages."""

import numpy as np


def right_inner_products(a, g):
    of_a = np.einsum("nsd,ntd->nst", a, a)
    of_g = np.einsum("nsk,ntk->nst", g, g)
    squares = (of_a * of_g).sum(axis=(1, 2)) + (g.sum(axis=1) ** 2).sum(axis=1)
    return np.sqrt(np.maximum(squares, 0.0))


def right_constant_column(a, g):
    ones = np.ones((*a.shape[:2], 1))
    a = np.concatenate([a, ones], axis=2)
    return np.linalg.norm(np.matmul(a.transpose(0, 2, 1), g), axis=(1, 2))


def right_loop(a, g):
    found = []
    for x, y in zip(a, g, strict=True):
        W, b = x.T @ y, y.sum(axis=0)
        found.append(np.sqrt((W * W).sum() + b @ b))
    return np.array(found)


def right_loop_over_positions(a, g):
    squares = np.zeros(len(a))
    for s in range(a.shape[1]):
        for t in range(a.shape[1]):
            of_a = (a[:, s] * a[:, t]).sum(axis=1)
            squares += (of_a + 1) * (g[:, s] * g[:, t]).sum(axis=1)
    return np.abs(squares) ** 0.5


def _weights(a, g):
    return np.linalg.norm(np.matmul(a.transpose(0, 2, 1), g), axis=(1, 2))


def _constants(g):
    return np.linalg.norm(g.sum(axis=1), axis=1)


def wrong_starter(a, g):
    W = np.einsum("nsd,nsk->dk", a, g)
    return np.full(len(a), np.linalg.norm(W))


def wrong_norm_of_the_sum(a, g):
    W, b = np.einsum("nsd,nsk->dk", a, g), g.sum(axis=(0, 1))
    return np.full(len(a), np.hypot(np.linalg.norm(W), np.linalg.norm(b)))


def wrong_no_constants(a, g):
    return _weights(a, g)


def wrong_squares(a, g):
    return _weights(a, g) ** 2 + _constants(g) ** 2


def wrong_adds_norms_of_parts(a, g):
    return _weights(a, g) + _constants(g)


def wrong_no_cross_terms(a, g):
    squares = ((a**2).sum(axis=2) * (g**2).sum(axis=2)).sum(axis=1)
    return np.sqrt(squares + _constants(g) ** 2)


def wrong_adds_positions(a, g):
    norms = np.linalg.norm(a, axis=2) * np.linalg.norm(g, axis=2)
    return np.hypot(norms.sum(axis=1), _constants(g))


def wrong_product_of_two(a, g):
    product = np.linalg.norm(a, axis=(1, 2)) * np.linalg.norm(g, axis=(1, 2))
    return np.hypot(product, _constants(g))


def wrong_constants_by_position(a, g):
    return np.hypot(_weights(a, g), np.linalg.norm(g, axis=(1, 2)))


def wrong_mean(a, g):
    return np.hypot(_weights(a, g), _constants(g)) / a.shape[1]


def wrong_adds_first(a, g):
    size = _constants(g)
    return np.hypot(np.linalg.norm(a.sum(axis=1), axis=1) * size, size)


def wrong_absolute(a, g):
    W = np.matmul(a.transpose(0, 2, 1), g)
    return np.abs(W).sum(axis=(1, 2)) + np.abs(g.sum(axis=1)).sum(axis=1)


def wrong_root_of_what_is_below_zero(a, g):
    of_a, of_g = a @ a.swapaxes(1, 2), g @ g.swapaxes(1, 2)
    return np.sqrt(((of_a + 1) * of_g).sum(axis=(1, 2)))


def right_in_single_precision(a, g):
    a, g = a.astype(np.float32), g.astype(np.float32)
    a = np.concatenate([a, np.ones_like(a[..., :1])], axis=2)
    return np.sqrt((np.einsum("nsd,nsk->ndk", a, g) ** 2).sum(axis=(1, 2)))


def wrong_column(a, g):
    return np.hypot(_weights(a, g), _constants(g))[:, None]


def wrong_in_place(a, g):
    a *= 1.0
    g *= 2.0
    return np.hypot(_weights(a, g), _constants(g)) / 2


RIGHT = (
    right_inner_products,
    right_constant_column,
    right_loop,
    right_loop_over_positions,
    right_in_single_precision,
)
WRONG = {
    wrong_starter: r"norm of record \d, with 1 position",
    wrong_norm_of_the_sum: r"sum over all records",
    wrong_no_constants: r"b has a gradient",
    wrong_squares: r"squared norms: a root",
    wrong_adds_norms_of_parts: r"parts of one vector",
    wrong_no_cross_terms: r"with 4 positions.*different positions are missing",
    wrong_adds_positions: r"with 4 positions.*It bounds the norm",
    wrong_product_of_two: r"right for one position alone",
    wrong_constants_by_position: r"its norm is that of the sum",
    wrong_mean: r"the mean over the positions",
    wrong_adds_first: r"Products come first",
    wrong_absolute: r"norm of record \d, with 1 position",
    wrong_root_of_what_is_below_zero: r"a little below 0, which has no root",
    wrong_column: r"shape",
    wrong_in_place: r"argument g after the call",
}
