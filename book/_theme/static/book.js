// What the frame of a page does with a script; without it every page reads as it is.
"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const store = {
    // Storage may be forbidden; the page then forgets, and works.
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) {
      try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
      } catch { /* nothing to keep it in */ }
    },
    keys() { try { return Object.keys(localStorage); } catch { return []; } },
  };

  // Theme: as the system, then the other one, then the system's own for good. So each
  // click but the last shows.
  const themes = { auto: "as the system", light: "light", dark: "dark" };
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const nameTheme = () => {
    const name = `Theme: ${themes[root.dataset.theme]}`;
    button.ariaLabel = button.title = name;
  };
  button.addEventListener("click", () => {
    const names = dark.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
    const next = names[(names.indexOf(root.dataset.theme) + 1) % names.length];
    root.dataset.theme = next;
    store.set("theme", next);
    nameTheme();
  });
  nameTheme();

  // The contents show where one is, whether they stand beside the text or are opened.
  const contents = document.getElementById("contents");
  const here = contents.querySelector("li [aria-current]");
  const findHere = () => {
    if (!here) return;
    const [box, frame] = [here, contents].map((each) => each.getBoundingClientRect());
    contents.scrollTop += box.top - frame.top - frame.height / 3;
  };
  // Not before there is a frame to draw: to ask where things are lays out all the page.
  if (matchMedia("(min-width: 72rem)").matches) requestAnimationFrame(findHere);
  contents.addEventListener("toggle", findHere);

  // What scrolls sideways can be reached by keyboard, what does not is no tab stop.
  const scrollers = () => {
    const found = all(".katex-display, pre, .scroll, .cell_output, .text_html")
      .filter((each) => !each.closest("details:not([open])")); // to ask of those is expensive
    const wide = found.map((each) => each.scrollWidth > each.clientWidth + 1); // all, before any changes
    found.forEach((each, k) => {
      if (wide[k] && each.tabIndex !== 0) each.tabIndex = 0;
      else if (!wide[k] && !each.closest(".colophon")) each.removeAttribute("tabindex");
    });
  };
  addEventListener("load", scrollers);
  addEventListener("resize", scrollers);
  addEventListener("dpt-shown", scrollers);
  document.addEventListener("toggle", scrollers, true);

  // Copy buttons.
  const said = new Map(); // a button's own words, and the timer that brings them back
  const say = (element, word) => {
    const [own, timer] = said.get(element) ?? [element.textContent];
    clearTimeout(timer);
    element.textContent = word;
    said.set(element, [own, setTimeout(() => { element.textContent = own; }, 1500)]);
  };
  const copies = (element, text) => element.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(text()); say(element, "Copied"); }
    catch { say(element, "Select and copy"); }
  });
  for (const block of all(".cell_input .highlight, div[class*='highlight-'] > .highlight")) {
    const copy = document.createElement("button");
    copy.className = "copy";
    copy.type = "button";
    copy.textContent = "Copy";
    copies(copy, () => block.querySelector("pre").textContent);
    block.append(copy);
  }
  for (const each of all("[data-copies]")) {
    copies(each, () => document.querySelector(each.dataset.copies).textContent);
  }

  // On this page: the section being read.
  const links = new Map(all(".here a[href^='#']").map((a) => [a.hash.slice(1), a]));
  const at = document.querySelector(".bar .at");
  const watch = new IntersectionObserver((entries) => {
    const now = entries.filter((entry) => entry.isIntersecting).pop();
    if (!now) return;
    const link = links.get(now.target.id);
    const list = link.closest(".here"); // which may be longer than the screen
    const [room, below] = [list.clientHeight, link.offsetTop - list.scrollTop];
    links.forEach((each) => each.classList.remove("now"));
    link.classList.add("now");
    if (at) at.textContent = link.textContent; // in the bar of a narrow screen
    if (below < 40 || below > room - 80) list.scrollTop += below - room / 2;
  }, { rootMargin: "-10% 0px -75% 0px" });
  const listed = all("article section[id]").filter((section) => links.has(section.id));
  const beside = matchMedia("(min-width: 64rem)"); // where the list is shown, in book.css
  const attend = () => {
    for (const section of listed) {
      if (at || beside.matches) watch.observe(section);
      else watch.unobserve(section);
    }
  };
  beside.addEventListener("change", attend);
  attend();

  // What follows a question stays folded until the reader has chosen, or skipped. (Answers
  // of earlier visits opened their folds while the page was read: frame.py.)
  const folds = all("details.dpt-held");
  const quizOf = (fold) => document.querySelector(`[data-quiz="${fold.dataset.holds}"]`);
  for (const fold of folds) {
    fold.querySelector("summary").addEventListener("click", (event) => {
      const quiz = quizOf(fold);
      const form = quiz?.querySelector(".dpt-ask") ?? quiz; // a figure has other sliders
      const choice = ["input:checked", "input:enabled", "button:enabled"]
        .map((each) => form?.querySelector(each)).find(Boolean);
      if (fold.open || !choice || quiz.dataset.answered) return;
      event.preventDefault();
      quiz.querySelector(".dpt-verdict").textContent = "Answer first, or skip.";
      choice.focus();
    });
  }
  addEventListener("dpt-answered", ({ target }) => {
    const fold = folds.find((each) => quizOf(each) === target);
    if (fold) fold.open = true;
    count();
  });
  const setting = document.getElementById("answers");
  if (setting) {
    setting.checked = Boolean(root.dataset.answers);
    setting.addEventListener("change", () => {
      root.dataset.answers = setting.checked ? "shown" : "";
      store.set("answers", setting.checked ? "shown" : null);
      for (const fold of folds) fold.open = setting.checked || Boolean(quizOf(fold)?.dataset.answered);
    });
  }

  // A link that leads into something folded opens it; not every browser does so itself.
  const decoded = (part) => { // an address may have been cut within a letter
    try { return decodeURIComponent(part); } catch { return part; }
  };
  const reveal = () => {
    const target = document.getElementById(decoded(location.hash.slice(1).split("?")[0]));
    const fold = (within) => within?.closest("details:not([open])");
    if (!fold(target)) return;
    for (let each = fold(target); each; each = fold(each.parentElement)) each.open = true;
    target.scrollIntoView({ behavior: "instant" });
  };
  addEventListener("hashchange", reveal);
  addEventListener("click", ({ target }) => target.closest?.("a[href^='#']") && setTimeout(reveal));
  reveal();

  // The editor below an exercise, and other things, come when they are asked for.
  const asked = new Map();
  const bring = (file) => {
    if (!asked.has(file)) {
      asked.set(file, new Promise((done, failed) => {
        const style = file.endsWith(".css");
        const element = document.createElement(style ? "link" : "script");
        const address = `${root.dataset.content_root}_static/${file}`;
        Object.assign(element, style ? { rel: "stylesheet", href: address } : { src: address });
        element.onload = done;
        element.onerror = () => { asked.delete(file); failed(); };
        document.head.append(element);
      }));
    }
    return asked.get(file);
  };

  // Progress: questions answered and exercises passed, kept in this browser alone.
  const page = document.body.dataset.page;
  const isDone = (name) => ({
    questions: (id) => !["skipped", null].includes(store.get(`answer:${name}:${id}`)),
    exercises: (id) => store.get(`passed:${id}`) !== null,
  });
  const doneOf = (name, kinds) => Object.fromEntries(
    Object.entries(kinds).map(([kind, ids]) => [kind, ids.filter(isDone(name)[kind]).length]));
  const sum = (numbers) => Object.values(numbers).reduce((total, each) => total + each, 0);
  const sizes = (kinds) => Object.fromEntries(Object.entries(kinds).map(([kind, ids]) => [kind, ids.length]));
  const mark = (link, done, of) => {
    const words = done ? `${done} of ${of} done` : "";
    const place = link.closest(".chapters li") ?? link;
    const box = link.querySelector("rect:not(.done)");
    place.querySelector(".done")?.remove();
    if (box) link.removeAttribute("aria-label");
    if (!done) return;
    if (box) { // on the map
      const bar = box.cloneNode();
      bar.setAttribute("class", "done");
      bar.setAttribute("width", (box.getAttribute("width") * done) / of);
      box.after(bar);
      link.setAttribute("aria-label", `${link.querySelector("text").textContent}, ${words}`);
    } else {
      place.append(Object.assign(document.createElement("small"), { className: "done", textContent: ` ${words}` }));
    }
  };
  // An exercise that passed has a tick at its name; a link leads to the first one that has none.
  const tick = () => {
    const open = [];
    for (const { dataset: { write } } of all("[data-write]")) {
      const task = document.getElementById(`exercise-${write.replaceAll("_", "-")}`);
      if (!task) continue; // a program is on a page of its own
      task.querySelector(".passed")?.remove();
      if (!isDone(page).exercises(write)) open.push(task);
      else (task.querySelector("strong, .admonition-title") ?? task).append(
        Object.assign(document.createElement("span"), { className: "passed", textContent: "✓ passed" }));
    }
    const link = document.getElementById("next-open");
    if (!link) return;
    link.hidden = !open.length;
    if (open.length) link.href = `#${open[0].id}`;
  };
  const count = async () => {
    tick();
    const own = document.getElementById("done");
    const here = {
      questions: all("[data-quiz]").map((each) => each.dataset.quiz),
      exercises: all("[data-write]").map((each) => each.dataset.write),
    };
    if (own) {
      own.textContent = `${sum(doneOf(page, here))} of ${sum(sizes(here))} done`;
    }
    const kept = document.querySelector("[data-kept]");
    if (!kept && !store.keys().some((key) => /^(answer|passed):/.test(key))) return;
    try { await bring("asked.js"); } catch { return; } // no marks, then
    const chapters = Object.entries(window.dpteachAsked);
    for (const link of all("#contents a[href], .chapters a[href], .map a[href]")) {
      const { pathname } = new URL(link.getAttribute("href"), document.baseURI);
      const [name, kinds] = chapters.find(([each]) => pathname.endsWith(`/${each}.html`)) ?? [];
      if (name) mark(link, sum(doneOf(name, kinds)), sum(sizes(kinds)));
    }
    if (kept) {
      const [done, of] = [doneOf, (_, kinds) => sizes(kinds)].map((what) =>
        chapters.map(([name, kinds]) => what(name, kinds)));
      const total = (list, kind) => list.reduce((all, each) => all + each[kind], 0);
      const say = (kind) => `${total(done, kind)} of ${total(of, kind)}`;
      kept.querySelector("[role=status]").textContent =
        `You have answered ${say("questions")} questions and passed ${say("exercises")} exercises.`;
    }
  };
  for (const change of ["dpt-progress", "storage"]) addEventListener(change, count); // storage: in another tab
  store.set("read", null); // what an earlier edition kept: pages seen, which says little
  count();
  if (document.querySelector("[data-kept]")) bring("progress.js").catch(() => {});
  if (page.startsWith("chapters/")) store.set("last", page);
  const last = store.get("last");
  for (const link of all("a[data-continue]")) {
    if (!last) continue;
    link.href = `${root.dataset.content_root}${last}.html`;
    link.textContent = "Continue where you left off";
  }

  // The search page keeps its question in the box; "/" goes there.
  const box = document.querySelector(".bar input");
  if (page === "search") box.value = new URLSearchParams(location.search).get("q") ?? "";
  addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    box.focus();
  });

  // The editor below an exercise, and that of a cell.
  const EDITOR = ["vendor/codemirror/editor.js", "write.css", "sanitize.js", "python.js"];
  for (const place of all("[data-write]")) {
    const { write } = place.dataset;
    const button = place.querySelector("button");
    if (store.get(`write:${write}`)) button.textContent = "Go on with your answer";
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await Promise.all([...EDITOR, "write.js", `exercises/${write}.js`].map(bring));
        window.writeHere(place, window.pythonExercises[write]);
      } catch {
        button.disabled = false;
        say(button, "It could not be loaded. Try again");
      }
    });
  }

  for (const place of all("[data-run]")) {
    if (location.protocol === "file:") place.remove(); // there no page may start Python
    const button = place.querySelector("button");
    button.addEventListener("click", async () => {
      try {
        await Promise.all(EDITOR.map(bring));
        await bring("cells.js");
        window.runCell(place);
      } catch { say(button, "It could not be loaded. Try again"); }
    });
  }

  // In print every folded proof stands open, and is folded again afterwards.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => { for (const each of opened) each.open = false; });
})();
