// The front page's game: guess from a noisy count, ten times, whether a record is in it.
// Formulas: closed-forms.js. Places in the pictures: dpteach_book/game.py.
(() => {
  "use strict";
  const { laplaceAbove } = globalThis.dpteachForms;
  const [WITHOUT, WITH, ROUNDS] = [40, 41, 10];
  const [LOW, HIGH, LEFT, TOP, WIDTH, FLOOR] = [30.5, 50.5, 12, 26, 416, 152];

  // What is honest here: the coin, the noise, the best rule and how often it is right.
  const rules = {
    // Laplace noise of scale 1/ε, from a uniform number: the inverse of laplaceAbove.
    noise: (u, epsilon) => (u < 0.5 ? Math.log(2 * u) : -Math.log(2 * (1 - u))) / epsilon,
    deal(epsilon, random = Math.random) {
      const isIn = random() < 0.5;
      const u = Math.max(random(), 1e-300); // 0 has no logarithm
      return { isIn, published: (isIn ? WITH : WITHOUT) + rules.noise(u, epsilon) };
    },
    guess: (published) => published > (WITHOUT + WITH) / 2,
    best: (epsilon) => 1 - (laplaceAbove(0.5, epsilon) + 1 - laplaceAbove(-0.5, epsilon)) / 2,
    thousand(epsilon, random = Math.random) {
      let right = 0;
      for (let k = 0; k < 1000; k += 1) {
        const { isIn, published } = rules.deal(epsilon, random);
        if (rules.guess(published) === isIn) right += 1;
      }
      return right;
    },
  };
  globalThis.dpteachGame = rules; // for the test that holds them equal to Python

  const card = globalThis.document?.querySelector("[data-game]");
  if (!card) return;
  const find = (css) => card.querySelector(css);
  const stops = JSON.parse(card.dataset.game);
  const [slider, output, status] = [find("input"), find("output"), find("[role=status]")];
  const [again, thousand] = [find("[data-again]"), find("[data-thousand]")];
  const guesses = [...card.querySelectorAll("[data-guess]")];
  const marks = [...card.querySelectorAll(".tally li")];
  let [epsilon, dealt, played, right] = [stops[slider.value], null, 0, 0];

  const across = (count) => LEFT + WIDTH * (count - LOW) / (HIGH - LOW);
  const draw = (name, shape, into) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(shape).forEach(([key, value]) => node.setAttribute(key, value));
    into.append(node);
  };
  function bell(center) {
    const points = Array.from({ length: 121 }, (_, k) => {
      const x = LOW + (HIGH - LOW) * k / 120;
      const height = Math.exp(-Math.abs(x - center) * epsilon);
      return `${across(x).toFixed(1)} ${(FLOOR - (FLOOR - TOP) * height).toFixed(1)}`;
    });
    return `M${points.join("L")}`;
  }
  function score(share) {
    const [low, high] = [Math.log(stops[0]), Math.log(stops.at(-1))];
    return [34 + 222 * (Math.log(epsilon) - low) / (high - low), 26 + 126 * (1 - share)];
  }
  function point(share, kind, title) {
    const [x, y] = score(share);
    const shape = { class: kind, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` };
    draw("path", { ...shape, d: kind === "mine" ? "M-4-4h8v8h-8z" : "M0-6l6 6-6 6-6-6z" },
      find(".games"));
    const words = document.createElementNS("http://www.w3.org/2000/svg", "title");
    words.textContent = title;
    find(".games").lastChild.append(words);
  }

  function show() {
    find("path.without").setAttribute("d", bell(WITHOUT));
    find("path.with").setAttribute("d", bell(WITH));
    const [x, y] = score(rules.best(epsilon));
    find(".now").setAttribute("cx", x.toFixed(1));
    find(".now").setAttribute("cy", y.toFixed(1));
    const text = String(epsilon);
    output.textContent = text;
    slider.setAttribute("aria-valuetext", text);
    for (const each of card.querySelectorAll("[data-epsilon]")) each.textContent = text;
    find("[data-best]").textContent = (Math.ceil(1000 * rules.best(epsilon)) / 10).toFixed(1);
  }

  // What lies beyond the picture is shown at its edge; the words have the number.
  const inside = (count) => across(Math.max(LOW, Math.min(HIGH, count))).toFixed(1);

  function deal(before) {
    dealt = rules.deal(epsilon);
    find(".pin").removeAttribute("hidden");
    find(".pin").setAttribute("transform", `translate(${inside(dealt.published)} 0)`);
    ask(before);
  }

  function ask(before) {
    const number = dealt.published.toFixed(2).replace("-", "\u2212");
    status.textContent = `${before}Published: ${number}. Was Ann in?`;
  }

  function begin(before = "") {
    [played, right] = [0, 0];
    find(".past").replaceChildren();
    for (const mark of marks) {
      mark.textContent = "";
      mark.removeAttribute("class");
    }
    for (const button of guesses) button.hidden = false;
    again.hidden = true;
    deal(before);
  }

  function end(before) {
    const best = (10 * rules.best(epsilon)).toFixed(1);
    const held = guesses.includes(document.activeElement);
    for (const button of guesses) button.hidden = true;
    again.hidden = false;
    if (held) again.focus();
    find(".pin").setAttribute("hidden", "");
    status.textContent = `${before}You: ${right} of 10. Best possible: ${best}, on average. `
      + "Now move \u03b5.";
    point(right / 10, "mine", `You, at \u03b5 = ${epsilon}: ${right} of 10`);
  }

  function guess(isIn) {
    const good = isIn === dealt.isIn;
    const fact = `Ann was ${dealt.isIn ? "in" : "out"}.`;
    draw(dealt.isIn ? "circle" : "rect", dealt.isIn
      ? { class: "with", cx: inside(dealt.published), cy: FLOOR - 8, r: 4.5 }
      : { class: "without", x: inside(dealt.published) - 4, y: FLOOR - 12, width: 8, height: 8 },
      find(".past"));
    marks[played].textContent = good ? "\u2713" : "\u2717";
    marks[played].className = good ? "right" : "wrong";
    marks[played].setAttribute("aria-label", good ? "right" : "wrong");
    [played, right] = [played + 1, right + good];
    const before = `${good ? "Right." : "Wrong."} ${fact} `;
    if (played < ROUNDS) deal(before);
    else end(before);
  }

  for (const button of guesses) {
    button.disabled = false;
    button.addEventListener("click", () => guess(button.dataset.guess === "in"));
  }
  again.addEventListener("click", () => {
    const held = document.activeElement === again;
    begin();
    if (held) guesses[0].focus();
  });
  slider.disabled = thousand.disabled = false;
  slider.addEventListener("input", () => {
    epsilon = stops[slider.value];
    show();
    begin("A new game. ");
  });
  thousand.addEventListener("click", () => {
    const share = rules.thousand(epsilon);
    const said = `The best guesser: ${share} of 1,000. `;
    if (played < ROUNDS) ask(said);
    else status.textContent = said;
    point(share / 1000, "machine", `The best guesser, at \u03b5 = ${epsilon}: ${share} of 1,000`);
  });
  show();
  begin();
})();
