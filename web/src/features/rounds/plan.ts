/** What the next prompt does where a line-up stays as it is for a whole match. Pure. */

import type { MatchRecord, ModeCard } from "@/api/types";
import { type Choosing, LOADING, lastTurn, type Plan } from "@/features/arena/mode-feature";
import { askedOf, currentLineup, type Lineup, lineupOfMatch, sameLineup } from "@/features/lineup/lineup";

interface RoundsPlan {
  /** Leaves out the settings of those who are gone. */
  tidy: (lineup: Lineup) => Lineup;
  /** The seat whose words another line-up carries on from. */
  writer: (record: MatchRecord) => string | undefined;
  /** Why a line-up can't begin; null where it can. */
  obstacle?: (info: ModeCard, lineup: Lineup) => string | null;
}

/** Go on in the match while its line-up and settings are the same; else begin a new one from what was written last. */
export function planRounds(situation: Choosing, { tidy, writer, obstacle }: RoundsPlan): Plan {
  const { record, models, info, from } = situation;
  if (!models || !info) return LOADING;
  const current = currentLineup(situation);
  if (!current) return { kind: "wait", why: "No models available" };
  const lineup = tidy(current);
  const why = obstacle?.(info, lineup);
  if (why) return { kind: "wait", why };
  const begun = { kind: "match", ...askedOf(lineup) } as const;
  if (from) return { ...begun, continue_from: from };
  const turn = lastTurn(record);
  if (!record || !turn) return begun;
  if (sameLineup(info, lineup, lineupOfMatch(info, record))) {
    return { kind: "turn", matchId: record.match.id };
  }
  const seat = writer(record);
  return seat === undefined ? begun : { ...begun, continue_from: { turn_id: turn.id, seat } };
}
