{
  document.documentElement.classList.remove("no-js");
  const data = document.documentElement.dataset, fonts = [];
  try {
    const kept = localStorage, theme = kept.getItem("theme"), all = kept.getItem("answers");
    if (theme) data.theme = theme;
    if (all) data.answers = all;
    const every = css => document.querySelectorAll(css);
    const given = id => kept.getItem(`answer:${document.body.dataset.page}:${id}`);
    const open = () => {
      for (const fold of every("details.dpt-held"))
        if (all || given(fold.dataset.holds)) fold.open = true;
      for (const quiz of every("[data-quiz]:not([data-answered])"))
        if (given(quiz.dataset.quiz)) quiz.dataset.answered = given(quiz.dataset.quiz);
    };
    const watch = new MutationObserver(open);
    if (all || Object.keys(kept).some(key => key.startsWith("answer:"))) {
      watch.observe(document, {childList: true, subtree: true});
      addEventListener("DOMContentLoaded", () => { open(); watch.disconnect(); });
    }
  } catch {}
  const serif = "fonts/source-serif-4-latin-wght-", katex = "katex/fonts/KaTeX_";
  if (matchMedia("(min-width:48rem)").matches)
    fonts.push(["Source Serif 4", serif + "normal", "normal", "200 900", "optional"],
      ["Source Serif 4", serif + "italic", "italic", "200 900", "optional"]);
  if (data.math)
    fonts.push(["KaTeX_Main", katex + "Main-Regular", "normal", "400", "swap"],
      ["KaTeX_Math", katex + "Math-Italic", "italic", "400", "swap"]);
  if (location.protocol != "file:")
    for (const [name, file, style, weight, display] of fonts) {
      const url = `url(${data.content_root}_static/vendor/${file}.woff2)`;
      const font = new FontFace(name, url, {style, weight, display});
      document.fonts.add(font);
      font.load().catch(() => {});
    }
}
