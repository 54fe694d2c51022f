// Slides: one section at a time, on a stage that fits the window. Without a script the
// page is a list of slides, with notes that unfold.
//
// Right, space and Page Down go on, left and Page Up go back, Home and End to the ends.
// N shows the notes below the slide, W opens them in a second window, Escape ends.
(() => {
const slides = [...document.querySelectorAll("article > section > section")];
const root = document.documentElement;
const asNotes = new URLSearchParams(location.search).has("notes");
const channel = "BroadcastChannel" in window ? new BroadcastChannel("slides:" + document.body.dataset.page) : null;
let at = 0;
let began = 0;

const bar = document.createElement("div");
bar.className = "deck";
bar.innerHTML =
  '<div class="said" tabindex="0" aria-label="Notes"></div><span class="blank"></span>' +
  '<span class="clock" title="Minutes since the start"></span>' +
  '<button type="button" data-go="-1" aria-label="Previous slide">‹</button>' +
  '<span class="where" role="status"></span>' +
  '<button type="button" data-go="1" aria-label="Next slide">›</button>' +
  '<button type="button" data-do="notes">Notes</button>' +
  '<button type="button" data-do="end">End</button>';

// A figure is drawn when it comes into view, and its sentence may grow by a line.
const grown = new ResizeObserver(([{ target }]) => {
  const slide = target.parentElement;
  if (!slide?.classList.contains("now")) return;
  if (target.getBoundingClientRect().bottom > slide.getBoundingClientRect().bottom - 8) fit(slide);
});
const notesOf = (slide) => slide.querySelector("details.notes");

// Shrink what is on the slide until it fits: figures keep their sliders.
function fit(slide) {
  let inner = slide.querySelector(":scope > .fitted");
  if (!inner) {
    inner = document.createElement("div");
    inner.className = "fitted";
    inner.append(...slide.childNodes);
    slide.append(inner);
    grown.observe(inner);
  }
  inner.style.transform = inner.style.width = "";
  const style = getComputedStyle(slide);
  const room = slide.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  let scale = 1;
  for (let k = 0; k < 12 && inner.offsetHeight * scale > room; k++) {
    scale *= Math.max(0.95, Math.min(0.99, room / (inner.offsetHeight * scale)));
    inner.style.width = `${100 / scale}%`;
  }
  if (scale < 1) inner.style.transform = `scale(${scale})`;
}

function underneath() {
  const noted = bar.classList.contains("noted");
  root.style.setProperty("--under", `${noted ? bar.offsetHeight : 0}px`);
  fit(slides[at]);
}

function show(next, tell = true) {
  at = Math.max(0, Math.min(slides.length - 1, next));
  slides.forEach((slide, k) => slide.classList.toggle("now", k === at));
  const notes = notesOf(slides[at]);
  const said = bar.querySelector(".said");
  said.replaceChildren(...(notes ? [...notes.childNodes].map((node) => node.cloneNode(true)) : []));
  said.scrollTop = 0;
  bar.querySelector(".where").textContent = `${at + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${slides[at].id}`);
  underneath();
  dispatchEvent(new Event("resize")); // figures look at their width anew
  if (tell) channel?.postMessage(at);
}

function tick() {
  const minutes = Math.floor((Date.now() - began) / 60000);
  bar.querySelector(".clock").textContent = `${minutes} min`;
}

function begin(full) {
  root.classList.add("presenting");
  document.body.append(bar);
  began = Date.now();
  tick();
  const here = slides.findIndex((slide) => `#${slide.id}` === location.hash);
  show(Math.max(0, here));
  if (full) root.requestFullscreen?.().catch(() => {});
}

function end() {
  root.classList.remove("presenting");
  bar.remove();
  for (const slide of slides) {
    slide.classList.remove("now");
    const inner = slide.querySelector(":scope > .fitted");
    if (inner) inner.replaceWith(...inner.childNodes);
  }
  if (document.fullscreenElement) document.exitFullscreen();
  document.getElementById(slides[at].id)?.scrollIntoView();
}

function toggleNotes() {
  bar.classList.toggle("noted");
  underneath();
}

const actions = {
  ArrowRight: () => show(at + 1), PageDown: () => show(at + 1), " ": () => show(at + 1),
  ArrowLeft: () => show(at - 1), PageUp: () => show(at - 1),
  Home: () => show(0), End: () => show(slides.length - 1),
  n: toggleNotes, N: toggleNotes,
  w: secondWindow, W: secondWindow,
  Escape: end,
};

function secondWindow() {
  open(`${location.pathname}?notes#${slides[at].id}`, "notes", "width=720,height=640");
}

addEventListener("keydown", (event) => {
  if (!root.classList.contains("presenting") || event.ctrlKey || event.metaKey || event.altKey) return;
  // A slider, a choice or a text keeps its own keys.
  const own = event.target.closest("input, select, textarea, summary, button, [contenteditable]");
  if (own && !["PageDown", "PageUp", "Escape"].includes(event.key)) return;
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
addEventListener("resize", (event) => {
  if (event.isTrusted && root.classList.contains("presenting")) underneath();
});
bar.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.go) show(at + Number(button.dataset.go));
  else if (button.dataset.do === "notes") toggleNotes();
  else end();
  button.blur();
});
channel?.addEventListener("message", (event) => {
  if (root.classList.contains("presenting")) show(event.data, false);
});

// The next class is to vote anew.
addEventListener("pagehide", () => {
  try {
    const mine = `answer:${document.body.dataset.page}:`;
    Object.keys(localStorage).filter((key) => key.startsWith(mine)).forEach((key) => localStorage.removeItem(key));
  } catch {}
});

const offer = document.createElement("p");
offer.className = "present";
offer.innerHTML =
  '<button type="button">Present</button><span><kbd>→</kbd> next, <kbd>←</kbd> back, ' +
  "<kbd>N</kbd> notes, <kbd>W</kbd> notes in a second window, <kbd>Esc</kbd> end</span>";
offer.querySelector("button").addEventListener("click", (event) => {
  event.target.blur();
  begin(true);
});
slides[0]?.before(offer);

// The second window shows the same slide, with its notes, and turns with the first.
if (asNotes) {
  begin(false);
  toggleNotes();
}
})();
