// As guessing_game in guessing.py.
({ epsilon, delta, prior }, { linspace, line, band }) => {
  const grown = Math.exp(epsilon);
  const low = (p) => p / (p + (1 - p) * grown);
  const high = (p) => p * grown / (p * grown + 1 - p);
  // How often the best guess is right: without the output, and what the output adds.
  const right = (p) => {
    const [likely, unlikely] = [Math.max(p, 1 - p), Math.min(p, 1 - p)];
    const more = (grown - likely / unlikely) / (1 + grown);
    return likely + unlikely * (delta + (1 - delta) * Math.max(0, more));
  };
  const beliefs = linspace(0.01, 0.99, 50);
  return {
    marks: [
      band(beliefs, beliefs.map(low), beliefs.map(high)),
      [[0, 0], [1, 1]],
      [[prior, low(prior)], [prior, high(prior)]],
      line(beliefs, beliefs.map(right)),
      [[0, 1], [0.5, 0.5], [1, 1]],
      [[prior, right(prior)]],
    ],
    numbers: {
      low: low(prior), high: high(prior),
      right: 100 * right(prior), blind: 100 * Math.max(prior, 1 - prior),
      total_epsilon: epsilon, total_delta: delta,
    },
  };
}
