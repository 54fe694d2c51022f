"""Questions of the tour and of the chapter on privacy: predict first, then read why."""

from ...figures.quiz import Choice, Question

WHO_LEFT = Question(
    "who-left",
    "One of the 442 patients leaves, and the best line of the others is published: two "
    "numbers. You know all 442 records. In how many of the 442 cases can you say who "
    "left?",
    [
        Choice(
            "none: two numbers cannot distinguish 442 people",
            False,
            "Two numbers with enough digits can distinguish millions of people.",
        ),
        Choice(
            "only if the patient is far from the line",
            False,
            "Such a patient moves the line more. But a small move can be seen as well "
            "as a large one if nothing hides it.",
        ),
        Choice(
            "in nearly all of them",
            True,
            "Compute the line for each patient who might have left, and compare: 438 "
            "patients are identified. The four others are two pairs with the same two "
            "measurements.",
        ),
    ],
)

GUESS_AT_ONE = Question(
    "guess-at-one",
    "The line is trained with noise at ε = 1, and the whole run is published. An "
    "attacker knows the 441 other patients and the algorithm. Was the last patient in "
    "the data? How often, at most, can the attacker be right?",
    [
        Choice(
            "50 times in 100, like a coin",
            False,
            "Then the output would not depend on that patient at all, nor on anybody "
            "else. A model that learns from people must reveal a little about them.",
        ),
        Choice(
            "about 55 times in 100",
            True,
            "That is what this noise allows, whatever the attacker computes. The "
            "number ε alone would allow 73, but Gaussian noise reveals less than its "
            "ε says.",
        ),
        Choice(
            "in nearly all cases, because she knows all the others",
            False,
            "She knows them, but she does not know the noise, and it is larger than "
            "what one patient moves.",
        ),
    ],
)

MORE_PEOPLE = Question(
    "more-people",
    "Keep ε. Now train on ten times as many patients, drawn from the same hospitals. "
    "What happens to the harm that the noise does to the line?",
    [
        Choice(
            "it grows: there are more people to hide",
            False,
            "Noise must hide one person, however many people there are. So the same "
            "noise is enough.",
        ),
        Choice(
            "it stays as it is",
            False,
            "The noise stays as it is. But it is added to a sum, and the sum of all "
            "pulls is ten times as large now.",
        ),
        Choice(
            "it shrinks a lot",
            True,
            "The same noise beside ten times as many pulls moves the line a tenth as "
            "far. This is why privacy and learning can go together.",
        ),
    ],
)

BELIEF = Question(
    "belief",
    "You give Ann 10% of being in the data. Then you see the output of a release with "
    "ε = 1 and δ = 0. How sure can you be after that, at most?",
    [
        Choice(
            "27%",
            False,
            "That multiplies the probability by e. It is the odds that are multiplied.",
        ),
        Choice(
            "23%",
            True,
            "The odds are 1 : 9 before, and e : 9 = 0.302 after. That is 23%.",
        ),
        Choice(
            "73%",
            False,
            "That is where 50% may move. Ann had 10%.",
        ),
        Choice(
            "100%, if the output is unlucky",
            False,
            "With δ = 0 there is no such output: the bound holds for each of them.",
        ),
    ],
)

NEIGHBORS = Question(
    "neighbors",
    "A sum of clipped vectors gets the noise that is right for adding or removing one "
    "record, at ε = 1 and δ = 0. In your application one record is replaced by "
    "another, and the number of records is public. What do you get?",
    [
        Choice(
            "ε = 1: one record is one record",
            False,
            "A replacement takes one out and puts one in. The sum can move twice as "
            "far, against the same noise.",
        ),
        Choice(
            "ε = 2",
            True,
            "A replacement is two steps, each of which changes the odds by at most e. "
            "To get back to ε = 1, you need twice the noise.",
        ),
        Choice(
            "nothing, because the number of records is not hidden any more",
            False,
            "Replacing keeps the number, so there is nothing to hide about it. The "
            "number is secret only under adding or removing.",
        ),
    ],
)

DELTA = Question(
    "delta",
    "A shop has a million customers. It picks one at random and publishes the whole "
    "record. Which promise does it keep?",
    [
        Choice(
            "none",
            False,
            "That would be nice. But check the definition for one customer: the "
            "output changes with probability one in a million.",
        ),
        Choice(
            "ε = 0 with δ = 10⁻⁶",
            True,
            "Somebody is exposed for certain, and the promise holds. So δ must be far "
            "below one over the number of people.",
        ),
        Choice(
            "ε = ln of a million, with δ = 0",
            False,
            "An output that is impossible without the customer is beyond every ε.",
        ),
    ],
    reveal="With δ = 10⁻⁵ the shop may publish ten customers. This is why δ must be "
    "tiny. But for good mechanisms, such as Gaussian noise, nothing like this "
    "happens, and δ only bounds a tail.",
)

POPULATION = Question(
    "population",
    "A study with ε = 0.1 finds that smoking doubles the risk of a disease. Ann "
    "smokes, and her insurer raises her rate. Was the promise broken?",
    [
        Choice(
            "yes: the study told the insurer about Ann",
            False,
            "It told the insurer about smokers. If you leave Ann’s record out, the "
            "study finds the same.",
        ),
        Choice(
            "only if Ann took part",
            False,
            "It makes no difference whether she did: that is what the promise says.",
        ),
        Choice(
            "no",
            True,
            "The insurer learns as much if Ann stays away. Differential privacy hides "
            "what her record adds. It does not hide facts about the world.",
        ),
    ],
)

UNIT = Question(
    "unit",
    "A photo app promises ε = 1, where neighbors differ in one photo. Ann has stored "
    "1,000 photos of her dog. What does the promise say about whether Ann has a dog?",
    [
        Choice(
            "the odds change by at most e",
            False,
            "That holds for a single photo, but all of Ann’s photos change together.",
        ),
        Choice(
            "next to nothing",
            True,
            "A group of 1,000 records gets 1,000 times the ε. Ask what the unit of "
            "privacy is: one photo, one day or one person.",
        ),
        Choice(
            "it depends on δ",
            False,
            "δ grows with the group as well, but ε alone spoils it.",
        ),
    ],
)
