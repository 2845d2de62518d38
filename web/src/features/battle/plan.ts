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
  const special = specialOf(asked);
  return { kind: "match", ...(special && { brief: { [special]: true } }) };
}

/** What both sides do besides writing: as was chosen for the next battle, else as in the one before. */
export type Special = "pictures" | "tools";

export function specialOf({ record, setup }: Situation & Partial<Pick<Choosing, "setup">>): Special | null {
  const chosen = (setup ?? record?.match.brief) as Partial<Record<Special, unknown>> | undefined;
  return chosen?.pictures === true ? "pictures" : chosen?.tools === true ? "tools" : null;
}

export function battlePlaceholder(record: MatchRecord | null): string {
  if (!record) return "Ask two hidden models anything";
  return goesOn(record, "completed", "running", "interrupted")
    ? "Ask both a follow-up…"
    : "Start a new battle…";
}
