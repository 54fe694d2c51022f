// As drift in prices.py, with the five walks that it draws at λ = 1, without their drift.
({ noise_multiplier: noise, steps }, { gaussianEpsilon, linspace, line, band }, { T, walks, delta, shown }) => {
  const mean = (t) => t / (2 * noise ** 2);
  const spread = (t) => Math.sqrt(t) / noise;
  const price = (t) => gaussianEpsilon(spread(t), delta);
  const z = linspace(-4, 4, 81);
  const [epsilon, one] = [price(steps), price(1)];
  return {
    marks: [
      line(z.map((each) => steps + 200 * Math.exp(-each * each / 2)),
        z.map((each) => mean(steps) + spread(steps) * each)),
      band(T, T.map((t) => mean(t) - spread(t)), T.map((t) => mean(t) + spread(t))),
      line(T, T.map(mean)),
      ...walks.map((walk) => line(T, walk.map((way, k) => way / noise + mean(T[k])))),
      [[steps, epsilon]],
      line(shown, shown.map((t) => t * one)),
      line(shown, shown.map(price)),
      line(shown, shown.map(mean)),
      [[steps, epsilon]],
    ],
    numbers: {
      mean: mean(steps), spread: spread(steps), price: epsilon, sum: steps * one,
      total_epsilon: epsilon, total_delta: delta,
    },
  };
}
