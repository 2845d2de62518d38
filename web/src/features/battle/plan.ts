/** What the next prompt does to a battle. Pure. */

import type { MatchRecord } from "@/api/types";
import { type Choosing, lastTurn, type Plan, type Situation } from "@/features/arena/mode-feature";

/** The battle can take a follow-up: it is open and its last turn is whole, or will be. */
const goesOn = (record: MatchRecord, ...statuses: string[]) =>
  record.match.status === "open" && statuses.includes(lastTurn(record)?.status ?? "");

/** A whole, open battle takes a follow-up; after a vote, a stop or a void one a new battle begins. */
export function planBattle(asked: Situation & Partial<Pick<Choosing, "setup">>): Plan {
  const { record } = asked;
  if (record && goesOn(record, "completed")) return { kind: "turn", matchId: record.match.id };
  return { kind: "match", ...(drawsPictures(asked) && { brief: { pictures: true } }) };
}

/** Both sides draw: as was chosen for the next battle, else as in the one before. */
export function drawsPictures({ record, setup }: Situation & Partial<Pick<Choosing, "setup">>): boolean {
  const chosen = (setup as { pictures?: unknown } | null | undefined)?.pictures;
  return typeof chosen === "boolean" ? chosen : record?.match.brief.pictures === true;
}

export function battlePlaceholder(record: MatchRecord | null): string {
  if (!record) return "Ask two hidden models anything";
  return goesOn(record, "completed", "running", "interrupted")
    ? "Ask both a follow-up…"
    : "Start a new battle…";
}
