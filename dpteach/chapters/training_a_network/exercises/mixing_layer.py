"""Question: which layer makes a clip of each gradient useless."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="mixing_layer",
    title="Which layer must go?",
    statement="""\
Somebody trains an image network with DP-SGD, and clips each record's gradient. One of
its layers lets a record change the gradients of other records, so that the clip bounds
nothing. Which one?""",
    choices={
        "a": "A convolution, which uses each weight at many places of an image.",
        "b": "Group normalization, over the channels of one image.",
        "c": "Batch normalization, over the images of a batch.",
        "d": "Max pooling, which drops all numbers but the largest.",
    },
    right="c",
    feedback={
        "a": "The places are all in one image. The gradient is a sum over places, and "
        "it is clipped as a whole.",
        "b": "Its means and deviations are those of one image alone.",
        "d": "It drops numbers of one image, by a comparison with numbers of that same "
        "image.",
    },
    hints=(
        "Take one record out of a batch. For which layer do the outputs of the others "
        "change?",
    ),
    praise="Each record must pass the network as if it were alone. That is why "
    "private networks use group normalization instead.",
)

EXPLANATION = r"""The answer is (c). Batch normalization subtracts the mean of a batch,
and divides by its deviation. A record that comes or goes moves both, and with them the
outputs and the gradients of all other records. Each gradient may be clipped to norm
$L$, and still all $n$ of them may change at once, so that the sum moves by up to
$2nL$, and not by $L$.

*Why not (a), (b) or (d)?* A convolution adds up over places, group normalization takes
means over channels, and max pooling compares the pixels of a window. All of this stays
within one record. Its gradient does not depend on who else is in the batch, and this is
what the proof needs."""
