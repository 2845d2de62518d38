/** A reply as it is read: pieces of its text, each with the pictures and files that follow it. Pure. */
import type { ReplyPart, ReplyView } from "@/api/types";
import { unitsOf } from "@/lib/code-points";

export interface Piece {
  text: string;
  files: ReplyPart["attached"][];
}

export function piecesOf({ text, parts }: Pick<ReplyView, "text" | "parts">): Piece[] {
  const unit = unitsOf(text);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { offset, attached } of parts) {
    const [last, end] = [pieces.at(-1), unit(offset)];
    if (last && end === at) last.files.push(attached);
    else pieces.push({ text: text.slice(at, end), files: [attached] });
    at = end;
  }
  const rest = text.slice(at);
  return rest || pieces.length === 0 ? [...pieces, { text: rest, files: [] }] : pieces;
}
