/** Cuts a long text into pieces that the browser lays out one by one, as they come into sight. */

const PIECE = 2_000;
const MAX_WORD = 1_000;

/** What a browser can't break between two words; the time that it takes grows with the square of the length. */
const LONG_WORD = new RegExp(`[^\\s\u3000-\u9fff\uac00-\ud7a3]{${MAX_WORD + 1}}`);

/** True where a word is so long that it must be cut to be laid out in time. */
export const hasLongWord = (text: string): boolean => LONG_WORD.test(text);

/** Pieces of at most so many units, that end at a line's end, else at a space, never within a character. */
export function cut(text: string, most = PIECE): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start, most);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function endOf(text: string, start: number, most: number): number {
  // Only this much is looked at: a search in the whole text would go back to its beginning for each piece.
  const piece = text.slice(start, start + most);
  const word = LONG_WORD.exec(piece);
  if (word) return whole(text, start + word.index + MAX_WORD);
  if (start + most >= text.length) return text.length;
  const line = piece.lastIndexOf("\n");
  if (line >= 0) return start + line + 1;
  const space = piece.lastIndexOf(" ");
  return space > 0 ? start + space + 1 : whole(text, start + most);
}

/** The place itself, or the one before it where it is within a surrogate pair. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at;
}
