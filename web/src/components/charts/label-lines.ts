/** A name beside its line: whole, in as many lines as it needs. Pure: sizes in pixels. */

/** A letter of the smallest type is about so wide. */
const LETTER = 6.2;
const LEADER = 22;
export const LINE_HEIGHT = 13;

/** The width of names at the right of a chart: what the longest needs, up to a third of the chart. */
export function nameWidth(names: readonly string[], width: number): number {
  const longest = Math.max(0, ...names.map((name) => name.length));
  return Math.max(90, Math.min(LEADER + longest * LETTER, width / 3));
}

/** A name in lines that fit the width: broken between words, else behind a hyphen, else anywhere. */
export function linesOf(name: string, width: number): string[] {
  const most = Math.max(6, Math.floor((width - LEADER) / LETTER));
  const lines: string[] = [""];
  for (const part of name.match(/[^\s-]+-*\s*|[\s-]+/g) ?? []) {
    for (let rest = part; rest; ) {
      const line = lines.at(-1) ?? "";
      if ((line + rest).trimEnd().length <= most) {
        lines[lines.length - 1] = line + rest;
        rest = "";
      } else if (line) lines.push("");
      else {
        lines[lines.length - 1] = rest.slice(0, most);
        rest = rest.slice(most);
        if (rest) lines.push("");
      }
    }
  }
  return lines.map((line) => line.trimEnd()).filter(Boolean);
}
