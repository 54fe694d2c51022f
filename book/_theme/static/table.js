// "Your own table": a table that its reader brings is turned into a private model in the
// page's Python. Before the file is read the page is sealed, so that nothing can leave it.
"use strict";
(() => {
  const place = document.querySelector("[data-own-table]");
  const { python, make, obstacle, loading, STOPPED } = window.pagePython;
  const KINDS = { leave: "leave out", number: "number", words: "words", truth: "true or false" };
  const MOST = 200 * 2 ** 20; // bytes of a table: phones have no more memory
  const SHOWN = 300; // columns of a form; wider tables bring their schema as a file
  const state = { table: null, rows: 0, model: null, files: {}, spent: [], sealedAt: 0 };

  // ---- small parts ----

  const button = (words, run) => {
    const made = make("button", { type: "button", textContent: words });
    made.addEventListener("click", run);
    return made;
  };
  const field = (words, input, hint = "") => make("label", {}, make("span", { textContent: words }), input,
    ...(hint ? [make("small", { textContent: hint })] : []));
  const input = (more) => make("input", { autocomplete: "off", spellcheck: false, ...more });
  const step = (number, title, ...inside) => make("fieldset", {},
    make("legend", { textContent: `${number}. ${title}` }), ...inside);
  const download = (words, name, content, type) => {
    const link = make("a", { textContent: words, download: name });
    link.href = URL.createObjectURL(new Blob([content], { type }));
    return link;
  };
  const choose = (words, accept, read) => {
    const picked = input({ type: "file", accept });
    picked.addEventListener("change", () => picked.files.length && read(picked.files[0]));
    return field(words, picked);
  };

  // ---- what is told ----

  const said = make("p", { className: "said" });
  said.setAttribute("role", "status");
  const bar = make("progress", { max: 1, hidden: true });
  bar.setAttribute("aria-label", "Progress");
  const stop = button("Stop", () => python.interrupt?.());
  stop.hidden = true;
  const say = (words, wrong = false) => {
    said.textContent = words;
    said.classList.toggle("wrong", wrong);
  };

  // ---- the seal ----

  const proofs = make("ul", { className: "proofs" });
  const requests = make("li");
  const count = () => performance.getEntriesByType("resource")
    .filter(({ name, startTime }) => startTime > state.sealedAt && !name.startsWith("blob:")).length;
  const counted = () => {
    requests.textContent = `Requests of this page since then: ${count()}.`;
  };

  async function seal() {
    const why = obstacle(true);
    if (why) return say(why, true);
    if (state.sealedAt) return undefined;
    if (!await working("Loading Python …", async () => {
      const told = await python.run({ kind: "proof" }, loading(bar, said));
      if (told.stopped) throw new Error(STOPPED[told.stopped]);
      // A policy can only be tightened: from here on the page itself connects to nothing.
      document.head.append(make("meta", {
        httpEquiv: "Content-Security-Policy", content: "connect-src 'none'; form-action 'none'; img-src data:",
      }));
      const open = await fetch(location.href).then(() => true, () => false);
      if (!told.refused || open) throw new Error("this browser does not enforce the page's policy, so no table is read here. Use the command line");
      state.sealedAt = performance.now();
      proofs.replaceChildren(
        make("li", { textContent: `Python asked for https://nothing-leaves.invalid/. The browser refused (${told.refused}).` }),
        make("li", { textContent: "The page asked for itself. The browser refused." }),
        requests,
      );
      counted();
    })) return undefined;
    for (const each of [bring, spend, use]) each.disabled = false;
    start.querySelector("button").disabled = true;
    return say("The page is sealed. You may switch off the network.");
  }

  // Run something with the bar and the stop button; say what went wrong.
  async function working(words, run) {
    if (python.busy) {
      say(STOPPED.busy, true);
      return false;
    }
    say(words);
    bar.removeAttribute("value");
    bar.hidden = stop.hidden = false;
    try {
      await run();
      return true;
    } catch (error) {
      say(`It did not work: ${error.message}`, true);
      return false;
    } finally {
      bar.hidden = stop.hidden = true;
      if (state.sealedAt) counted();
    }
  }

  // Ask the page's Python; what it refuses is an error here.
  async function ask(request, table) {
    const told = await python.run({ kind: "table", request, table }, loading(bar, said));
    if (told.stopped) throw new Error(STOPPED[told.stopped]);
    // What public numbers refuse costs nothing.
    if (request.action === "fit" && !told.spent) state.spent.pop();
    if (told.error !== null) throw new Error(told.error);
    return told;
  }

  // ---- the table: its header and its number of rows are public ----

  const about = make("p", { className: "about" });
  async function take(name, bytes) {
    const lines = bytes.reduce((sum, byte) => sum + (byte === 10), 0);
    plan.hidden = out.hidden = true; // they speak of another table
    state.table = bytes.slice();
    state.rows = Math.max(0, lines - (bytes.at(-1) === 10 ? 1 : 0));
    const end = bytes.indexOf(10);
    const first = new TextDecoder().decode(bytes.subarray(0, end < 0 ? bytes.length : end));
    rows.value = state.rows;
    about.textContent = `${name}: ${state.rows.toLocaleString("en-US")} rows.`;
    if (!schema.value.trim()) form(names(first));
  }
  // The header alone, split as the command line splits it.
  const names = (line) => {
    const mark = [";", "\t"].find((each) => !line.includes(",") && line.includes(each)) ?? ",";
    dialect = mark;
    const cells = line.replace(/^\ufeff|\r$/g, "").match(new RegExp(`("([^"]|"")*"|[^${mark}]*)(${mark}|$)`, "g")) ?? [];
    return cells.slice(0, line.endsWith(mark) ? undefined : -1).map((cell) => cell.replace(new RegExp(`${mark}$`), "").trim().replace(/^"|"$/g, "").replaceAll('""', '"'));
  };
  let dialect = ",";
  const chosenTable = async (file) => {
    if (file.size > MOST) return say("The file is larger than 200 MB. Use the command line.", true);
    return take(file.name, new Uint8Array(await file.arrayBuffer()));
  };

  // ---- the schema: a text, which a file or the form writes ----

  const schema = make("textarea", { rows: 10, spellcheck: false });
  schema.setAttribute("aria-label", "Schema, as JSON");
  const target = make("select");
  const columns = () => {
    try {
      const read = JSON.parse(schema.value);
      const listed = (read.schema ?? read).fields;
      return listed.filter((each) => each["dpteach:use"] !== "ignored").map((each) => `${each.name}`);
    } catch { return []; }
  };
  const targets = () => {
    const before = target.value;
    target.replaceChildren(...columns().map((name) => make("option", { textContent: name, value: name })));
    if (columns().includes(before)) target.value = before;
    else target.value = columns().at(-1) ?? "";
  };
  schema.addEventListener("input", targets);
  const written = (text) => {
    schema.value = text;
    targets();
  };
  const chosenSchema = async (file) => written(await file.text());

  // A row of the form for each column of the header.
  const filled = make("div", { className: "form", hidden: true });
  const unit = input({ value: "one row" });
  const most = input({ type: "number", min: 1, value: 1 });
  const missing = input({ value: "", placeholder: "n/a, -" });
  let described = [];
  function form(header) {
    if (header.length > SHOWN) return say(`The table has ${header.length} columns. Bring its schema as a file.`);
    described = header.map((name) => {
      const kind = make("select", {}, ...Object.entries(KINDS).map(([value, words]) => make("option", { value, textContent: words })));
      const [low, high] = ["least", "largest"].map((words) => input({ type: "number", step: "any", placeholder: words }));
      const listed = input({ placeholder: "no, yes" });
      const gaps = input({ type: "checkbox", checked: true });
      low.setAttribute("aria-label", `least value of ${name}`);
      high.setAttribute("aria-label", `largest value of ${name}`);
      listed.setAttribute("aria-label", `categories of ${name}, with commas`);
      kind.setAttribute("aria-label", `what ${name} holds`);
      const show = () => {
        low.hidden = high.hidden = kind.value !== "number";
        listed.hidden = kind.value !== "words";
        gaps.parentElement.hidden = kind.value === "leave";
      };
      const line = make("li", {}, make("b", { textContent: name }), kind, low, high, listed,
        make("label", { className: "gaps" }, gaps, "may be missing"));
      kind.addEventListener("change", show);
      show();
      return { name, kind, low, high, listed, gaps, line };
    });
    filled.replaceChildren(
      make("p", { textContent: "Say of each column what anybody may know of it. Write limits and categories from the questionnaire or the manual, never from the table: what you read off the table is not private." }),
      make("ul", {}, ...described.map((each) => each.line)),
      field("Whose presence is hidden?", unit, "such as one household"),
      field("Rows of one of them, at most", most),
      field("Cells that mean “missing”", missing, "with commas; empty cells always do"),
      button("Write the schema", write),
    );
    filled.hidden = false;
    return undefined;
  }
  const split = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);
  function write() {
    const fields = described.map(({ name, kind, low, high, listed, gaps }) => {
      if (kind.value === "leave") return { name, type: "string", "dpteach:use": "ignored" };
      const constraints = gaps.checked ? {} : { required: true };
      if (kind.value === "truth") return { name, type: "boolean", constraints };
      if (kind.value === "words") return { name, type: "string", categories: split(listed.value), constraints };
      const ends = { ...(low.value !== "" && { minimum: +low.value }), ...(high.value !== "" && { maximum: +high.value }) };
      return { name, type: "number", constraints: { ...ends, ...constraints } };
    });
    written(JSON.stringify({
      fields,
      missingValues: ["", ...split(missing.value)],
      privacy: { privacyUnit: unit.value.trim() || "one row", maxContributions: Math.round(+most.value) },
      ...(dialect !== "," && { dialect: { delimiter: dialect } }),
    }, null, 1));
    say("The schema is written. “Preview” says whether it is complete.");
    schema.closest("details").open = true;
  }

  // ---- budget, preview, training ----

  const rows = input({ type: "number", min: 1, value: "" });
  const epsilon = input({ type: "number", min: 0, step: "any", value: 1 });
  const delta = input({ type: "text", inputMode: "decimal", placeholder: "by the rows" });
  const plan = make("pre", { hidden: true, tabIndex: 0 });
  const out = make("div", { className: "out", hidden: true });
  const budget = () => ({
    schema: schema.value, target: target.value, epsilon: +epsilon.value,
    delta: delta.value.trim() === "" ? null : +delta.value, rows: Math.round(+rows.value),
  });
  const looking = () => working("Training on drawn tables …", async () => {
    const told = await ask({ action: "preview", ...budget() });
    plan.textContent = told.said;
    plan.hidden = false;
    say("Nothing was read and nothing was spent: this is what to expect.");
  });
  const total = () => {
    const sum = state.spent.reduce((all, each) => all + each, 0);
    return state.spent.length < 2 ? ""
      : ` You have trained ${state.spent.length} times on this page. Together that costs ε = ${+sum.toPrecision(6)} at most, and this page's labels do not say so.`;
  };
  async function train() {
    if (!state.table) return say("Choose a table first.", true);
    const asked = budget();
    return working("Training …", async () => {
      // From here on the budget counts as spent, whatever comes of it.
      state.spent.push(asked.epsilon);
      const told = await ask({ action: "fit", ...asked }, state.table.buffer);
      state.model = told.files["model.json"];
      const bytes = Uint8Array.from(atob(told.archive), (letter) => letter.charCodeAt(0));
      const files = Object.keys(told.files).sort()
        .map((name) => make("li", {}, download(name, name, told.files[name], "application/octet-stream")));
      out.replaceChildren(
        make("h2", { textContent: "The privacy label" }), make("div", { className: "label" }, window.sanitized(told.html)),
        make("h2", { textContent: "What it learned, in the table's units" }), make("pre", { textContent: told.said, tabIndex: 0 }),
        make("h2", { textContent: "Take it with you" }),
        make("p", {}, download("Everything, as one archive", "model.zip", bytes, "application/zip"), " or one by one:"),
        make("ul", { className: "files" }, ...files),
      );
      out.hidden = false;
      say(`The model is there.${total()}`);
    });
  }
  const predicted = make("p");
  async function predictFor(file) {
    if (!state.model) return say("Train a model first, or open one.", true);
    const table = await file.arrayBuffer();
    return working("Predicting …", async () => {
      const told = await ask({ action: "predict", model: state.model }, table);
      predicted.replaceChildren(`${told.said} `, download("Download predictions.csv", "predictions.csv", told.files["predictions.csv"], "text/csv"));
      say(told.said);
    });
  }
  const sample = () => working("Drawing …", async () => {
    const told = await ask({ action: "sample" });
    written(told.files["schema.json"]);
    filled.hidden = true;
    await take("5,000 made-up commuters", new TextEncoder().encode(told.files["table.csv"]));
    say("A made-up table and its schema are there.");
  });

  // ---- the page ----

  const start = step(1, "Seal the page",
    make("p", { textContent: "Python comes to this page, 9 MB, once. Then the browser is told to connect to nothing any more, and tries." }),
    button("Get Python, and seal the page", seal), proofs);
  const bring = step(2, "Bring a table and its schema",
    make("div", { className: "pair" }, choose("Table (CSV)", ".csv,.tsv,.txt,text/csv", chosenTable), choose("Schema (JSON)", ".json,application/json", chosenSchema)),
    make("p", {}, "Or try it: ", button("5,000 made-up commuters", sample)),
    about, filled,
    make("details", { className: "fold" }, make("summary", { textContent: "The schema" }), schema));
  const spend = step(3, "Spend a budget",
    make("div", { className: "pair" }, field("Column to predict", target), field("ε", epsilon), field("δ", delta), field("Rows, which are public", rows)),
    make("div", { className: "buttons" }, button("Preview: read no data", looking), button("Train, once", train)),
    plan, out);
  const use = step(4, "Use the model",
    make("div", { className: "pair" }, choose("Rows to predict (CSV)", ".csv,.tsv,.txt,text/csv", predictFor),
      choose("Another model (model.json)", ".json,application/json", async (file) => {
        state.model = await file.text();
        say("The model is there. Choose rows to predict.");
      })), predicted);
  for (const each of [bring, spend, use]) each.disabled = true;
  place.replaceChildren(start, bring, spend, use, make("div", { className: "status" }, said, bar, stop));
})();
