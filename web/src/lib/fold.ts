/** Folding as the server's search does it: letters without case and in one composition, ß as ss, ﬁ as fi. Pure. */

export interface Folded {
  text: string;
  /** The place in the text as it was of what stands at a place of the folded one. */
  placeOf: (range: { start: number; end: number }) => { start: number; end: number };
}

/** Letters that fold to more or fewer: where they are, folded and as they were. */
interface Span {
  start: number;
  end: number;
  from: number;
  to: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII, whole
const OTHER_LETTERS = /[\x00-\x7f]\p{M}+|[^\x00-\x7f]\p{M}*/gu;

export function fold(text: string): Folded {
  const spans: Span[] = [];
  let folded = "";
  let last = 0;
  for (const { 0: letter, index } of text.matchAll(OTHER_LETTERS)) {
    const plain = foldLetter(letter);
    if (plain === letter) continue;
    folded += text.slice(last, index).toLowerCase();
    last = index + letter.length;
    if (plain.length !== letter.length)
      spans.push({ start: folded.length, end: folded.length + plain.length, from: index, to: last });
    folded += plain;
  }
  folded += text.slice(last).toLowerCase();
  const at = (place: number, isEnd: boolean): number => {
    const span = spans.findLast(({ start }) => (isEnd ? start < place : start <= place));
    if (!span) return place;
    if (place >= span.end) return span.to + place - span.end;
    return isEnd ? span.to : span.from;
  };
  return { text: folded, placeOf: ({ start, end }) => ({ start: at(start, false), end: at(end, true) }) };
}

const foldLetter = (letter: string) =>
  letter
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ς", "σ")
    .replaceAll("i\u0307", "i")
    .normalize("NFKC");

/** Finds words in a row in a folded text, whatever space is between them and wherever it is broken into lines. */
export function patternOf(words: string): RegExp {
  const parts = fold(words.trim())
    .text.split(/\s+/)
    .map((word) => [...word].map((letter) => letter.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\n?"));
  return new RegExp(parts.join("\\s+"), "gu");
}
