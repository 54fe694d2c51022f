// As trade_off_curves in guessing.py.
({ epsilon, delta, false_alarms: alarms },
  { normalAbove, normalQuantileAbove, gaussianMu, cornerLine, linspace, line, band }) => {
  const mu = gaussianMu(epsilon, delta);
  const [promise, response] = [cornerLine(epsilon, delta), cornerLine(epsilon, 0)];
  const thresholds = linspace(-4, 4 + mu, 81);
  const below = (x) => normalAbove(-x);
  const here = below(normalQuantileAbove(alarms) - mu);
  const most = Math.max(0, 1 - delta - Math.exp(epsilon) * alarms,
    Math.exp(-epsilon) * (1 - delta - alarms));
  return {
    marks: [
      line(promise.x, promise.y),
      line(response.x, response.y),
      line(thresholds.map(normalAbove), thresholds.map((x) => below(x - mu))),
      [[0, 1], [1, 0]],
      [[alarms, here]],
      band(promise.x, promise.y, promise.x.map((x) => 1 - x)),
    ],
    numbers: { here, most, total_epsilon: epsilon, total_delta: delta },
  };
}
