"""Question: after how many steps does the noise, not the descent, limit DP-SGD?"""

from ....grading.questions import Number

EXERCISE = Number(
    name="best_T",
    title="How many steps are worth taking?",
    statement="""\
With the noise of Theorem 6.10, $\\lambda^2 = 2T(\\ln(1/\\delta) + \\varepsilon)/
\\varepsilon^2$, the bound on the excess risk of DP-SGD is

$$R L \\sqrt{\\frac{n^2 + p\\lambda^2}{T}}.$$

One of the two terms under the root falls as $T$ grows, the other does not. At which $T$
are they equal, for $n = 1000$ records, $p = 10$ weights, $\\varepsilon = 1$ and
$\\delta = 10^{-6}$? Give it to within 2%.""",
    band=(3307.0, 3443.0),
    wanted="the number of steps at which n²/T equals pλ²/T",
    misconceptions=(
        (
            (9.8e4, 1.02e5),
            "That is n²ε²/p, the theorem's order of magnitude. Here the constant is "
            "asked for: what multiplies p once λ² is put in?",
        ),
        ((3580.0, 3660.0), "Nearly: ε stands beside ln(1/δ) as well."),
        ((6650.0, 6850.0), "Twice too many: λ² holds a factor 2."),
        ((7050.0, 7250.0), "The logarithm in λ² is the natural one."),
        ((950.0, 1050.0), "n steps are not special: the answer falls with p."),
        ((57.0, 59.5), "That is the square root of the answer."),
        ((0.0, 1.0), "That is no number of steps: look at the formula again."),
    ),
    hints=(
        "Put λ² into the bound first. Where does T cancel?",
        "Set n²/T equal to the other term, and solve for T.",
    ),
    praise="Beyond this T more steps neither help nor hurt much, because the noise "
    "that they need grows with them. But each still costs n gradients.",
)

EXPLANATION = r"""Put $\lambda^2 = 2T(\ln(1/\delta) + \varepsilon)/\varepsilon^2$ into
the bound. Then

$$\frac{n^2 + p\lambda^2}{T} = \frac{n^2}{T} + \frac{2p\,(\ln(1/\delta) +
\varepsilon)}{\varepsilon^2}.$$

In the second term $T$ has canceled: more steps need more noise in each, and the average
over more steps removes just as much of it again. The two terms are equal at

$$T = \frac{n^2\varepsilon^2}{2p\,(\ln(1/\delta) + \varepsilon)} =
\frac{10^6}{20 \cdot (13.816 + 1)} \approx 3375.$$

*What wrong answers overlook.* $n^2\varepsilon^2/p = 100{,}000$ is the order of
magnitude, without the constant. 6749 forgets the factor 2 in $\lambda^2$, and 3619 the
$\varepsilon$ beside the logarithm. At $T = 3375$ the bound is $\sqrt2$ times its limit,
so the descent has done most of its work."""
