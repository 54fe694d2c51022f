"""Problems for paper quizzes: numbers to draw from, a text, and the key."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpteach import accounting, algorithms, arrays, auditing, lower_bounds, mechanisms
from dpteach.privacy import Approximate, Gaussian, Pure, Relation

ADD, ZERO, REPLACE = Relation.ADD_REMOVE, Relation.ZERO_OUT, Relation.REPLACE


@dataclass(frozen=True)
class PaperProblem:
    """A question with numbers to draw from.

    Parameters
    ----------
    name : str
        Unique.
    chapter : int
        The chapter that teaches it.
    numbers : dict
        For each name in the text, the values that a variant may have.
    text : str
        The question; a formula that students should know is not given.
    answer : callable
        Computes the key from the numbers of a variant.
    """

    name: str
    chapter: int
    numbers: dict[str, tuple]
    text: str
    answer: Callable[..., Any]


def _choice(scores: tuple[float, ...], c: float) -> float:
    return mechanisms.exponential_choice_probabilities(
        np.array(scores, float), exponent=c
    )[0]


def _shares(parts: int) -> float:
    noise = auditing.noise_map(lambda rng: [rng.normal(0, 4 / parts, parts).sum()])
    return auditing.exact_mu(noise.matrix, np.ones(1))


def _clipped(a: float, b: float, L: float) -> float:
    rows = arrays.clip(np.array([[3 * a, 4 * a], [0.3 * b, 0.4 * b]]), L)
    return float(rows.sum(axis=0)[0])


P = PaperProblem
PROBLEMS = (
    P(
        "belief", 1, {"percent": (5, 10, 20, 30, 40), "eps": (0.5, 1, 1.5, 2)},
        "Before the output a guesser gives Ann a probability of {percent}%. The "
        "release is {eps}-private, with δ = 0. How large can the probability be after?",
        lambda percent, eps: accounting.posterior_bounds(percent / 100, eps)[1],
    ),
    P(
        "belief_falls", 1, {"percent": (50, 60, 80, 90), "eps": (0.5, 1, 1.5, 2)},
        "Before the output a guesser gives Ann a probability of {percent}%. The "
        "release is {eps}-private, with δ = 0. How small can the probability be after?",
        lambda percent, eps: accounting.posterior_bounds(percent / 100, eps)[0],
    ),
    P(
        "truth", 1, {"K": (2, 3, 4, 5, 10), "eps": (0.5, 1, 2, 3)},
        "Randomized response with {K} answers and ε = {eps}: with what probability is "
        "a report the true answer?",
        lambda K, eps: mechanisms.randomized_response_probabilities(K, epsilon=eps)[
            0, 0
        ],
    ),
    P(
        "group_epsilon", 1, {"k": (2, 3, 5, 10), "eps": (0.1, 0.2, 0.5, 1)},
        "An algorithm is ({eps}, 0)-private for one change. Which ε holds for data "
        "sets that are {k} changes apart?",
        lambda k, eps: accounting.group_privacy(eps, 1e-9, size=k)[0],
    ),
    P(
        "group_delta", 1, {"k": (2, 3, 4), "eps": (0.5, 1, 1.5, 2)},
        "An algorithm is ({eps}, 10⁻⁶)-private for one change. Which δ, in units of "
        "10⁻⁶, holds for data sets that are {k} changes apart?",
        lambda k, eps: 1e6 * accounting.group_privacy(eps, 1e-6, size=k)[1],
    ),
    P(
        "even_odds", 1, {"eps": (0.1, 0.2, 0.5, 1, 1.5, 2, 3)},
        "A release is {eps}-private, with δ = 0. At even odds, how often is the best "
        "guess about one record right, at most?",
        lambda eps: accounting.guess_probability(Pure(eps, relation=ADD), 0.5),
    ),
    P(
        "misses", 1, {"alpha": (0.01, 0.02, 0.05), "eps": (0.5, 1, 1.5, 2)},
        "A release is ({eps}, 0.01)-private. An attack has a share of {alpha} of false "
        "alarms. Which share of misses must it have, at least?",
        lambda alpha, eps: accounting.trade_off(
            Approximate(eps, 0.01, relation=ADD), alpha
        ),
    ),
    P(
        "clip_two", 2, {"a": (1, 2, 3), "b": (1, 2), "L": (1, 2, 3)},
        "The vectors {a}·(3, 4) and {b}·(0.3, 0.4) are clipped to norm {L} and added "
        "up. What is the first entry of the sum?",
        _clipped,
    ),
    P(
        "shift", 2, {"D": (1, 2, 3, 5), "s": (2, 4, 8, 10)},
        "A sum whose sensitivity is {D} in the Euclidean norm gets normal noise of "
        "deviation {s}. One audit of this code finds the exact μ. Which is it?",
        lambda D, s: auditing.exact_mu(np.array([[float(s)]]), np.array([float(D)])),
    ),
    P(
        "replaced_mu", 2, {"lam": (2, 4, 5, 8, 10, 20)},
        "A sum of vectors clipped to norm 1 gets normal noise of deviation {lam} in "
        "each coordinate. What is μ if one record is replaced?",
        lambda lam: Gaussian(lam, relation=REPLACE).mu,
    ),
    P(
        "one_draw", 2, {"s": (1, 2, 3, 4), "p": (4, 9, 16)},
        "Each of {p} sums gets fresh normal noise of deviation {s}. One record moves "
        "all of them by 1. What is μ for all sums together?",
        lambda s, p: auditing.exact_mu(float(s) * np.eye(p), np.ones(p)),
    ),
    P(
        "choose", 2, {"gap": (1, 2, 3), "c": (0.5, 1, 1.5, 2)},
        "The exponential mechanism chooses between three candidates with the scores "
        "5, 5 − {gap} and 5 − 2·{gap}, where large is good and the exponent is "
        "c = {c}. With what probability does the first one win?",
        lambda gap, c: _choice((5, 5 - gap, 5 - 2 * gap), c),
    ),
    P(
        "add_up", 3, {"T": (10, 20, 50, 100), "eps": (0.1, 0.2, 0.5)},
        "Each of {T} adaptive steps is ({eps}, 0)-private. Which ε does basic "
        "composition prove?",
        lambda T, eps: accounting.basic_composition(eps, 0.0, releases=T)[0],
    ),
    P(
        "advanced", 3, {"T": (100, 400, 900), "eps": (0.05, 0.1, 0.2)},
        "Each of {T} adaptive steps is ({eps}, 0)-private. Which ε does advanced "
        "composition prove, at δ = 10⁻⁶?",
        lambda T, eps: accounting.advanced_composition(
            eps, 0.0, releases=T, slack=1e-6
        )[0],
    ),
    P(
        "squares", 3, {"lam": (5, 10, 20, 40), "T": (16, 25, 100, 400)},
        "A run makes {T} Gaussian releases with noise multiplier {lam}, for added or "
        "removed records. What is its μ?",
        lambda lam, T: Gaussian(lam, releases=T, relation=ADD).mu,
    ),
    P(
        "concentrated", 3, {"rho": (0.01, 0.02, 0.05, 0.1, 0.5, 1)},
        "A run has ρ = {rho}. Which ε does the plain conversion ρ + 2√(ρ ln(1/δ)) of "
        "zero-concentrated privacy give at δ = 10⁻⁶?",
        lambda rho: accounting.zcdp_epsilon(rho, 1e-6, method="basic"),
    ),
    P(
        "rest_of_budget", 3, {"lam": (5, 10), "T": (4, 9), "z": (2, 4)},
        "A first phase makes {T} Gaussian releases with noise multiplier {lam}, and a "
        "second phase one release with {z}. What is the μ of both together?",
        lambda lam, T, z: auditing.exact_mu(
            np.diag([float(lam)] * T + [float(z)]), np.ones(T + 1)
        ),
    ),
    P(
        "best_rate", 5, {"R": (1, 2, 5), "L": (1, 2), "T": (25, 100, 400)},
        "A convex risk has gradients of norm at most {L}, and the start is {R} away "
        "from the minimum. What is the bound on the excess of the average model after "
        "{T} steps of gradient descent at the best fixed rate?",
        lambda R, L, T: algorithms.regret_bound(steps=T, lipschitz=L, distance=R),
    ),
    P(
        "fixed_rate", 5, {"R": (1, 2), "eta": (0.05, 0.1, 0.2), "T": (50, 100, 200)},
        "A convex risk has gradients of norm at most 1, and the start is {R} away from "
        "the minimum. What is the bound on the excess of the average model after {T} "
        "steps at the rate {eta}?",
        lambda R, eta, T: algorithms.regret_bound(
            steps=T, lipschitz=1.0, distance=R, learning_rate=eta
        ),
    ),
    P(
        "moved_minimum", 6, {"L": (1, 2, 3), "Lam": (4, 10, 20, 50)},
        "The gradients of the losses have norm at most {L}, the regularization is "
        "Λ = {Lam}, and the minimum is exact. How far can it move if one record is "
        "replaced?",
        lambda L, Lam: algorithms.output_perturbation_sensitivity(
            lipschitz=L, regularization=Lam, relation=REPLACE
        ),
    ),
    P(
        "stopped_minimum", 6, {"g": (0.05, 0.1, 0.2), "Lam": (2, 4, 10)},
        "Gradients have norm at most 1, Λ = {Lam}, and a solver stops within γ/Λ of "
        "the minimum with γ = {g}. How far apart can its results be if a record comes "
        "or goes?",
        lambda g, Lam: algorithms.output_perturbation_sensitivity(
            lipschitz=1.0, regularization=Lam, tolerance=g
        ),
    ),
    P(
        "output_risk", 6, {"n": (500, 1000, 2000), "Lam": (50, 100, 200)},
        "Output perturbation with the noise of pure privacy: n = {n}, p = 10, L = 1, "
        "λ = 1, W = 1 and Λ = {Lam}. What is the bound on the excess risk (a sum)?",
        lambda n, Lam: algorithms.output_perturbation_risk_bound(
            n=n, p=10, lipschitz=1.0, regularization=Lam, noise_multiplier=1.0,
            distance=1.0,
        ),
    ),
    P(
        "exponent_risk", 7, {"p": (1, 2, 5, 10), "c": (0.1, 0.25, 0.5, 2)},
        "The exponential mechanism draws from a convex set in {p} dimensions with "
        "exponent c = {c}. What is the bound on its mean excess risk?",
        lambda p, c: algorithms.exponential_mechanism_risk_bound(c, p=p),
    ),
    P(
        "exponent", 7, {"eps": (0.5, 1, 2), "D": (1, 2, 4), "L": (1, 2)},
        "Losses are {L}-Lipschitz on a set of diameter {D}. One record is replaced, "
        "and a draw may cost ε = {eps}. What is the largest exponent c?",
        lambda eps, D, L: algorithms.exponential_mechanism_exponent(
            eps, lipschitz=L, diameter=D, relation=REPLACE
        ),
    ),
    P(
        "three_models", 7, {"gap": (1, 2), "c": (0.5, 1, 1.5, 2), "risk": (7, 10, 20)},
        "Three models have the risks {risk}, {risk} + {gap} and {risk} + 3·{gap}. With "
        "exponent c = {c}, what is the probability of the best one?",
        lambda gap, c, risk: _choice((-risk, -risk - gap, -risk - 3 * gap), c),
    ),
    P(
        "tilt", 8, {"eps": (0.5, 1, 2), "Lam": (1, 2, 5, 10)},
        "Logistic loss, rows of norm at most 1 (β = ¼), Λ = {Lam}, and ε = {eps} if a "
        "record comes or goes. Which noise multiplier of a pure tilt is enough?",
        lambda eps, Lam: algorithms.objective_perturbation_parameters(
            eps, smoothness=0.25, regularization=Lam
        )[0],
    ),
    P(
        "tilt_risk", 8, {"p": (4, 9, 10), "lam": (1, 2), "Lam": (2, 5, 10)},
        "Objective perturbation with p = {p}, L = 1, λ = {lam}, Λ = {Lam} and W = 2. "
        "What is the bound on the excess risk (a sum)?",
        lambda p, lam, Lam: algorithms.objective_perturbation_risk_bound(
            p=p, lipschitz=1.0, regularization=Lam, noise_multiplier=lam, distance=2.0
        ),
    ),
    P(
        "textbook_noise", 9, {"eps": (0.5, 1, 2), "T": (25, 100, 400)},
        "Which noise multiplier does the formula without a solver give for {T} steps "
        "of DP-SGD at ε = {eps} and δ = 10⁻⁶?",
        lambda eps, T: algorithms.dp_sgd_noise_multiplier(
            eps, 1e-6, steps=T, method="textbook"
        ),
    ),
    P(
        "sgd_risk", 9, {"n": (100, 500), "T": (100, 400), "lam": (5, 10, 20)},
        "DP-SGD with n = {n}, p = 16, T = {T}, λ = {lam}, L = 1, R = 1 and the "
        "theorem's rate. What is the bound on the excess risk (a sum)?",
        lambda n, T, lam: algorithms.dp_sgd_risk_bound(
            n=n, p=16, steps=T, noise_multiplier=lam, lipschitz=1.0, distance=1.0
        ),
    ),
    P(
        "sgd_rate", 9, {"n": (100, 500), "T": (100, 400), "lam": (5, 10, 20)},
        "DP-SGD with n = {n}, p = 16, T = {T}, λ = {lam}, L = 1 and R = 1. Which "
        "learning rate does the theorem use?",
        lambda n, T, lam: algorithms.dp_sgd_learning_rate(
            n=n, p=16, steps=T, noise_multiplier=lam, lipschitz=1.0, distance=1.0
        ),
    ),
    P(
        "fixed_size", 10, {"lam": (1, 1.4, 2, 3), "m": (10, 50, 100)},
        "In each step exactly {m} of 1,000 records are drawn, and the noise multiplier "
        "is {lam}. Poisson batches of which noise multiplier cost the same, if the "
        "neighbors have 1,000 and 999 records?",
        lambda lam, m: algorithms.fixed_batches_event(
            lam, batch_size=m, n=1000, releases=10
        ).noise_multiplier,
    ),
    P(
        "levels", 12, {"n": (7, 8, 15, 16, 100, 500, 1000, 1024)},
        "In how many nodes that are read can one record of a stream of {n} lie?",
        lambda n: algorithms.levels(n),
    ),
    P(
        "ones", 12, {"t": (100, 255, 500, 511, 600, 767, 1000, 1023)},
        "The nodes of a plain tree have noise of variance 1. What is the variance of "
        "the noise in sum {t}?",
        lambda t: algorithms.prefix_variance(t),
    ),
    P(
        "tree_mu", 12, {"n": (8, 100, 1000), "lam": (2, 4, 5, 10)},
        "All sums of a stream of {n} records are published from a tree with noise "
        "multiplier {lam}. What is μ if one record is zeroed out?",
        lambda n, lam: Gaussian(lam, releases=algorithms.levels(n), relation=ZERO).mu,
    ),
    P(
        "honaker", 12, {"t": (2, 4, 6, 8, 12, 14)},
        "The nodes of a tree have noise of variance 1. What is the variance of sum {t} "
        "with Honaker's estimate?",
        lambda t: algorithms.prefix_variance(t, estimator="honaker"),
    ),
    P(
        "twice", 12, {"first": (1, 2), "second": (3, 4, 5, 7, 8)},
        "A record comes at the steps {first} and {second} of a stream of 8, whose sums "
        "are published from one plain tree. Add up c² over the nodes that are read, "
        "where c is how often the record lies below a node. What is the sum, S²?",
        lambda first, second: algorithms.squared_sensitivity(
            (first, second), steps=8
        ),
    ),
    P(
        "passes", 14, {"E": (2, 4, 5, 10), "lam": (3, 5, 8)},
        "DP-FTRL over batches makes {E} passes with honest restarts, each with noise "
        "multiplier {lam}. What is the μ of all models together?",
        lambda E, lam: Gaussian(lam, releases=E, relation=ZERO).mu,
    ),
    P(
        "root", 15, {"k": (2, 3, 4, 5, 6, 7)},
        "The square root of the matrix of prefix sums has 1 on its diagonal. Which "
        "number does it have on the diagonal that is {k} below?",
        lambda k: algorithms.square_root_factorization(k + 1).encoder[k, 0],
    ),
    P(
        "root_error", 15, {"T": (2, 3, 4, 5, 6)},
        "What is the worst error, over all sums, of the square root for T = {T}?",
        lambda T: algorithms.square_root_factorization(T).max_error,
    ),
    P(
        "vector_noise", 15, {"T": (3, 5, 7, 9, 15, 31)},
        "Fresh noise is added to each of {T} vectors, and the noisy vectors are added "
        "up. What is the mean error of this factorization?",
        lambda T: algorithms.independent_factorization(T).mean_error,
    ),
    P(
        "votes_noise", 17, {"T": (10, 25, 100), "eps": (0.5, 1, 2), "L": (1, 2)},
        "Private Frank-Wolfe with Laplace noise, {T} models, L₁ = {L} and radius 1. "
        "Which scale b does the textbook give for added records at ε = {eps}, "
        "δ = 10⁻⁶?",
        lambda T, eps, L: algorithms.private_frank_wolfe_noise(
            eps, 1e-6, steps=T, lipschitz_l1=L, l1_radius=1.0, method="textbook"
        ),
    ),
    P(
        "corner", 17, {"a": (20, 40, 60), "b": (20, 25, 50)},
        "At a model the gradient is (−{a}, 0). Votes among the four corners of the "
        "unit ℓ₁ ball have Gumbel noise of scale {b}. With what probability does the "
        "best corner win?",
        lambda a, b: _choice((a, 0, 0, -a), 1 / b),
    ),
    P(
        "walk_risk", 17, {"n": (100, 1000), "T": (9, 19, 39), "b": (10, 20)},
        "A private walk among 16 corners with Gumbel noise of scale {b}: {n} records "
        "of curvature at most 4 each, and {T} models. What is the bound on its mean "
        "excess?",
        lambda n, T, b: algorithms.private_frank_wolfe_risk_bound(
            n=n, steps=T, corners=16, curvature_constant=4.0, scale=b
        ),
    ),
    P(
        "packed", 18, {"eps": (0.1, 0.2, 0.3), "m": (8, 10, 12), "K": (64, 256)},
        "Some data sets hold {m} copies of one of {K} words that are far apart, and "
        "other records cancel. How often can an ε-private mean with ε = {eps} find the "
        "planted word, at most on average?",
        lambda eps, m, K: lower_bounds.packing_success_cap(eps, copies=m, codewords=K),
    ),
    P(
        "report_noise", 19, {"p": (1, 2, 5, 10), "eps": (0.5, 1, 2, 4)},
        "A user cuts a vector of {p} entries to norm 1 and adds spherical noise for "
        "ε = {eps}. What is the mean squared length of the noise?",
        lambda p, eps: algorithms.local_noise_variance(eps, p=p, clip_norm=1.0),
    ),
    P(
        "one_bit", 19, {"eps": (0.5, 1, 1.5, 2, 3), "G": (1, 2)},
        "A user holds one number of size at most {G} and sends a hemisphere report "
        "with ε = {eps}. How long is the report?",
        lambda eps, G: algorithms.hemisphere_length(eps, p=1, clip_norm=G),
    ),
    P(
        "tail", 20, {"p": (1, 3, 5, 9), "eps": (0.5, 1, 2, 4)},
        "Which σ₁D² does this book use in BANCO, for p = {p}, G = 1 and ε = {eps}?",
        lambda p, eps: algorithms.banco_tail(eps, p=p, clip_norm=1.0)[0],
    ),
    P(
        "dummies", 21, {"n": (500, 1000, 2000), "m": (200, 250, 500)},
        "Each of {n} clients comes with probability ½ and picks one of {m} slots. How "
        "many slots hold dummies, on average?",
        lambda n, m: algorithms.fixed_window_dummies(
            n, slots=m, check_in_probability=0.5
        ),
    ),
    P(
        "perfect", 22, {"n": (10, 20, 50, 100), "risk": (0.1, 0.02)},
        "An event happens in all of {n} runs with the canary and in none of {n} "
        "without it. Which ε is proved at δ = 0 and a risk of {risk}, shared equally?",
        lambda n, risk: auditing.event_epsilon_lower_bound(
            n, n, 0, n, delta=0.0, false_alarm=risk
        ),
    ),
    P(
        "all_coins", 22, {"r": (10, 20, 50, 100), "risk": (0.05, 0.01)},
        "One run held {r} canaries, and all {r} coins were guessed right. Which ε does "
        "that prove at δ = 0 and a risk of {risk}?",
        lambda r, risk: auditing.one_run_epsilon_lower_bound(
            r, r, r, delta=0.0, false_alarm=risk
        ),
    ),
    P(
        "micro_batches", 23, {"parts": (2, 4, 9, 16, 25)},
        "A sum of sensitivity 1 should get noise of deviation 4. It is computed in "
        "{parts} parts, and each adds noise of deviation 4/{parts}. What is μ?",
        _shares,
    ),
    P(
        "devices", 23, {"k": (4, 8, 9, 16, 25), "s": (4, 8, 10)},
        "{k} devices share noise of deviation {s}: each adds normal noise of variance "
        "{s}²/{k} to a sum that one record moves by 1. What is the μ of a server that "
        "sees each device's sum?",
        lambda k, s: auditing.exact_mu(np.array([[s / k**0.5]]), np.ones(1)),
    ),
)  # fmt: skip
