// As coin in one_step.py.
({ rate, epsilon }, { line }, { steps }) => {
  const amplified = (each) => Math.log1p(rate * Math.expm1(each));
  const now = amplified(epsilon);
  return {
    marks: [
      line(steps, steps),
      line(steps, steps.map(amplified)),
      line(steps, steps.map((each) => rate * each)),
      [[epsilon, now]],
    ],
    numbers: {
      now, less: epsilon / now, alone: 1 / rate, total_epsilon: now, total_delta: 0,
    },
  };
}
