"""Floor 1. Noise on a sample of the records, however it is drawn."""

import math
from dataclasses import KW_ONLY, dataclass

from .. import checks
from . import _fields
from .relation import Event, Relation


@dataclass(frozen=True)
class SampledGaussian(Event):
    r"""``releases`` Gaussian mechanisms, each on a fresh Poisson sample of the records.

    Each record enters each sample with probability ``rate``, independently of all
    others, so that even the sample's size is random. Fixed or shuffled batches are not
    this event, and cost more.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm.
    rate : float
        :math:`q`, the probability that a record is in a sample; at 0 none is.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets. Under ``REPLACE`` the new record enters the samples
        that the old one would, by the same coins.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> from dpteach.privacy import Gaussian
    >>> all_records = Gaussian(1.0, relation=Relation.ADD_REMOVE)
    >>> a_tenth = SampledGaussian(1.0, rate=0.1, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(all_records, 1e-6), 2), round(epsilon_of(a_tenth, 1e-6), 2)
    (4.89, 2.18)
    """

    noise_multiplier: float
    _: KW_ONLY
    rate: float
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, _fields.rate, "rate")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class SampledLaplace(Event):
    r"""``releases`` Laplace mechanisms, each on a fresh Poisson sample of the records.

    Each releases one number: a sum to which one record adds at most the clip norm, plus
    Laplace noise. With ``rate=1`` there is no sampling, and :math:`\varepsilon =
    1/\lambda` each, but several together cost less than as many ``Pure`` ones.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the scale of the noise (not its standard deviation) over the
        most that one record moves the sum between neighbors.
    rate : float, optional
        :math:`q`, the probability that a record is in a sample; at 0 none is.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets. With ``rate`` below 1, ``ADD_REMOVE`` or
        ``ZERO_OUT``, because which replacement is worst is not proved here.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> relation = Relation.ADD_REMOVE
    >>> all_records = SampledLaplace(1.0, releases=100, relation=relation)
    >>> a_tenth = SampledLaplace(1.0, rate=0.1, releases=100, relation=relation)
    >>> round(epsilon_of(all_records, 1e-6), 2), round(epsilon_of(a_tenth, 1e-6), 2)
    (71.55, 4.66)
    """

    noise_multiplier: float
    _: KW_ONLY
    rate: float = 1.0
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, _fields.rate, "rate")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class FixedSizeGaussian(Event):
    r"""``releases`` Gaussian mechanisms, each on a fresh batch of a fixed size.

    In each step :math:`m` of the :math:`n` records are drawn without replacement. A
    record that is drawn takes the place of another, so noise hides half as much as on a
    Poisson sample.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm, on the sum over a batch.
    batch_size, n : int
        :math:`m` and :math:`n`, both public.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets: ``REPLACE``, or ``ZERO_OUT``, which is one special
        replacement and gets the same price. ``ADD_REMOVE`` is refused, because n is
        secret there.

    Raises
    ------
    ValueError
        If more records are drawn than there are, or n is secret.

    References
    ----------
    * Balle, Barthe and Gaboardi (2018), Privacy Amplification by Subsampling: Tight
      Analyses via Couplings and Divergences.
    * Zhu, Dong and Wang (2022), Optimal Accounting of Differential Privacy via
      Characteristic Function.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> batches = FixedSizeGaussian(1.4, batch_size=1, n=1000, releases=1000,
    ...                             relation=Relation.REPLACE)
    >>> coins = SampledGaussian(1.4, rate=0.001, releases=1000,
    ...                         relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(batches, 1e-6), 3), round(epsilon_of(coins, 1e-6), 3)
    (0.996, 0.099)
    """

    noise_multiplier: float
    _: KW_ONLY
    batch_size: int
    n: int
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, _fields.count_or_zero, "batch_size")
        checks.fields(self, checks.count, "n", "releases")
        checks.instance(Relation, relation=self.relation)
        if self.batch_size > self.n:
            raise ValueError(
                f"`batch_size` must be at most n={self.n}, got {self.batch_size}. No "
                "record is drawn twice into one batch."
            )
        if self.relation is Relation.ADD_REMOVE:
            raise ValueError(
                "`relation` must not be Relation.ADD_REMOVE for batches of a fixed "
                "size, because n is secret there and m of n records are drawn. Take "
                "Relation.REPLACE, or draw a Poisson sample: SampledGaussian(...)."
            )


@dataclass(frozen=True)
class TruncatedSampledGaussian(Event):
    r"""``releases`` Gaussian mechanisms on Poisson samples of a largest size.

    Each record enters a sample with probability ``rate``. Of a sample with more than
    ``batch_size`` records so many are kept, by random ranks that no data decide. A
    record can then take the place of another, so it costs a little more than
    ``SampledGaussian``.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm.
    rate : float
        :math:`q`, the probability that a record is in a sample, before any is left out.
    batch_size : int
        :math:`B`, the most records of a batch.
    n : int
        A public number that neither data set's size exceeds.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets: ``ADD_REMOVE`` alone.

    Raises
    ------
    ValueError
        If an argument is out of its range, or the relation is another one.

    References
    ----------
    * Chua and others (2024), Scalable DP-SGD: Shuffling vs. Poisson Subsampling.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> steps = {"rate": 0.01, "releases": 1000, "relation": Relation.ADD_REMOVE}
    >>> full = SampledGaussian(1.0, **steps)
    >>> cut = TruncatedSampledGaussian(1.0, batch_size=1200, n=100_000, **steps)
    >>> tight = TruncatedSampledGaussian(1.0, batch_size=1050, n=100_000, **steps)
    >>> [round(epsilon_of(each, 1e-6), 3) for each in (full, cut, tight)]
    [2.125, 2.125, 7.354]
    """

    noise_multiplier: float
    _: KW_ONLY
    rate: float
    batch_size: int
    n: int
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, _fields.rate, "rate")
        checks.fields(self, checks.count, "batch_size", "n", "releases")
        checks.instance(Relation, relation=self.relation)
        if self.relation is not Relation.ADD_REMOVE:
            raise ValueError(
                "`relation` must be Relation.ADD_REMOVE for a truncated sample, got "
                f"{self.relation!r}. A record that is zeroed out or replaced may keep "
                "the place of another, which is not priced here."
            )


@dataclass(frozen=True)
class AllocatedGaussian(Event):
    r"""``releases`` rounds of Gaussian mechanisms, each record in one step of a round.

    In each round of :math:`k` steps every record picks one step, uniformly and
    independently of all others (balls and bins), and the noisy sum of each step is
    released. The price is an upper bound. With :math:`\lambda \ge 0.3` and
    :math:`\delta \ge 10^{-10}` it is sharp, and at worst it is that of known steps.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm, on the sum over a step's records.
    steps : int
        :math:`k`, the number of steps of a round.
    releases : int, optional
        The number of rounds, such as epochs. A record that picks :math:`E` of
        :math:`T` steps at random costs no more than :math:`E` rounds of
        :math:`\lfloor T/E\rfloor` steps.
    relation : Relation
        The neighboring data sets: ``ADD_REMOVE`` or ``ZERO_OUT``. ``REPLACE`` is
        refused, because which replacement is worst is not proved here.

    Raises
    ------
    ValueError
        If an argument is out of its range, or a record is replaced.

    References
    ----------
    * Chua and others (2025), Balls-and-Bins Sampling for DP-SGD.
    * Feldman and Shenfeld (2026), Efficient Privacy Loss Accounting for Subsampling
      and Random Allocation.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> one_of_ten = AllocatedGaussian(2.0, steps=10, relation=Relation.ADD_REMOVE)
    >>> ten_coins = SampledGaussian(2.0, rate=0.1, releases=10,
    ...                             relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(one_of_ten, 1e-6), 2), round(epsilon_of(ten_coins, 1e-6), 2)
    (0.73, 0.96)
    """

    noise_multiplier: float
    _: KW_ONLY
    steps: int
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, checks.count, "steps", "releases")
        checks.instance(Relation, relation=self.relation)
        if self.relation is Relation.REPLACE:
            raise ValueError(
                "`relation` must not be Relation.REPLACE for a random allocation: "
                "which replacement is worst is not proved here. Take "
                "Relation.ADD_REMOVE, then restate (ε, δ) by group_privacy(size=2)."
            )


@dataclass(frozen=True)
class MixtureOfGaussians(Event):
    r"""``releases`` Gaussian mechanisms, each moved by a random amount.

    A user with several records, each of them in a sample or not, moves a sum by at most
    the number of those that are in.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm.
    sensitivities : sequence of float
        How far the sum is moved at most, in clip norms, in each case.
    probabilities : sequence of float
        How likely each case is, independently of the data and of earlier releases. What
        their sum lacks of 1 by rounding counts as no move.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets. Under ``REPLACE`` another user, of the same cases,
        takes the place of one.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, there are more than 256 cases, or their
        probabilities do not add up to 1.

    Notes
    -----
    The price is that of moves that all have one direction. No others cost more, as the
    book proves in its chapter on amplification.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> steps = {"releases": 1000, "relation": Relation.ADD_REMOVE}
    >>> one = SampledGaussian(2.0, rate=0.01, **steps)
    >>> two = MixtureOfGaussians(2.0, sensitivities=(0, 1, 2),
    ...                          probabilities=(0.9801, 0.0198, 0.0001), **steps)
    >>> round(epsilon_of(one, 1e-6), 3), round(epsilon_of(two, 1e-6), 3)
    (0.721, 1.525)
    """

    noise_multiplier: float
    _: KW_ONLY
    sensitivities: tuple[float, ...]
    probabilities: tuple[float, ...]
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments, and list each move once, in ascending order."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)
        moves = _fields.numbers("sensitivities", self.sensitivities)
        shares = _fields.numbers("probabilities", self.probabilities)
        checks.nonnegative(sensitivities=min(moves))
        if len(moves) != len(shares) or len(moves) > 256:
            raise ValueError(
                "`probabilities` must be one for each of at most 256 sensitivities, "
                f"got {len(shares)} for {len(moves)}. Join rare cases into a larger "
                "one."
            )
        if min(shares) < 0 or abs(math.fsum(shares) - 1) > 1e-12:
            raise ValueError(
                f"`probabilities` must be at least 0 and add up to 1, got {shares!r}. "
                "Add the case in which nothing moves."
            )
        found: dict[float, float] = {}
        for move, share in sorted(zip(moves, shares, strict=True)):
            if share > 0:
                found[move] = found.get(move, 0.0) + share
        object.__setattr__(self, "sensitivities", tuple(found))
        object.__setattr__(self, "probabilities", tuple(found.values()))

    @property
    def largest_move(self) -> float:
        """The largest of the sensitivities that has a probability above 0."""
        return self.sensitivities[-1]
