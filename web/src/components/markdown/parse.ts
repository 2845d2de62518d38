/** Turns Markdown into blocks of elements, within limits. Pure: it runs in a worker. */
import type { Element, ElementContent, Root, RootContent } from "hast";
import type { Code, Root as Document, Html, Nodes } from "mdast";
import { defaultHandlers, type State } from "mdast-util-to-hast";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import remend from "remend";
import { type Pluggable, unified } from "unified";
import { remarkFormulas } from "@/components/markdown/formula-syntax";
import { mayHoldMath } from "@/components/markdown/formula-text";
import {
  CODE_NODES,
  type Excess,
  MAX_BLOCK_NODES,
  MAX_DEPTH,
  MAX_FORMULA,
  MAX_FORMULA_DEPTH,
  MAX_FORMULAS,
  MAX_NODES,
  MAX_RUN,
  MAX_TEXT,
} from "@/components/markdown/limits";
import { hasLongWord } from "@/components/markdown/pieces";

/** A piece of a text that is laid out by itself: a paragraph, a list, a table, a block of code. */
export type Block = RootContent;

export interface Parsed {
  /** So many blocks are those of the time before. */
  kept: number;
  /** The blocks after these. */
  blocks: Block[];
  /** How many nodes each of all blocks has. */
  sizes: number[];
  math: boolean;
}

export class Exceeded extends Error {
  constructor(readonly excess: Excess) {
    super(excess);
  }
}

/** What is known of a text that grows: its blocks up to the last two can't change any more. */
export interface Progress {
  source: string;
  math: boolean;
  hasFormulas: boolean;
  /** Where each block begins in the source. */
  starts: number[];
  sizes: number[];
}

export interface Given {
  text: string;
  writing: boolean;
  /** What is known of the text before it grew. */
  before?: Progress | undefined;
  /** Lays out formulas; without it they stay as they are written. */
  formulas?: Pluggable | undefined;
}

/** Parse a text, or only what may have changed of one that has grown. Throws Exceeded. */
export function parse(given: Given): { parsed: Parsed; progress: Progress } {
  const { text } = given;
  if (text.length > MAX_TEXT) throw new Exceeded("length");
  try {
    if (text.split("\n").some(isDeep)) throw new Exceeded("depth");
    return parseWithin(given);
  } catch (error) {
    // Nested so deep that the parser itself runs out of stack.
    throw error instanceof RangeError ? new Exceeded("depth") : error;
  }
}

function parseWithin({ text, writing, before, formulas }: Given) {
  const math = formulas !== undefined && mayHoldMath(text);
  const kept = writing && before?.math === math ? settled(text, before) : 0;
  const from = kept > 0 ? (before?.starts[kept] ?? 0) : 0;
  const tail = text.slice(from);
  const document = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(math ? [remarkMath, remarkFormulas] : [])
    .parse(writing ? remend(tail) : tail) as Document;
  checkDepth(document);
  const isNew = math && boundFormulas(document) > 0;
  const hasFormulas = isNew || (kept > 0 && before?.hasFormulas === true);
  const blocks = toBlocks(document, tail, writing, isNew ? formulas : undefined);
  const sizes = [...(before?.sizes.slice(0, kept) ?? []), ...blocks.map(measure)];
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_NODES) throw new Exceeded("elements");
  const starts = [
    ...(before?.starts.slice(0, kept) ?? []),
    ...document.children.map((node) => from + (node.position?.start.offset ?? 0)),
  ];
  return {
    parsed: { kept, blocks, sizes, math: hasFormulas },
    // What is defined anywhere changes blocks everywhere: then all is parsed anew.
    progress: {
      source: text,
      math,
      hasFormulas,
      starts: document.children.some(defines) ? [] : starts,
      sizes,
    },
  };
}

const defines = ({ type }: Nodes): boolean => type === "definition" || type === "footnoteDefinition";

/** How many blocks of before are surely the same: what follows a block's end can't change it. */
function settled(source: string, before: Progress): number {
  const kept = before.starts.length - 2;
  const end = before.starts[kept];
  return end !== undefined && kept > 0 && source.startsWith(before.source.slice(0, end)) ? kept : 0;
}

const MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const BREAK = /^[ \t]*(?:(?:-[ \t]*)+|(?:\*[ \t]*)+)$/;

/** A line that opens too many quotes and lists at once; the parser would find out late. */
function isDeep(line: string): boolean {
  const opened = MARKERS.exec(line)?.[0] ?? "";
  return opened.length > MAX_DEPTH && opened.replace(/[ \t\d]/g, "").length > MAX_DEPTH && !BREAK.test(line);
}

function checkDepth(document: Document): void {
  let level: Nodes[] = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new Exceeded("depth");
    level = level.flatMap((node) => ("children" in node ? (node.children as Nodes[]) : []));
  }
}

/** Show formulas that are too long, or too many, as code; return how many are left. */
function boundFormulas(document: Document): number {
  let count = 0;
  const waiting: Nodes[] = [document];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === "math" || node.type === "inlineMath") {
      if (node.value.length <= MAX_FORMULA && braces(node.value) <= MAX_FORMULA_DEPTH && count < MAX_FORMULAS)
        count += 1;
      else asCode(node);
    }
    if ("children" in node) waiting.push(...(node.children as Nodes[]));
  }
  return count;
}

function asCode(node: Nodes): void {
  const code = node as unknown as { type: string; data?: unknown; lang?: string };
  if (code.type === "math") code.lang = "latex";
  code.type = code.type === "math" ? "code" : "inlineCode";
  delete code.data;
}

/** How deep the braces of a formula are nested. */
function braces(formula: string): number {
  let depth = 0;
  let most = 0;
  for (const sign of formula) {
    if (sign === "{") depth += 1;
    else if (sign === "}") depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

function toBlocks(document: Document, source: string, writing: boolean, formulas?: Pluggable): Block[] {
  const handlers = {
    html: (_: State, node: Html) => ({ type: "text", value: node.value }) as const,
    code: (state: State, node: Code) =>
      formulas && node.lang === "math"
        ? defaultHandlers.code(state, node)
        : codeElement(node, source, writing),
  };
  const tree = unified()
    .use(remarkRehype, { handlers })
    .use(formulas ? [formulas] : [])
    .runSync(document) as Root;
  const blocks = tree.children.filter((node) => !(node.type === "text" && node.value.trim() === ""));
  return blocks.map((block) => (block.type === "text" ? paragraph(block) : block));
}

const paragraph = (text: ElementContent): Element => ({
  type: "element",
  tagName: "p",
  properties: {},
  children: [text],
});

/** Code as one element with its text as a property, which a component shows. */
function codeElement(node: Code, source: string, writing: boolean): Element {
  const { start, end } = node.position ?? {};
  const own = source.slice(start?.offset ?? 0, end?.offset ?? 0);
  const last = (end?.offset ?? 0) >= source.trimEnd().length;
  const closed = own.includes("\n") && /\n[ \t>]*(`{3,}|~{3,})[ \t]*$/.test(own.slice(-200));
  return {
    type: "element",
    tagName: "pre",
    properties: {
      dataCode: node.value,
      dataLanguage: node.lang ?? "",
      dataUnfinished: writing && last && !closed,
    },
    children: [],
  };
}

/** Count a block's nodes, without positions, which nobody needs any more. Throws Exceeded. */
function measure(block: Block): number {
  let count = 0;
  let run = 0;
  const waiting: RootContent[] = [block];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    count += node.type === "element" && node.tagName === "pre" ? CODE_NODES : 1;
    delete node.position;
    if (node.type === "text") run += node.value.length;
    if (run > MAX_RUN || (node.type === "text" && hasLongWord(node.value))) throw new Exceeded("run");
    if (node.type === "element") for (const child of node.children) waiting.push(child);
    if (count > MAX_BLOCK_NODES) throw new Exceeded("elements");
  }
  return count;
}
