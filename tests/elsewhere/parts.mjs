// One test of each part of a page, for the browsers that the suite itself does not run.
//
// A test gets a page that answers as Puppeteer's do; ``report`` runs all of them and says
// what came of each. No error, no refusal by the content-security policy, and no foreign
// request may be seen, and no page may be wider than its window.
import assert from "node:assert/strict";

export const [site, only] = process.argv.slice(2);
const SECONDS = 90_000; // a busy machine starts Python slowly
const RIGHT = `import numpy as np

def clip(G, C):
    return G / np.maximum(1.0, np.linalg.norm(G, axis=1, keepdims=True) / C)
`;
const WRONG = "import numpy as np\n\ndef clip(G, C):\n    return np.clip(G, -C, C)\n";
const ENDLESS = "def clip(G, C):\n    while True:\n        pass\n";

// Ask a page again and again; a page's policy bars the usual way, which needs eval.
async function until(page, asked, ...more) {
  const end = Date.now() + SECONDS;
  for (let told; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
    told = await page.evaluate(asked, ...more);
    if (told) return told;
  }
  throw new Error(`never came: ${asked} ${more}`);
}
const text = (page, css) => page.$eval(css, (each) => each.innerText);
const center = async (element) => {
  await element.evaluate((each) => each.scrollIntoView({ block: "center", behavior: "instant" }));
  const { x, y, width, height } = await element.boundingBox();
  return [x + width / 2, y + height / 2];
};
const figure = async (page, id) => {
  await page.$eval(`#${id}`, (each) => each.scrollIntoView({ behavior: "instant" }));
  await until(page, (id) => document.querySelector(`#${id} fieldset:not([disabled])`) !== null, id);
};
const output = (page, id, key) => text(page, `#${id} .dpt-slider[data-key=${key}] output`);
const changed = (page, id, key, from) => until(page, (css, from) =>
  document.querySelector(css).value !== from, `#${id} .dpt-slider[data-key=${key}] output`, from);
const press = async (page, css, key) => { await page.focus(css); await page.keyboard.press(key); };
// The first that is seen: formulas and pictures have a form for phones beside the wide one.
const seen = async (page, css) => {
  for (const each of await page.$$(css)) if (await each.boundingBox()) return each;
  throw new Error(`no ${css} is seen`);
};
// The button of an element with these words.
const button = async (page, css, words) => {
  for (const each of await page.$$(`${css} button`))
    if ((await each.evaluate((one) => one.textContent)).includes(words)) return each;
  throw new Error(`${css} has no button "${words}"`);
};
const click = async (element) => { await center(element); await element.click(); };

async function put(page, css, code) {
  await click(await page.$(`${css} .cm-content`));
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.press("Delete");
  for (const line of code.trim().split("\n")) {
    await page.keyboard.type(line.trim()); // the editor indents
    await page.keyboard.press("Enter");
  }
}
async function check(page, css, code) {
  await put(page, css, code);
  await click(await page.$(`${css} .go`));
  await new Promise((done) => setTimeout(done, 300));
  await until(page, (css) => document.querySelector(`${css} .go:not([aria-disabled])`) !== null, css);
  return `${await text(page, `${css} .said`)}\n${await text(page, `${css} .shown`)}`;
}

const TESTS = {
  "a slider, by keyboard, mouse and finger": async (page) => {
    await page.goto(`${site}/chapters/03-composition.html`);
    await figure(page, "five-accountants");
    const css = "#five-accountants .dpt-slider[data-key=steps] input";
    await press(page, css, "Home");
    let now = await output(page, "five-accountants", "steps");
    await press(page, css, "ArrowRight");
    await changed(page, "five-accountants", "steps", now);
    now = await output(page, "five-accountants", "steps");
    const input = await page.$(css);
    await center(input);
    const box = await input.boundingBox();
    await page.mouse.click(box.x + 0.9 * box.width, box.y + box.height / 2);
    await changed(page, "five-accountants", "steps", now);
    now = await output(page, "five-accountants", "steps");
    await page.touchscreen.tap(box.x + 0.1 * box.width, box.y + box.height / 2);
    await changed(page, "five-accountants", "steps", now);
    await until(page, () => /^#five-accountants\?.*steps=/.test(location.hash));
  },
  "a ring is dragged": async (page) => {
    await page.goto(`${site}/chapters/01-guessing-game.html`);
    await figure(page, "threshold-test");
    const now = await output(page, "threshold-test", "threshold");
    const [x, y] = await center(await seen(page, "#threshold-test .dpt-ring"));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y, { steps: 5 });
    await page.mouse.up();
    await changed(page, "threshold-test", "threshold", now);
  },
  "a process plays, stops, and is scrubbed": async (page) => {
    await page.goto(`${site}/chapters/03-composition.html`);
    await figure(page, "drift");
    const play = await page.$("#drift .dpt-play");
    await press(page, "#drift-steps", "Home");
    const at = () => page.$eval("#drift-steps", (each) => +each.value);
    await until(page, () => +document.querySelector("#drift-steps").value === 0);
    await click(play);
    await until(page, () => +document.querySelector("#drift-steps").value > 3);
    await click(play);
    await until(page, () => document.querySelector("#drift .dpt-play").textContent === "Play");
    await new Promise((done) => setTimeout(done, 200)); // the last step shows in the next frame
    const now = await at();
    await new Promise((done) => setTimeout(done, 800));
    assert.equal(await at(), now);
    await press(page, "#drift-steps", "End");
    assert.ok((await at()) > now);
    await until(page, () => document.querySelector("#drift .dpt-play").textContent === "Play again");
  },
  "a link in a text sets its figure": async (page) => {
    await page.goto(`${site}/chapters/03-composition.html`);
    await click(await page.$("main a.live[href^='#five-accountants'][href*='rate=1']"));
    await until(page, () =>
      document.querySelector("#five-accountants .dpt-slider[data-key=rate] output")?.value === "1");
    const top = await page.$eval("#five-accountants .dpt-picture",
      (each) => each.getBoundingClientRect().top);
    assert.ok(top > -60 && top < 844, `the picture is at ${top}`);
  },
  "a formula lights its curve": async (page) => {
    await page.goto(`${site}/chapters/03-composition.html`);
    const id = await page.$eval(".speaks", (each) => each.dataset.figure);
    await figure(page, id);
    await click(await seen(page, ".math [data-curve='0']"));
    await until(page, (id) => document.querySelectorAll(`#${id} path[data-lit]`).length > 0, id);
    await page.keyboard.press("Escape");
    assert.equal(await page.$(`#${id} path[data-lit]`), null);
    await page.focus(".speaks a");
    await until(page, () => document.querySelector(".math [data-lit]") !== null);
  },
  "search finds": async (page) => {
    await page.goto(`${site}/chapters/09-dp-sgd.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("Theorem 6.10");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector("#search-results li a") !== null);
    assert.match(await page.$eval("#search-results li a", (each) => each.href),
      /09-dp-sgd\.html#thm-dp-sgd-privacy/);
  },
  "a question is answered, and opens what it held": async (page) => {
    await page.goto(`${site}/chapters/01-guessing-game.html`);
    await page.evaluate(() => localStorage.removeItem("answers"));
    const quiz = "#quiz-belief";
    await click(await page.$(`${quiz} .dpt-check`));
    assert.equal(await text(page, `${quiz} .dpt-verdict`), "Choose an answer first.");
    await click(await page.$(`${quiz} input`));
    await page.keyboard.press("ArrowDown");
    await click(await page.$(`${quiz} .dpt-check`));
    await until(page, (css) => /^(Right|Not quite)\./.test(document.querySelector(css).innerText),
      `${quiz} .dpt-verdict`);
  },
  "the front page's game": async (page) => {
    await page.goto(`${site}/book/index.html`);
    await until(page, () => document.querySelector("[data-guess=in]:enabled") !== null);
    for (let k = 0; k < 10; k++) await page.click(`[data-guess=${k % 2 ? "in" : "out"}]`);
    assert.match(await text(page, ".game [role=status]"), /You: \d+ of 10\. Best possible: 7\.0/);
    await press(page, "#game-epsilon", "ArrowRight");
    assert.equal(await text(page, ".setting output"), "1.05");
  },
  "an answer is graded, an endless loop is ended": async (page) => {
    await page.goto(`${site}/chapters/02-sensitivity.html`);
    const css = "[data-write=clip]";
    await click(await page.$(`${css} button`));
    await until(page, (css) => document.querySelector(`${css} .cm-content`) !== null, css);
    const wrong = await check(page, css, WRONG);
    assert.match(wrong, /clip: not yet/);
    assert.match(wrong, /Each entry is cut by itself/);
    assert.match(await check(page, css, ENDLESS), /no result after 5 s/);
    assert.match(await check(page, css, RIGHT), /clip: passed/);
    await put(page, css, "while True:\n    pass\n");
    await click(await page.$(`${css} .go`));
    await new Promise((done) => setTimeout(done, 500));
    await click(await button(page, css, "Stop"));
    await until(page, (css) => document.querySelector(css).innerText.includes("You stopped it"), css);
    assert.match(await check(page, css, RIGHT), /clip: passed/);
  },
  "a chapter's cell runs": async (page) => {
    await page.goto(`${site}/chapters/02-sensitivity.html`);
    await click(await button(page, "[data-run]", "Run this cell"));
    await until(page, () => /The cell ran here/.test(
      document.querySelector("[data-run] .said")?.innerText ?? ""));
  },
  "a table of one's own becomes a model, and nothing leaves": async (page) => {
    await page.goto(`${site}/book/your-own-table.html`);
    const said = async (words) => {
      await click(await button(page, ".own-table", words));
      await new Promise((done) => setTimeout(done, 500));
      await until(page, () =>
        !document.querySelector(".own-table .status button")?.getClientRects().length);
      return text(page, ".own-table .said");
    };
    assert.match(await said("Get Python"), /sealed/);
    assert.match(await said("commuters"), /made-up table/);
    assert.equal(await said("Train"), "The model is there.");
    assert.match(await text(page, ".proofs"), /since then: 0\./);
    return /connect-src/; // both try to break out, and the browser says that it refused
  },
};

// Open a page for each test, and say what came of it. ``open`` gives a page, the faults
// that it met, and how it is closed.
export async function report(open, { width, theme }) {
  let good = true;
  for (const [name, test] of Object.entries(TESTS)) {
    if (only && !name.includes(only)) continue;
    const { page, faults, close } = await open();
    const start = Date.now();
    let failed = null;
    try {
      const expected = await test(page);
      assert.deepEqual((await faults()).filter((each) => !expected?.test(each)), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `the page is ${wide} pixels wide`);
    } catch (error) {
      failed = error;
      if (process.env.OUT) await page.screenshot({ path: `${process.env.OUT}/${name.replaceAll(/\W+/g, "-")}-${width}.png` });
    }
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`${failed ? "FAILED" : "passed"} ${width} px, ${theme}: ${name}, ${seconds} s`);
    if (failed) console.log(failed.message, ...(await faults()));
    await close();
    good &&= failed === null;
  }
  return good;
}
