/** What the next prompt does in a consortium, and how its settings follow its seats. Pure. */

import { type Choosing, lastTurn, type Plan } from "@/features/arena/mode-feature";
import { MODE_STRINGS } from "@/features/consortium/mode-strings";
import { askedOf, currentLineup, type Lineup, lineupOfMatch, sameLineup } from "@/features/lineup/lineup";

/** The line-up without the parts of those who are gone. */
export function withoutIdleParts(lineup: Lineup): Lineup {
  const { roles } = lineup.brief;
  if (typeof roles !== "object" || roles === null) return lineup;
  const seats = new Set(lineup.places.map(({ name }) => name));
  const kept = Object.entries(roles).filter(([seat]) => seats.has(seat));
  return { ...lineup, brief: { ...lineup.brief, roles: kept.length > 0 ? Object.fromEntries(kept) : null } };
}

/** The same consortium goes on in its match; another line-up or other settings carry on from the arbiter. */
export function planConsortium(situation: Choosing): Plan {
  const { record, models, info, from } = situation;
  if (!models || !info) return { kind: "wait", why: MODE_STRINGS.loading };
  const current = currentLineup(situation);
  if (!current) return { kind: "wait", why: MODE_STRINGS.noModels };
  const lineup = withoutIdleParts(current);
  const begun = { kind: "match", ...askedOf(lineup) } as const;
  if (from) return { ...begun, continue_from: from };
  const turn = lastTurn(record);
  if (record && turn && sameLineup(info, lineup, lineupOfMatch(info, record))) {
    return { kind: "turn", matchId: record.match.id };
  }
  return turn ? { ...begun, continue_from: { turn_id: turn.id, seat: "arbiter" } } : begun;
}
