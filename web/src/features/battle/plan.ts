/** What the next prompt does to a battle. Pure. */

import type { MatchRecord, ModelCard } from "@/api/types";
import { lastTurn, type Plan, type Situation } from "@/features/arena/mode-feature";
import { STRINGS } from "@/features/battle/strings";

/** The battle can take a follow-up: it is open and its last turn is whole, or will be. */
const goesOn = (record: MatchRecord, ...statuses: string[]) =>
  record.match.status === "open" && statuses.includes(lastTurn(record)?.status ?? "");

/** A whole, open battle takes a follow-up; after a vote, a stop or a void one a new battle begins. */
export function planBattle({ record }: Situation): Plan {
  return record && goesOn(record, "completed")
    ? { kind: "turn", matchId: record.match.id }
    : { kind: "match" };
}

export function battlePlaceholder(record: MatchRecord | null): string {
  if (!record) return STRINGS.askPlaceholder;
  return goesOn(record, "completed", "running", "interrupted")
    ? STRINGS.followUpPlaceholder
    : STRINGS.newPlaceholder;
}

/** Who may be drawn, as the server sees it: text models tagged `battle`, or all where none is; and every ensemble. */
export function battlePool(models: readonly ModelCard[]): ModelCard[] {
  const able = models.filter((model) => model.enabled && model.capabilities.includes("text"));
  const single = able.filter((model) => model.kind !== "ensemble");
  const tagged = single.filter((model) => model.tags.includes("battle"));
  return [...(tagged.length > 0 ? tagged : single), ...able.filter((model) => model.kind === "ensemble")];
}
