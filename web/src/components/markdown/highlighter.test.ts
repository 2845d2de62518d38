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
