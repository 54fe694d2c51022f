// The book's games: ten guesses about one record, and the best possible score beside them.
// Formulas: closed-forms.js. Places in the pictures: dpteach_book/game.py for the front
// page's, and tracing_game.py for that of the chapter on lower bounds.
(() => {
  "use strict";
  const { laplaceAbove, normalAbove } = globalThis.dpteachForms;
  const ROUNDS = 10;
  const draw = (name, shape, into) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(shape).forEach(([key, value]) => node.setAttribute(key, value));
    into.append(node);
    return node;
  };

  // ---- was Ann in? A count with Laplace noise of scale 1/ε ---------------------------

  const [WITHOUT, WITH] = [40, 41];
  const [LOW, HIGH, LEFT, TOP, WIDTH, FLOOR] = [30.5, 50.5, 12, 26, 416, 152];
  const across = (x) => LEFT + WIDTH * (x - LOW) / (HIGH - LOW);
  // What lies beyond the picture is shown at its edge; the words have the number.
  const inside = (x) => across(Math.max(LOW, Math.min(HIGH, x))).toFixed(1);

  const count = {
    // From a uniform number: the inverse of laplaceAbove.
    noise: (u, epsilon) => (u < 0.5 ? Math.log(2 * u) : -Math.log(2 * (1 - u))) / epsilon,
    deal(epsilon, random = Math.random) {
      const truth = random() < 0.5 ? "in" : "out";
      const u = Math.max(random(), 1e-300); // 0 has no logarithm
      const published = (truth === "in" ? WITH : WITHOUT) + count.noise(u, epsilon);
      return { truth, published };
    },
    guess: ({ published }) => (published > (WITHOUT + WITH) / 2 ? "in" : "out"),
    best: (epsilon) => 1 - (laplaceAbove(0.5, epsilon) + 1 - laplaceAbove(-0.5, epsilon)) / 2,
    ask: ({ published }) => `Published: ${published.toFixed(2).replace("-", "\u2212")}. Was Ann in?`,
    fact: ({ truth }) => `Ann was ${truth}.`,
    move: "Now move \u03b5.",

    bell(center, epsilon) {
      const points = Array.from({ length: 121 }, (_, k) => {
        const x = LOW + (HIGH - LOW) * k / 120;
        const height = Math.exp(-Math.abs(x - center) * epsilon);
        return `${across(x).toFixed(1)} ${(FLOOR - (FLOOR - TOP) * height).toFixed(1)}`;
      });
      return `M${points.join("L")}`;
    },
    place(stops, epsilon, share) {
      const [low, high] = [Math.log(stops[0]), Math.log(stops.at(-1))];
      return [34 + 222 * (Math.log(epsilon) - low) / (high - low), 26 + 126 * (1 - share)];
    },
    show(find, epsilon, stops) {
      find("path.without").setAttribute("d", count.bell(WITHOUT, epsilon));
      find("path.with").setAttribute("d", count.bell(WITH, epsilon));
      const [x, y] = count.place(stops, epsilon, count.best(epsilon));
      find(".now").setAttribute("cx", x.toFixed(1));
      find(".now").setAttribute("cy", y.toFixed(1));
    },
    pose(find, dealt) {
      find(".pin").toggleAttribute("hidden", !dealt);
      if (dealt) find(".pin").setAttribute("transform", `translate(${inside(dealt.published)} 0)`);
    },
    keep(find, { truth, published }) {
      const x = inside(published);
      if (truth === "in") draw("circle", { class: "with", cx: x, cy: FLOOR - 8, r: 4.5 }, find(".past"));
      else draw("rect", { class: "without", x: x - 4, y: FLOOR - 12, width: 8, height: 8 }, find(".past"));
    },
    forget: (find) => find(".past").replaceChildren(),
    // A score beside the curve of the best: the reader's, or that of the best guesser.
    mark(find, epsilon, stops, share, kind, words) {
      const [x, y] = count.place(stops, epsilon, share);
      const d = kind === "mine" ? "M-4-4h8v8h-8z" : "M0-6l6 6-6 6-6-6z";
      const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
      draw("title", {}, draw("path", { class: kind, d, transform }, find(".games")))
        .textContent = `${words} (\u03b5 = ${epsilon})`;
    },
  };

  // ---- Ann or Bob? p signs of one of them, with normal noise on each ------------------

  const NOISE = 4;
  const tracing = {
    normal: (random) => // 1 − u is never 0
      Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    // The two differ in just half of their signs; a coin says whose record was in.
    deal(p, random = Math.random) {
      const ann = Array.from({ length: p }, () => (random() < 0.5 ? 1 : -1));
      const order = ann.map((_, k) => [random(), k]).sort(([a], [b]) => a - b);
      const bob = [...ann];
      for (const [, k] of order.slice(0, p / 2)) bob[k] = -ann[k];
      const truth = random() < 0.5 ? "ann" : "bob";
      const left = (truth === "ann" ? ann : bob).map((sign) => sign + NOISE * tracing.normal(random));
      return { truth, ann, bob, left };
    },
    guess: ({ ann, bob, left }) =>
      (left.reduce((sum, each, k) => sum + each * (ann[k] - bob[k]), 0) > 0 ? "ann" : "bob"),
    best: (p) => 1 - normalAbove(Math.sqrt(p / 2) / NOISE),
    ask: () => "Whose record is in the middle?",
    fact: ({ truth }) => `It was ${truth === "ann" ? "Ann" : "Bob"}\u2019s.`,
    move: "Now move p.",

    // Bars up and down from a line, where the two differ or where they do not.
    bars(values, height, floor, kept) {
      const step = WIDTH / values.length;
      return values.map((value, k) => (kept(k)
        ? `M${(LEFT + step * (k + 0.15)).toFixed(1)} ${floor}v${(-height * value).toFixed(1)}`
          + `h${(step * 0.7).toFixed(1)}V${floor}z` : "")).join("");
    },
    pose(find, dealt) {
      if (!dealt) return; // the last record stays in sight
      const { ann, bob, left } = dealt;
      const differ = (k) => ann[k] !== bob[k];
      const clipped = left.map((each) => Math.max(-13, Math.min(13, each)));
      for (const [name, values, height, floor] of [
        ["ann", ann, 12, 32], ["left", clipped, 2.7, 92], ["bob", bob, 12, 152],
      ]) {
        find(`.${name}`).setAttribute("d", tracing.bars(values, height, floor, differ));
        find(`.${name}.same`).setAttribute("d", tracing.bars(values, height, floor, (k) => !differ(k)));
      }
    },
    show() {}, keep() {}, forget() {}, mark() {},
  };

  // ---- ten rounds --------------------------------------------------------------------

  const games = { count, tracing };
  for (const game of Object.values(games)) {
    game.thousand = (setting, random = Math.random) => {
      let right = 0;
      for (let k = 0; k < 1000; k += 1) {
        const dealt = game.deal(setting, random);
        if (game.guess(dealt) === dealt.truth) right += 1;
      }
      return right;
    };
  }
  globalThis.dpteachGames = games; // for the tests that hold them equal to Python

  function play(card) {
    const game = games[card.dataset.game];
    const find = (css) => card.querySelector(css);
    const stops = JSON.parse(card.dataset.stops);
    const [slider, output, status] = [find("input"), find("output"), find("[role=status]")];
    const [again, thousand] = [find("[data-again]"), find("[data-thousand]")];
    const guesses = [...card.querySelectorAll("[data-guess]")];
    const marks = [...card.querySelectorAll(".tally li")];
    let [setting, dealt, played, right] = [stops[slider.value], null, 0, 0];

    function show() {
      game.show(find, setting, stops);
      const text = String(setting);
      output.textContent = text;
      slider.setAttribute("aria-valuetext", text);
      for (const each of card.querySelectorAll("[data-value]")) each.textContent = text;
      // Rounded up: nobody is right more often.
      find("[data-best]").textContent = (Math.ceil(1000 * game.best(setting)) / 10).toFixed(1);
    }

    function deal(before) {
      dealt = game.deal(setting);
      game.pose(find, dealt);
      status.textContent = before + game.ask(dealt);
    }

    function begin(before = "") {
      [played, right] = [0, 0];
      game.forget(find);
      for (const mark of marks) {
        mark.textContent = "";
        mark.removeAttribute("class");
        mark.removeAttribute("aria-label");
      }
      for (const button of guesses) button.hidden = false;
      again.hidden = true;
      deal(before);
    }

    function end(before) {
      const best = (10 * game.best(setting)).toFixed(1);
      const held = guesses.includes(document.activeElement);
      for (const button of guesses) button.hidden = true;
      again.hidden = false;
      if (held) again.focus();
      game.pose(find, null);
      status.textContent =
        `${before}You: ${right} of 10. Best possible: ${best}, on average. ${game.move}`;
      game.mark(find, setting, stops, right / 10, "mine", `You: ${right} of 10`);
    }

    function guess(answer) {
      const good = answer === dealt.truth;
      game.keep(find, dealt);
      marks[played].textContent = good ? "\u2713" : "\u2717";
      marks[played].className = good ? "right" : "wrong";
      marks[played].setAttribute("aria-label", good ? "right" : "wrong");
      [played, right] = [played + 1, right + good];
      if (played >= 3) card.dataset.played = ""; // its bells are shown: game.css
      const before = `${good ? "Right." : "Wrong."} ${game.fact(dealt)} `;
      if (played < ROUNDS) deal(before);
      else end(before);
    }

    for (const button of guesses) {
      button.disabled = false;
      button.addEventListener("click", () => guess(button.dataset.guess));
    }
    again.addEventListener("click", () => {
      const held = document.activeElement === again;
      begin();
      if (held) guesses[0].focus();
    });
    slider.disabled = thousand.disabled = false;
    slider.addEventListener("input", () => {
      setting = stops[slider.value];
      show();
      begin("A new game. ");
    });
    thousand.addEventListener("click", () => {
      const share = game.thousand(setting);
      const said = `The best guesser: ${share} of 1,000. `;
      status.textContent = played < ROUNDS ? said + game.ask(dealt) : said;
      game.mark(find, setting, stops, share / 1000, "machine", said.trim());
    });
    show();
    begin();
  }

  globalThis.document?.querySelectorAll("[data-game]").forEach(play);
})();
