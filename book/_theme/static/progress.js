// Save, load and delete what this browser keeps of a reader's work. book.js brings it to
// the page that has the buttons.
"use strict";
(() => {
  const place = document.querySelector("[data-kept]");
  const BOOK = "Private Optimization";
  // Answers to questions, exercises passed and tried, and texts in editors.
  const OURS = /^(answer:[\w\/.-]+:[a-z0-9-]+|(passed|tries|write):\w+)$/;
  const mine = () => Object.keys(localStorage).filter((key) => OURS.test(key)).sort();
  const changed = () => dispatchEvent(new Event("dpt-progress"));
  const note = Object.assign(document.createElement("p"), { className: "note" });
  note.setAttribute("role", "status");
  place.append(note);
  const say = (words) => { note.textContent = words; };
  const guard = (act) => async (...given) => {
    try { await act(...given); } catch { say("This browser lets a page keep nothing."); }
  };

  place.querySelector("[data-do=save]").addEventListener("click", guard(() => {
    const kept = Object.fromEntries(mine().map((key) => [key, localStorage.getItem(key)]));
    const text = JSON.stringify({ book: BOOK, kept }, null, 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" }));
    link.download = "private-optimization-progress.json";
    link.click();
    URL.revokeObjectURL(link.href);
    say(`Saved: ${Object.keys(kept).length} entries, the texts in your editors among them.`);
  }));

  // What a file says wins over what is here; what it does not name stays.
  const read = (text) => {
    try {
      const { book, kept } = JSON.parse(text);
      const entries = Object.entries(kept);
      const fits = ([key, value]) => OURS.test(key) && typeof value === "string" && value.length < 1e5;
      return book === BOOK && entries.every(fits) ? entries : null;
    } catch { return null; }
  };
  const input = place.querySelector("input[type=file]");
  input.addEventListener("change", guard(async () => {
    const [file] = input.files;
    if (!file) return;
    const entries = file.size < 5e6 ? read(await file.text()) : null;
    input.value = "";
    if (!entries) return say(`“${file.name}” was not saved by this book, so nothing was changed.`);
    for (const [key, value] of entries) localStorage.setItem(key, value);
    changed();
    const texts = entries.filter(([key]) => key.startsWith("write:")).length;
    const whose = ` ${texts} of them ${texts === 1 ? "is a text in an editor" : "are texts in editors"}: code of whoever wrote the file, so read it before you run it.`;
    return say(`Loaded: ${entries.length} entries.${texts ? whose : ""}`);
  }));

  place.querySelector("[data-do=delete]").addEventListener("click", guard(() => {
    const keys = mine();
    if (!keys.length) return say("There is nothing to delete.");
    if (!confirm("Delete your answers, your passes and the texts in your editors from this browser?")) return undefined;
    for (const key of keys) localStorage.removeItem(key);
    localStorage.removeItem("last");
    changed();
    return say("Deleted. This browser keeps nothing of your work any more.");
  }));
})();
