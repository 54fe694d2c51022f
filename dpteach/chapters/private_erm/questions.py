"""Questions of the chapter on private risk minimization: predict, then read why."""

from ...figures.quiz import Choice, Question

UNITS = Question(
    "erm-units",
    "A library minimizes the mean loss plus (α/2)‖θ‖², with α = 0.01 on n = 1,000 "
    "records. Which Λ is that, in this book’s risk, which is a sum?",
    [
        Choice(
            "0.01",
            False,
            "That is the strength beside a mean. The sum is n times as large, and so "
            "is its regularization.",
        ),
        Choice("10", True, "Multiply the whole objective by n: Λ = nα."),
        Choice(
            "0.00001",
            False,
            "That divides by n. A sum is larger than a mean, not smaller.",
        ),
    ],
)

SENSITIVITY = Question(
    "erm-sensitivity",
    "One record is added. The loss is convex and L-Lipschitz, the regularization Λ. "
    "How far can the minimum move?",
    [
        Choice(
            "L/Λ at most",
            True,
            "The new gradient has norm at most L, and a bowl of curvature Λ moves "
            "its minimum by at most that over Λ.",
        ),
        Choice(
            "L/(nΛ) at most, because one record is a share of 1/n",
            False,
            "That is for a mean loss with Λ beside the mean. Here the loss is a sum.",
        ),
        Choice(
            "any distance",
            False,
            "That would be right without regularization: a flat bowl has its minimum "
            "anywhere.",
        ),
    ],
)

STOP = Question(
    "erm-stop-early",
    "A solver takes T gradient steps from 0, and T is fixed in advance. You publish "
    "where it is. Does this need more noise than the exact minimum, or less?",
    [
        Choice(
            "more, because it has not converged",
            False,
            "That is right if all you know is how far it is from the minimum. But here "
            "you also know how it came there.",
        ),
        Choice(
            "the same",
            False,
            "In the limit of many steps it is. After one step from 0 the record has "
            "had one chance to pull.",
        ),
        Choice(
            "less, because a record has pulled T times only",
            True,
            "Each step adds one pull of the record, and shrinks what earlier pulls "
            "did. Only after very many steps is the sum as large as for the minimum.",
        ),
    ],
)

LARGEST = Question(
    "erm-largest-part",
    "A thousand records, ten dimensions, ε = 0.3. Which part of the true excess risk "
    "is the largest?",
    [
        Choice(
            "sampling, because the data are not the population",
            False,
            "That is right without privacy. Here that part is a fifteenth of the "
            "others.",
        ),
        Choice(
            "the noise",
            False,
            "It would be, with little regularization. The best compromise makes the "
            "noise small, and pays for that elsewhere.",
        ),
        Choice(
            "the regularization that keeps the noise small",
            True,
            "Noise of size 1/Λ calls for a large Λ, and that pulls the model toward 0.",
        ),
    ],
)
