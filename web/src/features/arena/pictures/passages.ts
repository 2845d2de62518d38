/** A rendered text as passages of plain runs, which a picture can be drawn from. Pure. */
import type { Element, ElementContent, RootContent } from "hast";

export type Style = "plain" | "bold" | "italic" | "code";

export interface Run {
  text: string;
  style: Style;
}

export interface Passage {
  kind: "text" | "heading" | "code" | "quote";
  /** How deep it stands in lists. */
  indent: number;
  /** Stands before a list's item. */
  marker: string;
  runs: Run[];
}

type Node = RootContent | ElementContent;
type Place = Pick<Passage, "kind" | "indent">;

const BLOCKS = new Set("p ul ol li pre blockquote table section div h1 h2 h3 h4 h5 h6 hr".split(" "));
const isBlock = (node: Node): boolean => node.type === "element" && BLOCKS.has(node.tagName);

/** The passages of a text's blocks, as the parser makes them. */
export function passagesOf(blocks: readonly Node[]): Passage[] {
  return flow(blocks, { kind: "text", indent: 0 });
}

/** A text that is not laid out: one passage for each line. */
export const plainPassages = (text: string): Passage[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ kind: "text", indent: 0, marker: "", runs: [{ text: line, style: "plain" }] }));

/** Blocks and what stands between them, in order. */
function flow(nodes: readonly Node[], place: Place): Passage[] {
  const passages: Passage[] = [];
  let loose: Node[] = [];
  const close = () => {
    const runs = loose.flatMap((node) => runsOf(node, "plain"));
    if (runs.some(({ text }) => text.trim() !== "")) passages.push({ ...place, marker: "", runs });
    loose = [];
  };
  for (const node of nodes) {
    if (isBlock(node)) {
      close();
      passages.push(...blockOf(node as Element, place));
    } else loose.push(node);
  }
  close();
  return passages;
}

function blockOf(node: Element, place: Place): Passage[] {
  switch (node.tagName) {
    case "ul":
    case "ol":
      return itemsOf(node, place);
    case "pre": {
      const code = String(node.properties.dataCode ?? "");
      return [{ ...place, kind: "code", marker: "", runs: [{ text: code, style: "code" }] }];
    }
    case "blockquote":
      return flow(node.children, { ...place, kind: "quote" });
    case "table":
      return rowsOf(node, place);
    case "hr":
      return [];
    default:
      return flow(node.children, /^h\d$/.test(node.tagName) ? { ...place, kind: "heading" } : place);
  }
}

function itemsOf(list: Element, place: Place): Passage[] {
  let number = Number(list.properties.start ?? 1) - 1;
  return list.children.flatMap((item) => {
    if (item.type !== "element" || item.tagName !== "li") return [];
    number += 1;
    const [first, ...rest] = flow(item.children, { ...place, indent: place.indent + 1 });
    if (!first) return [];
    return [{ ...first, marker: list.tagName === "ol" ? `${number}.` : "•" }, ...rest];
  });
}

/** A table's rows as lines. */
function rowsOf(node: Element, place: Place): Passage[] {
  return node.children.flatMap((child) => {
    if (child.type !== "element") return [];
    if (child.tagName !== "tr") return rowsOf(child, place);
    const cells = child.children.filter((cell) => cell.type === "element");
    const runs = cells.flatMap((cell, index) => {
      const own = runsOf(cell, cell.tagName === "th" ? "bold" : "plain");
      return index === 0 ? own : [{ text: "  |  ", style: "plain" } as const, ...own];
    });
    return [{ ...place, marker: "", runs }];
  });
}

const STYLES: Record<string, Style> = { strong: "bold", em: "italic", code: "code" };

function runsOf(node: Node, style: Style): Run[] {
  if (node.type === "text") return [{ text: node.value.replaceAll("\n", " "), style }];
  if (node.type !== "element") return [];
  if (node.tagName === "br") return [{ text: "\n", style }];
  if (node.tagName === "input") return [{ text: node.properties.checked ? "☑ " : "☐ ", style }];
  if (node.tagName === "img") return [{ text: `[image: ${node.properties.alt || "no description"}]`, style }];
  const classes = node.properties.className;
  // A formula stands as its source: what lays it out is HTML.
  if (Array.isArray(classes) && classes.includes("katex"))
    return [{ text: sourceOf(node) ?? "", style: "code" }];
  return node.children.flatMap((child) => runsOf(child, STYLES[node.tagName] ?? style));
}

function sourceOf(node: Element): string | null {
  if (node.tagName === "annotation")
    return node.children.map((c) => (c.type === "text" ? c.value : "")).join("");
  for (const child of node.children) {
    const found = child.type === "element" ? sourceOf(child) : null;
    if (found !== null) return found;
  }
  return null;
}
