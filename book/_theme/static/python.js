// The one Python of a page, for its exercises and its cells. book.js loads this with the
// first of them; Python itself comes with the first run.
"use strict";
(() => {
  const root = new URL(document.documentElement.dataset.content_root, document.baseURI);
  const QUIET = 10_000; // ms without a sign of life: one call into compiled code hangs
  const FULL = 256 * 2 ** 20; // memory never shrinks: a worker with more is replaced
  const START = 60_000; // ms from all files to Python, on a slow phone
  const STOPPED = new Error("you stopped it");
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

  // Only what is awaited gets in, and of it only what fits: texts of anybody run there.
  const text = (value) => typeof value === "string";
  const number = (value) => typeof value === "number";
  const orNull = (fits) => (value) => value === null || fits(value);
  const result = { memory: number, printed: text, html: text, line: orNull(number) };
  const MESSAGES = {
    ready: {}, beat: {}, broken: { why: text },
    proof: { refused: text },
    view: { html: text },
    table: {
      memory: number, said: text, error: orNull(text), html: text, archive: text,
      spent: (value) => typeof value === "boolean",
      files: (files) => files?.constructor === Object && Object.values(files).every(text),
    },
    run: { ...result, passed: (value) => typeof value === "boolean", tried: orNull(text) },
    cell: {
      ...result, plain: text, error: orNull(text),
      way: (lines) => Array.isArray(lines) && lines.every(text),
    },
  };
  const checked = (data) => {
    const parts = Object.hasOwn(MESSAGES, data?.kind) && Object.entries(MESSAGES[data.kind]);
    if (!parts || !parts.every(([name, fits]) => fits(data[name]))) {
      return { kind: "broken", why: "it sent what Python here does not send" };
    }
    return { kind: data.kind, ...Object.fromEntries(parts.map(([name]) => [name, data[name]])) };
  };

  // All that Python needs comes with its first start, and is kept for the others.
  const PROGRAM = ["_static/python/pyodide.asm.js", "_static/python/pyodide.js", "_static/python-worker.js"];
  let shipped = null;
  async function ship(tell, signal) {
    const fetched = async (path) => {
      const response = await fetch(new URL(path, root), { signal });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      return response;
    };
    const { files: sizes } = await (await fetched("_static/python/files.json")).json();
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    let loaded = 0;
    const counted = (response) => new Response(response.body.pipeThrough(new TransformStream({
      transform(chunk, out) {
        tell(loaded += chunk.byteLength, total);
        out.enqueue(chunk);
      },
    }))).arrayBuffer();
    const file = async (name) => [name, await counted(await fetched(`_static/python/${name}`))];
    const script = async (path) => `${await (await fetched(path)).text()}\n;\n`;
    const files = await Promise.all(Object.keys(sizes).map(file));
    return { files: Object.fromEntries(files), program: await Promise.all(PROGRAM.map(script)) };
  }

  const python = {
    frame: null, ready: null, starting: null, interrupt: null, busy: false,
    hear: () => {}, // what to do with Python's next message
    generation: 1, // counts the starts: names that cells left end with theirs
    async start(tell) {
      const stopped = new AbortController();
      this.interrupt = () => stopped.abort(STOPPED);
      shipped ??= ship(tell, stopped.signal);
      const everything = await shipped.catch((error) => {
        shipped = null;
        throw error;
      });
      // A sandbox has an origin of its own, and python.html a policy that connects to nothing.
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "allow-scripts");
      Object.assign(frame, { hidden: true, title: "Python", src: new URL("_static/python.html", root) });
      this.frame = frame;
      this.ready = new Promise((done, failed) => {
        const timer = setTimeout(failed, START, new Error("it did not start within a minute"));
        this.interrupt = () => failed(STOPPED);
        this.hear = (message) => {
          if (message.kind === "beat") return;
          clearTimeout(timer);
          if (message.kind === "ready") done();
          else failed(new Error(message.why));
        };
        frame.addEventListener("load", () => this.send({ kind: "start", ...everything }));
      });
      this.ready.catch(() => {}); // whoever runs something hears of it
      document.body.append(frame);
    },
    send(message) { this.frame.contentWindow.postMessage(message, "*"); }, // its origin has no name
    stop() {
      this.generation += 1;
      this.frame?.remove(); // and its worker with it
      this.frame = this.ready = null;
    },
    restart() {
      this.stop();
      this.starting = this.start(() => {}).catch(() => this.stop()); // for the next run
    },
    // Resolves with what Python answers, or with { stopped: why }; what it shows on the way
    // goes to view.
    async run(message, tell, view = () => {}) {
      if (this.busy) return { stopped: "busy" };
      this.busy = true;
      try {
        await this.starting; // a second Python would take the first one's place
        if (!this.frame) await this.start(tell);
        await this.ready;
        return await this.answer(message, view);
      } catch (error) {
        this.stop();
        if (error === STOPPED) return { stopped: "asked" };
        throw error;
      } finally { this.busy = false; }
    },
    answer(message, view) {
      return new Promise((done) => {
        let timer;
        const end = (answer) => {
          clearTimeout(timer);
          this.interrupt = null;
          this.hear = () => {};
          done(answer);
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
        this.hear = (heard) => {
          if (heard.kind === "beat") return alive();
          if (heard.kind === "view") return view(heard.html);
          if (heard.kind !== message.kind) return away("broken");
          if (heard.memory > FULL && message.kind === "run") this.restart();
          return end(heard);
        };
        alive();
        this.send(message);
      });
    },
  };
  addEventListener("message", ({ source, data }) => {
    if (source && source === python.frame?.contentWindow) python.hear(checked(data));
  });

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
