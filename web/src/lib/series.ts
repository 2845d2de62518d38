/** Colours of things that are not seats: of names, and of the lines of a chart. */

const SERIES = 8;
/** Gold is a person's judgement: the hues of names begin behind it and end before it, in degrees. */
const FIRST_HUE = 115;
const HUE_RANGE = 300;

/** FNV-1a of a name, its bits mixed once more so that names which are alike part: the same in every browser. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The colour of a name, one of many of equal weight: an organisation's models share theirs. */
export const colorOf = (name: string): string =>
  `oklch(var(--dot-light) var(--dot-chroma) ${Math.round(FIRST_HUE + (hash(name) / 2 ** 32) * HUE_RANGE) % 360})`;

/** The colour of a model: its organisation's, or its own where nobody knows whose it is. */
export const colorOfModel = (model: { id: string; organization: string }): string =>
  colorOf(model.organization === "Unknown" ? model.id : model.organization);

/** The colour of the n-th line of a chart, from 0; after eight they begin again. */
export const seriesColor = (index: number): string => `var(--series-${(index % SERIES) + 1})`;
