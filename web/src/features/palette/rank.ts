/** How well an entry of the palette fits what is sought. */
import { defaultFilter } from "cmdk";

/** From 0 (not at all) to 1: by the entry's name first, then by the other words it is known by. */
export function rank(name: string, also: string, sought: string): number {
  const wanted = sought.trim().toLowerCase();
  const called = name.toLowerCase();
  // Of two that fit alike, the shorter name has less beside what was sought.
  const near = 0.09 / (1 + called.length);
  if (called === wanted) return 1;
  if (called.startsWith(wanted)) return 0.9 + near;
  if (` ${called}`.includes(` ${wanted}`)) return 0.8 + near;
  if (called.includes(wanted)) return 0.7 + near;
  const all = ` ${called} ${also.toLowerCase()}`;
  const words = wanted.split(/\s+/);
  if (words.every((word) => all.includes(` ${word}`))) return 0.5 + near;
  if (words.every((word) => all.includes(word))) return 0.3 + near;
  return 0.2 * (defaultFilter?.(name, wanted) ?? 0);
}
