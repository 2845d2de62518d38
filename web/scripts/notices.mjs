// Writes the licences of everything in the built page into one file, and fails where a licence has no text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));
const TEXTS = fileURLToPath(new URL("../licences", import.meta.url));

export const FILE = "third-party-notices.txt";

/** Packages whose code gets into the page without being a module of it: a style sheet, and the loader of chunks. */
const INJECTED = ["tailwindcss", "vite"];

const HEAD =
  "Parley's page contains the following software. Each part is under its own licence.\nSource code: at the address named with each part.\n";

const LICENCE_FILE = /^(licen[cs]e|copying|notice|third[-_ ]?party)/i;

/** The folder of the package that a module belongs to; null for Parley's own code. */
export function packageOf(id) {
  const path = id.replace(/^\0/, "").split("?")[0] ?? "";
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/@][^/]*)(?:\/|$)/.exec(path.replaceAll("\\", "/"));
  return match ? (match[1] ?? null) : null;
}

/** The name, version, licence, source and licence texts of a package. Throws where it has no text. */
export function noticeOf(folder) {
  const { name, version, license, licenses, repository, homepage, author } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  const stated = license?.type ?? license ?? licenses?.map((each) => each.type).join(" OR ");
  const licence = stated ?? (/^(the )?mit licen[cs]e/i.test(texts[0] ?? "") ? "MIT" : "");
  const standard = join(TEXTS, `${licence}.txt`);
  if (texts.length === 0 && licence && existsSync(standard)) {
    const holder = author?.name ?? author ?? `the authors of ${name}`;
    texts.push(
      readFileSync(standard, "utf8")
        .trim()
        .replace("{holder}", String(holder).replace(/ [<(].*/, "")),
    );
  }
  if (!licence || texts.length === 0)
    throw new Error(
      `${name}@${version} is in the page, but its licence${licence ? ` (${licence})` : ""} has no text. Add web/licences/${licence || "NAME"}.txt.`,
    );
  const source = repository?.url ?? repository ?? homepage ?? `npm:${name}`;
  return { name, version, licence, source: String(source).replace(/^git\+/, ""), texts };
}

/** The whole file, in order of the names. */
export function written(notices) {
  const parts = new Map(notices.map((notice) => [`${notice.name}@${notice.version}`, notice]));
  const sorted = [...parts.keys()].sort().map((key) => parts.get(key));
  const rule = "─".repeat(78);
  return [
    HEAD,
    ...sorted.map(({ name, version, licence }) => `${name} ${version} · ${licence}`),
    ...sorted.map(
      ({ name, version, licence, source, texts }) =>
        `\n${rule}\n${name} ${version}\nLicence: ${licence}\nSource: ${source}\n${rule}\n\n${texts.join("\n\n")}`,
    ),
    "",
  ].join("\n");
}

/** A Vite plugin; the one of the workers only collects what they contain. */
export function notices() {
  const folders = new Set();
  const add = (path) => {
    const folder = packageOf(path);
    if (folder && existsSync(join(folder, "package.json"))) folders.add(folder);
  };
  const collect = (context) => {
    for (const id of context.getModuleIds()) add(id);
  };
  const worker = {
    name: "notices-of-workers",
    generateBundle() {
      collect(this);
    },
  };
  const page = {
    name: "notices",
    apply: "build",
    generateBundle(_, bundle) {
      collect(this);
      // Fonts are no modules: a style sheet names them.
      for (const { originalFileNames = [] } of Object.values(bundle))
        for (const file of originalFileNames) add(resolve(MODULES, "..", file));
      for (const name of INJECTED) folders.add(join(MODULES, name));
      const source = written([...folders].map(noticeOf));
      this.emitFile({ type: "asset", fileName: FILE, source });
    },
  };
  return { page, worker };
}
