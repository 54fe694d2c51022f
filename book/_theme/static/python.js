// The one Python of a page, for its exercises and its cells. book.js loads this with the
// first of them; Python itself comes with the first run.
"use strict";
(() => {
  const root = new URL(document.documentElement.dataset.content_root, document.baseURI);
  const QUIET = 10_000; // ms without a sign of life: one call into compiled code hangs
  const FULL = 256 * 2 ** 20; // memory never shrinks: a worker with more is replaced
  const STOPPED = new Error("you stopped it");
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

  const python = {
    worker: null, ready: null, starting: null, interrupt: null, busy: false,
    generation: 1, // counts the workers: names that cells left end with theirs
    async start(tell) {
      const folder = new URL("_static/python/", root).href;
      const response = await fetch(`${folder}files.json`);
      if (!response.ok) throw new Error(`files.json: ${response.status}`);
      const { files } = await response.json();
      this.worker = new Worker(new URL("_static/python-worker.js", root));
      this.ready = new Promise((done, failed) => {
        this.interrupt = () => failed(STOPPED);
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
      this.generation += 1;
      this.worker?.terminate();
      this.worker = this.ready = null;
    },
    restart() {
      this.stop();
      this.starting = this.start(() => {}).catch(() => this.stop()); // for the next run
    },
    // Resolves with what the worker tells, or with { stopped: why }.
    async run(message, tell) {
      if (this.busy) return { stopped: "busy" };
      this.busy = true;
      try {
        await this.starting; // a second worker would take the first one's place
        if (!this.worker) await this.start(tell);
        await this.ready;
        return await this.answer(message);
      } catch (error) {
        this.stop();
        if (error === STOPPED) return { stopped: "asked" };
        throw error;
      } finally { this.busy = false; }
    },
    answer(message) {
      return new Promise((done) => {
        let timer;
        const end = (told) => {
          clearTimeout(timer);
          this.interrupt = null;
          done(told);
        };
        const away = (why) => {
          this.restart();
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
          if (data.memory > FULL && message.kind === "run") this.restart();
          return end(data);
        };
        alive();
        this.worker.postMessage(message);
      });
    },
  };

  window.pagePython = {
    python,
    make(tag, more = {}, ...inside) {
      const element = Object.assign(document.createElement(tag), more);
      element.append(...inside);
      return element;
    },
    TYPED: !matchMedia("(pointer: coarse)").matches, // a phone's keys would come up
    // What keeps Python from this page, in words, or "".
    obstacle(shipped) {
      if (!shipped) return "This copy of the book was built without Python.";
      if (location.protocol === "file:") {
        return "A browser does not start Python for a page that is opened from disk. In the folder of the book run “python -m http.server”, and open http://localhost:8000.";
      }
      if (!("Worker" in window && "WebAssembly" in window && "DecompressionStream" in window)) {
        return "This browser is too old to run Python in a page.";
      }
      return "";
    },
    // Show on a bar, and say, how much of Python has come.
    loading: (bar, said) => (loaded, total) => {
      bar.hidden = loaded >= total;
      bar.value = loaded / total;
      bar.textContent = said.textContent = loaded < total
        ? `Loading Python: ${megabytes(loaded)} of ${megabytes(total)} MB`
        : "Python starts …";
    },
    STOPPED: {
      asked: "You stopped it. Python is started afresh, and your text is as it was.",
      quiet: "Python gave no sign of life for ten seconds, so it was stopped and started afresh: one call of a compiled function took too long, or filled the memory.",
      broken: "Python broke down and was started afresh. Very deep recursion can do that.",
      busy: "Python is at work elsewhere on this page. Wait for it, or stop it there.",
    },
  };
})();
