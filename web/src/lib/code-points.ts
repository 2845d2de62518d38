/** Places in a text as the server counts them, by code points. */

/** The UTF-16 offset of every code point, and of the end. */
export function unitsOf(text: string): (point: number) => number {
  if (!/[\ud800-\udfff]/.test(text)) return (point) => Math.min(point, text.length);
  const units: number[] = [];
  let unit = 0;
  for (const point of text) {
    units.push(unit);
    unit += point.length;
  }
  return (point) => units[point] ?? text.length;
}

/** The number of code points of a text; only near a limit is it worth counting them, elsewhere UTF-16 is counted. */
export const lengthNear = (limit: number, text: string): number =>
  text.length > limit * 0.8 ? [...text].length : text.length;

/** The part of a text between two code points. */
export function partOf(text: string, start: number, end: number): string {
  const unit = unitsOf(text);
  return text.slice(unit(start), unit(end));
}
