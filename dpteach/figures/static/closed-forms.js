// Formulas that pages compute themselves, so that a hand moves them without steps. A test
// holds each equal to Python. No dependencies.
globalThis.dpteachForms = (() => {
  "use strict";

  // Halve an interval until its ends are neighbors; f rises from below 0 to above.
  function solve(f, low, high) {
    for (let k = 0; k < 200; k += 1) {
      const middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      if (f(middle) < 0) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  const normalDensity = (x) => Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);

  // P(Z > x): near 0 by the series of Φ, far out by the continued fraction of Mills' ratio.
  function normalAbove(x) {
    if (x < 0) return 1 - normalAbove(-x);
    if (x < 3) {
      let [term, sum] = [x, x];
      for (let k = 3; term > sum * 1e-17; k += 2) sum += term *= x * x / k;
      return 0.5 - normalDensity(x) * sum;
    }
    let ratio = x;
    for (let k = 150; k > 0; k -= 1) ratio = x + k / ratio;
    return normalDensity(x) / ratio;
  }

  // The x with P(Z > x) = p.
  const normalQuantileAbove = (p) => solve((x) => p - normalAbove(x), -38, 38);

  // P(noise > x), for Laplace noise of scale 1/ε.
  function laplaceAbove(x, epsilon) {
    const tail = Math.exp(-Math.abs(x) * epsilon) / 2;
    return x < 0 ? 1 - tail : tail;
  }

  // The δ of a test between two normal distributions whose means are μ deviations apart.
  const gaussianDelta = (mu, epsilon) => normalAbove(epsilon / mu - mu / 2)
    - Math.exp(epsilon) * normalAbove(epsilon / mu + mu / 2);

  // The μ at which (ε, δ) is met to the last digit, and the ε that μ costs at δ.
  const gaussianMu = (epsilon, delta) =>
    Math.exp(solve((t) => gaussianDelta(Math.exp(t), epsilon) - delta, -14, 5));
  const gaussianEpsilon = (mu, delta) => (gaussianDelta(mu, 0) <= delta ? 0
    : solve((epsilon) => delta - gaussianDelta(mu, epsilon),
      0, mu * mu / 2 + mu * Math.sqrt(2 * Math.log(1 / delta))));

  return {
    solve, normalDensity, normalAbove, normalQuantileAbove,
    laplaceAbove, gaussianDelta, gaussianMu, gaussianEpsilon,
  };
})();
