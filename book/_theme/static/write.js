// The editor below an exercise, and the Python that checks what is written there. book.js
// loads this when a reader asks to write; Python itself comes with the first check.
"use strict";
(() => {
  const root = new URL(document.documentElement.dataset.content_root, document.baseURI);
  const QUIET = 10_000; // ms without a sign of life: one call into compiled code hangs
  const FULL = 256 * 2 ** 20; // memory never shrinks: a worker with more is replaced
  const make = (tag, more = {}, ...inside) => {
    const element = Object.assign(document.createElement(tag), more);
    element.append(...inside);
    return element;
  };
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
  const TYPED = !matchMedia("(pointer: coarse)").matches; // a phone's keys would come up
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

  // What keeps Python from this page, in words, or "".
  const obstacle = (place) => {
    if (!place.dataset.python) {
      return "This copy of the book was built without Python.";
    }
    if (location.protocol === "file:") {
      return "A browser does not start Python for a page that is opened from disk. In the folder of the book run “python -m http.server”, and open http://localhost:8000.";
    }
    if (!("Worker" in window && "WebAssembly" in window && "DecompressionStream" in window)) {
      return "This browser is too old to run Python in a page.";
    }
    return "";
  };

  // One Python for all editors of the page.
  const python = {
    worker: null, ready: null, interrupt: null,
    async start(tell) {
      const folder = new URL("_static/python/", root).href;
      const response = await fetch(`${folder}files.json`);
      if (!response.ok) throw new Error(`files.json: ${response.status}`);
      const { files } = await response.json();
      this.worker = new Worker(new URL("_static/python-worker.js", root));
      this.ready = new Promise((done, failed) => {
        this.interrupt = () => failed(new Error("you stopped it"));
        this.worker.onerror = (event) => failed(new Error(event.message || "the worker did not start"));
        this.worker.onmessage = ({ data }) => {
          if (data.kind === "loaded") tell(data.loaded, data.total);
          else if (data.kind === "ready") done();
          else if (data.kind === "broken") failed(new Error(data.why));
        };
      });
      this.ready.catch(() => {}); // whoever runs something hears of it
      this.worker.postMessage({ kind: "start", folder, sizes: files });
    },
    stop() {
      this.worker?.terminate();
      this.worker = this.ready = null;
    },
    // Resolves with what the worker tells, or with { stopped: why }.
    async run(text, name, tell) {
      if (!this.worker) {
        try { await this.start(tell); } catch (error) { this.stop(); throw error; }
      }
      try { await this.ready; } catch (error) { this.stop(); throw error; }
      return new Promise((done) => {
        let timer;
        const end = (told) => {
          clearTimeout(timer);
          this.interrupt = null;
          done(told);
        };
        const away = (why) => {
          this.stop();
          this.start(() => {}).catch(() => this.stop()); // for the next run
          end({ stopped: why });
        };
        const alive = () => {
          clearTimeout(timer);
          timer = setTimeout(away, QUIET, "quiet");
        };
        this.interrupt = () => away("asked");
        this.worker.onerror = () => away("broken");
        this.worker.onmessage = ({ data }) => {
          if (data.kind === "beat") return alive();
          if (data.kind === "broken") return away("broken");
          if (data.kind !== "told") return undefined;
          if (data.memory > FULL) {
            this.stop();
            this.start(() => {}).catch(() => this.stop());
          }
          return end(data);
        };
        alive();
        this.worker.postMessage({ kind: "run", text, name });
      });
    },
  };
  const STOPPED = {
    asked: "You stopped it. Python is started afresh, and your text is as it was.",
    quiet: "Python gave no sign of life for ten seconds, so it was stopped and started afresh: one call of a compiled function took too long, or filled the memory.",
    broken: "Python broke down and was started afresh. Very deep recursion can do that.",
  };

  // The reader's text in the notebook of the exercise.
  const notebook = (exercise, text) => {
    const copy = structuredClone(exercise.notebook);
    const answer = copy.cells.find((cell) => cell.metadata.tags?.some((tag) => tag.startsWith("answer:")));
    answer.source = text.split(/(?<=\n)/);
    return new Blob([`${JSON.stringify(copy, null, 1)}\n`], { type: "application/x-ipynb+json" });
  };

  window.pythonExercises ??= {};
  let places = 0;
  window.writeHere = (place, exercise) => {
    const name = place.dataset.write;
    const key = `write:${name}`;
    const number = (places += 1);
    const keys = make("p", {
      className: "keys", id: `write-keys-${number}`,
      textContent: `${TYPED ? "Tab indents. Escape, then Tab, leaves the editor. Ctrl + Enter runs the check. " : ""}Your text stays in this browser.`,
    });
    const box = make("div", { className: "editor" });
    const said = make("p", { className: "said" });
    said.setAttribute("role", "status");
    const bar = make("progress", { hidden: true, max: 1 });
    bar.setAttribute("aria-label", "Loading Python");
    const shown = make("div", { className: "shown" });
    const hints = make("ol", { className: "hints", hidden: true });
    const button = (words, more = {}) => make("button", { type: "button", textContent: words, ...more });
    const go = button("Run check", { className: "go" });
    const stop = button("Stop", { hidden: true });
    const reset = button("Reset");
    const hint = button("Hint", { hidden: !exercise.hints.length });
    const save = button("Download as a notebook", { hidden: !exercise.notebook });
    // After a pass or three tries the explanation opens; before, the page says when.
    const ENOUGH = 3;
    let tries = Number(store.get(`tries:${name}`)) || 0;
    let passed = store.get(`passed:${name}`) !== null;
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
      said.textContent = kept ? "" : "This browser keeps nothing, so your text lasts as long as the page.";
    };
    const check = async () => {
      if (go.disabled) return;
      const why = obstacle(place);
      if (why) {
        said.textContent = exercise.notebook ? `${why} The notebook runs anywhere: download it below; your text goes with it.` : why;
        return;
      }
      go.disabled = true;
      stop.hidden = false;
      editor.mark(0);
      shown.replaceChildren();
      said.textContent = python.worker ? "Checking …" : `Loading Python, ${place.dataset.python} MB, once …`;
      const loading = (loaded, total) => {
        bar.hidden = loaded >= total;
        bar.value = loaded / total;
        bar.textContent = said.textContent = loaded < total
          ? `Loading Python: ${megabytes(loaded)} of ${megabytes(total)} MB`
          : "Python starts …";
      };
      try {
        const told = await python.run(editor.text, exercise.checked ? name : null, loading);
        if (told.stopped) said.textContent = STOPPED[told.stopped];
        else {
          said.textContent = "";
          if (told.printed) shown.append(make("pre", { className: "printed", textContent: told.printed, tabIndex: 0 }));
          shown.append(make("div", { innerHTML: told.html }));
          if (told.line) editor.mark(told.line);
          if (told.tried === name) count(told);
        }
      } catch (error) {
        said.textContent = `Python could not be loaded (${error.message}). “Run check” tries again.`;
      }
      bar.hidden = true;
      go.disabled = false;
      stop.hidden = true;
    };
    const started = make("div", { className: "buttons" }, go, stop, hint, reset, save);
    const task = make("details", { className: "fold task" }, make("summary", { textContent: "The task in full" }), make("div", { innerHTML: exercise.task ?? "" }));
    task.hidden = !exercise.task;
    place.replaceChildren(task, box, keys, hints, started, bar, said, shown, explained);
    explain(false);
    const editor = window.pythonEditor({
      parent: box, text: store.get(key) ?? exercise.starter, label: `Your answer, ${name}`,
      described: keys.id, changed: keep, asked: check,
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
      const link = make("a", { href: URL.createObjectURL(notebook(exercise, editor.text)), download: `${name}.ipynb` });
      link.click();
      URL.revokeObjectURL(link.href);
    });
    place.classList.add("open");
    const cell = place.previousElementSibling;
    if (cell?.matches(".cell")) cell.hidden = true; // the editor begins with the same text
    if (TYPED) editor.focus();
  };
})();
