"""Question: the steps of the proof for smooth losses, in order."""

from ....grading.questions import Order

EXERCISE = Order(
    name="order_descent_proof",
    title="Put the proof for smooth losses in order",
    statement="""\
A convex risk $f$ is $\\beta$-smooth, and there is no constraint. These are the steps of
the proof that gradient descent with $\\eta = 1/\\beta$ has
$f(\\theta_{T+1}) - f(\\theta^*) \\le \\beta R^2/(2T)$, where $g_t$ is the gradient at
$\\theta_t$ and $R = \\|\\theta_1 - \\theta^*\\|$. Put them in order, such as
`"abcdefg"`.""",
    steps={
        "a": "Complete the square: the right side is (β/2)(‖θ_t − θ*‖² − "
        "‖θ_{t+1} − θ*‖²).",
        "b": "No step goes up, so the last model is at most as bad as the average of "
        "θ_2, …, θ_{T+1}: divide by T.",
        "c": "Smoothness: f(v) ≤ f(u) + ⟨∇f(u), v − u⟩ + (β/2)‖v − u‖² for all u, v.",
        "d": "Put both together: f(θ_{t+1}) − f(θ*) ≤ ⟨g_t, θ_t − θ*⟩ − ‖g_t‖²/(2β).",
        "e": "Add up over t = 1, …, T. All distances but the first and last cancel.",
        "f": "Take u = θ_t and v = θ_t − g_t/β: f(θ_{t+1}) ≤ f(θ_t) − ‖g_t‖²/(2β).",
        "g": "Convexity: f(θ_t) − f(θ*) ≤ ⟨g_t, θ_t − θ*⟩.",
    },
    right=("cfgdaeb", "cgfdaeb", "gcfdaeb"),
    feedback={
        "cf": "A step's gain is computed from an inequality for any two points.",
        "fd": "Two things are put together: what one step gains, and how far the "
        "minimum can lie below.",
        "gd": "Two things are put together: what one step gains, and how far the "
        "minimum can lie below.",
        "da": "Of which expression is the square completed?",
        "ae": "Distances cancel in a sum, so they must appear before the sum is taken.",
        "eb": "The average comes from the sum over t.",
    },
    hints=(
        "Two steps speak of any convex and smooth function, and of no algorithm yet.",
        "Only the last three steps look at more than one t.",
    ),
    praise="Smoothness says what a step gains, convexity what is left to gain. The "
    "rest is bookkeeping with distances.",
)

EXPLANATION = r"""
A right order is **c, f, g, d, a, e, b**. Step g may also come first or second, because
it needs nothing before it.

**Two facts about functions.** Step c states smoothness for any two points, and step g
states convexity. Neither speaks of an algorithm yet. Smoothness says that $f$ lies
below a parabola around each point; convexity says that it lies above each tangent.

**One step of the algorithm.** Step f applies c at $u = \theta_t$ and
$v = \theta_t - g_t/\beta$: the linear term is $-\lVert g_t\rVert^2/\beta$ and the
square adds $\lVert g_t\rVert^2/(2\beta)$, so the step gains at least
$\lVert g_t\rVert^2/(2\beta)$. Step d adds g to it. Then step a completes the square.
With $\theta_{t+1} - \theta^* = (\theta_t - \theta^*) - g_t/\beta$,

$$\lVert\theta_{t+1} - \theta^*\rVert^2 = \lVert\theta_t - \theta^*\rVert^2
- \tfrac2\beta\langle g_t, \theta_t - \theta^*\rangle
+ \tfrac1{\beta^2}\lVert g_t\rVert^2,$$

and $\frac\beta2$ times the difference of the two distances is exactly the right side of
d.

**All steps together.** In step e the distances cancel one after the other. What remains
is $\frac\beta2\lVert\theta_1 - \theta^*\rVert^2 = \frac\beta2 R^2$ at most. Step b
divides by $T$. It uses f once more: no step goes up, so the last model is at most as
bad as the average.

**What wrong orders overlook.** Completing the square before d has nothing to complete,
and cancelling before a has no distances to cancel.
"""
