// Measures the compressed JavaScript that the first page loads, and fails above the limit.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_KB = 200;
const folder = new URL("../../src/parley/web_dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", folder), "utf8"));

/** The files that a chunk needs before it runs. */
function closure(key, found = new Set()) {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const next of chunk.imports ?? []) closure(next, found);
  return found;
}

const kb = (files) =>
  [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length,
    0,
  ) / 1000;

const entry = closure("index.html");
const first = kb(entry) + kb(["theme.js"]);
const rich = [...closure("src/components/markdown/rich-markdown.tsx")].filter((file) => !entry.has(file));
console.log(`JavaScript of the first page: ${first.toFixed(1)} kB gzip (limit ${LIMIT_KB} kB)`);
console.log(`Markdown renderer, loaded beside the first page: ${kb(rich).toFixed(1)} kB gzip`);
if (first > LIMIT_KB) {
  console.error(`The first page loads more than ${LIMIT_KB} kB of JavaScript.`);
  process.exit(1);
}
