/** When a void battle draws again by itself. Pure but for what the browser remembers. */

import type { MatchRecord } from "@/api/types";
import { readStored, writeStored } from "@/lib/local-storage";

interface Moment {
  record: MatchRecord;
  /** The person has seen it being answered: an old battle that is opened again stays as it is. */
  seenRunning: boolean;
  /** Something stands in the message field: the person may be about to ask something else. */
  typed: boolean;
  /** Battles that were drawn again by themselves: none is drawn a third time. */
  automatic: readonly string[];
}

/** A battle that became void before the person's eyes draws again once, unless they have begun to write. */
export const drawsAgain = ({ record: { match }, seenRunning, typed, automatic }: Moment): boolean =>
  match.status === "void" && seenRunning && !typed && !automatic.includes(match.id);

const FRESH_MS = 30_000;

/** Asked on this page, and just now: a refused key makes a battle void before its page is there. Times in ms. */
export const isFresh = (createdAt: string, pageLoaded: number, now: number): boolean => {
  const created = Date.parse(createdAt);
  return created >= pageLoaded && now - created < FRESH_MS;
};

const KEY = "redrawn";
const REMEMBERED = 40;

/** Reserve the redraw of a battle: only one of the tabs that show it draws again. */
export function reserveRedraw(match: string): boolean {
  const reserved = readStored<string[]>(KEY, []);
  if (reserved.includes(match)) return false;
  writeStored(KEY, [...reserved, match].slice(-REMEMBERED));
  return true;
}

/** Battles that the page drew by itself, since it was loaded. */
export const automatic: string[] = [];
