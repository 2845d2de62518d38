import { expect, test } from "vitest";
import { cut } from "@/components/markdown/pieces";

test.each([
  ["words", "word ".repeat(5_000), 4_000],
  ["lines", `${"x".repeat(50)}\n`.repeat(500), 4_000],
  ["one word", "[a](".repeat(5_000), 1_000],
  ["a word behind others", `${"a ".repeat(1_000)}${"b".repeat(3_000)}`, 4_000],
  ["pairs of surrogates", "😀".repeat(5_000), 1_000],
  ["Chinese", "字".repeat(9_000), 4_000],
])("%s are cut into short pieces that make up the whole", (_, text, longest) => {
  const pieces = cut(text);
  expect(pieces.join("")).toBe(text);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(longest);
  expect(pieces.some((piece) => /[\ud800-\udbff]$/.test(piece))).toBe(false);
});

test("a short text is one piece", () => {
  expect(cut("some words")).toEqual(["some words"]);
});
