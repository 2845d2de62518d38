/** Breaks passages into lines of a width, as many as there is space for. Pure. */
import type { Passage, Run, Style } from "@/features/arena/pictures/passages";

export interface Line {
  kind: Passage["kind"];
  indent: number;
  marker: string;
  /** The first of its passage: it stands further below the line before. */
  first: boolean;
  /** It is read from right to left. */
  rtl: boolean;
  runs: Run[];
}

export interface Laid {
  lines: Line[];
  /** There was more than there was space for. */
  cut: boolean;
}

/** The width of a text in px. */
export type Measure = (text: string, style: Style, kind: Passage["kind"]) => number;

/** What a list's items and quotes stand in by, in px. */
export const INDENT = 24;

const RTL = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Where a line may end: after spaces, and beside signs of scripts without spaces. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\s+|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

export function layLines(passages: readonly Passage[], width: number, most: number, measure: Measure): Laid {
  const lines: Line[] = [];
  for (const passage of passages) {
    const space =
      width - (passage.indent + (passage.kind === "quote" || passage.kind === "code" ? 1 : 0)) * INDENT;
    const wide = (text: string, style: Style) => measure(text, style, passage.kind);
    let first = true;
    for (const runs of wrapped(passage, Math.max(space, 80), wide, most - lines.length + 1)) {
      if (lines.length === most) return { lines: ended(lines), cut: true };
      const rtl = passage.kind !== "code" && RTL.test(runs.map(({ text }) => text).join(""));
      lines.push({ ...passage, marker: first ? passage.marker : "", first, rtl, runs });
      first = false;
    }
  }
  return { lines, cut: false };
}

/** The last line says that more would follow. */
function ended(lines: Line[]): Line[] {
  const last = lines.at(-1);
  const run = last?.runs.at(-1);
  if (last && run) last.runs = [...last.runs.slice(0, -1), { ...run, text: `${run.text.trimEnd()} …` }];
  return lines;
}

function wrapped(
  { kind, runs }: Passage,
  width: number,
  wide: (text: string, style: Style) => number,
  most: number,
): Run[][] {
  const lines: Run[][] = [[]];
  let used = 0;
  const next = () => {
    lines.push([]);
    used = 0;
  };
  for (const { text, style } of runs) {
    for (const word of wordsOf(text, kind)) {
      if (lines.length > most) return lines;
      if (word === "\n") {
        next();
        continue;
      }
      for (const part of fitting(word, width, (piece) => wide(piece, style))) {
        const size = wide(part, style);
        if (used > 0 && used + size > width && part.trim() !== "") next();
        if (used === 0 && kind !== "code" && part.trim() === "") continue;
        add(lines.at(-1) ?? [], part, style);
        used += size;
      }
    }
  }
  return lines;
}

function wordsOf(text: string, kind: Passage["kind"]): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => [
    ...(line.replace(/\t/g, kind === "code" ? "    " : " ").match(WORDS) ?? []),
    ...(index < lines.length - 1 ? ["\n"] : []),
  ]);
}

/** A word in parts that fit into a line. */
function fitting(word: string, width: number, wide: (text: string) => number): string[] {
  if (wide(word) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  for (const sign of word) {
    if (part && wide(part + sign) > width) {
      parts.push(part);
      part = "";
    }
    part += sign;
  }
  return [...parts, part];
}

/** Neighbours of one style are one run, so that letters which belong together are drawn together. */
function add(line: Run[], text: string, style: Style): void {
  const last = line.at(-1);
  if (last?.style === style) last.text += text;
  else line.push({ text, style });
}

const segmenter =
  typeof Intl.Segmenter === "function" ? new Intl.Segmenter("en", { granularity: "word" }) : null;

/** How many words a text has, also where no spaces stand between them. */
export function countWords(text: string): number {
  if (!segmenter) return text.split(/\s+/).filter(Boolean).length;
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1;
  return count;
}

export const textOf = (items: readonly { runs: readonly Run[] }[]): string =>
  items.map(({ runs }) => runs.map(({ text }) => text).join("")).join("\n");
