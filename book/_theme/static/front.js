// Thumbnails of figures: one moves at a time, the one below a hand or the next in turn,
// where motion is welcome. Its frames were drawn by Python (front.py).
(() => {
  "use strict";
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const seen = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) seen[isIntersecting ? "add" : "delete"](target);
  }, { threshold: 0.6 });
  const thumbs = [...document.querySelectorAll(".thumb [data-frames]")].map((picture) => {
    const { paths, frames } = JSON.parse(picture.dataset.frames);
    const moving = paths.map((k) => picture.querySelector(`[data-path="${k}"]`));
    let at = 0;
    watch.observe(picture);
    const step = () => {
      at = (at + 1) % frames.length;
      frames[at].forEach((path, k) => moving[k].setAttribute("d", path));
    };
    return { picture, step, rounds: frames.length };
  });
  let [turn, left, now] = [0, 0, null];
  setInterval(() => {
    if (calm.matches || document.hidden) return;
    const list = thumbs.filter(({ picture }) => seen.has(picture));
    if (!list.length) return;
    if (left <= 0 || !list.includes(now)) {
      now = list[turn % list.length];
      [turn, left] = [turn + 1, now.rounds];
    }
    left -= 1;
    (list.find(({ picture }) => picture.closest(".thumb").matches(":hover")) ?? now).step();
  }, 420);
})();
