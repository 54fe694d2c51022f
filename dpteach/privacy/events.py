"""Floor 1. Releases of all records, and those of which a number alone is known."""

from dataclasses import KW_ONLY, dataclass

from .. import checks
from . import _fields
from .relation import Event, Relation


@dataclass(frozen=True)
class Pure(Event):
    r"""``releases`` adaptive mechanisms, each ε-differentially private.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon` of one release, in nats.
    releases : int, optional
        How many releases one record can touch.
    relation : Relation
        The neighboring data sets for which ε holds.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> two = Pure(0.5, releases=2, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(two, 1e-9), 6)  # a tiny δ buys nothing: budgets add up
    1.0
    """

    epsilon: float
    _: KW_ONLY
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.nonnegative, "epsilon")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class Gaussian(Event):
    r"""``releases`` adaptive Gaussian mechanisms with the same noise.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation per coordinate over the clip
        norm, whatever the relation.
    releases : int, optional
        How many releases one record can touch: T in DP-SGD, the levels of a tree.
    relation : Relation
        The neighboring data sets. Under ``REPLACE`` a sum moves by two clip norms, so T
        releases are :math:`2\sqrt T/\lambda`-GDP; else :math:`\sqrt T/\lambda`-GDP.

    Examples
    --------
    >>> once = Gaussian(5.0, relation=Relation.ADD_REMOVE)
    >>> Gaussian(50.0, releases=100, relation=Relation.ADD_REMOVE).mu == once.mu
    True
    """

    noise_multiplier: float
    _: KW_ONLY
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, _fields.noise, "noise_multiplier")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)

    @property
    def mu(self) -> float:
        """The Gaussian-differential-privacy parameter μ of all releases together."""
        return self.relation.sensitivity * self.releases**0.5 / self.noise_multiplier


@dataclass(frozen=True)
class Selection(Event):
    r"""``releases`` adaptive choices of bounded range ε: exponential mechanisms.

    Between neighboring data sets, the log-probabilities of all outcomes move by amounts
    that lie within ε of each other, not only within ±ε, so a choice costs less than
    ``Pure``.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon` of one choice, the range, in nats.
    releases : int, optional
        How many choices one record can touch.
    relation : Relation
        The neighboring data sets for which ε holds.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> chosen = Selection(0.1, releases=100, relation=Relation.ADD_REMOVE)
    >>> noised = Pure(0.1, releases=100, relation=Relation.ADD_REMOVE)
    >>> epsilon_of(chosen, 1e-6) < 0.6 * epsilon_of(noised, 1e-6)
    True
    """

    epsilon: float
    _: KW_ONLY
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.nonnegative, "epsilon")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class RandomizedResponse(Event):
    r"""``releases`` answers, one of k each: the true one, or another at random.

    The true answer has :math:`e^{\varepsilon}` times the probability of any other. The
    answers that are true for neither of two neighbors tell nothing, so that several
    releases cost less than as many ``Pure`` ones.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon` of one answer, in nats.
    categories : int
        :math:`k \ge 2`, the number of possible answers.
    releases : int, optional
        How many answers are given about one record.
    relation : Relation
        The neighboring data sets, between which the true answer changes.

    References
    ----------
    * Kairouz, Oh and Viswanath (2016), Extremal Mechanisms for Local Differential
      Privacy.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> of_ten = RandomizedResponse(0.5, categories=10, releases=20,
    ...                             relation=Relation.REPLACE)
    >>> pure = Pure(0.5, releases=20, relation=Relation.REPLACE)
    >>> round(epsilon_of(of_ten, 1e-6), 2), round(epsilon_of(pure, 1e-6), 2)
    (5.66, 9.99)
    """

    epsilon: float
    _: KW_ONLY
    categories: int
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.nonnegative, "epsilon")
        checks.fields(self, _fields.two_or_more, "categories")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class Concentrated(Event):
    r"""``releases`` adaptive mechanisms, each ρ-zCDP, about which no more is known.

    Every Rényi divergence of order α between neighbors is at most :math:`\alpha\rho`.

    Parameters
    ----------
    rho : float
        :math:`\rho` of one release.
    releases : int, optional
        How many releases one record can touch.
    relation : Relation
        The neighboring data sets for which ρ holds.

    References
    ----------
    * Bun and Steinke (2016), Concentrated Differential Privacy: Simplifications,
      Extensions, and Lower Bounds.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> known = Gaussian(1.0, relation=Relation.ADD_REMOVE)
    >>> claimed = Concentrated(0.5, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(known, 1e-6), 2), round(epsilon_of(claimed, 1e-6), 2)
    (4.89, 5.22)
    """

    rho: float
    _: KW_ONLY
    releases: int = 1
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.nonnegative, "rho")
        checks.fields(self, checks.count, "releases")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class Approximate(Event):
    r"""One release that is (ε, δ)-private, about which nothing more is known.

    Parameters
    ----------
    epsilon, delta : float
        :math:`(\varepsilon, \delta)`: at worst, everything is lost with probability δ,
        and otherwise the release is ε-private. With ``epsilon=0`` it is a step that may
        fail and says nothing otherwise, such as a test of a sensitivity.
    relation : Relation
        The neighboring data sets for which it holds.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> once = Approximate(1.0, 1e-6, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(once, 1e-6), 9)
    1.0
    """

    epsilon: float
    delta: float
    _: KW_ONLY
    relation: Relation

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.nonnegative, "epsilon")
        checks.fields(self, _fields.failure, "delta")
        checks.instance(Relation, relation=self.relation)


@dataclass(frozen=True)
class NotPrivate(Event):
    r"""A release without noise, in a ledger: its ε is ∞ at every δ, and its δ is 1.

    Parameters
    ----------
    relation : Relation
        The neighboring data sets between which it tells.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> from dpteach.privacy import Composed
    >>> ledger = Composed((Gaussian(5.0, relation=Relation.REPLACE),
    ...                    NotPrivate(relation=Relation.REPLACE)))
    >>> epsilon_of(ledger, 1e-6)
    inf
    """

    _: KW_ONLY
    relation: Relation

    def __post_init__(self) -> None:
        """Check the argument."""
        checks.instance(Relation, relation=self.relation)
