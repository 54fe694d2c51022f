// Ranks what search-entries.js holds by MiniSearch, and shows each with an excerpt.
"use strict";
(() => {
  const MOST = 40; // results shown
  const LONGEST = 200; // letters of a question: fuzzy search takes seconds for thousands
  // "6.10", "E-19" and "check-ins" are words; so are the parts of the last one.
  const tokenize = (text) => (text.match(/[\p{L}\p{N}_]+(?:[-.’'][\p{L}\p{N}_]+)*/gu) ?? [])
    .flatMap((word) => (/[-_]/.test(word) ? [word, ...word.split(/[-_]/)] : [word]));
  // One form for singular and plural, and for letters with and without an accent.
  const reduced = (word) => {
    const small = word.normalize("NFD").replace(/\p{Diacritic}/gu, "")
      .toLowerCase().replaceAll("’", "'").replace(/'s$/, "");
    return small.length > 3 ? small.replace(/([^sui])s$/, "$1") : small;
  };
  // Each word of the book is reduced once: it comes twenty times on average.
  const forms = new Map();
  const processTerm = (word) => {
    if (!forms.has(word)) forms.set(word, reduced(word));
    return forms.get(word);
  };
  // The book before its reference: statements and sections lead, functions come last.
  const RANK = {
    statement: 1.3, section: 1.2, page: 1.5, exercise: 0.9, figure: 0.8, term: 1.2,
    row: 0.3, reference: 0.1, erratum: 0.4, api: 0.1,
  };
  const weight = ({ kind, to, title }) => RANK[kind]
    * (to.startsWith("chapters/") ? 1.3 : 1)
    * (/^book\/(api|teach|capstones\/|contributing|exercises|references|status)/.test(to) ? 0.5 : 1)
    * (["Verified", "Errata and notes", "Exercises"].includes(title) ? 0.3 : 1);
  const entries = window.dpteachEntries.map((entry, id) => ({ id, ...entry }));
  const index = new MiniSearch({
    fields: ["title", "text", "where"],
    tokenize,
    processTerm,
    searchOptions: {
      boost: { title: 4, where: 0.5 },
      prefix: (term) => term.length > 2 && !/\d/.test(term),
      fuzzy: (term) => (term.length > 5 && !/\d/.test(term) ? 0.15 : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
      boostDocument: (id) => weight(entries[id]),
    },
  });
  index.addAll(entries);

  // What readers call a thing that the book calls otherwise.
  const CALLED = [
    [/\bch(?:ap)?\.? ?(\d+)$/i, "chapter $1"],
    [/\bstep[ -]?sizes?\b/i, "learning rate"],
    [/\bgenerali[sz]ation( error| gap)?\b/i, "population risk"],
    [/\bllms?\b/i, "language models"],
    [/\blaplacian\b/i, "Laplace"],
    [/\bsyllabus\b/i, "syllabi"],
    [/\bbibliography\b/i, "references"],
  ];
  // A Greek letter by its name; epsilon and delta are terms of the glossary.
  const LETTERS = new Map(Object.entries({
    alpha: "α", beta: "β", gamma: "γ", eta: "η", theta: "θ", lambda: "λ", mu: "μ", rho: "ρ", sigma: "σ",
  }));
  const inBooksWords = (question) => LETTERS.get(question.toLowerCase())
    ?? CALLED.reduce((words, [theirs, ours]) => words.replace(theirs, ours), question);

  const plain = (text) => tokenize(text).map(processTerm).join(" ");
  // Is a work asked for by its title?
  const named = (entry, question) => {
    const title = entry.split(". ").at(-1); // after the last author
    return question.trim().split(/\s+/).length > 2
      && [title, title.split(": ")[0]].map(plain).includes(plain(question));
  };
  // A question that is a number, a title or a symbol asks for that. A source's number stands in the
  // title of our statement, in brackets.
  const exact = ({ kind, title, to, text, number = "" }, question, wanted) => {
    const numbered = /\d/.test(wanted);
    if (numbered && plain(number) === wanted) return kind === "row" ? 3 : 5;
    if (numbered && kind === "statement") {
      const source = title.match(/\[([^\]]*)\]/)?.[1] ?? "";
      if (source.split(/[,;]/).some((part) => plain(part) === wanted)) return 4;
    }
    if (kind === "api") return title === question && question.includes("_") ? 3 : 0;
    if (kind === "reference") return named(title, question) ? 5 : 0;
    // A letter asks for its row; a word that names an argument, for what it means.
    const letter = question.length < 4;
    if (to.includes("#symbol-")) return letter && title.split(" ")[0] === question ? 3 : 0;
    const names = [title, title.split(": ")[0]].map(plain);
    // "ρ-zCDP: …" is a term's short name.
    const short = kind === "term" && text.match(/^(?:\p{L}-)?(\p{L}{3,5}): /u)?.[1];
    if (short) names.push(plain(short));
    if (names.includes(wanted)) return 2 * weight({ kind, title, to });
    // The first words of a chapter's title or of a term ask for it, too.
    if (!names[0].startsWith(`${wanted} `)) return 0;
    return { page: 1.2, term: 0.8 }[kind] ?? 0;
  };

  function find(asked) {
    const question = inBooksWords(asked);
    const wanted = plain(question);
    if (!wanted) return [];
    const all = index.search(question, { combineWith: "AND" });
    const there = new Set(all.map((hit) => hit.id));
    // Where few places hold all words, those with some of them come after.
    const some = all.length > 4 ? [] : index.search(question).filter(({ id }) => !there.has(id));
    const found = [...ranked(all, question, wanted), ...ranked(some, question, wanted)];
    // The works of others come after the book's own places, unless one is asked for by its title.
    const other = ({ kind, title }) => kind === "reference" && !named(title, question);
    return [...found.filter((entry) => !other(entry)), ...found.filter(other)];
  }

  function ranked(hits, question, wanted) {
    const top = hits[0]?.score ?? 0;
    const phrase = question.trim().toLowerCase();
    for (const hit of hits) {
      const { title, text } = entries[hit.id];
      hit.place = hit.score + top * exact(entries[hit.id], question, wanted);
      // Words that stand together count for more than words that are far apart.
      if (phrase.includes(" ") && `${title} ${text}`.toLowerCase().includes(phrase))
        hit.place *= 1.5;
    }
    return hits.sort((a, b) => b.place - a.place).map((hit) => ({ ...entries[hit.id], hit }));
  }

  // The part of a text around the first word that was found, that word marked.
  function excerpt(text, terms) {
    const found = new Set(terms);
    const pieces = [...text.matchAll(/[\p{L}\p{N}_]+(?:[-.’'][\p{L}\p{N}_]+)*/gu)]
      .filter(([word]) => tokenize(word).some((part) => found.has(processTerm(part))));
    const first = pieces[0]?.index ?? 0;
    let start = Math.max(0, first - 70);
    if (start > 0) start = text.indexOf(" ", start) + 1;
    let end = Math.min(text.length, start + 220);
    if (end < text.length) end = Math.max(text.lastIndexOf(" ", end), start + 1);
    const line = document.createElement("p");
    if (start > 0) line.append("… ");
    let at = start;
    for (const { 0: word, index: place } of pieces) {
      if (place < at || place + word.length > end) continue;
      const mark = document.createElement("mark");
      mark.textContent = word;
      line.append(text.slice(at, place), mark);
      at = place + word.length;
    }
    line.append(text.slice(at, end), end < text.length ? " …" : "");
    return line;
  }

  function item({ to, title, where, text, hit }) {
    const row = document.createElement("li");
    const link = document.createElement("a");
    link.href = document.documentElement.dataset.content_root + to;
    link.textContent = title;
    row.append(link);
    if (where !== title && !where.endsWith(`: ${title}`)) {
      const place = document.createElement("span");
      place.className = "where";
      place.textContent = where;
      row.append(place);
    }
    if (text) row.append(excerpt(text, hit.terms));
    return row;
  }

  const { title } = document;
  const asked = () => new URLSearchParams(location.search).get("q")?.trim().slice(0, LONGEST) ?? "";
  const status = document.getElementById("search-status");
  const advice = status.textContent;
  function answer() {
    const question = asked();
    const found = find(question);
    document.title = question ? `${question} · ${title}` : title;
    document.getElementById("search-results")
      .replaceChildren(...found.slice(0, MOST).map(item));
    const many = found.length > MOST ? `The first ${MOST} of ${found.length}` : found.length;
    const places = `${many} ${found.length === 1 ? "place" : "places"} for “${question}”.`;
    const none = `Nothing was found for “${question}”. Try one word of it, or its beginning.`;
    status.textContent = question ? (found.length ? places : none) : advice;
  }

  // What is typed on this page is answered at once, because the index is here. Back leads to the
  // page that the reader came from.
  const form = document.querySelector("form[role=search]");
  let resting;
  const again = () => {
    clearTimeout(resting);
    history.replaceState(null, "", `?q=${encodeURIComponent(form.q.value)}`);
    answer();
  };
  form.q.addEventListener("input", () => {
    clearTimeout(resting);
    resting = setTimeout(again, 150);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    again();
  });
  answer();
})();
