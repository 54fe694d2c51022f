"""Questions of the chapter on accountants: predict first, then read why."""

from ...figures.quiz import Choice, Question

NEAREST = Question(
    "nearest",
    "An accountant rounds each loss to the nearest point of a fine grid, and then "
    "convolves. What does it report?",
    [
        Choice(
            "a δ that is a little too large",
            False,
            "That is so if all losses are rounded up. Of these, half move down.",
        ),
        Choice(
            "the right δ, because the errors cancel",
            False,
            "They do on average. But nothing follows from that for a tail, and a price "
            "must never be too small.",
        ),
        Choice(
            "a δ that may be too small",
            True,
            "Half of the losses move down, and no bound is left. Rounding up is safe, "
            "and there is a way that is safe and much sharper.",
        ),
    ],
)

WINNING_ORDER = Question(
    "winning-order",
    "A Rényi accountant tries the orders 2, 3, …, 64 and reports ε = 21.9, proved by "
    "order 2. What do you do?",
    [
        Choice(
            "nothing, because the best order has won",
            False,
            "The best of the table has won. It stands at the edge of the table, so the "
            "best of all may lie outside.",
        ),
        Choice(
            "add orders between 1 and 2, and price again",
            True,
            "The first order won, so smaller ones may prove more. That any real order "
            "above 1 is allowed is often forgotten.",
        ),
        Choice(
            "add orders beyond 64, and price again",
            False,
            "ε as a function of the order falls and then rises. At 2 it rises already "
            "or is at its lowest point, so larger orders prove less.",
        ),
    ],
)
