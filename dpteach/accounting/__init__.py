"""Floor 2. What an event costs: the exact price, or an upper bound that says so."""

from .accountants.renyi import sampled_gaussian_rdp
from .calibration import calibrate, noise_multiplier
from .equivalents import mu_of, renyi_divergence, true_positives
from .ledger import Ledger, rho_of
from .odds import (
    for_group,
    group_privacy,
    guess_probability,
    posterior_bounds,
    restate,
    trade_off,
)
from .pricing import Price, delta_of, epsilon_of, price_of
from .rules.composition import advanced_composition, basic_composition
from .rules.concentrated import zcdp_delta, zcdp_epsilon, zcdp_rho
from .rules.gaussian import (
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
)
from .rules.renyi import renyi_epsilon

__all__ = [
    "Ledger",
    "Price",
    "advanced_composition",
    "basic_composition",
    "calibrate",
    "delta_of",
    "epsilon_of",
    "for_group",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_mu",
    "group_privacy",
    "guess_probability",
    "mu_of",
    "noise_multiplier",
    "posterior_bounds",
    "price_of",
    "renyi_divergence",
    "renyi_epsilon",
    "restate",
    "rho_of",
    "sampled_gaussian_rdp",
    "trade_off",
    "true_positives",
    "zcdp_delta",
    "zcdp_epsilon",
    "zcdp_rho",
]
