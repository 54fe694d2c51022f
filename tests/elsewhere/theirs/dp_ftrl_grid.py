"""DP-FTRL's repository has no tests: its squared sensitivities on a grid, and ours.

Batches in the same order each epoch, restarts after so many epochs, trees completed or
not. It counts every complete node, as a Honaker estimate reads them.
"""

import privacy as theirs
import pytest

from dpteach.algorithms import epochs_squared_sensitivity

GRID = [
    (batches, epochs, restart, complete)
    for batches in (1, 2, 3, 7, 16, 100)
    for epochs in (1, 2, 3, 5, 8, 20)
    for restart in (1, 2, 5, None)
    for complete in (False, True)
    if (restart is None and not complete) or (restart and restart <= epochs)
]


@pytest.mark.parametrize(("batches", "epochs", "restart", "complete"), GRID)
def test_squared_sensitivity(batches, epochs, restart, complete):
    every = restart or epochs
    runs = [every] * (epochs // every) + [epochs % every] * bool(epochs % every)
    noise = theirs.compute_epsilon_tree_restart_rdp_same_order_extra(
        batches, runs, 1.0, complete
    )
    ours = epochs_squared_sensitivity(
        steps_per_epoch=batches, epochs=epochs, estimator="honaker",
        restart_every=None if restart is None else batches * restart, complete=complete,
    )  # fmt: skip
    assert ours == pytest.approx(noise**-2, rel=1e-12)
