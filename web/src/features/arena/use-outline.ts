/** Matches or a turn for what does not show its texts: the same object while replies do nothing but grow. */
import { useState } from "react";
import type { MatchRecord, ReplyView, TurnView } from "@/api/types";

export function useOutlines(records: readonly MatchRecord[]): readonly MatchRecord[] {
  return useSame(records, sameRecords);
}

export function useTurnOutline(turn: TurnView): TurnView {
  return useSame(turn, sameTurn);
}

function useSame<T>(value: T, same: (before: T, after: T) => boolean): T {
  const [kept, keep] = useState(value);
  if (same(kept, value)) return kept;
  // Set while rendering, so that React starts again with it at once and shows nothing of before.
  keep(value);
  return value;
}

const sameRecords = (before: readonly MatchRecord[], after: readonly MatchRecord[]) =>
  each(before, after, sameRecord);

export function sameRecord(before: MatchRecord | null, after: MatchRecord | null): boolean {
  if (before === after) return true;
  if (!before || !after || before.match !== after.match) return false;
  return each(before.turns, after.turns, sameTurn);
}

export function sameTurn(before: TurnView, after: TurnView): boolean {
  if (before === after) return true;
  const { replies: a, ...rest } = before;
  const { replies: b, ...now } = after;
  return each(a, b, sameReply) && each(Object.entries(rest), Object.entries(now), ([, x], [, y]) => x === y);
}

const sameReply = (a: ReplyView, b: ReplyView) =>
  a === b || (a.id === b.id && a.attempt === b.attempt && a.status === b.status);

function each<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((value, index) => same(value, b[index] as T));
}
