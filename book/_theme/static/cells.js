// "Run this cell": a chapter's cell is edited and run where it stands, after the cells
// above it. book.js loads this with the first click; python.js has Python.
"use strict";
(() => {
  const { python, make, TYPED, obstacle, loading, STOPPED } = window.pagePython;
  const cells = [];
  const button = (words, more = {}) => make("button", { type: "button", textContent: words, ...more });
  const spoken = (words) => (words.length > 600 ? `${words.slice(0, 600)} … and more.` : words);

  class Cell {
    constructor(place) {
      this.place = place;
      this.name = place.dataset.run;
      this.whole = place.closest(".cell");
      this.code = this.whole.querySelector(".cell_input");
      this.stored = this.whole.querySelector(".cell_output");
      this.start = this.code.querySelector("pre").textContent.trimEnd();
      this.ranIn = 0; // the generation of Python that has the names of this cell
    }

    get text() { return this.editor?.text ?? this.start; }

    get title() { return this.text.trim().split("\n")[0]; }

    // Put an editor in the place of the code, and what runs it below.
    open() {
      if (this.editor) return;
      const number = cells.indexOf(this) + 1;
      const keys = make("p", {
        className: "keys", id: `cell-keys-${number}`,
        textContent: TYPED ? "Tab indents. Escape, then Tab, leaves the editor. Ctrl + Enter runs the cell." : "Change a value and run it again.",
      });
      const box = make("div", { className: "editor" });
      this.place.prepend(box, keys);
      this.reset.hidden = false;
      this.editor = window.pythonEditor({
        parent: box, text: this.start, label: `Code of cell ${number} of ${cells.length}`,
        described: keys.id, changed: () => this.forget(), asked: () => this.run(),
      });
      this.code.hidden = true;
      this.close = () => {
        box.remove();
        keys.remove();
        this.code.hidden = false;
      };
    }

    // Once for each cell, with the page's first click on any of them.
    prepare() {
      const { place } = this;
      this.go = place.querySelector("button");
      this.stop = button("Stop", { hidden: true });
      this.reset = button("Reset", { hidden: true });
      this.bar = make("progress", { hidden: true, max: 1 });
      this.bar.setAttribute("aria-label", "Loading Python");
      this.said = make("p", { className: "said" });
      this.said.setAttribute("role", "status");
      this.out = make("div", { className: "cell_output ran", hidden: true });
      this.go.after(this.stop, this.reset);
      place.append(this.bar, this.said);
      (this.stored ?? place).after(this.out);
      this.stop.addEventListener("click", () => python.interrupt?.());
      this.reset.addEventListener("click", () => this.back());
    }

    say(words, more = "") {
      this.said.replaceChildren(words, make("span", { className: "unseen", textContent: more }));
    }

    // What this cell and those below it left is no longer what they say.
    forget() {
      for (const each of cells.slice(cells.indexOf(this))) each.ranIn = 0;
    }

    // The page's own code and output, as if nothing had run.
    back() {
      this.close();
      this.editor = null;
      this.out.hidden = this.reset.hidden = true;
      if (this.stored) this.stored.hidden = false;
      this.forget();
      this.say("The cell is again as the book has it.");
      this.go.focus();
    }

    async run() {
      if (this.working) return;
      const why = obstacle(true);
      if (why) return this.say(why);
      this.working = true;
      this.go.setAttribute("aria-disabled", "true"); // disabled, it would lose the focus
      this.stop.hidden = false;
      this.open();
      this.editor.mark(0);
      try {
        await this.work();
      } catch (error) {
        this.say(`Python could not be loaded (${error.message}). “${this.go.textContent}” tries again.`);
      }
      this.working = false;
      this.go.removeAttribute("aria-disabled");
      this.bar.hidden = true;
      if (document.activeElement === this.stop) this.go.focus();
      this.stop.hidden = true;
    }

    // Run the cells above that Python does not know yet, then this one.
    async work() {
      const above = cells.slice(0, cells.indexOf(this)).filter((each) => !each.known);
      this.say(python.frame ? "Running …" : "Loading Python, once …");
      for (const cell of [...above, this]) {
        const view = (html) => { if (cell === this) this.view(html); };
        const told = await python.run({ kind: "cell", text: cell.text, name: cell.name }, loading(this.bar, this.said), view);
        if (told.stopped) return this.say(STOPPED[told.stopped]);
        cell.ranIn = told.error ? 0 : python.generation;
        if (cell.editor || told.error) cell.show(told);
        if (told.error?.startsWith("MemoryError")) python.restart();
        if (cell !== this && told.error) return this.blame(cell);
      }
      return this.conclude(above.length);
    }

    // What a cell shows while it goes on; nobody hears each step read aloud.
    view(html) {
      if (this.said.textContent !== "Running …") this.say("Running …");
      const shown = make("div", { className: "output text_html" }, make("div", {}, window.sanitized(html)));
      this.out.replaceChildren(shown);
      this.out.hidden = false;
      if (this.stored) this.stored.hidden = true;
    }

    get known() { return this.ranIn > 0 && this.ranIn === python.generation; }

    show(told) {
      this.open();
      this.out.replaceChildren();
      const put = (className, ...inside) => this.out.append(make("div", { className: `output ${className}` }, ...inside));
      if (told.printed) put("stream", make("pre", { textContent: told.printed }));
      if (told.html) put("text_html", make("div", {}, window.sanitized(told.html)));
      if (told.error) {
        const way = told.way.length ? [make("pre", { textContent: told.way.join("\n") })] : [];
        put("failed", make("p", { textContent: told.error }), ...way);
      }
      this.told = told;
      this.out.hidden = !this.out.childElementCount;
      if (this.stored) this.stored.hidden = true;
      this.editor.mark(told.line ?? 0);
      dispatchEvent(new Event("dpt-shown"));
    }

    blame(cell) {
      cell.whole.id ||= `cell-${cell.name}`;
      cell.say("This cell stopped with an error when a cell below it was run.");
      const link = make("a", { href: `#${cell.whole.id}`, textContent: cell.title });
      this.said.replaceChildren("A cell above, “", link, "”, stopped with an error, so this one did not run.");
    }

    conclude(above) {
      const { printed, plain, error, line } = this.told;
      const first = above ? `, after ${above === 1 ? "the cell" : `${above} cells`} above it` : "";
      if (error) return this.say(`The cell ran${first}, and stopped with an error${line ? ` in line ${line}` : ""}.`, ` ${error}`);
      const result = [printed, plain].filter(Boolean).join("\n");
      return this.say(`The cell ran here${first}${result ? "." : ", and printed nothing."}`, result && ` Its result: ${spoken(result)}`);
    }
  }

  for (const place of document.querySelectorAll("[data-run]")) cells.push(new Cell(place));
  for (const cell of cells) cell.prepare();
  window.runCell = (place) => cells.find((each) => each.place === place).run();
})();
