/** Two texts word by word. Pure. */

import { diffWordsWithSpace } from "diff";

/** Texts that have little in common would take long. */
const WITHIN_MS = 800;

export interface Piece {
  /** Where it begins in its text. */
  at: number;
  text: string;
  /** Only this text has it. */
  own: boolean;
}

/** The pieces of both texts; null where that would take too long. */
export function wordDiff(left: string, right: string): [Piece[], Piece[]] | null {
  const parts = diffWordsWithSpace(left, right, { timeout: WITHIN_MS });
  if (!parts) return null;
  const side = (own: "removed" | "added", others: "removed" | "added") => {
    let at = 0;
    return parts
      .filter((part) => !part[others])
      .map((part) => {
        const piece = { at, text: part.value, own: part[own] };
        at += part.value.length;
        return piece;
      });
  };
  return [side("removed", "added"), side("added", "removed")];
}
