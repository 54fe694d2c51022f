// The parts of a page in WebKitGTK, over WebDriver: node webkit.mjs URL [NAME].
//
// The URL is where the built book is served, DRIVER where WebKitWebDriver answers, and
// MINIBROWSER names the browser. Each test runs on a wide window, light, and on a phone's,
// dark, in a browser of its own. WebDriver tells of no error while a page loads: what is
// counted is what happens from then on.
import { writeFile } from "node:fs/promises";
import { report, site } from "./parts.mjs";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const KEYS = {
  Control: "\ue009", Delete: "\ue017", Enter: "\ue007", Escape: "\ue00c", Home: "\ue011",
  End: "\ue010", ArrowRight: "\ue014", ArrowDown: "\ue015",
};

async function ask(method, path, body) {
  const answer = await fetch(process.env.DRIVER + path, { method, body: body && JSON.stringify(body) });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

// An element, with what the tests ask of it.
class Handle {
  constructor(page, id) { Object.assign(this, { page, [ELEMENT]: id }); }
  toJSON() { return { [ELEMENT]: this[ELEMENT] }; }
  evaluate(asked, ...more) { return this.page.evaluate(asked, this, ...more); }
  boundingBox() {
    return this.evaluate((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return width && height ? { x, y, width, height } : null;
    });
  }
  // In the middle of what is in the window: a line of code may be wider.
  async click() {
    await this.page.mouse.click(...await this.evaluate((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      const middle = (from, to, end) => (Math.max(from, 0) + Math.min(to, end)) / 2;
      return [middle(left, right, innerWidth), middle(top, bottom, innerHeight)];
    }));
  }
}

// A page that answers as Puppeteer's do, as far as the tests ask.
class Page {
  constructor(session) {
    this.session = session;
    const keys = (...actions) => this.act({ type: "key", id: "keyboard", actions });
    const key = (type, name) => ({ type, value: KEYS[name] ?? name });
    this.keyboard = {
      down: (name) => keys(key("keyDown", name)),
      up: (name) => keys(key("keyUp", name)),
      press: (name) => keys(key("keyDown", name), key("keyUp", name)),
      type: (text) => keys(...[...text].flatMap((each) => [key("keyDown", each), key("keyUp", each)])),
    };
    const pointer = (pointerType, ...actions) =>
      this.act({ type: "pointer", id: pointerType, parameters: { pointerType }, actions });
    const to = (x, y) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 });
    const [down, up] = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));
    this.mouse = {
      move: (x, y) => pointer("mouse", to(x, y)),
      down: () => pointer("mouse", down),
      up: () => pointer("mouse", up),
      click: (x, y) => pointer("mouse", to(x, y), down, up),
    };
    this.touchscreen = { tap: (x, y) => pointer("touch", to(x, y), down, up) };
  }
  act(source) { return ask("POST", `${this.session}/actions`, { actions: [source] }); }
  async evaluate(asked, ...args) {
    const script = `return (${asked})(...arguments)`;
    return this.held(await ask("POST", `${this.session}/execute/sync`, { script, args }));
  }
  held(value) {
    if (Array.isArray(value)) return value.map((each) => this.held(each));
    return value?.[ELEMENT] ? new Handle(this, value[ELEMENT]) : value;
  }
  $(css) { return this.evaluate((css) => document.querySelector(css), css); }
  $$(css) { return this.evaluate((css) => [...document.querySelectorAll(css)], css); }
  async $eval(css, asked, ...more) { return this.evaluate(asked, await this.$(css), ...more); }
  focus(css) { return this.$eval(css, (each) => each.focus()); }
  async click(css) {
    const found = await this.$(css);
    await found.evaluate((each) => each.scrollIntoView({ block: "center", behavior: "instant" }));
    await found.click();
  }
  async goto(url) {
    await ask("POST", `${this.session}/url`, { url });
    await this.evaluate(() => {
      window.faults = [];
      addEventListener("error", (told) => faults.push(told.message));
      addEventListener("unhandledrejection", (told) => faults.push(String(told.reason)));
      addEventListener("securitypolicyviolation", (refused) =>
        faults.push(`refused: ${refused.violatedDirective} ${refused.blockedURI}`));
    });
  }
  faults() {
    return this.evaluate((site) => [...(window.faults ?? []), ...performance.getEntriesByType("resource")
      .map((each) => each.name).filter((name) => !/^(blob|data|about):/.test(name) && !name.startsWith(site))
      .map((name) => `asked ${name}`)], site);
  }
  async screenshot({ path }) {
    await writeFile(path, Buffer.from(await ask("GET", `${this.session}/screenshot`), "base64"));
  }
}

async function open({ width, height, theme }) {
  const args = ["--automation", "--full-screen", ...(theme === "dark" ? ["--dark-mode"] : [])];
  const told = await ask("POST", "/session", { capabilities: { alwaysMatch: {
    "webkitgtk:browserOptions": { binary: process.env.MINIBROWSER, args },
  } } });
  const page = new Page(`/session/${told.sessionId}`);
  await ask("POST", `${page.session}/window/rect`, { width, height });
  await page.goto(`${site}/book/how-to-read.html`);
  await page.evaluate(() => localStorage.setItem("answers", "shown"));
  return {
    page, faults: () => page.faults(), close: () => ask("DELETE", page.session),
    version: told.capabilities.browserVersion,
  };
}

let good = true;
for (const how of [
  { width: 1280, height: 800, theme: "light" }, { width: 390, height: 844, theme: "dark" },
]) good = (await report(() => open(how), how)) && good;
process.exit(good ? 0 : 1);
