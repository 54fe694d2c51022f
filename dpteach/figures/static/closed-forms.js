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
    for (let k = Math.ceil(12 + 360 / (x * x)); k > 0; k -= 1) ratio = x + k / ratio;
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

  // The least miss rate that (ε, δ) allows, against the false alarms: its corners.
  function cornerLine(epsilon, delta) {
    const both = (1 - delta) / (1 + Math.exp(epsilon));
    return { x: [0, both, 1 - delta, 1], y: [1 - delta, both, 0, 0] };
  }

  // As numpy.linspace.
  const linspace = (low, high, count) =>
    Array.from({ length: count }, (_, k) => low + (high - low) * k / (count - 1));

  // The outlines of marks, as marks.py has them: a list of places.
  const line = (x, y) => x.map((each, k) => [each, y[k]]);
  const band = (x, low, high) => [...line(x, low), ...line(x, high).reverse()];

  return {
    solve, normalDensity, normalAbove, normalQuantileAbove,
    laplaceAbove, gaussianDelta, gaussianMu, gaussianEpsilon,
    cornerLine, linspace, line, band,
  };
})();

// A figure in hand computes the states that other figures look up in their tables. What
// is returned here takes the place of the player's own methods: see explore.js.
globalThis.dpteachInHand = (table) => {
  "use strict";
  const UNIT = 8000; // parts of a panel, as in axes.py
  const { shape, keys, stops, axes } = table;

  const RAISED = "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

  // As style.write in Python: three digits, plain where that is readable.
  function numeral(value) {
    if (value === 0) return "0";
    const number = +value.toPrecision(3);
    const [digits, exponent] = Math.abs(number).toExponential().split("e");
    const sign = number < 0 ? "\u2212" : "";
    if (exponent > -4 && exponent < 7) {
      const fixed = Math.abs(number).toFixed(Math.max(0, 2 - exponent));
      const plain = fixed.includes(".") ? fixed.replace(/\.?0+$/, "") : fixed;
      return sign + (exponent < 3 ? plain : plain.replace(/\B(?=(\d{3})+$)/g, ","));
    }
    const raised = String(+exponent).replace(/./g, (c) => RAISED["-0123456789".indexOf(c)]);
    return `${sign}${sign + digits === "1" ? "" : `${digits}\u00b7`}10${raised}`;
  }

  // Of tied sliders, one follows: in each state it is at the stop nearest to its value.
  const [last] = table.order;
  const follows = keys.indexOf(last);

  function position(state) {
    const out = [];
    for (let k = shape.length - 1, rest = state; k >= 0; k -= 1) {
      out[k] = rest % shape[k];
      rest = Math.floor(rest / shape[k]);
    }
    if (last) out.splice(follows, 0, table.follower[state]);
    return out;
  }

  // Without ties every combination is a state; with them the player searches.
  const nearest = (wanted) => wanted.reduce((state, at, k) => state * shape[k] + at, 0);

  // As Axes.place in Python.
  function part(value, [low, high, log]) {
    const share = log
      ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
      : (value - low) / (high - low);
    return Math.max(-4 * UNIT, Math.min(4 * UNIT, Math.round(UNIT * share)));
  }

  function compute(state) {
    const at = position(state);
    const values = Object.fromEntries(keys.map((key, k) => [key, stops[k][at[k]]]));
    delete values[last]; // its value is the function's to compute
    return table.form(values, globalThis.dpteachForms, table.given);
  }

  // The last states are kept: a picture asks for each mark of one.
  const kept = new Map();
  function at(state) {
    if (!kept.has(state)) {
      if (kept.size > 4) kept.delete(kept.keys().next().value);
      const { marks, numbers, follower } = compute(state);
      const places = marks.map((mark, k) => [0, 1].map((axis) =>
        mark.map((point) => part(point[axis], axes[table.marks[k].panel][axis]))));
      kept.set(state, { places, numbers, follower });
    }
    return kept.get(state);
  }

  // Columns of the table say which mark, or which slider, or which text they are.
  table.marks.forEach((mark, k) => {
    [mark.x, mark.y] = [{ mark: k, axis: 0 }, { mark: k, axis: 1 }];
  });
  table.values = table.values.map((words, slider) => ({ words, slider }));
  table.texts = table.texts.map((text) => ({ text }));
  const column = ({ mark, axis }, state) => at(state).places[mark][axis];
  function word({ words, slider, text }, state) {
    if (words) return words[position(state)[slider]];
    const { numbers, follower } = at(state);
    if (slider === follows) return numeral(follower);
    return text.replace(/\{(\w+)\}/g, (all, name) => (name in numbers ? numeral(numbers[name]) : all));
  }

  // Whatever moves, each mark is written anew.
  const row = (_, state) => state;
  const found = { compute, numeral, row, column, word, position };
  return last ? found : { ...found, nearest };
};
