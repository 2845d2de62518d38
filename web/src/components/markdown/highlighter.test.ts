import { afterEach, expect, test, vi } from "vitest";
import { loadLanguage, tokenize } from "@/components/markdown/highlighter";

const CODE = "def lookup(tree: Tree, key: int) -> Row | None:\n    node = tree.root\n    return node";

afterEach(() => vi.restoreAllMocks());

test("a slow machine colours code as a quick one does", async () => {
  const python = await loadLanguage("py");
  if (!python) throw new Error("Python is in the set");
  const quickly = tokenize(CODE, python);
  let now = 0;
  vi.spyOn(Date, "now").mockImplementation(() => {
    now += 1_000;
    return now;
  });
  expect(tokenize(CODE, python)).toEqual(quickly);
});

test("a language that is not in the set has no colours", async () => {
  expect(await loadLanguage("constructor")).toBeNull();
});

test("neighbours of the same colours are one token, and the text is kept", async () => {
  const python = await loadLanguage("py");
  if (!python) throw new Error("Python is in the set");
  const lines = tokenize(CODE, python);
  expect(lines.map((line) => line.map(({ text }) => text).join("")).join("\n")).toBe(CODE);
  for (const line of lines)
    for (const [index, { text, dark, light }] of line.entries()) {
      const next = line[index + 1];
      expect(text.trim()).not.toBe("");
      expect(next?.dark === dark && next?.light === light).toBe(false);
    }
});
