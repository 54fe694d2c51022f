// Formula and figure speak: hover, focus or tap a part of a formula, an entry below it, an
// entry of the figure's legend, a curve or its name, and all that are one curve light up.
"use strict";
(() => {
  let lit = null; // what is lit, and whether a tap keeps it so
  const dark = () => {
    if (!lit) return;
    for (const each of lit.all) each.removeAttribute("data-lit");
    lit = null;
  };
  const light = (group, kept) => {
    dark();
    lit = { ...group, kept };
    for (const each of group.all) each.setAttribute("data-lit", "");
  };

  for (const key of document.querySelectorAll(".speaks")) {
    const formula = key.previousElementSibling;
    const figure = document.getElementById(key.dataset.figure);
    const entries = [...figure.querySelectorAll(".dpt-legend li")];
    key.querySelectorAll("a").forEach((link) => {
      const parts = [...formula.querySelectorAll(`[data-curve="${link.dataset.curve}"]`)];
      const name = link.firstElementChild.nextSibling.data;
      const entry = entries.find((each) => each.textContent === name);
      const paths = entry.dataset.marks.split(" ").flatMap((k) => ["wide", "narrow"].flatMap(
        (layout) => [...figure.querySelectorAll(`path[id^="${figure.id}-${layout}-${k}-"]`)]));
      const names = [...figure.querySelectorAll(".dpt-names text")].filter(({ dataset }) =>
        entry.dataset.marks.split(" ").includes(dataset.mark));
      const group = { all: [link, entry, figure, ...parts, ...paths, ...names] };
      for (const each of names) each.dataset.speaks = "";
      if (!entry.dataset.beside) entry.tabIndex = 0; // else the name is in the picture
      for (const each of [link, entry, ...parts, ...paths, ...names]) {
        const within = ({ pointerType }) => pointerType !== "touch" && !lit?.kept;
        each.addEventListener("pointerenter", (event) => within(event) && light(group));
        each.addEventListener("pointerleave", (event) => within(event) && dark());
      }
      for (const each of [link, entry]) {
        each.addEventListener("focus", () => light(group));
        each.addEventListener("blur", () => lit?.kept || dark());
      }
      for (const each of [link, entry, ...parts, ...names])
        each.addEventListener("click", () => light(group, true));
    });
  }
  // Before a click reaches what it lights, it darkens what the last one lit.
  document.addEventListener("click", dark, true);
  addEventListener("keydown", ({ key }) => key === "Escape" && dark());
})();
