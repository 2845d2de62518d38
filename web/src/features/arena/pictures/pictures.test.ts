import type { Element, ElementContent } from "hast";
import { expect, test } from "vitest";
import { countWords, layLines, textOf } from "@/features/arena/pictures/lay-lines";
import { passagesOf, plainPassages } from "@/features/arena/pictures/passages";
import { fileName } from "@/features/arena/pictures/scene";

const element = (
  tagName: string,
  children: (ElementContent | string)[],
  properties: Element["properties"] = {},
): Element => ({
  type: "element",
  tagName,
  properties,
  children: children.map((child) => (typeof child === "string" ? { type: "text", value: child } : child)),
});

/** Each sign is ten wide. */
const measure = (text: string) => text.length * 10;
const lay = (text: string, width: number, most = 50) => layLines(plainPassages(text), width, most, measure);
const linesOf = ({ lines }: ReturnType<typeof lay>) => lines.map((line) => textOf([line]).trim());

test("a text is broken between words, and a long word within", () => {
  expect(linesOf(lay("one two three", 90))).toEqual(["one two", "three"]);
  expect(linesOf(lay("abcdefghijkl", 80))).toEqual(["abcdefgh", "ijkl"]);
});

test("a script without spaces is broken between its signs", () => {
  expect(linesOf(lay("日本語の文章です", 80))).toHaveLength(1);
  expect(linesOf(lay("日本語の文章です。もう一つ", 80))).toHaveLength(2);
});

test("what has no room is cut, and the last line says so", () => {
  const laid = lay("one two three four five six", 90, 2);
  expect(laid.cut).toBe(true);
  expect(linesOf(laid)).toEqual(["one two", "three …"]);
  expect(countWords(textOf(laid.lines))).toBe(3);
  expect(lay("one two", 90, 1).cut).toBe(false);
});

test("a line of a script from right to left is drawn from the right", () => {
  expect(lay("שלום עולם", 200).lines[0]?.rtl).toBe(true);
  expect(lay("hello", 200).lines[0]?.rtl).toBe(false);
});

test("lists, code and bold words keep what they are", () => {
  const passages = passagesOf([
    element("p", ["Say ", element("strong", ["yes"]), "."]),
    element("ol", [element("li", ["first", element("ul", [element("li", ["inner"])])])]),
    element("pre", [], { dataCode: "a = 1\nb = 2" }),
  ]);
  expect(passages.map(({ kind, indent, marker }) => [kind, indent, marker])).toEqual([
    ["text", 0, ""],
    ["text", 1, "1."],
    ["text", 2, "•"],
    ["code", 0, ""],
  ]);
  expect(passages[0]?.runs.map(({ style }) => style)).toEqual(["plain", "bold", "plain"]);
  expect(linesOf(layLines(passages.slice(3), 500, 9, measure))).toEqual(["a = 1", "b = 2"]);
});

test("a formula stands as its source", () => {
  const formula = element("span", [element("annotation", ["x^2"]), element("span", ["x2"])], {
    className: ["katex"],
  });
  expect(passagesOf([element("p", ["Now ", formula])])[0]?.runs).toEqual([
    { text: "Now ", style: "plain" },
    { text: "x^2", style: "code" },
  ]);
});

test("the file's name is made of plain letters", () => {
  expect(fileName({ kind: "Blind battle", question: "Tee – oder Käse?" })).toBe(
    "blind-battle-tee-oder-kase.png",
  );
  expect(fileName({ kind: "Comparison", question: "日本" })).toBe("comparison.png");
});
