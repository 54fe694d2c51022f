// The parts of a page in Firefox, over WebDriver BiDi: node firefox.mjs URL [NAME].
//
// The URL is where the built book is served; FIREFOX names the browser. Each test runs
// on a wide window, light, and on a phone's, dark.
import { createRequire } from "node:module";
import { report, site } from "./parts.mjs";

const { launch } = createRequire(`${process.env.PUPPETEER ?? process.cwd()}/`)("puppeteer-core");

async function open(browser, viewport) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const errors = [];
  await page.setViewport(viewport);
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
  page.on("request", (asked) => {
    if (!/^(blob|data|about):/.test(asked.url()) && !asked.url().startsWith(site))
      errors.push(`asked ${asked.url()}`);
  });
  await page.evaluateOnNewDocument(() => {
    try { localStorage.setItem("answers", "shown"); } catch {}
    addEventListener("securitypolicyviolation", (refused) =>
      console.error(`refused: ${refused.violatedDirective} ${refused.blockedURI}`));
  });
  return { page, faults: async () => errors, close: () => context.close() };
}

let good = true;
for (const { width, height, theme } of [
  { width: 1280, height: 800, theme: "light" }, { width: 390, height: 844, theme: "dark" },
]) {
  const browser = await launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX,
    extraPrefsFirefox: { "layout.css.prefers-color-scheme.content-override": theme === "dark" ? 0 : 1 },
  });
  if (theme === "light") console.log(await browser.version());
  good = (await report(() => open(browser, { width, height }), { width, theme })) && good;
  await browser.close();
}
process.exit(good ? 0 : 1);
