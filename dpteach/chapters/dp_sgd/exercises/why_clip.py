"""Question: what clipping is for."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="why_clip",
    title="Why clip?",
    statement="""\
DP-SGD cuts the gradient of every record to norm at most $C$ before it adds them up and
adds Gaussian noise. Suppose that somebody leaves the clipping out and keeps the noise.
What goes wrong?""",
    choices={
        "a": "The steps become too long, and the descent diverges.",
        "b": "One record may move the sum further than the noise can hide.",
        "c": "Nothing, if the features are scaled to norm 1 and the loss is squared.",
        "d": "The noise is no longer Gaussian.",
    },
    right="b",
    feedback={
        "a": "It may happen, and a smaller learning rate would cure it. But even where "
        "the descent is fine, something else is lost, and no learning rate brings it "
        "back.",
        "c": "The gradient of the squared loss is the residual times the features. The "
        "features are bounded then; is the residual?",
        "d": "The noise is drawn as before. What it protects is not what it was made "
        "for: think of the distance between the sums on two neighbors.",
    },
    hints=("The noise has a fixed size. To what is that size compared in the proof?",),
    praise="The noise is measured in clip norms. Without the clip there is no unit, "
    "and no finite ε.",
)

EXPLANATION = r"""The answer is (b). The noise of DP-SGD has a fixed size, $L\lambda$ in
each coordinate, and the proof compares it with the distance that one record can move
the sum. The clip is what makes this distance at most $L$, for every record that could
ever come. Without it, a record with a gradient of norm $100L$ moves the sum by $100L$.
The noise is then a hundredth of what it should be, and the price is a hundred times the
$\mu$ that was computed.

*Why not (a)?* Long steps may indeed make the descent diverge, but a smaller learning
rate cures that. It does not bring privacy back, because the learning rate shrinks the
gradient and the noise together. *Why not (c)?* The gradient of the squared loss is the
residual times the features. Features of norm 1 bound the second factor, and nothing
bounds the first. *Why not (d)?* The noise is drawn as before, and it is Gaussian. What
is missing is the unit that its size was chosen for."""
