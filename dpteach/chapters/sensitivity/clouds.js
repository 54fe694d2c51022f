// As clouds in noises.py, with the points that it draws at ε = 1.
({ noise, direction, epsilon }, { gaussianMu, linspace, line }, { drawn, half, delta }) => {
  const laplace = noise === "Laplace";
  // How much smaller the noise is than at ε = 1.
  const scale = noise === "Gaussian" ? gaussianMu(1, delta) / gaussianMu(epsilon, delta) : 1 / epsilon;
  const cost = (turn) =>
    (laplace ? (Math.abs(Math.cos(turn)) + Math.abs(Math.sin(turn))) / Math.SQRT2 : 1);
  const turn = direction * Math.PI / 180;
  const [x, y] = [Math.cos(turn), Math.sin(turn)];
  const turns = linspace(0, 2 * Math.PI, 65);
  const outline = half[noise].map(([a, b]) => [a * scale, b * scale]);
  return {
    marks: [
      drawn[noise].map(([a, b]) => [a * scale, b * scale]),
      outline,
      outline.map(([a, b]) => [a + x, b + y]),
      [[0, 0], [x, y]],
      [[x, y]],
      line(turns.map((each) => each * 180 / Math.PI), turns.map(cost)),
      [[0, 1], [360, 1]],
      [[direction, cost(turn)]],
    ],
    numbers: {
      cost: epsilon * cost(turn),
      total_epsilon: epsilon, total_delta: noise === "Gaussian" ? delta : 0,
    },
  };
}
