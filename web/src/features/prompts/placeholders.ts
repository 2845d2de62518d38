/** Places in a prompt that a person fills in: {{words}} in braces. Pure. */

const PLACE = /\{\{[^{}\n]{1,60}\}\}/;

/** Where the first place begins and ends; null where there is none. */
export function firstPlaceholder(text: string): [start: number, end: number] | null {
  const found = PLACE.exec(text);
  return found && [found.index, found.index + found[0].length];
}

/** What is searched for: the text after a slash that begins the draft; null where nothing is. */
export const searched = (draft: string): string | null =>
  draft.startsWith("/") && !draft.includes("\n") ? draft.slice(1).trim().toLowerCase() : null;

/** The prompts that are meant, those whose names begin with it first. */
export function matching<T extends { name: string }>(prompts: readonly T[], wanted: string): T[] {
  const named = (prompt: T) => prompt.name.toLowerCase();
  const found = prompts.filter((prompt) => named(prompt).includes(wanted));
  return found.sort((a, b) => Number(named(b).startsWith(wanted)) - Number(named(a).startsWith(wanted)));
}
