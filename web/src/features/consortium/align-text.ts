/** Finds sentences of a Markdown source, and words, in the text that was rendered from it. Pure. */
import type { AgreementKind, Sentence } from "@/features/consortium/notes";
import { unitsOf } from "@/lib/code-points";

/** UTF-16 offsets `start` to `end` in a text. */
export interface Stretch {
  start: number;
  end: number;
}

export interface MarkedStretch extends Stretch {
  kind: AgreementKind;
  group: number | null;
  /** The place of the sentence in the note. */
  index: number;
}

const BETWEEN = /[^\p{L}\p{N}]+/gu;

/** The text's letters and digits: what Markdown leaves as it was. */
const lettersOf = (text: string): string => text.replace(BETWEEN, "");

/** Where each letter and digit stands in the text, by UTF-16 units. */
function placesOf(text: string, count: number): Int32Array {
  const places = new Int32Array(count);
  let next = 0;
  const fill = (from: number, to: number) => {
    for (let place = from; place < to; place += 1) places[next++] = place;
  };
  let from = 0;
  for (const { 0: between, index } of text.matchAll(BETWEEN)) {
    fill(from, index);
    from = index + between.length;
  }
  fill(from, text.length);
  return places;
}

/** Takes one that is never closed too, whole: or the end would be sought again from each bracket. */
const LINK_TARGET = /\]\([^)\s]*(\)?)/g;

const withoutLinkTargets = (text: string): string =>
  text.replace(LINK_TARGET, (target, closed) => (closed ? "]" : target));

const OPENING = /[“"'‘«([{¿¡]/;
const CLOSING = /[^\s\p{L}\p{N}“‘«([{]/u;

/**
 * Where the sentences stand in the rendered text. Sentences are sought by their letters and digits, one after the
 * other; one that was rendered to something else, such as a formula, is left out.
 */
export function alignSentences(
  answer: string,
  sentences: readonly Sentence[],
  rendered: string,
): MarkedStretch[] {
  const unit = unitsOf(answer);
  const whole = lettersOf(rendered);
  const at = placesOf(rendered, whole.length);
  const found: MarkedStretch[] = [];
  let from = 0;
  sentences.forEach(({ start, end, kind, group }, index) => {
    const letters = lettersOf(withoutLinkTargets(answer.slice(unit(start), unit(end))));
    const place = letters === "" ? -1 : whole.indexOf(letters, from);
    if (place < 0) return;
    from = place + letters.length;
    let first = at[place] ?? 0;
    let last = (at[from - 1] ?? first) + 1;
    while (first > 0 && OPENING.test(rendered[first - 1] ?? "")) first -= 1;
    while (last < rendered.length && CLOSING.test(rendered[last] ?? " ")) last += 1;
    found.push({ start: first, end: last, kind, group, index });
  });
  return found;
}

const STOP_WORDS = new Set(
  `about after also answer because been before belong between both could does doing each from have into more most
   much only other should some such than that their them then there these they this those through very were what
   when where which while whom whose will with would your member says`.split(/\s+/),
);

interface Token extends Stretch {
  stem: string;
  counts: boolean;
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => {
    const lower = word.toLowerCase();
    const stem = lower.length > 3 ? lower.replace(/(ies|ing|ed|es|e|s)$/, "") : lower;
    return {
      start: index,
      end: index + word.length,
      stem,
      counts: lower.length > 3 && !STOP_WORDS.has(lower),
    };
  });
}

/** A short area is found by each of its words, a long one only by several in a row. */
const SHORT_AREA = 7;

/** Where the words of a refinement area occur in a text. */
export function findArea(text: string, area: string): Stretch[] {
  const wanted = tokensOf(area.replace(/\(?\bmember \d+\)?/gi, " "));
  const tokens = tokensOf(text);
  const least = wanted.filter((token) => token.counts).length > SHORT_AREA ? 3 : 1;
  const found: Stretch[] = [];
  for (let at = 0; at < tokens.length; ) {
    const run = longestRun(tokens, at, wanted);
    const words = tokens.slice(at, at + run);
    if (words.filter((token) => token.counts).length < least) {
      at += 1;
      continue;
    }
    while (words.at(-1)?.counts === false) words.pop();
    found.push({ start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 });
    at += Math.max(1, run);
  }
  return found;
}

function longestRun(tokens: readonly Token[], at: number, wanted: readonly Token[]): number {
  if (!tokens[at]?.counts) return 0;
  let best = 0;
  for (let start = 0; start < wanted.length; start += 1) {
    let length = 0;
    while (tokens[at + length] && tokens[at + length]?.stem === wanted[start + length]?.stem) length += 1;
    best = Math.max(best, length);
  }
  return best;
}
