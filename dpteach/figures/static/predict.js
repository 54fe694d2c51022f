// Predict in the figure: what answers a question is masked until a reader chose, drew or
// placed it, and the guess stays beside the truth. Python wrote the question (predict.py);
// predict.css masks as long as the figure has no data-answered. Answers stay in the browser.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const SKIPPED = "skipped";
  const root = document.documentElement;
  const name = (id) => `answer:${document.body.dataset.page ?? location.pathname}:${id}`;
  const read = (id) => { try { return localStorage.getItem(name(id)); } catch { return null; } };
  const keep = (id, value) => {
    try { localStorage.setItem(name(id), value); } catch { /* every visit asks anew */ }
  };
  const clamp = (x) => Math.max(0, Math.min(1, x));
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const make = (tag, shape, parent) => {
    const node = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(shape)) node.setAttribute(key, value);
    parent.append(node);
    return node;
  };
  const digits = (x) => (Math.abs(x) >= 1000
    ? Math.round(+x.toPrecision(3)).toLocaleString("en") : `${+x.toPrecision(2)}`);
  const axis = (text) => {
    const [low, high, scale] = text.split(",");
    return { low: +low, high: +high, log: scale === "log" };
  };
  const value = (share, { low, high, log }) =>
    (log ? low * (high / low) ** share : low + (high - low) * share);
  // How far off, in words: a factor on an axis of powers, else a difference.
  const distance = (off, { low, high, log }) => {
    const by = log ? `a factor of ${digits(Math.exp(Math.abs(off) * Math.log(high / low)))}`
      : digits(Math.abs(off) * (high - low));
    return `${by} too ${off > 0 ? "high" : "low"}`;
  };

  class Guess {
    constructor(figure, form) {
      Object.assign(this, { figure, form, id: figure.dataset.quiz, data: form.dataset });
      [this.check, this.skip, this.again] = form.querySelectorAll(".dpt-ask-foot button");
      this.verdict = form.querySelector(".dpt-verdict");
      [this.x, this.y] = [axis(this.data.x), axis(this.data.y)];
      this.pictures = this.data.boxes.split(";").map((text) => {
        const [layout, sides] = text.split(":");
        const svg = figure.querySelector(`.dpt-picture .dpt-${layout}`);
        return { svg, box: sides.split(",").map(Number), alt: svg.getAttribute("aria-label") };
      });
      this.build();
      this.check.addEventListener("click", () => this.commit());
      this.skip.addEventListener("click", () => this.answer(SKIPPED, `Skipped. ${this.data.why ?? ""}`, "none"));
      this.again.addEventListener("click", () => this.anew());
      // A link of the text has set the figure: what it is about must be seen.
      figure.addEventListener("dpt-led", () => {
        if (!figure.dataset.answered) this.settle(SKIPPED, "Shown, because a link led here.", "none");
      });
      for (const each of form.querySelectorAll("input, button")) each.disabled = false;
      delete figure.dataset.answered; // the page's head believes what was kept
      const kept = read(this.id);
      if (kept === SKIPPED) this.settle(SKIPPED, "Skipped.", "none");
      else if (kept && !this.recall(kept)) this.clear();
      this.name();
    }
    say(words, kind) {
      const [, first, rest] = words.match(/^([^.:]*[.:]?)(.*)$/s);
      const head = Object.assign(document.createElement("b"), { textContent: first });
      this.verdict.replaceChildren(head, rest);
      this.data.verdict = kind;
    }
    settle(given, words, kind) {
      this.say(words, kind);
      this.figure.dataset.answered = given;
      this.name();
      this.figure.dispatchEvent(new Event("toggle")); // its height is measured anew
    }
    // What is read aloud must not give away what is not seen.
    name() {
      const masked = !this.figure.dataset.answered && root.dataset.answers !== "shown";
      for (const { svg, alt } of this.pictures) {
        svg.setAttribute("aria-label", masked ? this.data.covered : alt);
        svg.setAttribute("role", masked && this.draws ? "group" : "img"); // with handles in it
      }
    }
    // The truth is that of the start, so the figure goes there before it is shown.
    answer(given, words, kind) {
      this.figure.querySelector(".dpt-reset")?.click();
      this.figure.classList.add("dpt-revealed");
      this.settle(given, words, kind);
      keep(this.id, given);
      this.figure.dispatchEvent(new CustomEvent("dpt-answered", { bubbles: true }));
      this.again.focus({ preventScroll: true });
    }
    anew() {
      delete this.figure.dataset.answered;
      this.figure.classList.remove("dpt-revealed");
      this.say("", "none");
      this.clear();
      this.name();
      this.figure.dispatchEvent(new Event("toggle"));
      this.form.querySelector("input, button")?.focus({ preventScroll: true });
    }
    // One transparent sheet a layout, which a hand draws on. It is larger than the panel,
    // because a finger that starts on an axis means it, too.
    sheets(move) {
      for (const picture of this.pictures) {
        const { svg, box: [x, y, width, height] } = picture;
        const group = picture.group = make("g", { class: "dpt-guess" }, svg);
        const pad = make("rect", {
          class: "dpt-pad", x: x - 12, y: y - 12, width: width + 24, height: height + 24,
        }, group);
        let last = null;
        const go = ({ clientX, clientY }) => {
          const hand = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
          const at = [clamp((hand.x - x) / width), clamp((y + height - hand.y) / height)];
          move(at, last ?? at);
          last = at;
        };
        pad.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
        pad.addEventListener("pointerdown", (event) => {
          if (event.button !== 0) return;
          pad.setPointerCapture(event.pointerId);
          go(event);
        });
        pad.addEventListener("pointermove", (event) => last && go(event));
        pad.addEventListener("lostpointercapture", () => { last = null; });
        pad.addEventListener("click", (event) => event.stopPropagation()); // it picks nothing
      }
    }
    begin() { this.figure.dataset.chosen = ""; this.paint(); }
  }

  // One of a few answers, some with a curve. A wrong one may be followed by another.
  class Choose extends Guess {
    build() {
      this.radios = [...this.form.querySelectorAll("input")];
      this.ghosts = [...this.figure.querySelectorAll(".dpt-ghost")];
      for (const radio of this.radios)
        radio.addEventListener("change", () => this.light(radio.value));
      for (const ghost of this.ghosts)
        ghost.addEventListener("click", (event) => {
          event.stopPropagation();
          const radio = this.radios.find((each) => each.value === ghost.dataset.choice);
          if (radio.disabled || this.figure.dataset.answered) return;
          radio.checked = true;
          radio.focus({ preventScroll: true });
          this.light(radio.value);
        });
    }
    light(letter) {
      for (const each of this.ghosts)
        each.toggleAttribute("data-lit", each.dataset.choice === letter);
      this.figure.toggleAttribute("data-chosen", Boolean(letter));
    }
    commit() {
      const radio = this.radios.find((each) => each.checked);
      if (!radio) { this.say("Choose one first.", "none"); return; }
      const tried = this.tried + radio.value;
      if (radio.hasAttribute("data-right")) {
        this.answer(tried, this.judge(radio), "right");
        return;
      }
      this.tried = tried;
      this.say(`Not quite. ${radio.dataset.why} Try again, or have it shown.`, "wrong");
      radio.disabled = true;
      radio.checked = false;
      this.light("");
      for (const each of this.ghosts)
        if (each.dataset.choice === radio.value) each.dataset.wrong = "";
      this.figure.dispatchEvent(new Event("toggle"));
      this.radios.find((each) => !each.disabled)?.focus({ preventScroll: true });
    }
    judge(radio) {
      return `${radio.hasAttribute("data-right") ? "Right." : "Not quite."} ${radio.dataset.why} ${this.data.why ?? ""}`.trim();
    }
    // A wrong choice of an earlier edition counts, and the truth is shown.
    recall(tried) {
      const radio = this.radios.find((each) => each.value === tried.at(-1));
      if (!radio) return false;
      this.light(radio.value);
      this.settle(tried, this.judge(radio), radio.hasAttribute("data-right") ? "right" : "wrong");
      return true;
    }
    tried = "";
    clear() {
      this.tried = "";
      this.light("");
      for (const each of this.ghosts) delete each.dataset.wrong;
      for (const each of this.radios) each.checked = each.disabled = false;
    }
  }

  // A curve, drawn by hand through handles that keys move too.
  class Draw extends Guess {
    get draws() { return true; }
    build() {
      const count = +this.data.handles;
      this.at = Array(count).fill(0.5);
      this.sheets(([x, y], [from, before]) => {
        const [low, high] = [Math.min(x, from), Math.max(x, from)];
        const half = 0.5 / (count - 1);
        this.at.forEach((_, k) => {
          const place = k / (count - 1);
          if (place < low - half || place > high + half) return;
          const share = high > low ? clamp((place - from) / (x - from)) : 1;
          this.at[k] = before + (y - before) * share;
        });
        this.begin();
      });
      for (const picture of this.pictures) {
        const { group } = picture;
        picture.path = make("path", { class: "dpt-drawn" }, group);
        picture.note = make("text", { class: "dpt-drawn-note" }, group);
        picture.handles = this.at.map((_, k) => {
          const node = make("circle", {
            class: "dpt-handle", r: 5, tabindex: k ? -1 : 0, role: "slider",
            "aria-label": `your ${this.data.label}, point ${k + 1} of ${count}`,
            "aria-valuemin": 0, "aria-valuemax": 100,
          }, group);
          node.addEventListener("keydown", (event) => this.key(event, k, picture.handles));
          return node;
        });
      }
      this.paint();
    }
    key(event, k, handles) {
      const up = { ArrowUp: 0.02, ArrowDown: -0.02, PageUp: 0.1, PageDown: -0.1 }[event.key];
      const to = { ArrowRight: k + 1, ArrowLeft: k - 1, Home: 0, End: handles.length - 1 }[event.key];
      const none = up === undefined && to === undefined;
      if (none || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (up) { this.at[k] = clamp(this.at[k] + up); this.begin(); return; }
      const next = handles[Math.max(0, Math.min(handles.length - 1, to))];
      for (const each of handles) each.setAttribute("tabindex", each === next ? 0 : -1);
      next.focus();
    }
    paint() {
      const last = this.at.length - 1;
      for (const { box: [left, top, width, height], path, note, handles } of this.pictures) {
        const ends = this.at.map((y, k) => [left + width * k / last, top + height * (1 - y)]);
        path.setAttribute("d", curve(ends));
        note.textContent = this.figure.hasAttribute("data-chosen") ? "your guess" : "draw here";
        const [x, y] = ends[this.noted ?? Math.floor(last / 2)];
        note.setAttribute("x", Math.max(left + 0.2 * width, Math.min(left + 0.8 * width, x)));
        note.setAttribute("y", y > top + height / 2 ? Math.min(top + height - 4, y + 20)
          : Math.max(top + 12, y - 10));
        handles.forEach((node, k) => {
          node.setAttribute("cx", ends[k][0].toFixed(1));
          node.setAttribute("cy", ends[k][1].toFixed(1));
          node.setAttribute("aria-valuenow", Math.round(100 * this.at[k]));
          node.setAttribute("aria-valuetext", digits(value(this.at[k], this.y)));
        });
      }
    }
    // The mean of how far off, with its sign where one side prevails.
    judge() {
      const truth = this.data.truth.split(",");
      const last = this.at.length - 1;
      const miss = truth.flatMap((y, i) => {
        if (y === "") return []; // the line does not reach here
        const place = last * i / (truth.length - 1);
        const k = Math.min(last - 1, Math.floor(place));
        return [{ k, off: this.at[k] + (this.at[k + 1] - this.at[k]) * (place - k) - clamp(+y) }];
      });
      const far = miss.reduce((a, b) => (Math.abs(b.off) > Math.abs(a.off) ? b : a));
      this.noted = far.k;
      this.paint();
      const away = mean(miss.map(({ off }) => Math.abs(off)));
      const side = mean(miss.map(({ off }) => off));
      const close = away <= +this.data.near;
      const crossed = Math.abs(side) < away / 2; // as often above as below
      const words = crossed ? distance(away, this.y).replace(/ too .*/, " off")
        : distance(Math.sign(side) * away, this.y);
      return [`${close ? "Close" : "Not quite"}: on average ${words}. ${this.data.why}`, close ? "right" : "wrong"];
    }
    commit() {
      if (!this.figure.hasAttribute("data-chosen")) { this.say("Draw your line first.", "none"); return; }
      this.at = this.at.map((y) => +y.toFixed(3)); // as it is kept
      this.answer(this.at.join(), ...this.judge());
    }
    recall(given) {
      const at = given.split(",").map(Number);
      if (at.length !== this.at.length) { // a choice of an earlier edition
        this.settle(SKIPPED, `Answered before. ${this.data.why}`, "none");
        return true;
      }
      this.at = at;
      this.begin();
      this.settle(given, ...this.judge());
      return true;
    }
    clear() {
      delete this.figure.dataset.chosen;
      delete this.noted;
      this.at.fill(0.5);
      this.paint();
    }
  }

  // Through all ends, and smooth, as predict.py draws ghosts.
  function curve(ends) {
    const last = ends.length - 1;
    let path = `M${ends[0].map((v) => v.toFixed(1)).join(" ")}`;
    for (let k = 0; k < last; k += 1) {
      const [p, a, b, n] = [ends[Math.max(0, k - 1)], ends[k], ends[k + 1], ends[Math.min(last, k + 2)]];
      path += `C${[0, 1].map((i) => (a[i] + (b[i] - p[i]) / 6).toFixed(1)).join(" ")} `
        + `${[0, 1].map((i) => (b[i] - (n[i] - a[i]) / 6).toFixed(1)).join(" ")} `
        + b.map((v) => v.toFixed(1)).join(" ");
    }
    return path;
  }

  // A number: an upright line that a hand or a slider moves along the x axis.
  class Place extends Guess {
    build() {
      this.input = this.form.querySelector("input");
      this.output = this.form.querySelector("output");
      this.input.addEventListener("input", () => this.begin());
      this.sheets(([x]) => {
        this.input.value = Math.round(x * this.input.max);
        this.begin();
      });
      for (const picture of this.pictures)
        Object.assign(picture, {
          line: make("path", { class: "dpt-drawn" }, picture.group),
          note: make("text", { class: "dpt-drawn-note" }, picture.group),
          truth: make("path", { class: "dpt-truth" }, picture.group),
          number: make("text", { class: "dpt-truth" }, picture.group),
        });
      this.paint();
    }
    share() { return this.input.value / this.input.max; }
    paint() {
      const words = digits(value(this.share(), this.x));
      this.output.textContent = words;
      this.input.setAttribute("aria-valuetext", words);
      for (const { box: [left, top, width, height], line, note, truth, number } of this.pictures) {
        const put = (share, path, text, label, below) => {
          const x = left + width * share;
          path.setAttribute("d", `M${x.toFixed(1)} ${top}V${top + height}`);
          text.textContent = label;
          text.setAttribute("x", (x + (share > 0.7 ? -6 : 6)).toFixed(1));
          text.setAttribute("y", top + below);
          text.style.textAnchor = share > 0.7 ? "end" : "start";
        };
        const moved = this.figure.hasAttribute("data-chosen");
        put(this.share(), line, note, moved ? `you: ${words}` : "drag me", 14);
        put(+this.data.truth, truth, number, this.data.number, 32);
      }
    }
    judge() {
      const off = this.share() - +this.data.truth;
      const close = Math.abs(off) <= +this.data.near;
      return [`${close ? "Close" : "Not quite"}: ${distance(off, this.x)}. ${this.data.why}`, close ? "right" : "wrong"];
    }
    commit() {
      if (!this.figure.hasAttribute("data-chosen")) { this.say("Move the line first.", "none"); return; }
      this.answer(this.input.value, ...this.judge());
    }
    recall(given) {
      if (!/^\d+$/.test(given)) { // a choice of an earlier edition
        this.settle(SKIPPED, `Answered before. ${this.data.why}`, "none");
        return true;
      }
      this.input.value = given;
      this.begin();
      this.settle(given, ...this.judge());
      return true;
    }
    clear() {
      delete this.figure.dataset.chosen;
      this.input.value = this.input.max / 2;
      this.paint();
    }
  }

  const KINDS = { choose: Choose, draw: Draw, place: Place };
  const start = () => {
    const guesses = [...document.querySelectorAll("figure.dpt[data-quiz]")].map((figure) => {
      const form = figure.querySelector(".dpt-ask");
      return new KINDS[form.dataset.kind](figure, form);
    });
    new MutationObserver(() => guesses.forEach((each) => {
      each.name();
      each.figure.dispatchEvent(new Event("toggle"));
    })).observe(root, { attributeFilter: ["data-answers"] });
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();
