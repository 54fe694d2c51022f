// What the frame of a page does with a script; without it every page reads as it is.
"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const store = {
    // Storage may be forbidden; the page then forgets, and works.
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) {
      try { localStorage.setItem(key, value); } catch { /* nothing to keep it in */ }
    },
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
  findHere();
  contents.addEventListener("toggle", findHere);

  // What scrolls sideways can be reached by keyboard, what does not is no tab stop.
  const scrollers = () => {
    for (const each of all(".katex-display, pre, .scroll, .cell_output, .text_html")) {
      if (each.scrollWidth > each.clientWidth + 1) each.tabIndex = 0;
      else if (!each.closest(".colophon")) each.removeAttribute("tabindex");
    }
  };
  addEventListener("load", scrollers);
  addEventListener("resize", scrollers);
  document.addEventListener("toggle", scrollers, true);

  // Copy buttons.
  const say = (element, word) => {
    const before = element.textContent;
    element.textContent = word;
    setTimeout(() => { element.textContent = before; }, 1500);
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
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      links.forEach((link) => link.classList.remove("now"));
      links.get(entry.target.id)?.classList.add("now");
    }
  }, { rootMargin: "-10% 0px -75% 0px" });
  const listed = all("article section[id]").filter((section) => links.has(section.id));
  const beside = matchMedia("(min-width: 64rem)"); // where the list is shown, in book.css
  const attend = () => {
    for (const section of listed) {
      if (beside.matches) watch.observe(section);
      else watch.unobserve(section);
    }
  };
  beside.addEventListener("change", attend);
  attend();

  // Progress, kept in this browser alone: a chapter is read when its end has been seen.
  const page = document.body.dataset.page;
  const read = new Set(JSON.parse(store.get("read") ?? "[]"));
  const address = (link) => link.pathname.replace(/\.html$/, "");
  const mark = () => {
    for (const link of all("#contents a")) {
      const seen = [...read].some((each) => address(link).endsWith(`/${each}`));
      link.classList.toggle("read", seen);
      if (seen) link.title = "You have read this chapter (kept in this browser only)";
    }
  };
  if (page.startsWith("chapters/")) {
    store.set("last", page);
    const end = document.querySelector(".colophon");
    new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting || read.has(page)) return;
      read.add(page);
      store.set("read", JSON.stringify([...read]));
      mark();
    }).observe(end);
  }
  mark();
  const last = store.get("last");
  for (const link of all("a[data-continue]")) {
    if (!last) continue;
    link.href = `${root.dataset.content_root}${last}.html`;
    link.textContent = "Continue where you left off";
  }

  // The front page's figure moves by itself once, for less than five seconds, unless the
  // reader wants no motion or has a hand on it; it ends where it began.
  const first = page === "book/index" && document.querySelector("figure.dpt[data-table]");
  if (first && !location.hash && matchMedia("(prefers-reduced-motion: no-preference)").matches) {
    const said = first.querySelector("[aria-live]");
    const slider = first.querySelector("input[type=range]");
    const rest = slider.value;
    const stops = [...Array(+slider.max + 1).keys(), +rest];
    const put = (to) => {
      slider.value = to;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const tour = () => {
      const timer = setInterval(() => {
        if (stops.length) return put(stops.shift());
        end();
        // The address that the figure is about to write is no place to share.
        setTimeout(() => history.replaceState(history.state, "", location.pathname), 500);
      }, Math.min(600, 4200 / stops.length));
      const end = () => {
        clearInterval(timer);
        if (said) said.ariaLive = "polite";
      };
      if (said) said.ariaLive = "off";
      for (const kind of ["pointerdown", "keydown"]) first.addEventListener(kind, end);
    };
    const awake = new MutationObserver(() => { awake.disconnect(); tour(); });
    awake.observe(first.querySelector("fieldset"), { attributeFilter: ["disabled"] });
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

  // The editor below an exercise, and all that it needs, comes when it is asked for.
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
  for (const place of all("[data-write]")) {
    const { write } = place.dataset;
    const button = place.querySelector("button");
    if (store.get(`write:${write}`)) button.textContent = "Go on with your answer";
    button.addEventListener("click", async () => {
      button.disabled = true;
      const files = ["vendor/codemirror/editor.js", "write.css", "write.js", `exercises/${write}.js`];
      try {
        await Promise.all(files.map(bring));
        window.writeHere(place, window.pythonExercises[write]);
      } catch {
        button.disabled = false;
        say(button, "It could not be loaded. Try again");
      }
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
