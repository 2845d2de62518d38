/** What the next prompt does in a consortium, and how its settings follow its seats. Pure. */

import type { Choosing, Plan } from "@/features/arena/mode-feature";
import type { Lineup } from "@/features/lineup/lineup";
import { planRounds } from "@/features/rounds/plan";

/** What saved line-ups are called here. */
export const SAVED = { one: "Saved consortium", all: "Saved consortia" };

/** The line-up without the parts of those who are gone. */
export function withoutIdleParts(lineup: Lineup): Lineup {
  const { roles } = lineup.brief;
  if (typeof roles !== "object" || roles === null) return lineup;
  const seats = new Set(lineup.places.map(({ name }) => name));
  const kept = Object.entries(roles).filter(([seat]) => seats.has(seat));
  return { ...lineup, brief: { ...lineup.brief, roles: kept.length > 0 ? Object.fromEntries(kept) : null } };
}

/** The same consortium goes on in its match; another line-up or other settings carry on from the arbiter. */
export const planConsortium = (situation: Choosing): Plan =>
  planRounds(situation, { tidy: withoutIdleParts, writer: () => "arbiter" });
