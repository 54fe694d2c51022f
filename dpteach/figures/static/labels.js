// Names of curves stand beside them and move with the sliders. Python wrote those that
// have room where the figure starts (_beside.py); here each looks, by the same rule, for
// the best place in the state that is drawn. A screen reader has the legend.
(() => {
  "use strict";
  const CELL = 3; // the drawing is looked at in squares of this many units
  const GAPS = [3, 7, 12]; // between a curve and its name; nothing else is nearer to it
  const LINE = 15; // the height of a name
  const SPOTS = 40; // places along a curve at which it may stand
  const [RADIUS, HAND] = [6, 13]; // of a point, and of the ring around one that can be dragged
  // Where a name of some width may stand around a point: its left end, and its middle.
  const SIDES = [
    (w, r) => [r, 0], (w, r) => [-w / 2, -r - LINE / 2], (w, r) => [-w / 2, r + LINE / 2],
    (w, r) => [-w - r, 0], (w, r) => [-w, -r - LINE / 2], (w, r) => [0, -r - LINE / 2],
    (w, r) => [-w, r + LINE / 2], (w, r) => [0, r + LINE / 2],
  ];

  // Which entries of the legend have ink in which squares: one bit for each entry.
  class Ink {
    constructor([, , width, height]) {
      [this.across, this.down] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
      this.bits = new Int32Array(this.across * this.down);
    }

    block(x, y, to, end, bit) {
      for (let j = Math.max(0, Math.floor(y / CELL)); j < Math.min(this.down, end / CELL); j += 1)
        for (let i = Math.max(0, Math.floor(x / CELL)); i < Math.min(this.across, to / CELL); i += 1)
          this.bits[j * this.across + i] |= bit;
    }

    stroke([x, y], [to, end], bit) {
      const steps = Math.max(1, Math.min(2000, Math.ceil(Math.hypot(to - x, end - y) / 2)));
      for (let k = 0; k <= steps; k += 1) {
        const [at, down] = [x + (to - x) * (k / steps), y + (end - y) * (k / steps)];
        this.block(at - 1, down - 1, at + 1, down + 1, bit);
      }
    }

    // What is in a rectangle: the bits of all its squares together.
    within(x, y, to, end) {
      let found = 0;
      for (let j = Math.max(0, Math.floor(y / CELL)); j < Math.min(this.down, end / CELL); j += 1)
        for (let i = Math.max(0, Math.floor(x / CELL)); i < Math.min(this.across, to / CELL); i += 1)
          found |= this.bits[j * this.across + i];
      return found;
    }
  }

  // Points at equal distances along what of a mark is in its panel.
  function spots(pen, points, [, , width, height]) {
    const middle = ([x, y], [to, end]) => [(x + to) / 2, (y + end) / 2];
    let places = points;
    if (pen === "line")
      places = [points[0], ...points.slice(1).flatMap(([to, end], k) => {
        const [x, y] = points[k];
        const steps = Math.max(1, Math.min(400, Math.round(Math.hypot(to - x, end - y) / 4)));
        return Array.from({ length: steps }, (_, s) =>
          [x + (to - x) * ((s + 1) / steps), y + (end - y) * ((s + 1) / steps)]);
      })];
    else if (pen === "area")
      places = points.slice(0, points.length / 2).map((low, k) => middle(low, points.at(-1 - k)));
    else if (pen === "bars")
      places = points.filter((_, k) => k % 2 === 0).map(([x, y], k) =>
        [(x + points[2 * k + 1][0]) / 2, Math.min(y, points[2 * k + 1][1])]);
    const seen = places.filter(([x, y]) => x >= 0 && y >= 0 && x <= width && y <= height);
    if (!seen.length) {
      const [x, y] = places.at(-1); // it left the panel: its name stands where it went
      return [[Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)]];
    }
    const count = Math.min(SPOTS, seen.length);
    return Array.from({ length: count }, (_, k) =>
      seen[count === 1 ? 0 : Math.round(k * (seen.length - 1) / (count - 1))]);
  }

  window.dpteachLabels = class {
    constructor(figure, table, svgs) {
      Object.assign(this, { table, svgs });
      this.entries = [...figure.querySelectorAll(".dpt-legend li")].map((entry, k) =>
        ({ bit: 1 << k, marks: entry.dataset.marks.split(" ").map(Number) }));
      this.in = Object.fromEntries(Object.entries(svgs).map(([layout, svg]) =>
        [layout, [...svg.querySelectorAll(".dpt-names text")].map((text) => this.name(text, layout))]));
    }

    name(text, layout) {
      const mark = +text.dataset.mark;
      const { pen, panel, moves } = this.table.marks[mark];
      const [left, top] = this.table.boxes[layout][panel];
      const [x, y] = text.getAttribute("transform").match(/[-\d.]+/g).map(Number);
      const radius = pen === "points" ? (moves ? HAND : RADIUS) : 0;
      const { bit } = this.entries.find(({ marks }) => marks.includes(mark));
      return { text, mark, pen, panel, radius, bit, was: { left: x - left, middle: y - top } };
    }

    ink(points, layout) {
      const inks = this.table.boxes[layout].map((box) => new Ink(box));
      for (const { bit, marks } of this.entries)
        for (const k of marks) {
          const { pen, panel, moves, shades } = this.table.marks[k];
          const [ink, at] = [inks[panel], points[k]];
          if (pen === "line") at.slice(1).forEach((end, i) => ink.stroke(at[i], end, bit));
          else if (pen === "points")
            at.forEach(([x, y], i) => {
              const r = moves && i === 0 ? HAND : RADIUS;
              ink.block(x - r, y - r, x + r, y + r, bit);
            });
          else if (pen !== "area")
            for (let i = 0; i < at.length; i += 2)
              if (!shades || points.shades[k]?.[i / 2])
                ink.block(Math.min(at[i][0], at[i + 1][0]), Math.min(at[i][1], at[i + 1][1]),
                  Math.max(at[i][0], at[i + 1][0]), Math.max(at[i][1], at[i + 1][1]), bit);
        }
      return inks;
    }

    // The best place of a name: on nothing, near where it was, far to the right.
    best({ pen, mark, radius, width, bit, was }, box, ink, points, taken) {
      let found = null;
      const look = (left, middle, away, worse) => {
        const [top, right, bottom] = [middle - LINE / 2, left + width, middle + LINE / 2];
        if (left < 2 || top < 1 || right > box[2] - 2 || bottom > box[3] - 1) return;
        const crossed = taken.some((t) =>
          left < t.right + 6 && right > t.left - 6 && top < t.bottom + 2 && bottom > t.top - 2);
        const over = ink.within(left, top, right, bottom);
        const near = !over && ink.within(left - away, top - away, right + away, bottom + away) & ~bit;
        const cost = (crossed ? 2000 : 0) + (over & ~bit ? 900 : over ? 600 : near ? 300 : 0)
          + Math.min(Math.hypot(was.left - left, was.middle - middle), 120)
          + 60 * (1 - left / box[2]) + worse;
        if (!found || cost < found.cost) found = { left, right, top, bottom, middle, cost };
      };
      for (const [x, y] of spots(pen, points[mark], box))
        if (pen === "area") look(x - width / 2, y, 0, 0);
        else
          for (const gap of GAPS)
            SIDES.forEach((side, s) => {
              const [dx, dy] = side(width, radius + gap);
              look(x + dx, y + dy, gap, 2 * s + gap);
            });
      return found;
    }

    // Called when something in a layout was drawn; the points are in units of the drawing.
    place(layout, points) {
      if (!this.svgs[layout].getBoundingClientRect().width) return;
      this.last = layout;
      const [inks, boxes] = [this.ink(points, layout), this.table.boxes[layout]];
      const taken = boxes.map(() => []);
      for (const name of this.in[layout]) {
        name.width ??= name.text.getComputedTextLength();
        const box = boxes[name.panel];
        // A line without length is not there yet.
        const there = name.pen !== "line" || points[name.mark].some(([x, y]) =>
          Math.hypot(x - points[name.mark][0][0], y - points[name.mark][0][1]) > 2);
        name.text.toggleAttribute("data-lost", !there);
        if (!there) continue;
        const spot = this.best(name, box, inks[name.panel], points, taken[name.panel]);
        if (!spot) continue;
        taken[name.panel].push(spot);
        name.was = spot;
        name.text.setAttribute("transform", `translate(${Math.round(box[0] + spot.left)} ${Math.round(box[1] + spot.middle)})`);
      }
    }
  };
})();
