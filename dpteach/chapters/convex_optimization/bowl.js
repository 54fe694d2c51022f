// As bowl in steps_and_regret.py: θ ← θ − η(θ₁, 4θ₂), so each weight shrinks by a factor.
({ direction, learning_rate: rate, t }, { line }, { rings, bound }) => {
  const turn = (direction * Math.PI) / 180;
  const steps = Array.from({ length: 20 }, (_, k) => Math.min(k + 1, t));
  const model = (k) => [
    2 * Math.cos(turn) * (1 - rate) ** k, 2 * Math.sin(turn) * (1 - 4 * rate) ** k];
  const risk = (k) => {
    const [x, y] = model(k);
    return (x * x + 4 * y * y) / 2;
  };
  const path = [0, ...steps].map(model);
  return {
    marks: [
      ...rings, path, path, [[0, 0]],
      line(steps, steps.map((k) => Math.max(risk(k), 1e-9))),
      line(bound.map((_, k) => k + 1), bound),
    ],
    numbers: { first: risk(0), last: risk(t) },
  };
}
