// As label in cards.py; the trade-off curve of a Gaussian release is Φ(Φ⁻¹(1 − α) − μ).
({ epsilon, steps }, { gaussianMu, normalAbove, normalQuantileAbove, line }, { alarms, delta }) => {
  const mu = gaussianMu(epsilon, delta);
  const found = (alarm) => normalAbove(normalQuantileAbove(alarm) - mu);
  const one = found(0.01);
  return {
    marks: [line(alarms, alarms.map(found)), line(alarms, alarms), [[0.01, one]]],
    numbers: {
      mu, right: 100 * normalAbove(-mu / 2), found: 100 * one,
      total_epsilon: epsilon, total_delta: delta,
    },
    follower: Math.sqrt(steps) / mu,
  };
}
