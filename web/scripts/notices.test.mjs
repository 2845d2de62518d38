import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noticeOf, packageOf, written } from "./notices.mjs";

const aPackage = (about, files = {}) => {
  const folder = join(mkdtempSync(join(tmpdir(), "notices-")), about.name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "1.0.0", ...about }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

test("a module belongs to the innermost package of its path, and Parley's own belongs to none", () => {
  expect(packageOf("/w/node_modules/elkjs/lib/elk.bundled.js")).toBe("/w/node_modules/elkjs");
  expect(packageOf("\0/w/node_modules/a/node_modules/@b/c/x.css?inline")).toBe(
    "/w/node_modules/a/node_modules/@b/c",
  );
  expect(packageOf("/w/src/main.tsx")).toBeNull();
  expect(packageOf("\0vite/preload-helper.js")).toBeNull();
});

test("every licence text and notice of a package is in the file, with where its source is", () => {
  const folder = aPackage(
    { name: "elk", license: "EPL-2.0", repository: { url: "git+https://example.com/elk.git" } },
    { "LICENSE.md": "Eclipse Public License", NOTICE: "Made by many", "index.js": "" },
  );
  const text = written([noticeOf(folder), noticeOf(folder)]);
  expect(text.match(/Eclipse Public License/g)).toHaveLength(1);
  expect(text).toContain("Made by many");
  expect(text).toContain("elk 1.0.0 · EPL-2.0");
  expect(text).toContain("Source: https://example.com/elk.git");
});

test("a package of a standard licence without a file gets the standard text with its author", () => {
  const { texts } = noticeOf(aPackage({ name: "small", license: "MIT", author: "Ann <ann@example.com>" }));
  expect(texts[0]).toMatch(/Copyright \(c\) Ann\n/);
});

test.each([{ license: "Own-1.0" }, {}])(
  "a package without a known licence text fails the build: %o",
  (about) => {
    expect(() => noticeOf(aPackage({ name: "odd", ...about }))).toThrow("odd@1.0.0 is in the page");
  },
);
