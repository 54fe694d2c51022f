// The editor below an exercise, whose text Python checks (python.js). book.js loads this
// when a reader asks to write.
"use strict";
(() => {
  const store = {
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, text) {
      try {
        if (text === null) localStorage.removeItem(key);
        else localStorage.setItem(key, text);
        return true;
      } catch { return false; }
    },
  };

  // The reader's text in the notebook of the exercise.
  const notebook = (exercise, text) => {
    const copy = structuredClone(exercise.notebook);
    const answer = copy.cells.find((cell) => cell.metadata.tags?.some((tag) => tag.startsWith("answer:")));
    answer.source = text.split(/(?<=\n)/);
    return new Blob([`${JSON.stringify(copy, null, 1)}\n`], { type: "application/x-ipynb+json" });
  };

  // Signs that come with text from elsewhere and that Python cannot read, and what stands for them.
  const PASTED = [[/[\u2018\u2019\u201a\u2032]/g, "'"], [/[\u201c-\u201e\u2033]/g, '"'], [/[\u2010-\u2015\u2212]/g, "-"],
    [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "], [/[\u200b-\u200d\u2060\ufeff]/g, ""]];
  const mended = (text) => PASTED.reduce((left, [sign, plain]) => left.replace(sign, plain), text);
  // The first exercise of the page that has not passed, if there is one.
  const open = () => [...document.querySelectorAll("[data-write]")]
    .filter(({ dataset: { write } }) => store.get(`passed:${write}`) === null)
    .map(({ dataset: { write } }) => document.getElementById(`exercise-${write.replaceAll("_", "-")}`))
    .find(Boolean);

  window.pythonExercises ??= {};
  let places = 0;
  window.writeHere = (place, exercise) => {
    const { python, make, TYPED, obstacle, loading, STOPPED } = window.pagePython;
    const name = place.dataset.write;
    const key = `write:${name}`;
    const number = (places += 1);
    const NOTHING = "This browser keeps nothing, so your text lasts as long as the page.";
    const keeps = store.set("write-probe", "1") && store.set("write-probe", null);
    const keys = make("p", {
      className: "keys", id: `write-keys-${number}`,
      textContent: `${TYPED ? "Tab indents. Escape, then Tab, leaves the editor. Ctrl + Enter runs the check. " : ""}${keeps ? "Your text stays in this browser." : NOTHING}`,
    });
    const box = make("div", { className: "editor" });
    const said = make("p", { className: "said" });
    said.setAttribute("role", "status");
    // What a check found is shown below, and said here, because a reader of screens attends to
    // what was there before its text.
    const heard = make("p", { className: "unseen heard" });
    heard.setAttribute("role", "status");
    const bar = make("progress", { hidden: true, max: 1 });
    bar.setAttribute("aria-label", "Loading Python");
    const shown = make("div", { className: "shown" });
    const hints = make("ol", { className: "hints", hidden: true });
    const button = (words, more = {}) => make("button", { type: "button", textContent: words, ...more });
    const go = button("Run check", { className: "go" });
    const stop = button("Stop", { hidden: true });
    const reset = button("Reset");
    const hint = button("Hint", { hidden: !exercise.hints.length });
    const { file } = exercise; // a program is a file, and what is asked alone a notebook
    const save = button(file ? `Download ${file}` : "Download as a notebook", { hidden: !file && !exercise.notebook });
    const grow = button("", { hidden: true });
    const borrow = button("", { hidden: true });
    const mend = button("Mend pasted quotes and spaces", { hidden: true });
    // After a pass or three tries the explanation opens; before, the page says when.
    const ENOUGH = 3;
    let tries = Number(store.get(`tries:${name}`)) || 0;
    let passed = store.get(`passed:${name}`) !== null;
    let working = false;
    const explained = make("div", { className: "explained", hidden: !exercise.explanation });
    const explain = (tried) => {
      const left = ENOUGH - tries;
      if (passed || left <= 0) {
        if (explained.querySelector("details")) return;
        const fold = make("details", { className: "fold" });
        fold.append(make("summary", { textContent: "Explanation" }), make("div", { innerHTML: exercise.explanation }));
        explained.replaceChildren(fold);
      } else if (tried) {
        explained.textContent = `An explanation opens when you pass, or after ${left} more ${left === 1 ? "try" : "tries"}.`;
      }
    };
    const count = (told) => {
      passed ||= told.passed;
      if (told.passed) store.set(`passed:${name}`, "yes");
      else store.set(`tries:${name}`, String(tries += 1));
      explain(true);
      dispatchEvent(new Event("dpt-progress"));
    };
    const keep = () => {
      const text = editor.text;
      const kept = store.set(key, text === exercise.starter ? null : text);
      said.textContent = kept ? "" : NOTHING;
      offer();
    };
    // A program grows by its next part: an answer that passed, a start, or the book's.
    const next = () => exercise.parts?.find(({ there }) => !new RegExp(there, "m").test(editor.text));
    const answer = (part) => part.exercise && store.get(`passed:${part.exercise}`) !== null && store.get(`write:${part.exercise}`);
    const offer = () => {
      mend.hidden = mended(editor.text) === editor.text || editor.text === exercise.starter;
      const part = next();
      for (const each of [grow, borrow]) each.hidden = !part;
      if (!part) return;
      grow.textContent = answer(part) ? `Add your ${part.exercise}` : `Add ${part.name}`;
      borrow.textContent = `Take the book’s ${part.name}`;
    };
    const add = (text, words) => {
      editor.text = `${editor.text.trimEnd()}\n\n\n${text}`;
      said.textContent = words;
      if (TYPED) editor.focus();
    };
    const check = async () => {
      if (working) return;
      const why = obstacle(place.dataset.python);
      if (why) {
        said.textContent = file ? `${why} The file runs anywhere: download it below.` : exercise.notebook ? `${why} The notebook runs anywhere: download it below; your text goes with it.` : why;
        return;
      }
      working = true;
      go.setAttribute("aria-disabled", "true"); // disabled, it would lose the focus
      stop.hidden = false;
      editor.mark(0);
      shown.replaceChildren();
      heard.textContent = "";
      said.textContent = python.frame ? "Checking …" : `Loading Python, ${place.dataset.python} MB, once …`;
      try {
        const told = await python.run({ kind: "run", text: editor.text, name: exercise.checked ? name : null }, loading(bar, said));
        if (told.stopped) said.textContent = STOPPED[told.stopped];
        else {
          said.textContent = "";
          if (told.printed) shown.append(make("pre", { className: "printed", textContent: told.printed, tabIndex: 0 }));
          const result = make("div", {}, window.sanitized(told.html));
          for (const each of result.querySelectorAll("[role=status]")) each.removeAttribute("role");
          shown.append(result);
          if (told.line) editor.mark(told.line);
          if (told.tried === name) count(told);
          const task = told.passed && open();
          if (task) shown.append(make("p", {}, make("a", { className: "next-open", href: `#${task.id}`, textContent: "Next open exercise" })));
          heard.textContent = result.innerText;
        }
      } catch (error) {
        said.textContent = `Python could not be loaded (${error.message}). “Run check” tries again.`;
      }
      working = false;
      go.removeAttribute("aria-disabled");
      bar.hidden = true;
      if (document.activeElement === stop) go.focus();
      stop.hidden = true;
    };
    const started = make("div", { className: "buttons" }, go, stop, mend, grow, borrow, hint, reset, save);
    const task = make("details", { className: "fold task" }, make("summary", { textContent: "The task in full" }), make("div", { innerHTML: exercise.task ?? "" }));
    task.hidden = !exercise.task;
    place.replaceChildren(task, box, keys, hints, started, bar, said, heard, shown, explained);
    explain(false);
    const editor = window.pythonEditor({
      parent: box, text: store.get(key) ?? exercise.starter, label: `Your answer, ${name}`,
      described: keys.id, changed: keep, asked: check,
    });
    offer();
    mend.addEventListener("click", () => {
      editor.text = mended(editor.text);
      said.textContent = "Typographic quotes, dashes and spaces are plain now. Ctrl + Z in the editor brings them back.";
      editor.focus();
    });
    grow.addEventListener("click", () => {
      const part = next();
      const own = answer(part);
      if (!own) return add(part.starter, `This is where ${part.name} begins. Its task is below.`);
      const bare = own.replace(/^import numpy as np\n+/m, "").trim();
      return add([bare, part.joined].filter(Boolean).join("\n\n\n"), `Your answer to ${part.exercise} is ${part.name} now.`);
    });
    borrow.addEventListener("click", () => {
      const part = next();
      add(part.borrowed, `${part.name} is the book’s. Put your own in its place when you like.`);
    });
    go.addEventListener("click", check);
    stop.addEventListener("click", () => python.interrupt?.());
    reset.addEventListener("click", () => {
      editor.text = exercise.starter;
      shown.replaceChildren();
      said.textContent = "The start is back. Ctrl + Z in the editor brings your text back.";
      editor.focus();
    });
    hint.addEventListener("click", () => {
      hints.hidden = false;
      hints.append(make("li", { innerHTML: exercise.hints[hints.childElementCount] }));
      hint.hidden = hints.childElementCount === exercise.hints.length;
      hint.textContent = "Another hint";
    });
    save.addEventListener("click", () => {
      const kept = file ? new Blob([editor.text], { type: "text/x-python" }) : notebook(exercise, editor.text);
      const link = make("a", { href: URL.createObjectURL(kept), download: file ?? `${name}.ipynb` });
      link.click();
      URL.revokeObjectURL(link.href);
    });
    place.classList.add("open");
    const cell = place.previousElementSibling;
    if (cell?.matches(".cell")) cell.hidden = true; // the editor begins with the same text
    if (TYPED) editor.focus();
  };
})();
