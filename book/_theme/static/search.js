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
  // A question in words says "epsilon"; the headings of questions have the letter.
  const isQuestion = ({ to }) => to.startsWith("book/questions.html#");
  index.addAll(entries.map((each) => (isQuestion(each)
    ? { ...each, title: each.title.replace("ε", "ε epsilon") } : each)));
  const known = new Set(forms.values());
  const at = new Map(entries.map((entry) => [entry.to, entry]));

  // What readers call a thing that the book calls otherwise.
  const CALLED = [
    [/\bch(?:ap)?\.? ?(\d+)$/i, "chapter $1"],
    [/\bstep[ -]?sizes?\b/i, "learning rate"],
    [/\bgenerali[sz]ation( error| gap)?\b/i, "population risk"],
    [/\bllms?\b/i, "language models"],
    [/\blaplacian\b/i, "Laplace"],
    [/\bsyllabus\b/i, "syllabi"],
    [/\bbibliography\b/i, "references"],
    [/\bdp(sgd|ftrl)\b/i, "DP-$1"],
    [/^how much noise\b.*/i, "noise multiplier"],
    [/\bcalibrate\b/i, "calibration"],
    [/\bshuffle model\b/i, "shuffling"],
    [/\bdatasets?\b/i, "data sets"],
    [/^(?:what (?:is|are)|what's|define)(?: an?| the)? /i, ""],
  ];
  // A Greek letter by its name; epsilon and delta are terms of the glossary.
  const LETTERS = new Map(Object.entries({
    alpha: "α", beta: "β", gamma: "γ", eta: "η", theta: "θ", lambda: "λ", mu: "μ", rho: "ρ", sigma: "σ",
  }));
  const inBooksWords = (question) => LETTERS.get(question.toLowerCase())
    ?? CALLED.reduce((words, [theirs, ours]) => words.replace(theirs, ours), question);

  // A question in words is answered first by the page of questions, and its small words, which
  // are everywhere, say nothing of what it is about.
  const ASKS = /^(how|what|which|when|where|who|why|is|are|do|does|can|could|may|must|should|will)\b/i;
  const SMALL = new Set(`a an the i you we my our your me us it its is are was be am do does did can
    could may might must shall should will would have has how what which when where who why much many
    of for in on at to from with and or if that this there get use need take choose pick set want
    good best right`.split(/\s+/));
  const content = (question) => {
    const words = question.match(/[^\s?!.,;]+/g) ?? [];
    const left = words.filter((word) => !SMALL.has(word.toLowerCase()));
    return ASKS.test(question) && words.length > 2 && left.length ? left.join(" ") : "";
  };
  // A word that is nowhere in the book becomes the one most like it that is.
  const spelled = (question) => question.replace(/\p{L}{5,}/gu, (word) => {
    const form = processTerm(word);
    if (known.has(form) || [...known].some((other) => other.startsWith(form))) return word;
    const seen = new Map();
    for (const { terms } of index.search(word, { fuzzy: 0.25, prefix: false }))
      for (const term of terms) seen.set(term, (seen.get(term) ?? 0) + 1);
    return [...seen].sort(([, a], [, b]) => b - a)[0]?.[0] ?? word;
  });

  const plain = (text) => tokenize(text).map(processTerm).join(" ");
  // Is a work asked for by its title?
  const named = (entry, question) => {
    const title = entry.split(". ").at(-1); // after the last author
    return question.trim().split(/\s+/).length > 2
      && [title, title.split(": ")[0]].map(plain).includes(plain(question));
  };
  // Is a work asked for by one of its authors? A term that has a name in it comes first.
  const names = new Set(entries.filter(({ kind }) => kind === "term")
    .flatMap(({ title }) => plain(title).split(" ")));
  const wrote = ({ kind, title }, wanted) => {
    if (kind !== "reference") return false;
    const authors = title.match(/^.*?\p{Ll}{2}(?=[.] )/u)?.[0] ?? "";
    const surnames = authors.split(/,? and |, /).map((name) => plain(name).split(" ").at(-1));
    const words = wanted.split(" ");
    return words.some((word) => surnames.includes(word) && !names.has(word))
      && words.every((word) => plain(title).split(" ").includes(word));
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
    const question = spelled(inBooksWords(asked));
    const wanted = plain(question);
    if (!wanted) return { found: [], question };
    const about = content(question);
    const searched = about || question;
    const all = index.search(searched, { combineWith: "AND" });
    const there = new Set(all.map((hit) => hit.id));
    // Where few places hold all words, those with some of them come after.
    const some = all.length > 4 ? [] : index.search(searched).filter(({ id }) => !there.has(id));
    const places = [all, some].flatMap((hits) => ranked(hits, question, wanted, about));
    for (const place of places) place.why = reason(place, searched);
    // The works of others come after the book's own places, unless one is asked for by its title
    // or by an author.
    const by = places.filter((place) => wrote(place, wanted));
    for (const place of by) place.why = "Reference: by this author";
    const other = ({ kind, title }) => kind === "reference" && !named(title, question);
    const rest = places.filter((place) => !by.includes(place));
    const found = [...by, ...explained(rest.filter((place) => !other(place))), ...rest.filter(other)];
    return { found, question };
  }

  // A term that would come first comes after the section that explains it.
  function explained([first, ...rest]) {
    const section = at.get(first?.home);
    if (!section) return first ? [first, ...rest] : [];
    const home = rest.find(({ to }) => to === section.to) ?? { ...section, hit: first.hit };
    home.why = `Section that explains “${first.title}”`;
    return [home, first, ...rest.filter((place) => place !== home)];
  }

  // Why a place is among the results: its kind, where the words are, and which are missing.
  const KINDS = {
    page: "Page", section: "Section", statement: "Statement", exercise: "Exercise", figure: "Figure",
    term: "Glossary", row: "Row of a table", reference: "Reference", erratum: "Erratum", api: "Function",
  };
  function reason({ kind, hit }, searched) {
    const fields = Object.values(hit.match).flat();
    const parts = ["title", "text"].filter((field) => fields.includes(field));
    const missing = [...new Set(searched.match(/[^\s?!.,;]+/g))]
      .filter((word) => !tokenize(word).some((part) => hit.queryTerms.includes(processTerm(part))));
    const without = missing.length ? `, without “${missing.join("”, “")}”` : "";
    return `${KINDS[kind]}: found in its ${parts.join(" and ") || "chapter’s title"}${without}`;
  }

  function ranked(hits, question, wanted, about) {
    const top = hits[0]?.score ?? 0;
    const phrase = (about || question).trim().toLowerCase();
    for (const hit of hits) {
      const { title, text, to } = entries[hit.id];
      hit.place = hit.score + top * exact(entries[hit.id], question, wanted);
      // Words that stand together count for more than words that are far apart.
      if (phrase.includes(" ") && `${title} ${text}`.toLowerCase().includes(phrase))
        hit.place *= 1.5;
      if (about && to.startsWith("book/questions.html#")) hit.place *= 3;
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

  function item({ to, title, where, text, hit, why }) {
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
    row.append(Object.assign(document.createElement("span"), { className: "why", textContent: why }));
    if (text) row.append(excerpt(text, hit.terms));
    return row;
  }

  const { title } = document;
  // A misspelled word is named as it was read.
  const said = (question, read) => (inBooksWords(question) === read ? "" : `, read as “${read}”`);
  const asked = () => new URLSearchParams(location.search).get("q")?.trim().slice(0, LONGEST) ?? "";
  const status = document.getElementById("search-status");
  const advice = status.textContent;
  function answer() {
    const question = asked();
    const { found, question: read } = find(question);
    document.title = question ? `${question} · ${title}` : title;
    document.getElementById("search-results")
      .replaceChildren(...found.slice(0, MOST).map(item));
    const many = found.length > MOST ? `The first ${MOST} of ${found.length}` : found.length;
    const places = `${many} ${found.length === 1 ? "place" : "places"} for “${question}”${said(question, read)}.`;
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
