// Plays the figures of the book: native sliders move what Python computed. No dependencies.
(() => {
  "use strict";
  const UNIT = 8000; // parts of a panel, as in axes.py
  const root = new URL("figures/", document.currentScript.src); // beside this script
  const waiting = new Map(); // figure id -> what to do with its table
  window.dpteachTable = (id, hash, table) => waiting.get(id)?.(hash, table);

  // ---- the table ------------------------------------------------------------------

  function fetchTable(figure) {
    return new Promise((resolve, reject) => {
      const { table, hash } = figure.dataset;
      waiting.set(figure.id, (found, content) => {
        if (found === hash) resolve(content);
        else reject(new Error(`${table} belongs to another version of this page`));
      });
      const script = document.createElement("script");
      script.src = new URL(`${table}?v=${hash}`, root);
      script.onerror = () => reject(new Error(`${table} could not be loaded`));
      document.head.append(script);
    });
  }

  async function inflate(text) {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream();
    const raw = stream.pipeThrough(new DecompressionStream("deflate-raw"));
    return new Int16Array(await new Response(raw).arrayBuffer());
  }

  // Undo the delta code of one column: each row is a first number, then differences.
  function sumUp(data, column, shape) {
    const rows = column.axes.reduce((count, axis) => count * shape[axis], 1);
    for (let row = 0, o = column.at; row < rows; row += 1, o += column.n)
      for (let i = 1; i < column.n; i += 1) data[o + i] += data[o + i - 1];
  }

  // ---- triangles where a mark leaves its panel: see _edges.py, which says why ----------

  const [LONG, HALF, SLACK, APART] = [8, 4.5, 0.5, 9];
  const tenths = (value) => Math.floor(value * 10 + 0.5) / 10;
  const excess = ([x, y], [left, low, right, high]) => [left - x, low - y, x - right, y - high];

  function crossings(start, end, box) {
    let [enter, leave] = [0, 1];
    const [starts, ends] = [excess(start, box), excess(end, box)];
    for (let side = 0; side < 4; side += 1) {
      const [one, other] = [starts[side], ends[side]];
      if (one > SLACK && other > SLACK) return [];
      if (one > SLACK) enter = Math.max(enter, (one - SLACK) / (one - other));
      else if (other > SLACK) leave = Math.min(leave, (one - SLACK) / (one - other));
    }
    if (enter > leave) return [];
    return [enter, leave].filter((share) => share > 0 && share < 1)
      .map((share) => start.map((a, axis) => a + share * (end[axis] - a)));
  }

  function exits(points, box, joined) {
    const far = points.map((point) => Math.max(...excess(point, box)));
    let places = points.filter((_, k) => far[k] > SLACK);
    if (joined && places.length) {
      places = points.slice(1).flatMap((point, k) => crossings(points[k], point, box));
      if (!places.length) places = [points[far.indexOf(Math.min(...far))]];
    }
    const [left, low, right, high] = box;
    const found = [];
    for (const place of places) {
      const over = excess(place, box);
      const [across, up] = [[-1, 0], [0, -1], [1, 0], [0, 1]][over.indexOf(Math.max(...over))];
      const x = Math.min(Math.max(place[0], left), right);
      const y = Math.min(Math.max(place[1], low), high);
      const near = (other) => across === other[2] && up === other[3]
        && Math.max(Math.abs(x - other[0]), Math.abs(y - other[1])) < APART;
      if (!found.some(near)) found.push([x, y, across, up]);
    }
    return found;
  }

  const triangles = (found) => found.map(([x, y, across, up]) => "M" + [
    [x, y],
    [x - LONG * across - HALF * up, y - LONG * up + HALF * across],
    [x - LONG * across + HALF * up, y - LONG * up - HALF * across],
  ].map((corner) => corner.map(tenths).join(" ")).join("L") + "z").join("");

  // ---- what a hand moves -----------------------------------------------------------

  // A slider, or buttons for words of which one is chosen: its last stop, and how it shows
  // the stop where it is.
  function control(row) {
    const inputs = row.querySelectorAll("input");
    const [slider] = inputs;
    if (slider.type === "radio")
      return { last: inputs.length - 1, show: (at) => { inputs[at].checked = true; } };
    const output = row.querySelector("output");
    return {
      last: +slider.max,
      show(at, text) {
        slider.value = at;
        if (output.textContent === text) return;
        slider.setAttribute("aria-valuetext", text);
        output.textContent = text;
      },
    };
  }

  // ---- one figure -----------------------------------------------------------------

  class Player {
    constructor(figure, table, data) {
      Object.assign(this, { figure, table, data });
      const { shape, keys } = table;
      if (table.form) Object.assign(this, dpteachInHand(table)); // it computes its states
      else {
        for (const mark of table.marks)
          for (const column of [mark.x, mark.y, mark.shade])
            if (column) sumUp(data, column, shape);
        sumUp(data, table.positions, shape);
      }
      this.count = shape.reduce((a, b) => a * b, 1);
      this.state = table.start;
      this.recent = [...table.order];
      this.rows = keys.map((key) => figure.querySelector(`.dpt-slider[data-key="${key}"]`));
      this.inputs = this.rows.map(control);
      this.paths = {};
      for (const layout of Object.keys(table.boxes))
        this.paths[layout] = table.marks.map((mark, k) =>
          Array.from({ length: (mark.shades ?? 1) + 1 }, (_, s) =>
            document.getElementById(`${figure.id}-${layout}-${k}-${s}`)));
      this.spoken = [...figure.querySelectorAll("[data-text]")];
      this.badges = [...figure.querySelectorAll(".dpt-cost")].map((cost) =>
        [cost.querySelector("summary [aria-live]"), +cost.querySelector("p").dataset.text]);
      this.pictures = Object.keys(table.boxes).map((layout) =>
        [layout, figure.querySelector(`.dpt-picture .dpt-${layout}`)]);
      this.rowsDrawn = Object.fromEntries(this.pictures.map(([layout]) => [layout, []]));
      this.rings = Object.fromEntries(this.pictures.map(([layout, svg]) =>
        [layout, table.marks.map((mark, k) => mark.moves && this.ring(mark, layout, svg, k))]));
      this.names = new dpteachLabels(figure, table, Object.fromEntries(this.pictures));
      this.frame = 0;
      this.playing = 0;
      this.listen();
      this.watch();
      figure.querySelector(".dpt-controls").disabled = false;
      figure.querySelector(".dpt-reset").disabled = false;
      this.draw();
      this.hold();
      if (figure.dataset.plays) this.clock(figure.dataset.plays);
      if (figure.dataset.picks) this.pick(figure.dataset.picks);
      const list = figure.querySelector(".dpt-walk");
      if (list) this.walk(list);
    }

    // Which row of a column holds a state: it has the sliders that it depends on alone.
    row(axes, state) {
      const { shape } = this.table;
      let row = 0;
      for (const axis of axes) {
        let below = 1;
        for (let k = axis + 1; k < shape.length; k += 1) below *= shape[k];
        row = row * shape[axis] + (Math.floor(state / below) % shape[axis]);
      }
      return row;
    }

    column(column, state) {
      const at = column.at + column.n * this.row(column.axes, state);
      return this.data.subarray(at, at + column.n);
    }

    word(column, state) {
      return column.words[column.which[this.row(column.axes, state)]];
    }

    position(state) {
      return this.column(this.table.positions, state);
    }

    // The same rule as States.move in Python: the moved slider comes as near as it can,
    // then sliders that are not tied stay, then the more recently touched.
    reach(key, to) {
      const { keys, order } = this.table;
      const tied = this.recent.filter((name) => name !== key).reverse();
      const free = keys.filter((name) => name !== key && !order.includes(name));
      const ranks = [key, ...free, ...tied].map((name) => keys.indexOf(name));
      const wanted = [...this.position(this.state)];
      wanted[keys.indexOf(key)] = to;
      return this.nearest(wanted, ranks);
    }

    move(key, to) {
      this.note?.remove();
      this.state = this.reach(key, to);
      if (this.recent.includes(key))
        this.recent = [...this.recent.filter((name) => name !== key), key];
      this.later();
    }

    nearest(wanted, ranks) {
      let [best, found] = [0, this.position(0)];
      for (let state = 1; state < this.count; state += 1) {
        const position = this.position(state);
        const nearer = (k) => Math.abs(position[k] - wanted[k]) - Math.abs(found[k] - wanted[k]);
        const first = ranks.find(nearer); // where the two are not equally near
        if (first !== undefined && nearer(first) < 0) [best, found] = [state, position];
      }
      return best;
    }

    listen() {
      this.rows.forEach((row, k) =>
        row.addEventListener("input", ({ target }) =>
          this.move(this.table.keys[k], +target.value)));
      this.figure.querySelector(".dpt-reset").addEventListener("click", () => {
        [this.state, this.recent] = [this.table.start, [...this.table.order]];
        this.later();
      });
    }

    later() {
      this.frame ||= requestAnimationFrame(() => {
        this.frame = 0;
        this.draw();
        if (!this.playing) this.address();
      });
    }

    // Of a figure's two layouts, wide and narrow, only the one that is seen is drawn. All
    // are for the printer, which chooses for itself.
    watch() {
      this.seen = this.pictures.map(([layout]) => layout);
      const observer = new ResizeObserver((entries) => {
        for (const { target, contentRect } of entries) target.dptSeen = contentRect.width > 0;
        const seen = this.pictures.filter(([, svg]) => svg.dptSeen).map(([layout]) => layout);
        if (seen.length) this.seen = seen;
        this.seen.forEach((layout) => this.paint(layout));
      });
      this.pictures.forEach(([, svg]) => observer.observe(svg));
      addEventListener("beforeprint", () =>
        this.pictures.forEach(([layout]) => this.paint(layout)));
    }

    // A figure that moves keeps its height, so that the page around it stays where it is
    // and need not be laid out again. It grows with its sentences, and begins anew when
    // its width changes.
    hold() {
      const { figure } = this;
      let [width, height] = [0, 0];
      const fit = () => {
        const box = figure.getBoundingClientRect();
        if (box.width === 0) return; // it is not shown
        const { paddingBottom, borderBottomWidth } = getComputedStyle(figure);
        const last = [...figure.children].findLast((part) => part.offsetHeight > 0);
        const end = last.getBoundingClientRect().bottom;
        const needed = end - box.top + parseFloat(paddingBottom) + parseFloat(borderBottomWidth);
        height = box.width === width ? Math.max(height, needed) : needed;
        width = box.width;
        figure.style.height = `${height}px`;
        figure.dataset.held = "";
      };
      const observer = new ResizeObserver(fit);
      for (const part of figure.children) observer.observe(part);
      // What is folded again gives its room back.
      figure.addEventListener("toggle", () => { height = 0; fit(); }, true);
    }

    paint(layout) {
      const { table, state } = this;
      let moved = false;
      table.marks.forEach((mark, k) => {
        const columns = [mark.x, mark.y, ...(mark.shade ? [mark.shade] : [])];
        const rows = columns.map((column) => this.row(column.axes, state)).join();
        if (rows === this.rowsDrawn[layout][k]) return; // it does not depend on what moved
        this.rowsDrawn[layout][k] = rows;
        moved = true;
        this.write(mark, table.boxes[layout][mark.panel]).forEach((path, s) =>
          this.paths[layout][k][s].setAttribute("d", path));
        if (!mark.moves) return;
        const { x, y } = this.place(mark, layout, state);
        this.rings[layout][k].setAttribute("transform", `translate(${x} ${y})`);
      });
      if (moved || this.names.last !== layout) this.name(layout);
    }

    // Give the names of the curves their places.
    name(layout) {
      if (!this.names.in[layout].length) return;
      const { marks, boxes } = this.table;
      const points = marks.map((mark) => this.corners(mark, [0, 0, ...boxes[layout][mark.panel].slice(2)]));
      points.shades = marks.map((mark) => mark.shade && this.column(mark.shade, this.state));
      this.names.place(layout, points);
    }

    // The points of a mark in a box, in tenths of its units.
    corners(mark, [left, top, width, height]) {
      const [x, y] = [mark.x, mark.y].map((column) => this.column(column, this.state));
      return Array.from(x, (_, i) => [
        tenths(left + x[i] * (width / UNIT)), tenths(top + height - y[i] * (height / UNIT))]);
    }

    // Where the first point of a mark lies, in the units of the drawing.
    place(mark, layout, state) {
      const [left, top, width, height] = this.table.boxes[layout][mark.panel];
      const [x, y] = [mark.x, mark.y].map((column) => this.column(column, state)[0] / UNIT);
      return { x: left + x * width, y: top + height - y * height };
    }

    draw() {
      const { table, state } = this;
      this.seen.forEach((layout) => this.paint(layout));
      this.figure.toggleAttribute("data-moved", state !== table.start); // see predict.css
      const position = this.position(state);
      table.keys.forEach((key, k) => {
        this.inputs[k].show(position[k], this.word(table.values[k], state));
        this.rows[k].toggleAttribute("data-follows", this.recent[0] === key);
      });
      for (const line of this.spoken)
        this.say(line, this.word(table.texts[+line.dataset.text], state));
      for (const [badge, k] of this.badges) {
        // As _page.badge in Python.
        const [short] = this.word(table.texts[k], state).split(", when");
        const words = short.replace("Total privacy cost: ", "").replaceAll(" = ", "\u00a0=\u00a0");
        if (badge.textContent !== words) badge.textContent = words;
      }
      if (this.steps) this.step();
    }

    // The same characters as render.paths in Python: tenths of a pixel, half up. The last
    // path is that of the triangles at the edge.
    write(mark, [left, top, width, height]) {
      const at = this.corners(mark, [left, top, width, height]);
      const edges = (points, joined) =>
        triangles(exits(points, [left, top, left + width, top + height], joined));
      const ends = at.map((end) => end.join(" "));
      if (mark.pen === "line") return ["M" + ends.join("L"), edges(at, true)];
      if (mark.pen === "area")
        return ["M" + ends.join("L") + "z", edges([...at, at[0]], true)];
      if (mark.pen === "points")
        return [ends.map((end) => `M${end}${mark.glyph}`).join(""), edges(at)];
      const out = Array.from({ length: mark.shades ?? 1 }, () => "");
      const shade = mark.shade ? this.column(mark.shade, this.state) : null;
      const middles = [];
      for (let i = 0; i < at.length; i += 2) {
        if (shade?.[i / 2] === 0) continue; // an empty cell is not seen
        const [[from, low], [to, high]] = [at[i], at[i + 1]];
        out[shade ? shade[i / 2] : 0] += `M${from} ${low}H${to}V${high}H${from}z`;
        middles.push([(from + to) / 2, low], [(from + to) / 2, high]);
      }
      return [...out, edges(middles)];
    }

    // A sentence: words, and numbers that can be moved. These stay in place, and in focus.
    say(line, text) {
      const { keys, values } = this.table;
      const parts = text.replaceAll(" = ", "\u00a0=\u00a0").split(/\{(\w+)\}/);
      if (line.childNodes.length !== parts.length || !line.dataset.ready) {
        line.replaceChildren(...parts.map((part, k) =>
          k % 2 ? this.number(part) : document.createTextNode("")));
        line.dataset.ready = "true";
      }
      parts.forEach((part, k) => {
        const [node, key] = [line.childNodes[k], keys.indexOf(part)];
        const words = k % 2 ? this.word(values[key], this.state) : part;
        if (node.textContent === words) return;
        node.textContent = words;
        const ariaValueNow = k % 2 && this.position(this.state)[key];
        if (k % 2) Object.assign(node, { ariaValueNow, ariaValueText: words });
      });
    }

    // A number in a sentence is a slider too: arrow keys and a drag move it, and a tap
    // goes on to the next stop.
    number(key) {
      const k = this.table.keys.indexOf(key);
      const { last } = this.inputs[k];
      const at = () => this.position(this.state)[k];
      const go = (to) => this.move(key, Math.max(0, Math.min(last, to)));
      const node = Object.assign(document.createElement("b"), {
        className: "dpt-number", tabIndex: 0, role: "slider", ariaValueMin: 0, ariaValueMax: last,
        ariaLabel: this.rows[k].querySelector(".dpt-name").firstChild.data.trim(),
        title: "Drag, tap or use the arrow keys",
      });
      node.dataset.key = key;
      const far = Math.ceil(last / 10);
      const keys = {
        ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1,
        PageDown: -far, PageUp: far, Home: -last, End: last,
      };
      node.addEventListener("keydown", (event) => {
        const other = event.altKey || event.ctrlKey || event.metaKey; // the browser's own
        if (other || !(event.key in keys)) return;
        event.preventDefault();
        go(at() + keys[event.key]);
      });
      const width = Math.max(1.5, Math.min(16, 240 / last)); // pixels of a stop
      let hand = null;
      let dragged = false;
      node.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        node.setPointerCapture(event.pointerId);
        [hand, dragged] = [{ x: event.clientX, y: event.clientY, at: at() }, false];
      });
      // A finger that moves sideways drags; one that moves up or down scrolls the page.
      // (Within a line of text touch-action has no effect.)
      node.addEventListener("touchmove", (event) => {
        const [{ clientX, clientY }] = event.touches;
        const across = hand && Math.abs(clientX - hand.x) > Math.abs(clientY - hand.y);
        if (across || dragged) event.preventDefault();
      }, { passive: false });
      node.addEventListener("pointermove", (event) => {
        const stops = hand ? Math.round((event.clientX - hand.x) / width) : 0;
        dragged ||= stops !== 0;
        if (hand && dragged) go(hand.at + stops);
      });
      node.addEventListener("lostpointercapture", () => { hand = null; });
      node.addEventListener("click", () => dragged || go(at() < last ? at() + 1 : 0));
      return node;
    }

    // A point with a ring is dragged. It goes to the stop of its slider at which it lies
    // nearest to the hand. The slider is still there, for keys.
    ring(mark, layout, svg, k) {
      const make = (name, shape) => {
        const node = document.createElementNS(svg.namespaceURI, name);
        Object.entries(shape).forEach(([key, value]) => node.setAttribute(key, value));
        return node;
      };
      const ring = make("g", { class: "dpt-ring" });
      ring.toggleAttribute("data-hides", this.paths[layout][k][0].hasAttribute("data-hides"));
      ring.append(make("circle", { r: 22 }), make("circle", { r: 11 }));
      svg.append(ring);
      const hand = (event) => new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(svg.getScreenCTM().inverse());
      let held = null;
      // A finger on it does not scroll; within a drawing touch-action has no effect.
      ring.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
      ring.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        ring.setPointerCapture(event.pointerId);
        const [from, here] = [hand(event), this.place(mark, layout, this.state)];
        const { last } = this.inputs[this.table.keys.indexOf(mark.moves)];
        const stops = Array.from({ length: last + 1 }, (_, to) =>
          this.place(mark, layout, this.reach(mark.moves, to)));
        held = { stops, x: here.x - from.x, y: here.y - from.y };
      });
      ring.addEventListener("pointermove", (event) => {
        if (!held) return;
        const at = hand(event);
        const miss = held.stops.map(({ x, y }) => Math.hypot(x - at.x - held.x, y - at.y - held.y));
        this.move(mark.moves, miss.indexOf(Math.min(...miss)));
      });
      ring.addEventListener("lostpointercapture", () => { held = null; });
      return ring;
    }

    // A click in a panel moves one slider to the stop that lies nearest on its x axis.
    pick(key) {
      const places = JSON.parse(this.figure.dataset.places);
      this.figure.querySelector(".dpt-picture").addEventListener("click", (event) => {
        if (event.target.closest(".dpt-ring")) return; // it was dragged
        const svg = event.target.closest("svg");
        const layout = svg?.getAttribute("class").replace("dpt-", "");
        const at = svg && new DOMPoint(event.clientX, event.clientY)
          .matrixTransform(svg.getScreenCTM().inverse());
        (this.table.boxes[layout] ?? []).forEach(([left, top, width, height], panel) => {
          const [x, y] = [(at.x - left) / width, (at.y - top) / height];
          if (Math.min(x, y) < 0 || Math.max(x, y) > 1) return;
          const miss = places[panel].map((place) => Math.abs(place - x * UNIT));
          this.move(key, miss.indexOf(Math.min(...miss)));
        });
      });
    }

    // Let one slider run, a stop at a time, to its end. Each state is one that Python
    // computed. It waits while the picture is out of sight, and stops at the first touch
    // of anything else. For readers who want less motion nothing runs before they press Play.
    clock(key) {
      const k = this.table.keys.indexOf(key);
      const { last } = this.inputs[k];
      const box = this.figure.querySelector(".dpt-clock");
      const [button, speed] = [box.querySelector(".dpt-play"), box.querySelector("select")];
      const live = this.figure.querySelectorAll("[aria-live]");
      const calm = matchMedia("(prefers-reduced-motion: reduce)");
      const at = () => this.position(this.state)[k];
      let [seen, ran] = [false, false];
      const show = () => {
        const again = ran && at() === last;
        button.textContent = this.playing ? "Pause" : again ? "Play again" : "Play";
        button.ariaPressed = `${this.playing > 0}`;
        for (const each of live) each.ariaLive = this.playing ? "off" : "polite";
      };
      const stop = () => {
        if (!this.playing) return;
        clearInterval(this.playing);
        this.playing = 0;
        show();
        this.address();
      };
      const step = () => {
        if (!seen || document.hidden) return;
        if (at() < last) this.move(key, at() + 1);
        if (at() >= last) stop();
      };
      // A whole run takes some eight seconds.
      const pace = () => Math.max(60, Math.min(700, 8000 / last)) / +speed.value;
      const start = () => {
        if (at() === last) this.move(key, 0);
        ran = true;
        this.playing = setInterval(step, pace());
        show();
      };
      button.addEventListener("click", () => (this.playing ? stop() : start()));
      speed.addEventListener("change", () => {
        if (!this.playing) return;
        clearInterval(this.playing);
        this.playing = setInterval(step, pace());
      });
      for (const each of box.querySelectorAll("[data-step]"))
        each.addEventListener("click", () => {
          stop();
          this.move(key, Math.max(0, Math.min(last, at() + +each.dataset.step)));
          show();
        });
      for (const touch of ["pointerdown", "keydown"])
        this.figure.addEventListener(touch, ({ target, key: pressed }) => {
          if (box.contains(target) || pressed === "Tab") return;
          stop();
        });
      this.figure.addEventListener("input", ({ target }) => target !== speed && show());
      this.figure.querySelector(".dpt-reset").addEventListener("click", () => { stop(); show(); });
      calm.addEventListener("change", () => calm.matches && stop());
      show();
      // What opens a chapter runs once by itself, where motion is welcome.
      const opens = this.figure.closest(".opening") && !location.hash;
      const masked = "quiz" in this.figure.dataset && !this.figure.dataset.answered;
      if (opens && !masked && !calm.matches)
        setTimeout(() => {
          if (document.hidden || this.playing || this.state !== this.table.start) return;
          this.state = this.reach(key, 0);
          start();
        }, 1200);
      new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; }, { threshold: 0.5 })
        .observe(this.figure.querySelector(".dpt-picture"));
    }

    // Of the steps of a walk one is seen, the one whose link sets what the figure shows.
    // The slider that plays leads from one to the next.
    walk(list) {
      this.steps = [...list.children].map((step) =>
        [step, [...new URLSearchParams(step.querySelector('a[href*="?"]').hash.split("?")[1])]]);
      this.step();
    }

    step() {
      const { keys, links } = this.table;
      const position = this.position(this.state);
      const holds = ([key, value]) => +links[keys.indexOf(key)][position[keys.indexOf(key)]] === +value;
      const now = this.steps.findIndex(([, query]) => query.every(holds));
      if (now < 0) return; // the figure is elsewhere: the last step stays
      this.steps.forEach(([step], k) => step.toggleAttribute("data-now", k === now));
    }

    // ---- addresses: #id?epsilon=1&steps=100 ----

    address() {
      clearTimeout(this.writing);
      this.writing = setTimeout(() => {
        const position = this.position(this.state);
        const { keys, links } = this.table;
        const query = keys.map((key, k) => `${key}=${links[k][position[k]]}`).join("&");
        history.replaceState(history.state, "", `#${this.figure.id}?${query}`);
      }, 300);
    }

    open(query) {
      const wanted = new URLSearchParams(query);
      const { keys, links, order } = this.table;
      // What follows at the start is asked last: the others fix it.
      const given = keys
        .filter((key) => wanted.has(key))
        .sort((a, b) => (a === order[0]) - (b === order[0]));
      const position = [...this.position(this.state)];
      const missed = [];
      for (const key of given) {
        const k = keys.indexOf(key);
        position[k] = closest(links[k], wanted.get(key));
        const [found, asked] = [links[k][position[k]], wanted.get(key)];
        if (found !== asked && +found !== +asked) missed.push(key);
      }
      const held = [...this.recent].reverse().filter((key) => !given.includes(key));
      const free = keys.filter((key) => !given.includes(key) && !held.includes(key));
      const ranks = [...given, ...free, ...held].map((key) => keys.indexOf(key));
      this.state = this.nearest(position, ranks);
      this.tell(missed.map((key) => [key, wanted.get(key)]));
      this.later();
    }

    // A link asked for what no stop of a slider is: say so, until something is moved.
    tell(missed) {
      this.note?.remove();
      if (!missed.length) return;
      const { keys, values } = this.table;
      const parts = missed.map(([key, value]) => {
        const k = keys.indexOf(key);
        const [word, symbol] = this.rows[k].querySelector(".dpt-name").childNodes;
        const name = `${word.data}${symbol.textContent}`.trim();
        return `${name} ${value.slice(0, 20)}, and the nearest here is ${this.word(values[k], this.state)}`;
      });
      this.note = document.createElement("p");
      this.note.className = "dpt-note";
      this.note.textContent = `The link asks for ${parts.join("; for ")}.`;
      this.figure.querySelector(".dpt-said").append(this.note);
    }
  }

  function closest(links, value) {
    const exact = links.indexOf(value);
    if (exact >= 0 || Number.isNaN(+value)) return Math.max(exact, 0);
    const miss = links.map((link) => Math.abs(link - value));
    return miss.indexOf(Math.min(...miss));
  }

  // ---- questions: predict, then reveal; the answer stays in this browser ------------

  const SKIPPED = "skipped";
  const kept = {
    name: (id) => `answer:${document.body.dataset.page ?? location.pathname}:${id}`,
    read(id) {
      try {
        return localStorage.getItem(this.name(id));
      } catch {
        return null; // the reader's browser keeps nothing: every visit asks anew
      }
    },
    write(id, value) {
      try {
        localStorage.setItem(this.name(id), value);
      } catch {
        // as above
      }
    },
  };

  // A choice, right or wrong, is an answer, and so is "skip": data-answered says which,
  // and the event "dpt-answered" tells the page, which holds back what comes after.
  function ask(quiz) {
    const id = quiz.dataset.quiz;
    const [check, skip] = quiz.querySelectorAll(".dpt-quiz-foot button");
    const radios = [...quiz.querySelectorAll("input")];
    const answers = quiz.querySelector(".dpt-answers");
    const verdict = quiz.querySelector(".dpt-verdict");
    const say = (word, kind) => {
      verdict.textContent = word;
      quiz.dataset.verdict = kind;
    };
    const settle = (open) => {
      answers.hidden = false;
      answers.open = open;
      skip.hidden = true;
    };
    const judge = (radio) => {
      const right = radio.hasAttribute("data-right");
      const { why } = radio.dataset;
      say(`${right ? "Right." : "Not quite."} ${why}`, right ? "right" : "wrong");
      if (right) settle(false);
      quiz.dataset.answered = radio.value;
    };
    const pass = (open) => {
      say("Skipped.", "none");
      settle(open);
      quiz.dataset.answered = SKIPPED;
    };
    const commit = () => {
      kept.write(id, quiz.dataset.answered);
      quiz.dispatchEvent(new CustomEvent("dpt-answered", { bubbles: true }));
    };
    check.addEventListener("click", () => {
      const radio = radios.find((each) => each.checked);
      if (!radio) return say("Choose an answer first.", "none");
      judge(radio);
      return commit();
    });
    skip.addEventListener("click", () => {
      if (quiz.dataset.answered) return settle(true); // it was answered, if not rightly
      pass(true);
      return commit();
    });
    for (const each of [...radios, check, skip]) each.disabled = false;
    answers.hidden = true;
    delete quiz.dataset.answered; // the page's head believes what was kept; here it is read
    const given = kept.read(id);
    const before = radios.find((radio) => radio.value === given);
    if (given === SKIPPED) pass(false);
    if (before) {
      before.checked = true;
      judge(before);
    }
  }

  // ---- the page -------------------------------------------------------------------

  const players = new Map(); // figure -> promise of its player

  function wake(figure) {
    if (!players.has(figure)) {
      const player = fetchTable(figure).then(
        async (table) => new Player(figure, table, table.data && await inflate(table.data)));
      player.catch((error) => {
        const note = document.createElement("p");
        note.className = "dpt-failed";
        note.textContent = `This figure stays as it is: ${error.message}.`;
        figure.querySelector(".dpt-reset").remove();
        figure.querySelector(".dpt-controls").replaceWith(note);
        console.error(error);
      });
      players.set(figure, player);
    }
    return players.get(figure);
  }

  async function follow() {
    // Whatever an address holds, URLSearchParams reads it. Mail programs may write ? as %3F.
    const [id, query] = location.hash.slice(1).split(/\?|%3F/i);
    const figure = query === undefined ? null : document.getElementById(id);
    if (!figure?.dataset.table) return;
    const fold = (within) => within?.closest("details:not([open])");
    for (let each = fold(figure); each; each = fold(each.parentElement)) each.open = true;
    const near = inView(figure);
    if (!near) figure.scrollIntoView();
    (await wake(figure)).open(query);
    figure.dispatchEvent(new Event("dpt-led")); // a masked figure shows what it is set to
    // What stands above may have grown meanwhile, and not every browser holds the place.
    if (!near) requestAnimationFrame(() => figure.scrollIntoView({ behavior: "instant" }));
  }

  // Whether the picture of a figure is seen as a whole, below the bar of the page, where a
  // picture may also stay while what is below it moves.
  function inView(figure) {
    const picture = figure.querySelector(".dpt-picture");
    const { top, bottom, height } = picture.getBoundingClientRect();
    const { position, top: stays } = getComputedStyle(picture);
    const bar = position === "sticky" ? stays : getComputedStyle(figure).scrollMarginTop;
    return height > 0 && top >= parseFloat(bar) - 1 && bottom <= innerHeight;
  }

  // "Set q = 1" in a text is a link to a state of a figure. It works also when the address
  // is that state already, and the browser's "back" leads to the text again, because the
  // place that is left behind names no figure.
  function leave(event) {
    const link = event.target.closest?.('a[href^="#"][href*="?"]');
    if (link) history.replaceState(history.state, "", location.pathname + location.search);
  }

  function start() {
    const near = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries)
          if (isIntersecting) {
            near.unobserve(target);
            wake(target).catch(() => {}); // told on the page
          }
      },
      { rootMargin: "600px" });
    document.querySelectorAll("figure.dpt[data-table]").forEach((figure) => near.observe(figure));
    document.querySelectorAll(".dpt-quiz[data-quiz]").forEach(ask);
    document.addEventListener("click", leave);
    addEventListener("hashchange", follow);
    follow();
  }

  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();
