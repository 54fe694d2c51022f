// As threshold_test in thresholds.py.
({ epsilon, noise, threshold }, { laplaceAbove, normalAbove, gaussianMu, cornerLine, linspace, line, band }) => {
  const laplace = noise === "Laplace";
  const [mu, delta] = laplace ? [0, 0] : [gaussianMu(epsilon, 0.01), 0.01];
  const above = (x) => (laplace ? laplaceAbove(x, epsilon) : normalAbove(mu * x));
  const density = (x) => Math.exp(laplace ? -Math.abs(x) * epsilon : -((mu * x) ** 2) / 2);
  const counts = linspace(-8, 9, 69);
  const zero = counts.map(() => 0);
  const tail = counts.map((x) => Math.max(x, threshold));
  const head = counts.map((x) => Math.min(x, threshold));
  const corner = cornerLine(epsilon, delta);
  const wide = linspace(-30, 31, 245);
  const [alarms, misses] = [above(threshold), 1 - above(threshold - 1)];
  const least = Math.max(0, 1 - delta - Math.exp(epsilon) * alarms,
    Math.exp(-epsilon) * (1 - delta - alarms));
  return {
    marks: [
      band(tail, zero, tail.map(density)),
      band(head, zero, head.map((x) => density(x - 1))),
      line(counts, counts.map((x) => density(x - 1))),
      line(counts, counts.map(density)),
      [[threshold, 0], [threshold, 1.06]],
      [[threshold, 1.06]],
      band(corner.x, corner.y, corner.x.map((x) => 1 - x)),
      [[0, 1], [1, 0]],
      line(wide.map(above), wide.map((x) => 1 - above(x - 1))),
      [[alarms, misses]],
    ],
    numbers: {
      alarms: 100 * alarms, misses: 100 * misses, least: 100 * least,
      total_epsilon: epsilon, total_delta: delta,
    },
  };
}
