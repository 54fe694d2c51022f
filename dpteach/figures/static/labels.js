// Names of curves stand beside them, for the eye alone: a screen reader reads the legend,
// which stays, so that nothing on the page moves. A name that finds no room where the
// figure starts is in the legend only.
(() => {
  "use strict";
  const CELL = 3; // the drawing is looked at in squares of this many units
  const GAP = 6; // between a curve and its name
  const AWAY = 6; // what is not its own stays this far from a name
  const LINE = 15; // the height of a name
  const SPOTS = 14; // places along a curve at which it may stand
  const MOST = 60; // more points than these have no one place that is theirs
  const RADIUS = 6; // of a point that is drawn
  const HAND = 13; // of the ring around a point that can be dragged
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

    dot(x, y, radius, bit) {
      const [left, right] = [x - radius, x + radius].map((at) => Math.floor(at / CELL));
      const [top, bottom] = [y - radius, y + radius].map((at) => Math.floor(at / CELL));
      for (let j = Math.max(top, 0); j <= Math.min(bottom, this.down - 1); j += 1)
        for (let i = Math.max(left, 0); i <= Math.min(right, this.across - 1); i += 1)
          this.bits[j * this.across + i] |= bit;
    }

    stroke([x, y], [to, end], bit) {
      const steps = Math.min(2000, Math.ceil(Math.hypot(to - x, end - y) / 2));
      for (let k = 0; k <= steps; k += 1)
        this.dot(x + (to - x) * (k / (steps || 1)), y + (end - y) * (k / (steps || 1)), 1, bit);
    }

    block(x, y, to, end, bit) {
      for (let j = Math.max(0, Math.floor(y / CELL)); j < Math.min(this.down, end / CELL); j += 1)
        for (let i = Math.max(0, Math.floor(x / CELL)); i < Math.min(this.across, to / CELL); i += 1)
          this.bits[j * this.across + i] |= bit;
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

  // Points at equal distances along what of a curve is in its panel.
  function spots(points, [, , width, height], joined) {
    const inside = ([x, y]) => x >= 0 && y >= 0 && x <= width && y <= height;
    let dense = points;
    if (joined) {
      dense = points.slice(1).flatMap((end, k) => {
        const steps = Math.max(1, Math.min(200, Math.round(Math.hypot(end[0] - points[k][0], end[1] - points[k][1]) / 4)));
        return Array.from({ length: steps }, (_, s) =>
          [0, 1].map((axis) => points[k][axis] + (end[axis] - points[k][axis]) * ((s + 1) / steps)));
      });
      dense.unshift(points[0]);
    }
    const seen = dense.filter(inside);
    if (!seen.length) {
      const [x, y] = points.at(-1); // it left the panel: its name stands where it went
      return [[Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)]];
    }
    const count = Math.min(SPOTS, seen.length);
    return Array.from({ length: count }, (_, k) =>
      seen[count === 1 ? 0 : Math.round(k * (seen.length - 1) / (count - 1))]);
  }

  window.dpteachLabels = class {
    constructor(figure, table, svgs) {
      Object.assign(this, { figure, table, svgs });
      const list = figure.querySelector(".dpt-legend");
      this.entries = [...list.children].map((entry, k) => ({
        entry, bit: 1 << k, marks: entry.dataset.marks.split(" ").map(Number),
      }));
      // Where a formula and its figure speak to each other, the legend alone has the names.
      const speaks = document.querySelector(`.speaks[data-figure="${figure.id}"]`);
      this.silent = speaks !== null || this.entries.length > 30;
      this.named = {}; // by layout: the names that stand in the drawing
    }

    get masked() {
      return "quiz" in this.figure.dataset && !this.figure.dataset.answered
        && document.documentElement.dataset.answers !== "shown";
    }

    // A name for each panel in which an entry has a line, or points of one place.
    nameable(points) {
      return this.entries.flatMap(({ entry, bit, marks }) => {
        const shown = marks.filter((k) => this.table.marks[k].pen !== "area");
        const of = (k) => this.table.marks[k].panel;
        return [...new Set(marks.map(of))].map((panel) => {
          const k = shown.find((each) => of(each) === panel);
          const { pen, moves } = this.table.marks[k] ?? {};
          const fits = pen === "line" || (pen === "points" && points[k].length <= MOST);
          return { entry, bit, panel, mark: fits ? k : -1, radius: GAP + (moves ? HAND : pen === "points" ? RADIUS : 0) };
        });
      });
    }

    ink(points, layout) {
      return this.table.boxes[layout].map((box, panel) => {
        const ink = new Ink(box);
        for (const { bit, marks } of this.entries)
          for (const k of marks) {
            const { pen, panel: of, moves, shades } = this.table.marks[k];
            if (of !== panel || pen === "area") continue;
            const at = points[k];
            if (pen === "line") at.slice(1).forEach((end, i) => ink.stroke(at[i], end, bit));
            else if (pen === "points")
              at.forEach(([x, y], i) => ink.dot(x, y, moves && i === 0 ? HAND : RADIUS, bit));
            else
              for (let i = 0; i < at.length; i += 2)
                if (!shades || points.shades[k]?.[i / 2])
                  ink.block(Math.min(at[i][0], at[i + 1][0]), Math.min(at[i][1], at[i + 1][1]),
                    Math.max(at[i][0], at[i + 1][0]), Math.max(at[i][1], at[i + 1][1]), bit);
          }
        return ink;
      });
    }

    // The best place of a name: far to the right, where it was before, on nothing. With it
    // comes how many free ones there are.
    best(name, box, ink, points, taken) {
      const [, , width, height] = box;
      const radius = name.radius;
      let [found, choices] = [null, 0];
      spots(points[name.mark], box, this.table.marks[name.mark].pen === "line").forEach(([x, y]) => {
        SIDES.forEach((side, s) => {
          const [dx, dy] = side(name.width, radius);
          const [left, middle] = [x + dx, y + dy];
          const [top, right, bottom] = [middle - LINE / 2, left + name.width, middle + LINE / 2];
          if (left < 2 || top < 1 || right > width - 2 || bottom > height - 1) return;
          if (taken.some((t) => left < t.right + AWAY && right > t.left - AWAY && top < t.bottom + 2 && bottom > t.top - 2)) return;
          const over = ink.within(left, top, right, bottom);
          const near = ink.within(left - AWAY, top - AWAY, right + AWAY, bottom + AWAY) & ~name.bit;
          const free = !over && !near;
          choices += free;
          const was = name.was && Math.hypot(name.was.left - left, name.was.middle - middle);
          const cost = (free ? 0 : over & ~name.bit ? 900 : 600)
            + 60 * (1 - x / width) + 2 * s + (name.was ? Math.min(was, 120) : 0);
          if (!found || cost < found.cost) found = { left, right, top, bottom, middle, free, cost };
        });
      });
      return found && { ...found, choices };
    }

    // Called when something in a layout was drawn; the points are in units of the drawing.
    place(layout, points) {
      if (this.silent) return;
      const seen = this.svgs[layout].getBoundingClientRect().width > 0;
      if (!seen) return;
      this.last = [layout, points];
      if (this.masked) return this.show(layout, []);
      const names = this.named[layout] ??= this.write(layout, points);
      const ink = this.ink(points, layout);
      const taken = this.table.boxes[layout].map(() => []);
      for (const name of names) {
        const box = this.table.boxes[layout][name.panel];
        const spot = this.best(name, box, ink[name.panel], points, taken[name.panel]);
        name.text.toggleAttribute("data-lost", !spot);
        if (!spot) continue;
        taken[name.panel].push(spot);
        name.was = spot;
        name.text.setAttribute("transform", `translate(${Math.round(box[0] + spot.left)} ${Math.round(box[1] + spot.middle)})`);
      }
      this.show(layout, names);
    }

    // Write the names of a layout, and keep those of entries that find room everywhere.
    write(layout, points) {
      const svg = this.svgs[layout];
      const group = document.createElementNS(svg.namespaceURI, "g");
      group.setAttribute("class", "dpt-names");
      group.setAttribute("aria-hidden", "true");
      svg.append(group);
      const all = this.nameable(points);
      for (const name of all) {
        name.text = document.createElementNS(svg.namespaceURI, "text");
        name.text.textContent = name.entry.textContent;
        const role = name.entry.querySelector("[style]").getAttribute("style").match(/--dpt-[\w-]+/)[0];
        name.text.style.setProperty("--dpt-name", `var(${role})`);
        group.append(name.text);
      }
      for (const name of all) name.width = name.text.getComputedTextLength();
      const [ink, boxes] = [this.ink(points, layout), this.table.boxes[layout]];
      const taken = boxes.map(() => []);
      const look = (name) => name.mark >= 0
        && this.best(name, boxes[name.panel], ink[name.panel], points, taken[name.panel]);
      const lost = new Set();
      // What has the fewest places chooses first.
      for (const name of all) name.choices = look(name)?.choices ?? 0;
      all.sort((one, other) => one.choices - other.choices);
      for (const name of all) {
        const spot = look(name);
        if (spot?.free) taken[name.panel].push(spot);
        else lost.add(name.entry);
      }
      return all.filter((name) => {
        if (lost.has(name.entry)) name.text.remove();
        return !lost.has(name.entry);
      });
    }

    show(layout, names) {
      this.svgs[layout].toggleAttribute("data-named", names.length > 0);
    }

    again() {
      if (this.last) this.place(...this.last);
    }
  };
})();
