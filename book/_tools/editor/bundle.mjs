// Bundle the editor into one script that a page can load from disk too, with the licenses
// of its parts and the new sums: node bundle.mjs, in this folder, after npm ci --ignore-scripts.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const vendor = path.resolve(import.meta.dirname, "..", "..", "_static", "vendor");
const out = path.join(vendor, "codemirror");
mkdirSync(out, { recursive: true });
const { metafile } = await build({
  entryPoints: [path.join(import.meta.dirname, "editor.js")],
  outfile: path.join(out, "editor.js"),
  bundle: true, minify: true, format: "iife", target: "es2022", metafile: true,
  legalComments: "none",
});
const parts = new Set(
  Object.keys(metafile.inputs)
    .map((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1])
    .filter(Boolean),
);
const licenses = [...parts].sort().map((name) => {
  const folder = path.join(import.meta.dirname, "node_modules", name);
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md"].find((each) => existsSync(path.join(folder, each)));
  return `${name} ${version}\n\n${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(path.join(out, "LICENSE"), licenses.join(`\n${"-".repeat(72)}\n\n`));

const sums = path.join(vendor, "sha256sums.txt");
const others = readFileSync(sums, "utf8").trim().split("\n")
  .filter((line) => !line.includes("  codemirror/"));
for (const name of ["LICENSE", "editor.js"]) {
  const sum = createHash("sha256").update(readFileSync(path.join(out, name))).digest("hex");
  others.push(`${sum}  codemirror/${name}`);
}
const byPath = (line) => line.slice(66);
others.sort((a, b) => (byPath(a) < byPath(b) ? -1 : 1));
writeFileSync(sums, `${others.join("\n")}\n`);
