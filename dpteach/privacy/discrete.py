"""Floor 1. Integers with noise that is an integer."""

from dataclasses import KW_ONLY, dataclass

from .. import checks
from . import _fields
from .relation import Event, Relation


@dataclass(frozen=True)
class DiscreteGaussian(Event):
    r"""``releases`` integers, each with noise from a discrete Gaussian distribution.

    The noise is an integer x with probability proportional to
    :math:`e^{-x^2/2\sigma^2}`, so no rounding of real numbers can give a record away.
    A vector counts as one release for each of its entries that one record can move.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\sigma`, the parameter of the distribution, which is its standard
        deviation but for a tiny difference.
    sensitivity : int, optional
        :math:`\Delta`, how far one integer can move between neighbors.
    releases : int, optional
        How many releases one record can touch.
    relation : Relation
        The neighboring data sets, between which the answer moves by ``sensitivity``.

    References
    ----------
    * Canonne, Kamath and Steinke (2020), The Discrete Gaussian for Differential
      Privacy.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> from dpteach.privacy import Gaussian
    >>> rounded = DiscreteGaussian(2.0, releases=4, relation=Relation.ADD_REMOVE)
    >>> real = Gaussian(2.0, releases=4, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(rounded, 1e-6), 3), round(epsilon_of(real, 1e-6), 3)
    (4.901, 4.887)
    """

    noise_multiplier: float
    _: KW_ONLY
    sensitivity: int = 1
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, checks.count, "sensitivity", "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class SampledDiscreteGaussian(Event):
    r"""``releases`` integers with discrete Gaussian noise, on fresh Poisson samples.

    It is ``DiscreteGaussian`` where each record enters each sample with probability
    ``rate``, independently of all others.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\sigma`, the parameter of the noise.
    rate : float
        :math:`q`, the probability that a record is in a sample; at 0 none is.
    sensitivity : int, optional
        :math:`\Delta`, how far a record that is in moves one integer.
    releases : int, optional
        :math:`T`, the number of steps.
    relation : Relation
        The neighboring data sets: ``ADD_REMOVE`` or ``ZERO_OUT``.

    Raises
    ------
    ValueError
        If an argument is out of its range, or a record is replaced.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> all_records = DiscreteGaussian(1.0, relation=Relation.ADD_REMOVE)
    >>> a_tenth = SampledDiscreteGaussian(1.0, rate=0.1, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(all_records, 1e-6), 2), round(epsilon_of(a_tenth, 1e-6), 2)
    (4.5, 2.23)
    """

    noise_multiplier: float
    _: KW_ONLY
    rate: float
    sensitivity: int = 1
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, _fields.rate, "rate")
        checks.fields(self, checks.count, "sensitivity", "releases")
        checks.instance(Relation, relation=self.relation)
        _fields.not_replaced(self, "SampledDiscreteGaussian")


@dataclass(frozen=True)
class DiscreteLaplace(Event):
    r"""``releases`` integers, each with noise from a discrete Laplace distribution.

    The noise is an integer x with probability proportional to :math:`e^{-|x|/b}`: the
    difference of two geometric counts. Several releases cost less than as many ``Pure``
    ones of :math:`\varepsilon = \Delta/b`.

    Parameters
    ----------
    noise_multiplier : float
        :math:`b`, the scale of the noise.
    sensitivity : int, optional
        :math:`\Delta`, how far one integer can move between neighbors, at most 2²⁰.
    releases : int, optional
        How many releases one record can touch.
    relation : Relation
        The neighboring data sets, between which the answer moves by ``sensitivity``.

    References
    ----------
    * Ghosh, Roughgarden and Sundararajan (2012), Universally Utility-Maximizing Privacy
      Mechanisms.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> from dpteach.privacy import Pure
    >>> public = {"releases": 100, "relation": Relation.ADD_REMOVE}
    >>> counts = DiscreteLaplace(50.0, sensitivity=5, **public)
    >>> pure = Pure(0.1, **public)
    >>> round(epsilon_of(counts, 1e-6), 2), round(epsilon_of(pure, 1e-6), 2)
    (4.7, 4.77)
    """

    noise_multiplier: float
    _: KW_ONLY
    sensitivity: int = 1
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, checks.count, "sensitivity", "releases")
        checks.instance(Relation, relation=self.relation)
        if self.sensitivity > 2**20:
            raise ValueError(
                f"`sensitivity` must be at most 2**20, got {self.sensitivity!r}. Count "
                "in larger units."
            )
