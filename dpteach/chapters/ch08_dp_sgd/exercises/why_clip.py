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
