/** The name of a pasted text as a file, and its place in the draft when it becomes text again. */

/** A draft with a text back at its place, apart from the words that have been typed around it. */
export function putBack(draft: string, text: string, at: number): string {
  const [before, after] = [draft.slice(0, at), draft.slice(at)];
  return [before, text, after].filter(Boolean).reduce((whole, part) => whole + gap(whole, part) + part, "");
}

const gap = (before: string, after: string) =>
  before === "" || /\s$/.test(before) || /^\s/.test(after) ? "" : "\n\n";

/** The first name for a pasted text that no other file has. */
export function textName(taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? "Pasted text.txt" : `Pasted text ${number}.txt`;
    if (!taken.includes(name)) return name;
  }
}
