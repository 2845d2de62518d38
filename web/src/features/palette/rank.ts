/** How well an entry of the palette fits what is sought. */
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
  return called[0] === wanted[0] && inOrder(called, wanted) ? 0.1 + near : 0;
}

/** All letters of a word stand in a text one after another, with others between them. */
function inOrder(text: string, word: string): boolean {
  let found = 0;
  for (const letter of text) if (letter === word[found]) found += 1;
  return found === word.length;
}
