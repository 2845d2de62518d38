/** What the next prompt does in a team. Pure. */

import { type Choosing, lastTurn, type Plan } from "@/features/arena/mode-feature";
import { askedOf, currentLineup, lineupOfMatch, sameLineup } from "@/features/lineup/lineup";
import { castOf, withoutIdleMembers } from "@/features/team/cast";
import { MODE_STRINGS } from "@/features/team/mode-strings";
import { lastPlan } from "@/features/team/saying";

const LEAST_SPEAKERS = 2;

/** The same team goes on in its match; another one carries on from what was last written. */
export function planTeam(situation: Choosing): Plan {
  const { record, models, info, from } = situation;
  if (!models || !info) return { kind: "wait", why: MODE_STRINGS.loading };
  const current = currentLineup(situation);
  if (!current) return { kind: "wait", why: MODE_STRINGS.noModels };
  const lineup = withoutIdleMembers(current);
  if (castOf(info, lineup).speakers.length < LEAST_SPEAKERS)
    return { kind: "wait", why: MODE_STRINGS.tooFew };
  const begun = { kind: "match", ...askedOf(lineup) } as const;
  if (from) return { ...begun, continue_from: from };
  const turn = lastTurn(record);
  if (!record || !turn) return begun;
  if (sameLineup(info, lineup, lineupOfMatch(info, record))) {
    return { kind: "turn", matchId: record.match.id };
  }
  const seat = lastPlan(record)?.writer ?? record.match.seats[0]?.name;
  return seat === undefined ? begun : { ...begun, continue_from: { turn_id: turn.id, seat } };
}
