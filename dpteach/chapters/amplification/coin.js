// As coin in one_step.py.
({ rate, epsilon }, { line }, { steps, outputs }) => {
  const amplified = (each) => Math.log1p(rate * Math.expm1(each));
  const now = amplified(epsilon);
  const noise = (x) => Math.exp(-Math.abs(x)) / 2;
  const apart = -Math.expm1(-epsilon / 2);
  return {
    marks: [
      line(steps, steps),
      line(steps, steps.map(amplified)),
      line(steps, steps.map((each) => rate * each)),
      [[epsilon, now]],
      line(outputs, outputs.map((x) => noise(x))),
      line(outputs, outputs.map((x) => noise(x - epsilon))),
      line(outputs, outputs.map((x) => (1 - rate) * noise(x) + rate * noise(x - epsilon))),
    ],
    numbers: {
      now, less: epsilon / now, alone: 1 / rate, total_epsilon: now, total_delta: 0,
      right: 50 * (1 + rate * apart), caught: 50 * (1 + apart),
    },
  };
}
