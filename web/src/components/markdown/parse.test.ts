import { expect, test } from "vitest";
import { formulas } from "@/components/markdown/formulas";
import { type Block, Exceeded, type Progress, parse } from "@/components/markdown/parse";

const blocks = (text: string, writing = false) => parse({ text, writing, formulas }).parsed.blocks;

/** A block in short: its tags and its texts. */
function short(node: Block): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  return `<${node.tagName}>${node.children.map((child) => short(child as Block)).join("")}`;
}

function excess(text: string): string {
  try {
    parse({ text, writing: false, formulas });
    return "none";
  } catch (error) {
    return error instanceof Exceeded ? error.excess : String(error);
  }
}

test("HTML stays text, in a line and as a block", () => {
  expect(blocks("a <b>c</b>\n\n<script>alert(1)</script>").map(short)).toEqual([
    "<p>a <b>c</b>",
    "<p><script>alert(1)</script>",
  ]);
});

test.each([
  ["quotes", `${">".repeat(2000)} x`, "depth"],
  ["lists", `${"- ".repeat(1200)}x`, "depth"],
  ["numbered lists", `${"1. ".repeat(1200)}x`, "depth"],
  ["a paragraph without an end", "word ".repeat(4100), "run"],
  ["a table of 2,500 columns", `|${"a|".repeat(2500)}\n|${"-|".repeat(2500)}`, "elements"],
  ["a text of a megabyte", "a\n\n".repeat(300_000), "length"],
])("%s are not laid out", (_, text, expected) => {
  expect(excess(text)).toBe(expected);
});

test("a line of dashes is not nested, however long it is", () => {
  expect(blocks(`a\n\n${"- ".repeat(200)}`).map(short)).toEqual(["<p>a", "<hr>"]);
});

test("a formula that is nested too deep stands as code", () => {
  const [block] = blocks(`$$\n${"{".repeat(500)}${"}".repeat(500)}\n$$`);
  expect(block).toMatchObject({ tagName: "pre", properties: { dataLanguage: "latex" } });
});

test("a formula is laid out, and may not name an address", () => {
  expect(JSON.stringify(blocks("$$x^2$$"))).toContain("katex");
  expect(JSON.stringify(blocks("$$\\href{javascript:alert(1)}{x}$$"))).not.toContain('"href"');
});

test("code that is still being written is marked", () => {
  const last = (text: string) => blocks(text, true).at(-1);
  expect(last("a\n\n```js\nlet")).toMatchObject({ properties: { dataCode: "let", dataUnfinished: true } });
  expect(last("a\n\n```js\nlet\n```")).toMatchObject({ properties: { dataUnfinished: false } });
  expect(last("- a\n\n  ```js\n  let\n  ```")).not.toMatchObject({ properties: { dataUnfinished: true } });
});

const LONG = `# Title

A paragraph with *words*
that goes on
===

- a
- b

  c
1. d

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
let a = 1;

let b = 2;
\`\`\`
> quote
lazy

Formula $$x^2$$ and

$$
y
$$
#
* end`;

test("a text that grows has at each moment the blocks that it has when parsed at once", () => {
  let before: Progress | undefined;
  let grown: Block[] = [];
  for (let length = 1; length <= LONG.length; length += 2) {
    const text = LONG.slice(0, length);
    const { parsed, progress } = parse({ text, writing: true, before, formulas });
    grown = [...grown.slice(0, parsed.kept), ...parsed.blocks];
    before = progress;
    expect(grown.map(short), text).toEqual(blocks(text, true).map(short));
  }
});
