// As density_ratio in tilts.py: logistic loss of one score, with and without one record.
({ epsilon, regularization: Lam }, { line, band }, { models }) => {
  const scale = 2 / epsilon;
  // The record pulls by σ(−θ), and curves its loss by σ(θ)σ(−θ).
  const pull = (theta) => 1 / (1 + Math.exp(theta));
  const tilts = models.map((theta) =>
    (Math.abs(Lam * theta) - Math.abs(Lam * theta - pull(theta))) / scale);
  const curved = models.map((theta) => Math.log1p(pull(theta) * pull(-theta) / Lam));
  const whole = tilts.map((tilt, k) => tilt + curved[k]);
  const first = models.map((theta) => Math.log(Lam / (2 * scale)) - Math.abs(Lam * theta) / scale);
  const second = first.map((density, k) => density + whole[k]);
  const top = Math.max(...first, ...second);
  const shown = (densities) => line(models, densities.map((each) => Math.exp(each - top)));
  const all = (value) => models.map(() => value);
  const [tilt, determinant] = [1 / scale, Math.log1p(0.25 / Lam)];
  return {
    marks: [
      shown(first), shown(second), band(models, all(-epsilon), all(epsilon)),
      line(models, whole), line(models, tilts), line(models, curved),
    ],
    numbers: {
      most: Math.max(...whole.map(Math.abs)), tilt, determinant,
      total_epsilon: tilt + determinant, total_delta: 0,
    },
  };
}
