"""Batches and epochs, as networks are trained, in the arguments of the algorithms."""

from dataclasses import dataclass

from ... import checks


@dataclass(frozen=True)
class Schedule:
    """What a batch size and a number of epochs come to, and what was rounded.

    Parameters
    ----------
    n, batch_size, epochs : int
        What was asked for, with the records of all parts of a batch counted.
    steps : int
        :math:`T`, the number of batches.

    Examples
    --------
    >>> Schedule(n=60_000, batch_size=250, epochs=20, steps=4800).passes
    20.0
    """

    n: int
    batch_size: int
    epochs: int
    steps: int

    @property
    def rate(self) -> float:
        """The sampling rate q: each record joins a batch with this probability."""
        return self.batch_size / self.n

    @property
    def passes(self) -> float:
        """How often a record is used on average, T q."""
        return self.steps * self.rate

    @property
    def batches(self) -> int:
        """How many batches of equal size one pass has, for ``batched_ftrl``."""
        return self.n // self.batch_size

    @property
    def left_out(self) -> int:
        """How many records equal batches leave over: cut them off, by a public rule."""
        return self.n % self.batch_size

    @property
    def rounding(self) -> str:
        """What was rounded, in a sentence."""
        exact = self.passes == self.epochs
        sampled = (
            "Nothing is rounded with random batches"
            if exact
            else f"Random batches make {self.passes:.6g} passes, not {self.epochs}"
        )
        equal = (
            "equal batches use every record"
            if self.left_out == 0
            else f"equal batches leave out {self.left_out} of {self.n} records"
        )
        return f"{sampled}; {equal}."

    def learning_rate(self, usual: float) -> float:
        """Convert the usual rate, for a batch's mean gradient, to ours: usual / n."""
        return checks.moderate(usual=usual) / self.n


def sampling_schedule(
    *, n: int, batch_size: int, epochs: int, accumulation: int = 1
) -> Schedule:
    """Convert a batch size and epochs to a sampling rate and a number of steps.

    Parameters
    ----------
    batch_size : int
        How many records a batch has on average.
    epochs : int
        How often a record is used, on average.
    accumulation : int, optional
        How many such batches make one step. Noise is added once for all of them, so
        together they are one larger batch, which must be smaller than the data.

    Returns
    -------
    Schedule
        With ``rate`` and ``steps`` for ``sampled_dp_sgd``, ``batches`` for
        ``batched_ftrl``, and what was rounded.

    Examples
    --------
    >>> plan = sampling_schedule(n=50_000, batch_size=256, epochs=10, accumulation=4)
    >>> plan.rate, plan.steps
    (0.02048, 488)
    >>> plan.rounding
    'Random batches make 9.99424 passes, not 10; equal batches leave out 848 of 50000
    records.'
    >>> plan.learning_rate(0.5)  # for the mean of a batch, as is usual
    1e-05
    """
    n, batch_size, epochs, accumulation = checks.count(
        n=n, batch_size=batch_size, epochs=epochs, accumulation=accumulation
    )
    together = batch_size * accumulation
    if together >= n:
        raise ValueError(
            f"`batch_size` times `accumulation` must be below n={n}, got {together}. "
            "If every step uses all records, take dp_sgd."
        )
    steps = max(1, round(epochs * n / together))
    return Schedule(n, together, epochs, steps)
