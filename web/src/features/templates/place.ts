/** Places in a template that a person fills in: {{words}} in braces. Pure. */

const PLACE = /\{\{[^{}\n]{1,60}\}\}/;

/** Where the first place begins and ends; null where there is none. */
export function firstPlace(text: string): [start: number, end: number] | null {
  const found = PLACE.exec(text);
  return found && [found.index, found.index + found[0].length];
}

/** What is searched for: the text after a slash that begins the draft; null where nothing is. */
export const searched = (draft: string): string | null =>
  draft.startsWith("/") && !draft.includes("\n") ? draft.slice(1).trim().toLowerCase() : null;

/** The templates that are meant, those whose names begin with it first. */
export function matching<T extends { name: string }>(templates: readonly T[], wanted: string): T[] {
  const named = (template: T) => template.name.toLowerCase();
  const found = templates.filter((template) => named(template).includes(wanted));
  return found.sort((a, b) => Number(named(b).startsWith(wanted)) - Number(named(a).startsWith(wanted)));
}
