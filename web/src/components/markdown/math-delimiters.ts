/** Brings the ways in which models write maths to the one that the parser reads: `$$…$$`. */

const FENCE = /(^|\n) {0,3}(```+|~~~+)[\s\S]*?(?:\n {0,3}\2[^\n]*(?=\n|$)|$)|(`+)(?!`)[\s\S]*?[^`]\3(?!`)/g;

/** True where the text may hold maths, so that the maths renderer is worth loading. */
export const mayHoldMath = (text: string): boolean =>
  /\$\$|\\\(|\\\[|\$[^\s$][^$\n]*[\\^_={}+][^$\n]*\$/.test(text);

/**
 * Rewrite `\(…\)`, `\[…\]` and `$…$` outside of code. A single dollar counts only where it encloses something
 * that looks like maths, so "$5 and $10" stay prices.
 */
export function normaliseMath(text: string): string {
  let result = "";
  let last = 0;
  for (const code of text.matchAll(FENCE)) {
    result += rewrite(text.slice(last, code.index)) + code[0];
    last = code.index + code[0].length;
  }
  return result + rewrite(text.slice(last));
}

function rewrite(text: string): string {
  return text
    .replace(/\\\[([\s\S]+?)\\\]/g, (_, maths: string) => `\n$$\n${maths.trim()}\n$$\n`)
    .replace(/\\\(([\s\S]+?)\\\)/g, (_, maths: string) => `$$${maths.trim()}$$`)
    .replace(
      /(?<![\\$\w])\$(?![\s$])([^$\n]*?[\\^_={}+][^$\n]*?)(?<![\s\\])\$(?![\d$])/g,
      (_, maths: string) => `$$${maths}$$`,
    );
}
