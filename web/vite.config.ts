import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin, Rolldown } from "vite";
import { defineConfig } from "vitest/config";
import { notices } from "./scripts/notices.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const inPackage = (name: string) => here(`./node_modules/${name}/index.js`);

/** Writes the build's id into the page, by which a page notices that a newer one is served. */
const buildId = (): Plugin => ({
  name: "build-id",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle }) => {
      if (!bundle) return [];
      // The names of the files tell their contents.
      const content = createHash("sha256")
        .update(Object.keys(bundle).sort().join("\n"))
        .digest("hex")
        .slice(0, 12);
      return [{ tag: "meta", attrs: { name: "build", content }, injectTo: "head" }];
    },
  },
});

/** Compresses scripts and styles once: Brotli takes an eighth less than gzip, and is too slow for a server to do. */
const compressed = (): Plugin => ({
  name: "compressed",
  apply: "build",
  writeBundle: ({ dir }) => {
    const assets = join(dir ?? "", "assets");
    for (const name of readdirSync(assets).filter((name) => /\.(js|css)$/.test(name)))
      writeFileSync(join(assets, `${name}.br`), brotliCompressSync(readFileSync(join(assets, name))));
  },
});

type Modules = Parameters<Exclude<Rolldown.CodeSplittingGroup["name"], string>>[1];

/** The modules that the page needs at once, but for its entry and what the frame that draws diagrams needs too. */
const firstPage = () => {
  const reached = (entry: string, modules: Modules, found = new Set<string>()) => {
    if (found.has(entry)) return found;
    found.add(entry);
    for (const next of modules.getModuleInfo(entry)?.importedIds ?? []) reached(next, modules, found);
    return found;
  };
  let first: { page: Set<string>; frame: Set<string> } | undefined;
  const [entry, frame] = [here("./src/main.tsx"), here("./src/components/markdown/diagram-frame.ts")];
  return (id: string, modules: Modules) => {
    first ??= { page: reached(entry, modules), frame: reached(frame, modules) };
    return id !== entry && first.page.has(id) && !first.frame.has(id) ? "first" : null;
  };
};

const COMMANDS = /\/features\/[^/]+\/(commands|shortcuts|command-strings)\.ts$/;

const licences = notices();

export default defineConfig({
  plugins: [react(), tailwindcss(), buildId(), compressed(), licences.page],
  resolve: {
    alias: {
      "@": here("./src"),
      "@guides": here("../docs/guides"),
      // Markdown is parsed in a worker, which has no DOM: these two would otherwise use it.
      "decode-named-character-reference": inPackage("decode-named-character-reference"),
      "hast-util-from-html-isomorphic": inPackage("hast-util-from-html-isomorphic"),
    },
  },
  worker: { format: "es", plugins: () => [licences.worker] },
  build: {
    outDir: "../src/parley/web_dist",
    emptyOutDir: true,
    // The page may load fonts only from its own server, so none is written into the style sheet.
    assetsInlineLimit: 0,
    manifest: true,
    // Diagrams and views are drawn by pages of their own, in frames that may do nothing else.
    rolldownOptions: {
      input: [here("./index.html"), here("./diagram.html"), here("./view.html")],
      // What the first page needs is one file: fifty small ones are compressed a tenth worse.
      output: {
        codeSplitting: {
          groups: [
            { name: firstPage(), tags: ["$initial"], includeDependenciesRecursively: false },
            // So is what all areas add to the palette and to the list of shortcuts.
            { name: "commands", test: COMMANDS, includeDependenciesRecursively: false },
          ],
        },
      },
    },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/healthz": "http://127.0.0.1:8000" } },
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx", "scripts/*.test.mjs"], environment: "node" },
});
