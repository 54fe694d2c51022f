"""Question: what must change in a round from which some devices drop out."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="missing_device",
    title="A tenth of the devices is missing",
    statement="""\
A round expects $m = 100$ updates, each clipped to norm $L$, and the noise was made for
all rounds beforehand. In this round 10 devices drop out, and 90 updates arrive. What
must the server do, so that the promise to every device still holds?""",
    choices={
        "a": "Divide by 90, so that the step is not too short.",
        "b": "Nothing: it adds up the 90, adds the same noise, and divides by 100.",
        "c": "Wait for the ten next devices in the queue, and close at 100.",
        "d": "Multiply the noise by 0.9, since there is less to hide.",
    },
    right="b",
    feedback={
        "a": "Compare with the same round without one more device. Then all other "
        "updates are divided by 89, so that every one of them changes its weight.",
        "c": "If one device leaves, the next in the queue comes in its place. How many "
        "updates of the sum have changed then?",
        "d": "The noise hides one device, however many others there are.",
    },
    hints=(
        "Take one device out of the round. Which terms of the published average "
        "change, and by how much?",
    ),
    praise="A missing device is an update of zero. The sum has lost something, the "
    "promise has not.",
)

EXPLANATION = r"""The answer is (b). A device that drops out adds zero, and zero is a
vector of norm at most $L$. So the sensitivity of the sum is what it was, and so is the
noise. The model moves by nine tenths of the way.

*Why not (a)?* The number that arrived depends on each device. Without one more, the
divisor is 89, and all 89 others weigh more: the average moves by up to $2L/90$. *Why
not (c)?* The one that is missing is replaced by another, so two updates of the sum
change, and it moves by up to $2L$. *Why not (d)?* Noise in proportion to the number of
devices would be noise that depends on who was there, and less of it for those who
remain."""
