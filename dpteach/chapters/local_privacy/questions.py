"""Questions of the chapter on local privacy: predict first, then read why."""

from ...figures.quiz import Choice, Question

DIMENSION = Question(
    "local-dimension",
    "A gradient has norm at most 1 and p = 100 entries. At ε = 1, how long is the "
    "noise of one local report, on average?",
    [
        Choice(
            "about 2",
            False,
            "That is 2/ε, the mean of the exponential distribution, and right for "
            "p = 1. In 100 dimensions there is far more volume at large distances.",
        ),
        Choice(
            "about 20",
            False,
            "That would be √p times 2. Gaussian noise grows like this. But here the "
            "density falls with the length itself, not with its square.",
        ),
        Choice(
            "about 200",
            True,
            "The length has a gamma distribution with mean 2p/ε. A signal of length 1 "
            "lies under noise of length 200, in every single report.",
        ),
    ],
)

TRY_RATES = Question(
    "try-rates",
    "You would like to try 7 learning rates. Each user may spend ε = 1 in all. You "
    "ask every user 7 times, with ε = 1/7 each. How much does the noise in one report "
    "grow?",
    [
        Choice(
            "√7 times",
            False,
            "Gaussian noise adds up in squares. But pure ε adds up directly, so each "
            "report gets a seventh of it.",
        ),
        Choice(
            "7 times, and the variance 49 times",
            True,
            "So each of the seven runs is as good as one with 49 times fewer users. "
            "Splitting the users into 7 groups costs only a factor of 7.",
        ),
        Choice(
            "not at all, because the rates are public",
            False,
            "They are, but each run needs a new report about the same record.",
        ),
    ],
)

WHO_SEES = Question(
    "who-sees",
    "Who may see a report of the local randomizer?",
    [
        Choice(
            "only the server",
            False,
            "The server is not trusted here. The noise was added before the report "
            "left the user.",
        ),
        Choice(
            "everybody",
            True,
            "Its guarantee holds against anyone who reads it, and so does the "
            "guarantee of all models computed from it.",
        ),
        Choice(
            "nobody, because only the average is private",
            False,
            "That is the central model, where one noise protects the sum.",
        ),
    ],
)

GROWTH = Question(
    "report-growth",
    "A report consists of the vector and noise that hides it. Suppose that we may "
    "choose any randomizer at ε = 1, for vectors with p entries and norm 1. How does "
    "the error of the best one grow with p?",
    [
        Choice(
            "like p, as that of the spherical noise",
            False,
            "The spherical noise does grow like p, because its density must cover all "
            "of the space. But a report need not lie close to what it reports.",
        ),
        Choice(
            "like √p",
            True,
            "Reports that all have one length, and tell only on which side a vector "
            "lies, are about √p long. No randomizer does better by more than a "
            "constant.",
        ),
        Choice(
            "not at all, because the norm is 1",
            False,
            "With a trusted server and Gaussian noise, each entry has the same noise "
            "for every p, and even that adds up to √p in length.",
        ),
    ],
)

SPLIT = Question(
    "split-the-survey",
    "A survey has 20 yes-or-no questions for 1,000 people, and each person may spend "
    "ε = 1 in all. Which plan gives the more accurate shares?",
    [
        Choice(
            "everybody answers all questions, each with ε = 1/20",
            False,
            "With ε = 1/20 the truth is told with a probability of 0.512. The factor "
            "that makes up for it is 40, and 1,000 people bring it down to 1.26.",
        ),
        Choice(
            "everybody answers one question, drawn at random, with ε = 1",
            True,
            "Now 50 people answer each question, and the factor is 2.16. Its error is "
            "2.16/√50 = 0.31, which is a quarter of 1.26.",
        ),
        Choice(
            "both plans are equally accurate",
            False,
            "For Gaussian noise at a fixed δ they nearly would be. Pure ε adds up "
            "directly, and so every split costs a factor of its square.",
        ),
    ],
)

BLIND = Question(
    "blind-rates",
    "Suppose that you choose one of seven rates blindly, and the distance of the best "
    "model is one of seven, from 0.1 to 100. Out of the 49 cases at ε = 4, how many "
    "cost four times the least risk or more?",
    [
        Choice(
            "about 5",
            False,
            "That would mean that the valley is wide. But the best rate is "
            "proportional to the distance, which varies by a factor of 1,000 here.",
        ),
        Choice(
            "about 15",
            False,
            "One third would already be bad. The neighbors of the best rate, off by a "
            "factor of four, can still be acceptable; there are not many of those.",
        ),
        Choice(
            "29, more than half",
            True,
            "Without knowing the distance, a blind choice is more often bad than good.",
        ),
    ],
)
